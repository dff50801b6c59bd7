package supervise

import (
	"fmt"
	"strings"
	"testing"

	"github.com/arrayrepl/arrayrepl/interp/ixgo"
)

// Package testing lets a panic in a test go on after it has reported it, on a goroutine of its own, which would end the
// process. So functions of cells that it calls fail the test instead.

// testCalls are functions that cells call in the place of those of package testing that call a function of theirs.
func (s *Supervisor) testCalls() map[string]any {
	return map[string]any{
		"(*testing.T).Run": func(t *testing.T, name string, f func(*testing.T)) bool { return t.Run(name, s.GuardTest(f)) },
		"(*testing.B).Run": func(b *testing.B, name string, f func(*testing.B)) bool { return b.Run(name, s.GuardBenchmark(f)) },
		"(*testing.B).RunParallel": func(b *testing.B, f func(*testing.PB)) {
			b.RunParallel(func(pb *testing.PB) {
				defer s.failTest(b)
				f(pb)
			})
		},
		"testing.RunTests": func(match func(pat, str string) (bool, error), tests []testing.InternalTest) bool {
			for i, t := range tests {
				tests[i].F = s.GuardTest(t.F)
			}
			return testing.RunTests(match, tests)
		},
		"(*testing.T).Cleanup": func(t *testing.T, f func()) {
			t.Cleanup(func() {
				defer s.failTest(t)
				f()
			})
		},
		"(*testing.B).Cleanup": func(b *testing.B, f func()) {
			b.Cleanup(func() {
				defer s.failTest(b)
				f()
			})
		},
	}
}

// GuardTest returns f so that its panic fails the test.
func (s *Supervisor) GuardTest(f func(*testing.T)) func(*testing.T) {
	return func(t *testing.T) {
		defer s.failTest(t)
		f(t)
	}
}

// GuardBenchmark returns f so that its panic fails the benchmark.
func (s *Supervisor) GuardBenchmark(f func(*testing.B)) func(*testing.B) {
	return func(b *testing.B) {
		defer s.failTest(b)
		f(b)
	}
}

// failTest is deferred: it fails a test that panics.
func (s *Supervisor) failTest(tb testing.TB) {
	v := recover()
	if v == nil {
		return
	}
	value, trace := ixgo.UnwrapPanic(v)
	fmt.Fprintln(tb.Output(), strings.Join(s.panicError(value, trace).Lines(false), "\n"))
	tb.Fail()
}
