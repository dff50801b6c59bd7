"""Connections that must not hang or harm the kernel, with a healthy client beside them."""
import contextlib
import os
import random
import socket
import time

import pytest
import zmq
from jupyter_client.manager import KernelManager

from conftest import FAKE, TIMEOUT, Client, beating
from testsize import part

PORTS = ("shell_port", "control_port", "stdin_port", "iopub_port", "hb_port")
GREETING = b"\xff" + bytes(8) + b"\x7f\x03\x01NULL" + bytes(16 + 1 + 31)


def connect(km, port):
    s = socket.create_connection(("127.0.0.1", getattr(km, port)))
    s.settimeout(TIMEOUT)
    return s


def ready(kind):
    body = b"\x05READY\x0bSocket-Type" + len(kind).to_bytes(4, "big") + kind
    return b"\x04" + bytes([len(body)]) + body


def peer(port):
    return {"iopub_port": b"SUB", "hb_port": b"REQ"}.get(port, b"DEALER")


def test_silent_connections(km, no_leak, client):
    silent = [connect(km, p) for p in PORTS for _ in range(3)]
    half = [connect(km, p) for p in PORTS]
    for s in half:
        s.sendall(GREETING[:20])
    newcomer = Client(km)
    assert newcomer.value("1 + 1") == "2"
    assert client.value("1 + 1") == "2"
    newcomer.kc.stop_channels()
    for s in silent + half:
        assert s.recv(1000), "our greeting comes at once"
        while s.recv(1000):
            pass  # then the handshake's deadline ends the connection
        s.close()


@pytest.mark.parametrize("port", PORTS)
def test_garbage(km, no_leak, client, port):
    rng = random.Random(1)
    for data in (
        b"x" + rng.randbytes(5000),
        b"GET /api HTTP/1.1\r\nHost: localhost\r\n\r\n",
        GREETING + b"\x06\x00\x00\x00\x00\x80\x00\x00\x00",
        GREETING + ready(peer(port)) + b"\x02\x00\x00\x00\x00\x80\x00\x00\x00",  # a frame of 2 GB
        GREETING + ready(peer(port)) + b"\xff\xff\xff",
        GREETING + ready(b"PAIR"),
    ):
        s = connect(km, port)
        try:
            s.sendall(data)
            while s.recv(1000):
                pass
        except ConnectionResetError:
            pass
        s.close()
    half = connect(km, port)
    half.sendall(GREETING + ready(peer(port)) + b"\x02\x00\x00\x00\x00\x00\x10\x00\x00half a frame")
    assert client.value("1 + 1") == "2"
    half.close()


def test_wrong_key(km, no_leak, client):
    ctx = zmq.Context()
    s = ctx.socket(zmq.DEALER)
    s.linger = 0
    s.connect(f"tcp://127.0.0.1:{km.shell_port}")
    for _ in range(100):
        s.send_multipart([b"<IDS|MSG>", b"0" * 64, b'{"msg_type":"execute_request"}', b"{}", b"{}", b'{"code":"1 + 1"}'])
    assert client.value("1 + 1") == "2"
    assert s.poll(200) == 0
    ctx.destroy()


