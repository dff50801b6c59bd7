"""%get through a client. The modules are those of interp/testdata/modules, served from a folder: no network is needed."""

import pathlib
import re
import shutil
import zipfile

import pytest

from conftest import FAKE

pytestmark = [
    pytest.mark.skipif(FAKE, reason="needs a session that runs Go"),
    pytest.mark.skipif(shutil.which("go") is None, reason="modules are fetched by the go command, which is not here"),
]

ARCHIVES = pathlib.Path(__file__).parents[2] / "interp" / "testdata" / "modules"


@pytest.fixture
def proxy(tmp_path):
    """A module proxy of the archives, as go help goproxy describes it."""
    for archive in ARCHIVES.glob("*.txtar"):
        head, *parts = re.split(r"^-- (.+) --\n", archive.read_text(), flags=re.M)
        path, version = head.strip().split("@")
        files = dict(zip(parts[::2], parts[1::2]))
        at = tmp_path / "proxy" / path / "@v"
        at.mkdir(parents=True, exist_ok=True)
        (at / f"{version}.mod").write_text(files["go.mod"])
        (at / f"{version}.info").write_text('{"Version": "%s", "Time": "2026-01-01T00:00:00Z"}' % version)
        with zipfile.ZipFile(at / f"{version}.zip", "w") as z:
            for name, text in files.items():
                z.writestr(f"{path}@{version}/{name}", text)
        with open(at / "list", "a") as versions:
            versions.write(version + "\n")
    return tmp_path


def test_get(client, proxy):
    settings = {"GOPROXY": f"file://{proxy}/proxy", "GOSUMDB": "off", "GOMODCACHE": f"{proxy}/cache", "GOFLAGS": "-modcacherw"}
    client.run("\n".join(f"%env {name}={value}" for name, value in settings.items()))

    reply, _ = client.run('import "example.com/geo"')
    assert reply["status"] == "error" and "%get example.com/geo" in reply["evalue"]

    reply, out = client.run("%get example.com/geo@v1.0.0")
    assert reply["status"] == "ok", reply
    assert "downloading example.com/geo v1.0.0" in client.stream(out, "stderr")

    reply, out = client.run('import "example.com/geo"\np := geo.Point{3, 4}\ngeo.Dist(p, geo.Origin), p')
    assert reply["status"] == "ok", reply
    assert out[-1]["content"]["data"]["text/plain"] == "5.0, <3,4>"

    content = client.reply(client.kc.complete("%get example.com/ge", 19))["content"]
    assert content["matches"] == ["example.com/geo"]
    content = client.reply(client.kc.inspect("geo.Dist(p, ", 12))["content"]
    assert content["data"]["text/plain"].startswith("func geo.Dist(a, b geo.Point) float64\n// here: b geo.Point")

    reply, _ = client.run("%get example.com/none")
    assert reply["status"] == "error" and "example.com/none" in reply["evalue"]
    assert client.value("geo.Next() - geo.Count") == "0"
