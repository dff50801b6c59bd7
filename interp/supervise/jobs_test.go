package supervise_test

import (
	"context"
	"fmt"
	"net"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/interp"
)

// freePort returns a port of this machine that nobody listens on.
func freePort(t *testing.T) int {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port
}

// listens reports whether somebody listens on a port.
func listens(port int) bool {
	c, err := net.Dial("tcp", fmt.Sprintf("127.0.0.1:%d", port))
	if err == nil {
		c.Close()
	}
	return err == nil
}

// whats lists the jobs' texts.
func whats(s *interp.Session) (out []string) {
	for _, j := range s.Jobs() {
		out = append(out, j.Where+": "+j.What)
	}
	return out
}

// Each kind of goroutine ends when it is killed, wherever it waits.
func TestKilledGoroutinesEnd(t *testing.T) {
	for _, tt := range []struct{ src, doing string }{
		{"go func() { for { time.Sleep(time.Hour) } }()", "sleeping"},
		{"go func() { for { } }()", "running"},
		{"go func() { <-make(chan int) }()", "waiting to receive"},
		{"go func() { for range make(chan string) { } }()", "waiting to receive"},
		{"go func() { <-make(chan struct{ s string; n int }) }()", "waiting to receive"},
		{"go func() { make(chan error) <- nil }()", "waiting to send"},
		{"go func() { make(chan [5]string) <- [5]string{} }()", "waiting to send"},
		{"go func() { select { } }()", "waiting in a select"},
		{"go func() { select { case <-make(chan int): case make(chan int) <- 1: } }()", "waiting in a select"},
		{"go func() { var c chan *int; <-c }()", "waiting to receive"},
	} {
		r := newRecorder(t, interp.Options{})
		require.Empty(t, r.Run(1, tt.src))
		want := []string{"cell 1, line 1: goroutine, " + tt.doing}
		require.Eventually(t, func() bool { return strings.Join(whats(r.session), "") == want[0] }, 10*time.Second, time.Millisecond, "%s: %v", tt.src, whats(r.session))
		left, err := r.session.EndJobs(context.Background(), 1)
		require.NoError(t, err)
		require.Empty(t, left, tt.src)
		require.Equal(t, "2\n", r.Run(2, "1 + 1"))
		require.Zero(t, supervisorOf(r.session).Abandoned())
		r.session.Close()
	}
}

// A killed job takes no other with it, and its number is its own.
func TestOneJobIsKilled(t *testing.T) {
	r := newRecorder(t, interp.Options{})
	r.Run(1, "a, b := 0, 0\ngo func() { for { a++; time.Sleep(time.Millisecond) } }()\ngo func() { for { b++; time.Sleep(time.Millisecond) } }()")
	jobs := r.session.Jobs()
	require.Len(t, jobs, 2)
	require.Equal(t, "cell 1, line 2", jobs[0].Where)
	_, err := r.session.EndJobs(context.Background(), jobs[0].Number)
	require.NoError(t, err)
	require.Len(t, r.session.Jobs(), 1)
	require.Equal(t, jobs[1].Number, r.session.Jobs()[0].Number)
	_, err = r.session.EndJobs(context.Background(), 77)
	require.Error(t, err)
	require.Empty(t, r.session.Reset())
	require.Empty(t, r.session.Jobs())
}

func TestInterruptedServersGiveTheirPort(t *testing.T) {
	for _, src := range []string{
		`http.ListenAndServe(ADDR, nil)`,
		`(&http.Server{Addr: ADDR}).ListenAndServe()`,
		`l, _ := net.Listen("tcp", ADDR); http.Serve(l, nil)`,
		`l, _ := net.Listen("tcp", ADDR); for { c, err := l.Accept(); if err != nil { continue }; c.Close() }`,
		`f := http.ListenAndServe; f(ADDR, nil)`,
	} {
		r := newRecorder(t, interp.Options{})
		port := freePort(t)
		r.Run(1, `kept, _ := net.Listen("tcp", "127.0.0.1:0"); go http.Serve(kept, nil)`)
		ctx, cancel := context.WithCancel(context.Background())
		go func() {
			for !listens(port) {
				time.Sleep(time.Millisecond)
			}
			cancel()
		}()
		addr := fmt.Sprintf(`"127.0.0.1:%d"`, port)
		_, err := r.session.Run(ctx, 2, strings.ReplaceAll(src, "ADDR", addr))
		require.ErrorContains(t, err, "interrupted", src)
		require.Equal(t, "true\n", r.Run(3, "again, err := net.Listen(\"tcp\", "+addr+"); err == nil"), src)
		require.Contains(t, r.Run(4, "_, err = net.Listen(\"tcp\", "+addr+"); fmt.Println(errors.Is(err, syscall.EADDRINUSE)); err"), "cell 3 still listens on it: %kill", src)
		require.Contains(t, strings.Join(whats(r.session), "\n"), "cell 1, line 1: HTTP server on 127.0.0.1:", src)
		require.Empty(t, r.session.Reset(), src)
		require.False(t, listens(port), src)
		r.session.Close()
	}
}

func TestTimersAndProcessesAreJobs(t *testing.T) {
	r := newRecorder(t, interp.Options{})
	r.Run(1, "n := 0\nt := time.AfterFunc(time.Hour, func() { n++ })\nk := time.NewTicker(time.Hour)\nstopped := time.AfterFunc(time.Hour, func() {})\nstopped.Stop()")
	require.Equal(t, []string{"cell 1, line 2: timer that calls a function", "cell 1, line 3: ticker, every 1h0m0s"}, whats(r.session))
	left, err := r.session.EndJobs(context.Background())
	require.NoError(t, err)
	require.Empty(t, left)
	require.Equal(t, "0\n", r.Run(2, "t.Reset(0); time.Sleep(5 * time.Millisecond); n"))
	require.Empty(t, whats(r.session))
	r.Run(3, "p := exec.Command(\"sleep\", \"100\")\nerr := p.Start()")
	require.Contains(t, strings.Join(whats(r.session), "\n"), "cell 3, line 2: process ")
	require.Empty(t, r.session.Reset())
}

// What has ended is not kept.
func TestJobsThatEndedAreForgotten(t *testing.T) {
	r := newRecorder(t, interp.Options{})
	for i := range 50 {
		r.Run(i+1, "func() { l, _ := net.Listen(\"tcp\", \"127.0.0.1:0\"); l.Close(); time.AfterFunc(0, func() {}); time.NewTicker(time.Hour).Stop(); go func() {}() }()")
	}
	require.Eventually(t, func() bool { return len(whats(r.session)) == 0 }, time.Minute, time.Millisecond)
	require.Eventually(t, func() bool {
		runtime.GC()
		runtime.GC()
		s := supervisorOf(r.session)
		return s.Crews()+s.Opened() == 0
	}, time.Minute, 10*time.Millisecond)
}
