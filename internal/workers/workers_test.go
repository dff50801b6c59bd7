package workers

import (
	"runtime"
	"sync/atomic"
	"testing"
	"time"
)

func TestEveryPieceOnce(t *testing.T) {
	defer SetCount(0)
	for _, threads := range []int{1, 2, 5} {
		SetCount(threads)
		for _, pieces := range []int{0, 1, 2, 3, 17, 1000} {
			for range 50 {
				done := make([]atomic.Int32, pieces)
				own := 0
				Do(pieces, func(i int) { done[i].Add(1) }, func() { own++ })
				if pieces > 0 && own == 0 {
					t.Fatalf("%d threads, %d pieces: the caller did not ask whether to go on", threads, pieces)
				}
				for i := range done {
					if n := done[i].Load(); n != 1 {
						t.Fatalf("%d threads: piece %d of %d was done %d times", threads, i, pieces, n)
					}
				}
			}
		}
	}
}

func TestSeveralAtOnceAndNested(t *testing.T) {
	SetCount(3)
	defer SetCount(0)
	var sum atomic.Int64
	Do(8, func(int) { Do(8, func(int) { sum.Add(1) }, func() {}) }, func() {})
	ends := make(chan struct{})
	for range 4 {
		go func() {
			for range 100 {
				Do(5, func(int) { sum.Add(1) }, func() {})
			}
			ends <- struct{}{}
		}()
	}
	for range 4 {
		<-ends
	}
	if got := sum.Load(); got != 64+2000 {
		t.Errorf("%d pieces were done, not %d", got, 64+2000)
	}
}

// TestPanics: of a piece or between pieces, and nobody is in a piece afterwards.
func TestPanics(t *testing.T) {
	SetCount(4)
	defer SetCount(0)
	for name, f := range map[string]func(inside *atomic.Int32){
		"piece": func(inside *atomic.Int32) {
			Do(100, func(i int) {
				inside.Add(1)
				defer inside.Add(-1)
				if i == 7 {
					panic("stop")
				}
			}, func() {})
		},
		"between": func(inside *atomic.Int32) {
			var own atomic.Bool
			Do(1000, func(i int) {
				inside.Add(1)
				defer inside.Add(-1)
				if i < 10 {
					runtime.Gosched()
					return
				}
				// the others are still in theirs when the caller panics, mostly: it may be in one of these
				for k := 0; k < 1000 && !own.Load(); k++ {
					runtime.Gosched()
				}
			}, func() { own.Store(true); panic("stop") })
		},
	} {
		for range 100 {
			var inside atomic.Int32
			func() {
				defer func() {
					if r := recover(); r != "stop" {
						t.Fatalf("%s: recovered %v", name, r)
					}
				}()
				f(&inside)
			}()
			if n := inside.Load(); n != 0 {
				t.Fatalf("%s: %d pieces run on after the panic", name, n)
			}
		}
	}
}

// TestSleeps: workers without work are parked.
func TestSleeps(t *testing.T) {
	SetCount(3)
	defer SetCount(0)
	Do(10, func(int) { time.Sleep(time.Millisecond) }, func() {})
	for parked.Load() != running.Load() {
		time.Sleep(time.Millisecond) // until they sleep; the test's time limit is the deadline
	}
}

// TestTryIsForFreeWorkers: where others have the workers, or there are none, nothing is done.
func TestTryIsForFreeWorkers(t *testing.T) {
	SetCount(3)
	defer SetCount(0)
	var done atomic.Int64
	count := func(int) { done.Add(1) }
	nothing := func() {}
	for !Try(10, count, nothing) { // those of another test may be at work
		time.Sleep(time.Millisecond)
	}
	if n := done.Load(); n != 10 {
		t.Fatalf("%d pieces were done, not 10", n)
	}
	Do(2, func(int) {
		if Try(10, count, nothing) {
			t.Error("inside of a piece")
		}
	}, nothing)
	SetCount(1)
	if Try(10, count, nothing) || Try(1, count, nothing) {
		t.Error("nobody could help")
	}
	if n := done.Load(); n != 10 {
		t.Errorf("%d pieces were done, not 10", n)
	}
}
