package main

import (
	"fmt"
	"regexp"
	"slices"
	"time"

	session "github.com/arrayrepl/arrayrepl/interp"
)

// times prints what tests/bench/paired compares, for the rows that match: the name, a tab and the milliseconds of the
// median of several runs. A row lasts for half a second at least: of a cell that takes microseconds, a collection
// disturbs most runs.
func times(rows *regexp.Regexp) {
	row := func(name string, runs int, f func()) {
		if !rows.MatchString(name) {
			return
		}
		f()
		var all []time.Duration
		for begun := time.Now(); len(all) < runs || time.Since(begun) < time.Second/2; {
			all = append(all, timed(f))
		}
		slices.Sort(all)
		fmt.Printf("%s\t%g\n", name, all[len(all)/2].Seconds()*1e3)
	}
	row("create a session", 31, func() { newSession() })
	s := newSession()
	row("1 + 1", 301, func() { run(s, "1 + 1") })
	for i := range 20 {
		run(s, growing(i))
	}
	for _, c := range growthCells {
		row(c.name, 101, func() { run(s, c.src) })
	}
	for _, mode := range []string{session.TierOff, session.TierOn} {
		calls := 0
		row("declare and call a function, tier "+mode, 31, func() {
			calls++
			check(s.SetTier(mode))
			run(s, fmt.Sprintf("func sum%d(xs []float64) (s float64) { for _, x := range xs { s += x * x }; return }\nsum%d([]float64{1})", calls, calls))
		})
	}
	for _, l := range loops {
		s := inTier(l.golang, session.TierOn)
		row(l.name+", tier on", 5, func() { run(s, "run();") })
	}
	for _, l := range loops[1:4] {
		s := inTier(l.golang, session.TierOff)
		row(l.name+", tier off", 4, func() { run(s, "run();") })
	}
}
