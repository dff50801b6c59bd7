package zmtp

import (
	"bufio"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// goroutinesBack waits until no more goroutines run than before.
func goroutinesBack(t *testing.T, before int) {
	t.Helper()
	for deadline := time.Now().Add(5 * time.Second); runtime.NumGoroutine() > before; {
		if time.Now().After(deadline) {
			buf := make([]byte, 1<<20)
			t.Fatalf("%d goroutines, %d before:\n%s", runtime.NumGoroutine(), before, buf[:runtime.Stack(buf, true)])
		}
		time.Sleep(5 * time.Millisecond)
	}
}

func TestSilentConnectionHoldsUpNobody(t *testing.T) {
	t.Parallel()
	e := echo(t, Options{Handshake: 5 * time.Second})
	silent := dial(t, e.Addr())
	half := dial(t, e.Addr())
	half.write("\xff\x00\x00")
	start := time.Now()
	c := connect(t, e.Addr(), "REQ", "", 1)
	c.send("", "x")
	c.recv()
	if d := time.Since(start); d > 4*time.Second {
		t.Errorf("served after %v", d)
	}
	silent.closed(15 * time.Second)
	half.closed(15 * time.Second)
}

func TestGarbageEndsItsOwnConnectionOnly(t *testing.T) {
	e := echo(t, Options{})
	good := connect(t, e.Addr(), "REQ", "", 1)
	rng := rand.New(rand.NewPCG(1, 2))
	noise := make([]byte, 500)
	for i := range noise {
		noise[i] = byte(rng.Uint32())
	}
	noise[0] = 'x' // 1 in 256 seeds would begin as ZMTP does
	hello := greeting("NULL")
	greeting := string(hello[:])
	handshake := greeting + "\x04\x19\x05READY\x0bSocket-Type\x00\x00\x00\x03REQ"
	for name, input := range map[string]string{
		"random bytes":      string(noise),
		"HTTP":              "GET /api HTTP/1.1\r\nHost: localhost\r\n\r\n",
		"huge READY":        greeting + "\x06\x00\x00\x00\x00\x80\x00\x00\x00",
		"no READY":          greeting + "\x04\x05\x04PING",
		"broken READY":      greeting + "\x04\x0b\x05READY\x0bSock",
		"2 GB frame":        handshake + "\x02\x00\x00\x00\x00\x80\x00\x00\x00",
		"reserved flags":    handshake + "\xf0\x00",
		"malformed command": handshake + "\x04\x01\x09",
		"malformed PING":    handshake + "\x04\x05\x04PING",
	} {
		t.Run(name, func(t *testing.T) {
			bad := dial(t, e.Addr())
			io.WriteString(bad, input) // the server may hang up while we still write
			bad.closed(3 * time.Second)
			good.send("", "x")
			if got := good.recv(); got != "|x" {
				t.Errorf("the healthy client got %q", got)
			}
		})
	}
}

func TestStuckSubscriberLosesOnlyItsOwn(t *testing.T) {
	t.Parallel()
	const n, size = 20_000, 10_000
	// with the wait that is shipped: a shorter one takes the healthy client for stuck when the machine is busy
	p := pub(t, Options{}, nil)
	stuck := connect(t, p.Addr(), "SUB", "", 1)
	stuck.write("\x00\x01\x01")
	well := connect(t, p.Addr(), "SUB", "", 1)
	well.write("\x00\x01\x01")
	for len(p.subscribers(nil)) < 2 {
		time.Sleep(time.Millisecond)
	}
	var wg sync.WaitGroup
	wg.Go(func() {
		body := []byte(strings.Repeat("x", size))
		for i := range n {
			p.Publish(Message{fmt.Appendf(nil, "%d", i), body})
		}
	})
	start := time.Now()
	for i := range n {
		got := well.recv()
		if want := fmt.Sprint(i); !strings.HasPrefix(got, want+"|") {
			t.Fatalf("message %d is %.20q", i, got)
		}
	}
	wg.Wait()
	t.Logf("%d messages of %d bytes in %v", n, size, time.Since(start))
	start = time.Now()
	p.Close() // the stuck one may cost its linger, no more
	if d := time.Since(start); d > 10*time.Second {
		t.Errorf("Close took %v", d)
	}
}

func TestQueueFreesAStuckReaderWhenItReadsAgain(t *testing.T) {
	q := newQueue(Options{QueueMessages: 4, QueueBytes: 1000, Stall: time.Second}, newPatience(time.Second), false)
	put := func() bool { return q.put(item{msg: Message{make([]byte, 10)}}, false) }
	for range 4 {
		if !put() {
			t.Fatal("dropped although there was room")
		}
	}
	if start := time.Now(); put() || time.Since(start) < time.Second {
		t.Error("a full queue took a message, or did not wait for room")
	}
	if start := time.Now(); put() || time.Since(start) > 900*time.Millisecond {
		t.Error("waited again for a reader known as stuck")
	}
	q.take(func() {})
	if put() {
		t.Error("taken before half of the queue was free")
	}
	q.take(func() {})
	if !put() {
		t.Error("still dropped although half of the queue is free")
	}
	if !newQueue(Options{QueueMessages: 1, QueueBytes: 5}, newPatience(time.Second), false).put(item{msg: Message{make([]byte, 10)}}, false) {
		t.Error("a message over the limit in bytes must pass an empty queue")
	}
}

// Subscribers that never read, some of which come late, cost one stall together, and what is published now waits for
// none.
func TestManyStuckSubscribersCostOneStall(t *testing.T) {
	const stall = 2 * time.Second
	p := pub(t, Options{QueueMessages: 100, Stall: stall}, nil)
	body := make([]byte, 1<<20)
	stuck := func(n int) {
		before := len(p.subscribers(nil))
		for range n {
			connect(t, p.Addr(), "SUB", "", 1).write("\x00\x01\x01")
		}
		for len(p.subscribers(nil)) < before+n {
			time.Sleep(time.Millisecond)
		}
	}
	well := connect(t, p.Addr(), "SUB", "", 1)
	well.write("\x00\x01\x01")
	var got atomic.Int64
	go func() {
		for {
			if _, err := readMessage(plainFraming{}, well.r, 1<<30, nil, well.answer); err != nil {
				return
			}
			got.Add(1)
		}
	}()
	published := int64(0)
	start := time.Now()
	for range 3 {
		stuck(10)
		for range 150 {
			for published-got.Load() > 50 { // or a slow machine makes a stuck reader of this one
				time.Sleep(time.Millisecond)
			}
			p.Publish(Message{body})
			published++
		}
	}
	if d := time.Since(start); d > 12*stall { // thirty of their own would be 60 s; a busy machine has taken 14
		t.Errorf("publishing took %v", d)
	}
	for deadline := time.Now().Add(30 * time.Second); got.Load() < published; time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("the subscriber that reads got %d of %d messages", got.Load(), published)
		}
	}

	stuck(1) // whoever waits for this one is hurried
	p.patience.left = stall
	busy := make(chan struct{})
	go func() {
		defer close(busy)
		for range 150 {
			p.Publish(Message{body})
		}
	}()
	for p.order.TryLock() {
		p.order.Unlock()
		time.Sleep(time.Millisecond)
	}
	start = time.Now()
	p.PublishNow(Message{body})
	if d := time.Since(start); d > stall/2 {
		t.Errorf("PublishNow took %v", d)
	}
	p.Hurry()
	<-busy
}

