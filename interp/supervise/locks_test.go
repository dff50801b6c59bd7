package supervise_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/interp"
)

// What Go makes fatal when a lock is used wrongly is a panic of the cell, with its line, and the session goes on.
func TestWrongUseOfLocks(t *testing.T) {
	r := newRecorder(t, interp.Options{})
	r.Run(1, "kept := 1")
	const mutex, write, read = "fatal error: sync: unlock of unlocked mutex", "fatal error: sync: Unlock of unlocked RWMutex", "fatal error: sync: RUnlock of unlocked RWMutex"
	for _, c := range []struct{ src, want string }{
		{"var mu sync.Mutex\nmu.Unlock()", mutex},
		{"var mu sync.Mutex\nmu.Lock(); mu.Unlock(); mu.Unlock()", mutex},
		{"var mu sync.Mutex; f := mu.Unlock\nf()", mutex},
		{"var mu sync.Mutex\nfunc() { defer mu.Unlock() }()", mutex},
		{"type S struct{ sync.Mutex }; var s S\ns.Unlock()", mutex},
		{"m := map[string]*sync.Mutex{`a`: {}}\nm[`a`].Unlock()", mutex},
		{"var l sync.Locker = new(sync.Mutex)\nl.Unlock()", mutex},
		{"var l sync.Locker = new(sync.Mutex)\nfunc() { defer l.Unlock() }()", mutex},
		{"type S struct{ sync.Mutex }; var s S; var l sync.Locker = &s\nl.Unlock()", mutex},
		{"type S struct{ n int; sync.Mutex }; var s S; var l sync.Locker = &s\nl.Unlock()", mutex},
		{"type S struct{ n int; sync.Mutex }; var s S; var l sync.Locker = &s\nfunc() { defer l.Unlock() }()", mutex},
		{"type S struct{ n int; sync.Mutex }; var s S; var l sync.Locker = &s\nf := l.Unlock; f()", mutex},
		{"type S struct{ n int; *sync.Mutex }; var l sync.Locker = S{1, new(sync.Mutex)}\nl.Unlock()", mutex},
		{"type S struct{ n int; sync.Locker }; var l sync.Locker = S{1, new(sync.Mutex)}\nl.Unlock()", mutex},
		{"type S struct{ n int; sync.RWMutex }; type O struct{ n string; S }; var l interface{ RUnlock() } = new(O)\nl.RUnlock()", read},
		{"type S struct{ n int; sync.RWMutex }; s := new(S)\ns.RLocker().Unlock()", read},
		{"var l sync.Locker = new(struct{ n int; sync.RWMutex })\nl.Unlock()", write},
		{"type S struct{ sync.Mutex }; var s S; c := sync.NewCond(&s)\nc.Wait()", mutex},
		{"type S struct{ sync.Mutex }; var s S\nsync.NewCond(&s).L.Unlock()", mutex},
		{"type S struct{ sync.Mutex }; var s S\n(*S).Unlock(&s)", mutex},
		{"type S struct{ sync.Mutex }; var s S\nsync.Locker.Unlock(&s)", mutex},
		{"type S struct{ sync.Mutex }; func free[L sync.Locker](l L) { l.Unlock() }; var s S\nfree(&s)", mutex},
		{"type M struct{ sync.Mutex }; func (m *M) Unlock() { m.Mutex.Unlock() }; type S struct{ n int; M }; var l sync.Locker = new(S)\nl.Unlock()", mutex},
		{"c := sync.NewCond(new(sync.Mutex))\nc.Wait()", mutex},
		{"_ = 0\n(*sync.Mutex).Unlock(new(sync.Mutex))", mutex},
		{"var mu sync.RWMutex\nmu.Unlock()", write},
		{"var mu sync.RWMutex; mu.RLock()\nmu.Unlock()", write},
		{"var mu sync.RWMutex\nmu.RUnlock()", read},
		{"var mu sync.RWMutex; mu.Lock()\nmu.RUnlock()", read},
		{"var mu sync.RWMutex\nmu.RLocker().Unlock()", read},
	} {
		_, err := r.session.Run(context.Background(), 2, c.src)
		var e *interp.Error
		if assert.ErrorAs(t, err, &e, c.src) {
			assert.Equal(t, c.want, e.Message, c.src)
			assert.Contains(t, strings.Join(e.Lines(false), "\n"), "cell 2, line 2", c.src)
		}
	}
	assert.Equal(t, "1\n", r.Run(3, "kept"))
}

// An interrupt ends a cell that waits for what nobody will give, and so does the end of a job.
func TestWaitsForLocksEnd(t *testing.T) {
	r := newRecorder(t, interp.Options{})
	r.Run(1, "kept := 1")
	// with a lock of its own each: it stays locked when a cell declares it again
	for _, src := range []string{
		"var a sync.Mutex\na.Lock(); a.Lock()",
		"var b sync.RWMutex; b.RLock()\nb.Lock()",
		"var d sync.RWMutex; d.Lock()\nd.RLock()",
		"var e sync.RWMutex; l := e.RLocker(); e.Lock()\nl.Lock()",
		"type S struct{ n int; sync.Mutex }; var g sync.Locker = new(S); g.Lock()\ng.Lock()",
		"type C struct{ n int; sync.Mutex }; h := new(C); c := sync.NewCond(h)\nfunc() { h.Lock(); defer h.Unlock(); c.Wait() }()",
		"var wg sync.WaitGroup; wg.Add(1)\nwg.Wait()",
		"var f sync.Mutex; c := sync.NewCond(&f)\nfunc() { f.Lock(); defer f.Unlock(); c.Wait() }()",
	} {
		declare, wait, _ := strings.Cut(src, "\n")
		require.Empty(t, r.Run(2, declare), src)
		ctx, interrupt := context.WithCancel(context.Background())
		done, begun := make(chan error, 1), make(chan bool)
		go func() {
			_, err := r.session.RunCell(ctx, interp.Cell{Number: 3, Source: wait, Begin: func() func() {
				close(begun)
				return func() {}
			}})
			done <- err
		}()
		<-begun
		time.Sleep(30 * time.Millisecond) // now it waits, or else will soon
		interrupt()
		var e *interp.Error
		require.True(t, errors.As(<-done, &e), src)
		assert.Equal(t, interp.Interrupted, e.Kind, src)
		assert.Contains(t, strings.Join(e.Lines(false), "\n"), "cell 3, line 1", src)
		r.Run(4, "go func() {\n"+strings.ReplaceAll(src, "\n", "; ")+"\n}()\ntime.Sleep(10 * time.Millisecond)")
		endJobs(t, r, src)
	}
	assert.Equal(t, "1\n", r.Run(5, "kept"))
}
