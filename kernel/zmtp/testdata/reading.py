"""Subscribes to an XPUB of this package with libzmq. Arguments: its endpoint, "reads" or "stuck", and how many messages come:
numbers in order. One that reads says "all", or what it missed; stuck ones are three sockets that never read."""
import sys, time
import zmq

where, kind, messages = sys.argv[1:4]
ctx = zmq.Context()
socks = []
for _ in range(3 if kind == "stuck" else 1):
    s = ctx.socket(zmq.SUB)
    s.rcvtimeo = 60_000
    s.subscribe = b""
    s.connect(where)
    socks.append(s)
if kind == "stuck":
    time.sleep(600)
for i in range(int(messages)):
    got = socks[0].recv_multipart()[0]
    if got != b"%d" % i:
        print("message", i, "is", got, flush=True)
        sys.exit(1)
print("all", flush=True)
