package supervise_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/interp"
)

// blocking are what goroutines wait at, each in a function wait that ends by itself never. What stands before "func
// wait" is declared by the cell. Those that wait in compiled code end when what they wait for is closed, or when it
// returns.
var blocking = []struct{ name, src string }{
	{"send", "c := make(chan int)\nfunc wait() { c <- 1 }"},
	{"send of a struct", "c := make(chan [3]string)\nfunc wait() { c <- [3]string{} }"},
	{"send to a full buffer", "c := make(chan int, 1)\nfunc wait() { for { c <- 1 } }"},
	{"receive", "c := make(chan int)\nfunc wait() { <-c }"},
	{"receive, two results", "c := make(<-chan error)\nfunc wait() { _, _ = <-c }"},
	{"nil channel", "var c chan int\nfunc wait() { c <- <-c }"},
	{"select", "c := make(chan int); d := make(chan string)\nfunc wait() { select { case <-c: case d <- `x`: } }"},
	{"select of one", "c := make(chan int)\nfunc wait() { select { case v := <-c: _ = v } }"},
	{"select without cases", "_ = 1\nfunc wait() { select {} }"},
	{"select in a loop with default", "c := make(chan int)\nfunc wait() { for { select { case <-c: default: } } }"},
	{"range over a channel", "c := make(chan int)\nfunc wait() { for range c { } }"},
	{"range in a deferred function", "c := make(chan int)\nfunc wait() { defer func() { for v := range c { _ = v } }() }"},
	{"generic receive", "c := make(chan int)\nfunc first[T any](c <-chan T) T { return <-c }\nfunc wait() { first(c) }"},
	{"timer's channel", "_ = 1\nfunc wait() { <-time.After(time.Hour) }"},
	{"context", "ctx, cancel := context.WithTimeout(context.Background(), time.Hour); _ = cancel\nfunc wait() { <-ctx.Done() }"},
	{"Mutex", "mu := new(sync.Mutex); mu.Lock()\nfunc wait() { mu.Lock() }"},
	{"embedded Mutex", "type T struct{ sync.Mutex }; t := new(T); t.Lock()\nfunc wait() { t.Lock() }"},
	{"Locker", "var l sync.Locker = new(sync.Mutex); l.Lock()\nfunc wait() { l.Lock() }"},
	{"RWMutex, reader", "mu := new(sync.RWMutex); mu.Lock()\nfunc wait() { mu.RLock() }"},
	{"RWMutex, writer", "mu := new(sync.RWMutex); mu.RLock()\nfunc wait() { mu.Lock() }"},
	{"WaitGroup", "wg := new(sync.WaitGroup); wg.Add(1)\nfunc wait() { wg.Wait() }"},
	{"Cond", "cond := sync.NewCond(new(sync.Mutex))\nfunc wait() { cond.L.Lock(); cond.Wait() }"},
	{"Once", "once := new(sync.Once); c := make(chan int); go once.Do(func() { <-c }); time.Sleep(5 * time.Millisecond)\nfunc wait() { once.Do(func() {}) }"},
	{"Once in itself", "once := new(sync.Once)\nfunc wait() { once.Do(func() { once.Do(func() {}) }) }"},
	{"Sleep", "_ = 1\nfunc wait() { time.Sleep(time.Hour) }"},
	{"Sleep in a loop", "_ = 1\nfunc wait() { for { time.Sleep(time.Millisecond) } }"},
	{"loop", "_ = 1\nfunc wait() { for { } }"},
	{"loop of numbers", "_ = 1\nfunc wait() { for i, s := 0, 0.5; i >= 0; i++ { s = s * 2; i &= 255 } }"},
	{"goto", "_ = 1\nfunc wait() { again: goto again }"},
	{"Read of a connection", "l, _ := net.Listen(`tcp`, `127.0.0.1:0`); conn, _ := net.Dial(`tcp`, l.Addr().String())\nfunc wait() { conn.Read(make([]byte, 1)) }"},
	{"Accept", "l, _ := net.Listen(`tcp`, `127.0.0.1:0`)\nfunc wait() { l.Accept() }"},
	{"ReadFrom of packets", "p, _ := net.ListenPacket(`udp`, `127.0.0.1:0`)\nfunc wait() { p.ReadFrom(make([]byte, 1)) }"},
	{"response of a server", "s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { <-r.Context().Done() }))\nfunc wait() { http.Get(s.URL) }"},
	{"http.Serve", "l, _ := net.Listen(`tcp`, `127.0.0.1:0`)\nfunc wait() { http.Serve(l, nil) }"},
	{"Read of net.Pipe", "a, b := net.Pipe(); _ = b\nfunc wait() { a.Read(make([]byte, 1)) }"},
	{"Write to net.Pipe", "a, b := net.Pipe(); _ = b\nfunc wait() { a.Write(make([]byte, 1)) }"},
	{"Read of io.Pipe", "r, w := io.Pipe(); _ = w\nfunc wait() { r.Read(make([]byte, 1)) }"},
	{"Write to io.Pipe", "r, w := io.Pipe(); _ = r\nfunc wait() { w.Write(make([]byte, 1)) }"},
	{"Read of os.Pipe", "r, w, _ := os.Pipe(); _ = w\nfunc wait() { r.Read(make([]byte, 1)) }"},
	{"process", "cmd := exec.Command(`sleep`, `1000`)\nfunc wait() { cmd.Run() }"},
	{"process that has started", "cmd := exec.Command(`sleep`, `1000`); cmd.Start()\nfunc wait() { cmd.Wait() }"},
	{"next of iter.Pull", "c := make(chan int)\nfunc seq(yield func(int) bool) { <-c; yield(1) }\nfunc wait() { next, stop := iter.Pull(seq); defer stop(); next() }"},
	{"callback of sort", "c := make(chan int)\nfunc wait() { sort.Slice([]int{2, 1}, func(i, j int) bool { <-c; return false }) }"},
	{"callback of sync.Map", "var m sync.Map; m.Store(1, 1); c := make(chan int)\nfunc wait() { m.Range(func(k, v any) bool { <-c; return true }) }"},
	{"bufio.Scanner of a pipe", "r, w := io.Pipe(); _ = w\nfunc wait() { for s := bufio.NewScanner(r); s.Scan(); { } }"},
	{"io.Copy of a connection", "l, _ := net.Listen(`tcp`, `127.0.0.1:0`); conn, _ := net.Dial(`tcp`, l.Addr().String())\nfunc wait() { io.Copy(io.Discard, conn) }"},
	{"reflect.Select", "c := make(chan int)\nfunc wait() { reflect.Select([]reflect.SelectCase{{Dir: reflect.SelectRecv, Chan: reflect.ValueOf(c)}}) }"},
	{"reflect's Recv", "c := make(chan int)\nfunc wait() { reflect.ValueOf(c).Recv() }"},
	{"signal", "c := make(chan os.Signal, 1); signal.Notify(c, os.Interrupt)\nfunc wait() { <-c }"},
	{"sync.OnceFunc", "c := make(chan int); var f func()\nf = sync.OnceFunc(func() { <-c })\nfunc wait() { f() }"},
}

// Goroutines of cells end by %kill, whatever they wait at.
func TestBlockedGoroutinesEnd(t *testing.T) {
	for _, b := range blocking {
		t.Run(b.name, func(t *testing.T) {
			r := newRecorder(t, interp.Options{}) // in one session, cells would declare what goroutines of earlier ones have read
			require.NotContains(t, r.Run(1, b.src), "cell 1")
			require.Empty(t, r.Run(2, "after := false\ngo func() { wait(); after = true }()\ntime.Sleep(3 * time.Millisecond)"))
			endJobs(t, r, b.name)
		})
	}
}

// endJobs ends all jobs. On a busy machine they may take longer than EndJobs waits.
func endJobs(t *testing.T, r *recorder, of string) {
	t.Helper()
	_, err := r.session.EndJobs(context.Background())
	require.NoError(t, err)
	require.Eventually(t, func() bool { return len(r.session.Jobs()) == 0 }, time.Minute, time.Millisecond, of)
}
