package supervise_test

import (
	"context"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/interp"
)

// interrupted runs a cell and interrupts it soon.
func interrupted(r *recorder, cell int, src string) {
	ctx, interrupt := context.WithTimeout(context.Background(), 3*time.Millisecond)
	defer interrupt()
	r.session.Run(ctx, cell, src)
}

// Cells that wait for a lock and are interrupted leave no goroutine behind.
func TestInterruptedWaitsLeaveNothing(t *testing.T) {
	r := newRecorder(t, interp.Options{})
	sources := []string{
		"var a sync.Mutex\na.Lock(); a.Lock()",
		"var b sync.RWMutex; b.RLock()\nb.Lock()",
		"var d sync.RWMutex; d.Lock()\nd.RLock()",
		"var wg sync.WaitGroup; wg.Add(1)\nwg.Wait()",
		"var f sync.Mutex; c := sync.NewCond(&f)\nfunc() { f.Lock(); defer f.Unlock(); c.Wait() }()",
		"var e sync.Mutex; e.Lock(); var more sync.WaitGroup\nmore.Add(2); for range 2 { go func() { defer more.Done(); e.Lock() }() }; more.Wait()",
	}
	for _, src := range sources {
		interrupted(r, 1, src)
	}
	before := runtime.NumGoroutine()
	for range 10 {
		for _, src := range sources {
			interrupted(r, 1, src)
		}
	}
	r.session.EndJobs(context.Background())
	assert.Eventually(t, func() bool {
		runtime.GC() // who listens for panics of a cell's goroutines ends with its program
		return runtime.NumGoroutine() <= before+2
	}, 10*time.Second, 10*time.Millisecond, "of 60 interrupted cells")
	assert.Zero(t, supervisorOf(r.session).WaitedFor())
}

// Locks of cells are locks: nothing is done twice, a writer comes before readers that come later, and nobody waits long
// for what is free.
func TestLocksOfCells(t *testing.T) {
	for name, c := range map[string]struct{ src, want string }{
		"mutex":   {"var mu sync.Mutex; var wg sync.WaitGroup; n := 0\nfor range 8 { wg.Go(func() { for range 500 { mu.Lock(); n++; runtime.Gosched(); mu.Unlock() } }) }; wg.Wait(); n", "4000"},
		"RWMutex": {"var mu sync.RWMutex; var wg sync.WaitGroup; n := 0\nfor i := range 8 { wg.Add(1); go func() { defer wg.Done(); for range 300 { if i%2 == 0 { mu.Lock(); n++; runtime.Gosched(); mu.Unlock() } else { mu.RLock(); _ = n; runtime.Gosched(); mu.RUnlock() } } }() }; wg.Wait(); n", "1200"},
		"a writer among readers that overlap": {`var mu sync.RWMutex; var stop atomic.Bool; var wg sync.WaitGroup
for range 3 { wg.Go(func() { for !stop.Load() { mu.RLock(); time.Sleep(2 * time.Millisecond); mu.RUnlock() } }) }
time.Sleep(5 * time.Millisecond)
mu.Lock(); mu.Unlock(); stop.Store(true); wg.Wait(); "done"`, "done"},
		"nobody starves": {`var mu sync.Mutex; var stop atomic.Bool; var wg sync.WaitGroup
wg.Go(func() { for !stop.Load() { mu.Lock(); time.Sleep(time.Millisecond); mu.Unlock() } })
time.Sleep(3 * time.Millisecond)
for range 20 { mu.Lock(); mu.Unlock() }
stop.Store(true); wg.Wait(); "done"`, "done"},
		"Cond": {`var mu sync.Mutex; c := sync.NewCond(&mu); queue := []int{}; sum := 0; var wg sync.WaitGroup
for range 3 { wg.Go(func() { for range 100 { mu.Lock(); for len(queue) == 0 { c.Wait() }; sum += queue[0]; queue = queue[1:]; mu.Unlock() } }) }
for i := range 300 { mu.Lock(); queue = append(queue, i); mu.Unlock(); c.Signal() }
wg.Wait(); sum`, "44850"},
		"many at one mutex":             {"var mu sync.Mutex; var wg sync.WaitGroup; n := 0; mu.Lock()\nfor range 20000 { wg.Go(func() { mu.Lock(); n++; mu.Unlock() }) }; mu.Unlock(); wg.Wait(); n", "20000"},
		"many at one wait group":        {"var one, all sync.WaitGroup; var n atomic.Int32; one.Add(1)\nfor range 20000 { all.Go(func() { one.Wait(); n.Add(1) }) }; time.Sleep(time.Millisecond); one.Done(); all.Wait(); n.Load()", "20000"},
		"a wait group of compiled code": {"var wg sync.WaitGroup; wg.Add(1)\nf := reflect.ValueOf(&wg).MethodByName(`Done`).Interface().(func()); time.AfterFunc(5*time.Millisecond, f); wg.Wait(); `done`", "done"},
	} {
		t.Run(name, func(t *testing.T) {
			start := time.Now()
			require.Equal(t, c.want, strings.Trim(strings.TrimSpace(newRecorder(t, interp.Options{}).Run(1, c.src)), `"`))
			assert.Less(t, time.Since(start), time.Minute) // for ever, or quadratic in goroutines, is more; the race detector is slow
		})
	}
}
