// Package zmtp is the server side of ZMTP 3.1, the wire protocol of ZeroMQ, as far as a Jupyter kernel needs it:
// sockets that listen on tcp or ipc, with the NULL mechanism or with CURVE, which encrypts.
//
// [ListenRouter] opens a ROUTER, which receives requests from many clients and answers each by its identity;
// [ListenPub] an XPUB, which broadcasts to subscribers and sees them subscribe; [ListenEcho] a REP that returns what it
// gets, for heartbeats. Clients are libzmq's DEALER, REQ and SUB sockets, with ZMTP 3.0 or 3.1.
//
// What sets it apart from a general library is that no client can hold up another one. Each connection has its own
// deadline for the handshake, its own reader, its own writer and its own bounded queue; a connection that says nothing,
// says nonsense or stops reading costs its own queue and nothing else. A frame's announced length is never trusted with
// memory: space grows with the bytes that arrive, up to a cap, and all that is not verified has one bound over all
// connections (intake.go). Senders wait for slow readers, which are asked by PING after each megabyte how far they have
// read (reading.go), and for those that do not read at all they wait once, for all together (patience.go).
//
// A message goes through these files in order: listen.go accepts, greeting.go, ready.go and curve.go shake hands,
// frame.go and command.go read, one of router.go, pub.go and echo.go decides, queue.go holds what waits to be written,
// conn.go writes.
//
// The protocol's text: https://rfc.zeromq.org/spec/37/ (ZMTP 3.1) and https://rfc.zeromq.org/spec/23/ (ZMTP 3.0);
// CURVE: spec/26 and spec/25 there.
//
// The package must never know what the messages mean: Jupyter's envelopes and signatures are package kernel's.
package zmtp
