package interp

import (
	"context"
	"flag"
	"fmt"
	"testing"
	"time"

	"github.com/arrayrepl/arrayrepl/internal/judges"
	"github.com/arrayrepl/arrayrepl/internal/testsize"
	"github.com/arrayrepl/arrayrepl/interp/engine"
	"github.com/arrayrepl/arrayrepl/interp/internal/judge"
)

var (
	numbersFor  = flag.Duration("numbers", 0, "run TestNumbers for so long")
	numbersSeed = flag.Uint64("numberseed", 1, "the first seed of TestNumbers")
)

// numberFuncs is how many functions one program has: the compiler takes a second for it.
const numberFuncs = 40

// TestNumbers runs random numeric functions in the numeric tier, without it, and through the compiler.
func TestNumbers(t *testing.T) {
	judges.Command(t, "go")
	start, n, fewest := time.Now(), 0, 2
	if testsize.Short() { // make test-engine takes more
		fewest = 1
	}
	for seed := *numbersSeed; ; seed++ {
		// a test of its own: what it has made is let go
		t.Run(fmt.Sprint(seed), func(t *testing.T) { compareNumbers(t, seed) })
		n++
		if t.Failed() || n >= fewest && time.Since(start) > *numbersFor {
			break
		}
	}
	t.Logf("%d programs of %d functions agree, in %v", n, numberFuncs, time.Since(start).Round(time.Second))
}

// FuzzNumbers is TestNumbers for any seed.
func FuzzNumbers(f *testing.F) {
	judges.Command(f, "go")
	f.Fuzz(compareNumbers)
}

func compareNumbers(t *testing.T, seed uint64) {
	decls, calls := newNumberCode(seed, numberFuncs)
	code := judge.Generated{Imports: []string{"fmt", "math"}, Decls: "var _ = math.Pi\n" + numberPrelude + decls, Calls: calls}
	want := code.Compiled(t)
	for _, mode := range []string{engine.TierForce, engine.TierOff} {
		t.Run(mode, func(t *testing.T) { code.Compare(newRecorder(t, Options{Tier: mode}).Recorder, want) })
	}
}

// TestTierMemory calls across the border a million times: nothing is kept.
func TestTierMemory(t *testing.T) {
	if !alone(t) {
		return
	}
	s, err := New(Options{Tier: engine.TierForce})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	run := func(src string) {
		if _, err := s.Run(context.Background(), 1, src); err != nil {
			t.Fatal(err)
		}
	}
	run("func sum(xs []float64) (s float64) { for _, x := range xs { s += x }; return }\nfunc sums(n int, m map[int]float64) { xs := []float64{1, 2, 3}; for i := range n { m[i%8] = sum(xs) } }\nm := map[int]float64{}")
	run("sums(1000, m)")
	before := heap()
	run("sums(1_000_000, m)")
	if grown := heap() - before; grown > 1<<20 {
		t.Errorf("a million calls keep %d bytes", grown)
	} else {
		t.Logf("a million calls keep %d bytes", grown)
	}
}

// TestTierGoroutines runs the tier on several goroutines of a cell, which compile what they enter at the same time, and
// ends them by an interrupt.
func TestTierGoroutines(t *testing.T) {
	r := newRecorder(t, Options{Tier: engine.TierForce})
	r.Run(1, `func fib(n int) int { if n < 2 { return n }; return fib(n-1) + fib(n-2) }
func work(xs []float64, n int) (s float64) {
	for i := range n { s += xs[i%len(xs)] * float64(fib(i%7)) }
	return s
}
xs := []float64{1, 2, 3}`)
	got := r.Run(2, `out := make([]float64, 8)
var wg sync.WaitGroup
for g := range 8 { wg.Go(func() { out[g] = work(xs, 1000+g) }) }
wg.Wait()
ok := true
for g := range 8 { ok = ok && out[g] == work(xs, 1000+g) }
ok`)
	if got != "true\n" {
		t.Errorf("goroutines and the cell disagree: %s", got)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 500*time.Millisecond)
	defer cancel()
	start := time.Now()
	_, err := r.session.Run(ctx, 3, "for { xs[0] += float64(fib(3)) }")
	if e, ok := err.(*Error); !ok || e.Kind != Interrupted || len(e.Trace) == 0 {
		t.Errorf("an endless loop in the tier ends with %v", err)
	}
	t.Logf("interrupted %v after the start", time.Since(start))
}
