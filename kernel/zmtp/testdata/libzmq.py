"""Drives a ROUTER, an XPUB and a REP of this package with libzmq. Arguments: their three endpoints."""
import sys, time
import zmq

router, pub, rep = sys.argv[1:4]
ctx = zmq.Context()


def sock(kind, where, **options):
    s = ctx.socket(kind)
    s.linger = 0
    s.rcvtimeo = s.sndtimeo = 20_000
    for name, value in options.items():
        setattr(s, name, value)
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

# Round trips, for the log.
t = []
for _ in range(1000):
    t0 = time.perf_counter()
    a.send(b"x")
    a.recv_multipart()
    t.append(time.perf_counter() - t0)
t.sort()
print(f"libzmq {zmq.zmq_version()}: round trip {t[500] * 1e6:.0f} us median, {t[990] * 1e6:.0f} us p99")