@pytest.mark.parametrize("transport", ["tcp", "ipc"])
def test_encrypted(transport, tmp_path):
    km = KernelManager(kernel_name="arrayrepl", transport=transport, transport_encryption="required")
    if transport == "ipc":
        km.ip = str(tmp_path / "k")
    km.start_kernel()
    try:
        assert km.curve_publickey and km.curve_secretkey, "the manager made keys"
        c = Client(km)
        assert c.value("1 + 1") == "2"
        _, out = c.run('fmt.Print(strings.Repeat("x", 10000000))')
        assert len(c.stream(out)) == 10_000_000
        c.kc.hb_channel.unpause()
        time.sleep(1.5)
        beating(c)
        ctx = zmq.Context()
        for key in (None, zmq.curve_keypair()[0]):  # a plain client, and one that knows another server
            for port in PORTS:
                kind = {b"SUB": zmq.SUB, b"REQ": zmq.REQ, b"DEALER": zmq.DEALER}[peer(port)]
                stranger = ctx.socket(kind)
                stranger.linger = 0
                if key:
                    stranger.curve_publickey, stranger.curve_secretkey = zmq.curve_keypair()
                    stranger.curve_serverkey = key
                stranger.connect(km._make_url(port.removesuffix("_port")))
                if kind == zmq.SUB:
                    stranger.subscribe = b""
                else:
                    stranger.sndtimeo = 0
                    with contextlib.suppress(zmq.Again):  # libzmq may have given the connection up by now
                        stranger.send_multipart(km.session.serialize(km.session.msg("kernel_info_request", {})))
                c.run("1 + 1")
                assert stranger.poll(100) == 0, (key, port)
        ctx.destroy()
        assert c.value("1 + 1") == "2"
        km.restart_kernel(newports=False)
        c.kc.wait_for_ready(timeout=TIMEOUT)
        assert c.value("1 + 1") == "2"
        c.kc.stop_channels()
    finally:
        km.shutdown_kernel()


def subscriber_that_never_reads(km):
    s = socket.socket()
    s.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    s.connect(("127.0.0.1", km.iopub_port))
    s.sendall(GREETING + ready(b"SUB") + b"\x00\x01\x01")
    time.sleep(0.2)
    return s


def test_stuck_subscriber(km, no_leak, client):
    stuck = subscriber_that_never_reads(km)
    for _ in range(10):  # 200 MB in all: three times what is queued for one that does not read
        _, out = client.run('fmt.Print(strings.Repeat("x", 20000000))')
        assert len(client.stream(out)) == 20_000_000
    assert client.value("1 + 1") == "2"
    stuck.close()


@pytest.mark.skipif(FAKE, reason="needs a session that runs Go")
@pytest.mark.skipif(not part(1), reason="it takes seconds of processor time: one commit in three runs it")
def test_stuck_subscriber_and_twenty_thousand_messages(km, no_leak, client):
    stuck = subscriber_that_never_reads(km)
    msg_id = client.kc.execute('for i := range 20000 { display.Show(display.HTML(fmt.Sprintf("%05d", i) + strings.Repeat("x", 9995))) }')
    shown = [m["content"]["data"]["text/html"] for m in client.outputs(msg_id) if m["msg_type"] == "display_data"]
    assert [int(text[:5]) for text in shown] == list(range(20000)) and {len(text) for text in shown} == {10000}
    assert client.reply(msg_id)["content"]["status"] == "ok"
    stuck.close()


@pytest.mark.skipif(not os.path.isdir("/proc/self/fd"), reason="counts file descriptors in /proc")
def test_connections_come_and_go(km, no_leak, client):
    fds = f"/proc/{km.provisioner.process.pid}/fd"
    tasks = f"/proc/{km.provisioner.process.pid}/task"
    before, threads = len(os.listdir(fds)), len(os.listdir(tasks))
    ctx = zmq.Context()
    for i in range(200):
        port = PORTS[i % len(PORTS)]
        s = ctx.socket({b"SUB": zmq.SUB, b"REQ": zmq.REQ, b"DEALER": zmq.DEALER}[peer(port)])
        s.linger = 0
        s.connect(f"tcp://127.0.0.1:{getattr(km, port)}")
        if port == "hb_port":
            s.send(b"ping")
            s.recv()
        elif port == "iopub_port":
            s.subscribe = b""
            s.recv_multipart()  # the welcome
        else:
            s.send_multipart(client.kc.session.serialize(client.kc.session.msg("kernel_info_request", {})))
            time.sleep(0.002)  # and it goes before it is answered, or with the answer unread
        s.close()
    ctx.destroy()
    deadline = time.time() + TIMEOUT
    while len(os.listdir(fds)) > before:
        assert time.time() < deadline, f"{len(os.listdir(fds))} file descriptors, {before} before"
        time.sleep(0.05)
    assert len(os.listdir(tasks)) <= threads + 8
    assert client.value("1 + 1") == "2"
