"""packaging/jupyterhub, run by people of a test instead of the machine's: a server for one, a cell in it."""
import json
import shutil
import subprocess
import time
import uuid
from pathlib import Path

import pytest
import requests
import websocket

ROOT = Path(__file__).resolve().parents[2]
HUB = "http://127.0.0.1:18010"
TOKEN = {"Authorization": "token of-the-test-" + uuid.uuid4().hex}
TEST = f"""
c.JupyterHub.bind_url = "{HUB}"
c.JupyterHub.hub_port = 18011
c.ConfigurableHTTPProxy.api_url = "http://127.0.0.1:18012"
c.JupyterHub.authenticator_class = "dummy"
c.JupyterHub.spawner_class = "simple"
c.Spawner.args = ["--allow-root"]
c.Spawner.env_keep = ["PATH", "JUPYTER_PATH"]
c.JupyterHub.load_roles = [{{"name": "test", "scopes": ["admin:users", "admin:servers", "access:servers"], "services": ["test"]}}]
c.JupyterHub.services = [{{"name": "test", "api_token": "{TOKEN['Authorization'].removeprefix('token ')}"}}]
"""


@pytest.fixture
def hub(tmp_path, monkeypatch):
    if not shutil.which("configurable-http-proxy"):
        if not shutil.which("npm"):
            pytest.skip("JupyterHub's proxy needs npm")
        subprocess.run(["npm", "install", "--silent", "--no-fund", "--no-audit", "configurable-http-proxy@5"], cwd=tmp_path, check=True)
        monkeypatch.setenv("PATH", f"{tmp_path}/node_modules/.bin", prepend=":")
    config = tmp_path / "jupyterhub_config.py"
    config.write_text((ROOT / "packaging/jupyterhub/jupyterhub_config.py").read_text() + TEST)
    with open(tmp_path / "log", "w") as log:
        server = subprocess.Popen(["jupyterhub", "-f", config], cwd=tmp_path, stdout=log, stderr=subprocess.STDOUT)
    deadline = time.time() + 90
    while "JupyterHub is now running" not in (tmp_path / "log").read_text():
        assert server.poll() is None and time.time() < deadline, (tmp_path / "log").read_text()
        time.sleep(0.2)
    yield
    server.terminate()
    server.wait(60)


def test_a_server_for_one(hub):
    assert requests.post(f"{HUB}/hub/api/users/ann", headers=TOKEN, timeout=30).status_code == 201
    requests.post(f"{HUB}/hub/api/users/ann/server", headers=TOKEN, timeout=90).raise_for_status()
    deadline = time.time() + 90
    while not (at := requests.get(f"{HUB}/hub/api/users/ann", headers=TOKEN, timeout=30).json()["server"]):
        assert time.time() < deadline
        time.sleep(0.2)
    assert "arrayrepl" in requests.get(f"{HUB}{at}api/kernelspecs", headers=TOKEN, timeout=30).json()["kernelspecs"]
    kernel = requests.post(f"{HUB}{at}api/kernels", headers=TOKEN, json={"name": "arrayrepl"}, timeout=30).json()["id"]
    ws = websocket.create_connection(f"{HUB}{at}api/kernels/{kernel}/channels".replace("http", "ws"), header=[f"Authorization: {TOKEN['Authorization']}"], timeout=60)
    ws.send(json.dumps({
        "channel": "shell", "parent_header": {}, "metadata": {}, "buffers": [],
        "header": {"msg_id": uuid.uuid4().hex, "msg_type": "execute_request", "session": "s", "username": "ann", "version": "5.3", "date": "2026-01-01T00:00:00Z"},
        "content": {"code": "np.Arange(5).Sum()", "silent": False, "store_history": True, "user_expressions": {}, "allow_stdin": False, "stop_on_error": True}}))
    while (msg := json.loads(ws.recv()))["msg_type"] != "execute_result":
        assert msg["msg_type"] != "error", msg
    assert msg["content"]["data"]["text/plain"] == "10"
    requests.delete(f"{HUB}/hub/api/users/ann/server", headers=TOKEN, timeout=90)
