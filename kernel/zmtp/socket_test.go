package zmtp

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestRouterRoutesByIdentity(t *testing.T) {
	r := router(t, Options{})
	a := connect(t, r.Addr(), "DEALER", "alice", 1)
	b := connect(t, r.Addr(), "DEALER", "", 0)
	a.send("one", "two")
	req, err := r.Recv()
	if err != nil || req.Peer != "alice" || len(req.Frames) != 2 || string(req.Frames[1]) != "two" {
		t.Fatalf("%+v, %v", req, err)
	}
	b.send("three")
	anon, _ := r.Recv()
	if anon.Peer == "" || anon.Peer == "alice" {
		t.Fatalf("identity %q", anon.Peer)
	}
	r.Send(anon.Peer, Message{[]byte("to b")})
	r.Send("alice", Message{[]byte("to a"), []byte("")})
	if got := b.recv(); got != "to b" {
		t.Errorf("b got %q", got)
	}
	if got := a.recv(); got != "to a|" {
		t.Errorf("a got %q", got)
	}
	if err := r.Send("nobody", Message{nil}); !errors.Is(err, ErrNoPeer) {
		t.Errorf("sending to nobody: %v", err)
	}
}

func TestIdentityIsHandedOver(t *testing.T) {
	r := router(t, Options{})
	old := connect(t, r.Addr(), "DEALER", "alice", 1)
	old.send("x")
	r.Recv()
	now := connect(t, r.Addr(), "DEALER", "alice", 1)
	now.send("y")
	r.Recv()
	old.closed(5 * time.Second)
	if err := r.Send("alice", Message{[]byte("hi")}); err != nil {
		t.Fatal(err)
	}
	if got := now.recv(); got != "hi" {
		t.Errorf("got %q", got)
	}
}

func TestEchoReturnsTheEnvelope(t *testing.T) {
	c := connect(t, echo(t, Options{}).Addr(), "REQ", "", 1)
	c.send("", "ping")
	if got := c.recv(); got != "|ping" {
		t.Errorf("got %q", got)
	}
}

func TestPingIsAnswered(t *testing.T) {
	c := connect(t, echo(t, Options{}).Addr(), "REQ", "", 1)
	c.write("\x04\x0a\x04PING\x00\x0aabc")
	if got := c.recv(); got != "command \x04PONGabc" {
		t.Errorf("got %q", got)
	}
}

func TestSubscriptions(t *testing.T) {
	for minor, sub := range map[byte][2]string{
		0: {"\x00\x03\x01ab", "\x00\x03\x00ab"},
		1: {"\x04\x0c\x09SUBSCRIBEab", "\x04\x09\x06CANCELab"},
	} {
		t.Run(fmt.Sprintf("3.%d", minor), func(t *testing.T) {
			p := pub(t, Options{}, func(topic []byte) Message { return Message{topic, []byte("welcome")} })
			c := connect(t, p.Addr(), "SUB", "", minor)
			c.write(sub[0])
			if got := c.recv(); got != "ab|welcome" {
				t.Fatalf("got %q", got)
			}
			c.write(sub[0]) // a second time: no second welcome, and it takes two cancels
			c.write(sub[1])
			time.Sleep(50 * time.Millisecond)
			p.Publish(Message{[]byte("other"), []byte("1")})
			p.Publish(Message{[]byte("abc"), []byte("2")})
			if got := c.recv(); got != "abc|2" {
				t.Errorf("got %q", got)
			}
			c.write(sub[1])
			for deadline := time.Now().Add(5 * time.Second); len(p.subscribers([]byte("abc"))) > 0; {
				if time.Now().After(deadline) {
					t.Fatal("still subscribed")
				}
				time.Sleep(time.Millisecond)
			}
		})
	}
}

func TestIncompatiblePeerIsToldWhy(t *testing.T) {
	c := connect(t, router(t, Options{}).Addr(), "SUB", "", 1)
	if got := c.recv(); !strings.HasPrefix(got, "command \x05ERROR") || !strings.Contains(got, "ROUTER socket cannot talk to a SUB") {
		t.Errorf("got %q", got)
	}
	c.closed(5 * time.Second)
}

func TestIPC(t *testing.T) {
	path := filepath.Join(t.TempDir(), "k-1")
	for range 2 { // the second time on the name that the first has freed
		e, err := ListenEcho("ipc://"+path, Options{})
		require.NoError(t, err)
		if _, err := ListenEcho("ipc://"+path, Options{}); err == nil {
			t.Error("a name in use was taken")
		}
		c := connect(t, e.Addr(), "REQ", "", 1)
		c.send("", "x")
		if got := c.recv(); got != "|x" {
			t.Errorf("got %q", got)
		}
		c.Close()
		e.Close()
	}
}

func TestListenErrors(t *testing.T) {
	r := router(t, Options{})
	for _, endpoint := range []string{"tcp://" + r.Addr().String(), "udp://127.0.0.1:1", "127.0.0.1:1", "tcp://127.0.0.1:99999"} {
		_, err := ListenEcho(endpoint, Options{})
		if err == nil || !strings.Contains(err.Error(), endpoint) {
			t.Errorf("%s: error %v does not name it", endpoint, err)
		}
	}
}

func TestCloseDeliversWhatIsQueued(t *testing.T) {
	r := router(t, Options{})
	c := connect(t, r.Addr(), "DEALER", "c", 1)
	c.send("shutdown")
	r.Recv()
	c.send("unread") // pending input must not turn the close into a reset that eats the reply
	big := strings.Repeat("x", 1<<20)
	r.Send("c", Message{[]byte(big)})
	done := make(chan error, 1)
	go func() { done <- r.Close() }()
	if got := c.recv(); got != big {
		t.Errorf("got %d bytes, want %d", len(got), len(big))
	}
	c.Close()
	assert.NoError(t, <-done)
	if _, err := r.Recv(); !errors.Is(err, ErrClosed) {
		t.Error(err)
	}
	assert.ErrorIs(t, r.Close(), ErrClosed)
}
