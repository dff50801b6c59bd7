package zmtp

import (
	"net"
	"time"
)

// Message is a multipart message: one slice a frame. Frames are shared, not copied: neither side may change their bytes
// after sending.
type Message [][]byte

// Size is the sum of the lengths of the frames in bytes.
func (m Message) Size() int {
	n := 0
	for _, f := range m {
		n += len(f)
	}
	return n
}

// Options bounds what one connection may cost. The zero value of each field means its default.
type Options struct {
	// Handshake is how long a new connection may take to greet and introduce itself. Default 5 s.
	Handshake time.Duration
	// MaxFrame is the largest message accepted, in bytes; a connection that announces more is closed. Default 512 MiB,
	// and 64 KiB for sockets that need no more: those of heartbeats and of subscribers.
	MaxFrame int64
	// Intake, when not nil, bounds what has arrived and is not verified, here and on the other sockets that share it.
	Intake *Intake
	// QueueMessages and QueueBytes bound what waits to be written to one connection. One message larger than QueueBytes
	// still passes when nothing else waits. Defaults 20,000 messages and 64 MiB.
	QueueMessages, QueueBytes int
	// Stall is how long a sender waits for room in a full queue, where the peer has been seen to read. Connections that
	// have not share one such time: they are taken for stuck when it is over, and their messages are dropped without
	// further waiting until half of their queue is free. Default 5 s: on a busy machine a healthy client may not come
	// to read for some seconds, and lost output is worse than one wait.
	Stall time.Duration
	// Linger is how long Close goes on writing what is queued. Default 500 ms.
	Linger time.Duration
	// Listener, when not nil, is where the socket accepts connections, and its endpoint is not opened. The socket
	// closes it.
	Listener net.Listener
	// Curve asks all clients for the CURVE mechanism, which encrypts what travels; nil asks for none (NULL). Clients
	// must know the public key, and may have any key of their own.
	Curve *KeyPair
}

// smallFrame is MaxFrame's default for sockets that need no large messages.
const smallFrame = 64 << 10

func (o Options) withDefaults() Options {
	def := func(d *time.Duration, v time.Duration) {
		if *d == 0 {
			*d = v
		}
	}
	def(&o.Handshake, 5*time.Second)
	def(&o.Stall, 5*time.Second)
	def(&o.Linger, 500*time.Millisecond)
	if o.MaxFrame == 0 {
		o.MaxFrame = 512 << 20
	}
	if o.QueueMessages == 0 {
		o.QueueMessages = 20_000
	}
	if o.QueueBytes == 0 {
		o.QueueBytes = 64 << 20
	}
	return o
}
