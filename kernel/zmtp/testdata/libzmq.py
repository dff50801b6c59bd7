"""Drives a ROUTER, an XPUB and a REP of this package with libzmq. Arguments: their three endpoints, and a public key when they
ask for CURVE."""
import contextlib, sys, time
import zmq

router, pub, rep = sys.argv[1:4]
server_key = sys.argv[4].encode() if len(sys.argv) > 4 else None
ctx = zmq.Context()


def sock(kind, where, key=server_key, **options):
    s = ctx.socket(kind)
    s.linger = 0
    s.rcvtimeo = s.sndtimeo = 20_000
    for name, value in options.items():
        setattr(s, name, value)
    if key:
        s.curve_publickey, s.curve_secretkey = zmq.curve_keypair()
        s.curve_serverkey = key
    s.connect(where)
    return s


# ROUTER: identities, many frames, empty frames, all frame forms, many clients at once.
a = sock(zmq.DEALER, router, identity=b"alice", heartbeat_ivl=20, heartbeat_timeout=1000)
for frames in ([b"x"], [b"", b"y", b""], [b"z" * 255], [b"z" * 256], [b"z" * 5_000_000, b"tail"]):
    a.send_multipart(frames)
    assert a.recv_multipart() == [b"alice"] + frames, frames[0][:10]
many = [sock(zmq.DEALER, router) for _ in range(50)]
for i, s in enumerate(many):
    s.send(b"%d" % i)
for i, s in enumerate(many):
    assert s.recv_multipart()[1] == b"%d" % i
for i in range(5000):
    a.send(b"%d" % i)
for i in range(5000):
    assert a.recv_multipart()[1] == b"%d" % i

# REP: a heartbeat, again and again.
r = sock(zmq.REQ, rep)
for i in range(100):
    r.send(b"ping%d" % i)
    assert r.recv() == b"ping%d" % i

# XPUB: welcome, prefixes, cancel. The router forwards what it is told to publish.
s = sock(zmq.SUB, pub, subscribe=b"a.")
assert s.recv_multipart() == [b"a.", b"welcome"]
a.send_multipart([b"publish", b"b.1", b"no"])
a.recv_multipart()
a.send_multipart([b"publish", b"a.1", b"yes"])
a.recv_multipart()
assert s.recv_multipart() == [b"a.1", b"yes"]
s.unsubscribe = b"a."
s.subscribe = b"b."
assert s.recv_multipart() == [b"b.", b"welcome"]
a.send_multipart([b"publish", b"a.2", b"no"])
a.recv_multipart()
a.send_multipart([b"publish", b"b.2", b"yes"])
a.recv_multipart()
assert s.recv_multipart() == [b"b.2", b"yes"]

# Heartbeats of libzmq (PING every 20 ms, above) were answered: the connection still stands after a while.
time.sleep(0.3)
a.send(b"still")
assert a.recv_multipart() == [b"alice", b"still"]

# Who has another key, or none where one is asked for, or one where none is, is not served; the others go on.
for key in [None, zmq.curve_keypair()[0]] if server_key else [zmq.curve_keypair()[0]]:
    for kind, where in (zmq.DEALER, router), (zmq.REQ, rep), (zmq.SUB, pub):
        stranger = sock(kind, where, key=key)
        if kind == zmq.SUB:
            stranger.subscribe = b""
        else:
            stranger.sndtimeo = 0
            with contextlib.suppress(zmq.Again):  # libzmq may have given the connection up by now
                stranger.send(b"let me in")
        assert not stranger.poll(200), kind
        stranger.close()
a.send(b"still")
assert a.recv_multipart() == [b"alice", b"still"]

# Round trips, for the log.
t = []
for _ in range(1000):
    t0 = time.perf_counter()
    a.send(b"x")
    a.recv_multipart()
    t.append(time.perf_counter() - t0)
t.sort()
print(f"libzmq {zmq.zmq_version()}: round trip {t[500] * 1e6:.0f} us median, {t[990] * 1e6:.0f} us p99")