func TestConnectionsComeAndGo(t *testing.T) {
	before := runtime.NumGoroutine()
	r, err := ListenRouter("tcp://127.0.0.1:0", Options{})
	require.NoError(t, err)
	idle := runtime.NumGoroutine()
	var wg sync.WaitGroup
	wg.Go(func() {
		for {
			req, err := r.Recv()
			if err != nil {
				return
			}
			r.Send(req.Peer, req.Frames)
		}
	})
	for i := range 200 {
		// names of their own: one that vanished may not be missed yet
		c := connect(t, r.Addr(), "DEALER", fmt.Sprint("c", i), 1)
		c.send("x")
		if i%4 != 0 { // every fourth vanishes with its reply due
			c.recv()
		} else if tcp, ok := c.Conn.(*net.TCPConn); ok {
			tcp.SetLinger(0) // and with a reset
		}
		c.Close()
	}
	goroutinesBack(t, idle+1)
	r.Close()
	wg.Wait()
	goroutinesBack(t, before)
}

// All that is not verified has one bound; who holds most of it goes, and whoever has sent a verified message may hold
// more.
func TestIntake(t *testing.T) {
	in := NewIntake(1000, 100, nil)
	join := func() *held {
		nc, other := net.Pipe()
		t.Cleanup(func() { nc.Close(); other.Close() })
		return in.join(nc)
	}
	a, b := join(), join()
	require.NoError(t, a.take(60))
	require.NoError(t, b.take(30))
	require.NoError(t, b.take(20), "the one that holds most makes room")
	require.Error(t, a.take(1))
	require.Error(t, b.take(60), "nobody holds more")
	require.Zero(t, in.used)

	known := join()
	require.NoError(t, known.take(10))
	known.give(10, true)
	require.NoError(t, known.take(950))
	c := join()
	require.NoError(t, c.take(40))
	require.NoError(t, known.take(40), "strangers make room")
	require.Error(t, c.take(1))
	require.Error(t, known.take(40))
	require.Zero(t, in.used)
	require.Zero(t, in.alien)
	require.Empty(t, in.held)
}

func TestSmallSocketsTakeSmallFramesOnly(t *testing.T) {
	for name, s := range map[string]struct {
		addr net.Addr
		kind string
	}{"heartbeat": {echo(t, Options{}).Addr(), "REQ"}, "iopub": {pub(t, Options{}, nil).Addr(), "SUB"}} {
		t.Run(name, func(t *testing.T) {
			c := connect(t, s.addr, s.kind, "", 1)
			c.write("\x02\x00\x00\x00\x00\x00\x01\x00\x01")
			c.closed(30 * time.Second)
		})
	}
}

func TestTopicsAreBounded(t *testing.T) {
	p := pub(t, Options{}, nil)
	c := connect(t, p.Addr(), "SUB", "", 0)
	for i := range 20 {
		m := Message{append([]byte{1, byte(i)}, make([]byte, 4000)...)}
		w := bufio.NewWriter(c)
		writeMessage(plainFraming{}, w, m)
		if w.Flush() != nil {
			break
		}
	}
	c.closed(30 * time.Second)
}
