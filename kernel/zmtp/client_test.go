package zmtp

import (
	"bufio"
	"io"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// client is the other side, written from the specification with code that the server does not use where that is short:
// its greeting is spelled out, and it can misbehave.
type client struct {
	t *testing.T
	net.Conn
	r *bufio.Reader
}

func dial(t *testing.T, addr net.Addr) *client {
	t.Helper()
	nc, err := net.Dial(addr.Network(), addr.String())
	require.NoError(t, err)
	t.Cleanup(func() { nc.Close() })
	return &client{t, nc, bufio.NewReader(nc)}
}

// connect dials and shakes hands as a socket of the given kind, with ZMTP 3.minor.
func connect(t *testing.T, addr net.Addr, kind, identity string, minor byte) *client {
	t.Helper()
	c := dial(t, addr)
	g := "\xff\x00\x00\x00\x00\x00\x00\x00\x01\x7f\x03" + string(minor) + "NULL" + strings.Repeat("\x00", 16+1+31)
	c.write(g)
	ready := "\x05READY\x0bSocket-Type\x00\x00\x00" + string(rune(len(kind))) + kind
	if identity != "" {
		ready += "\x08Identity\x00\x00\x00" + string(rune(len(identity))) + identity
	}
	c.write("\x04" + string(rune(len(ready))) + ready)
	c.SetReadDeadline(time.Now().Add(time.Minute))
	if _, err := io.ReadFull(c.r, make([]byte, 64)); err != nil {
		t.Fatal("greeting:", err)
	}
	flags, body, err := readFrame(c.r, 1<<20, nil)
	if err != nil || flags != flagCommand || !strings.HasPrefix(string(body), "\x05READY") {
		t.Fatalf("ready: flags %x body %q: %v", flags, body, err)
	}
	return c
}

func (c *client) write(s string) {
	c.t.Helper()
	if _, err := io.WriteString(c, s); err != nil {
		c.t.Fatal(err)
	}
}

func (c *client) send(frames ...string) {
	c.t.Helper()
	var m Message
	for _, f := range frames {
		m = append(m, []byte(f))
	}
	w := bufio.NewWriter(c)
	writeMessage(plainFraming{}, w, m)
	if err := w.Flush(); err != nil {
		c.t.Fatal(err)
	}
}

// answer answers a PING.
func (c *client) answer(command []byte) error {
	context, ok := strings.CutPrefix(string(command), "\x04PING\x00\x00")
	if !ok {
		return io.EOF
	}
	_, err := io.WriteString(c, "\x04\x0d\x04PONG"+context)
	return err
}

// recv returns the next message with its frames joined by "|", or the next command, and answers PINGs.
func (c *client) recv() string {
	c.t.Helper()
	// a busy machine under the race detector, and a stuck client beside this one
	c.SetReadDeadline(time.Now().Add(30 * time.Second))
	var cmd []byte
	m, err := readMessage(plainFraming{}, c.r, 1<<30, nil, func(body []byte) error {
		err := c.answer(body)
		if err == io.EOF {
			cmd = body
		}
		return err
	})
	if cmd != nil {
		return "command " + string(cmd)
	}
	if err != nil {
		c.t.Fatal(err)
	}
	var parts []string
	for _, f := range m {
		parts = append(parts, string(f))
	}
	return strings.Join(parts, "|")
}

// closed waits for the server to hang up.
func (c *client) closed(within time.Duration) {
	c.t.Helper()
	c.SetReadDeadline(time.Now().Add(within))
	if _, err := io.Copy(io.Discard, c.r); err != nil && strings.Contains(err.Error(), "timeout") {
		c.t.Fatalf("the connection is still open after %v", within)
	}
}

func router(t *testing.T, o Options) *Router {
	t.Helper()
	r, err := ListenRouter("tcp://127.0.0.1:0", o)
	require.NoError(t, err)
	t.Cleanup(func() { r.Close() })
	return r
}

func pub(t *testing.T, o Options, welcome func([]byte) Message) *Pub {
	t.Helper()
	p, err := ListenPub("tcp://127.0.0.1:0", o, welcome)
	require.NoError(t, err)
	t.Cleanup(func() { p.Close() })
	return p
}

func echo(t *testing.T, o Options) *Echo {
	t.Helper()
	e, err := ListenEcho("tcp://127.0.0.1:0", o)
	require.NoError(t, err)
	t.Cleanup(func() { e.Close() })
	return e
}
