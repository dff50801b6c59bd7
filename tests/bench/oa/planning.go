package main

import (
	"fmt"
	"runtime"
	"slices"
	"time"

	"github.com/arrayrepl/arrayrepl/lazy"
)

// What the graph and its scheduling may take.
const (
	mostForOne     = time.Microsecond       // for an operation, written and evaluated, where there are many
	mostForDisplay = 100 * time.Microsecond // for displayed operations, written and displayed
	displayed      = 40
)

// planning prints what the graph and its scheduling cost on the host, where the arrays are tiny and the kernels are
// known: to write so many operations down, and to evaluate them, in time and in memory; and to display what 40 of them
// make.
func planning() {
	fmt.Printf("\n%-16s%12s%12s%12s%12s%14s%12s%14s\n", "three numbers", "operations", "written", "evaluated", "together", "an operation", "times bar", "bytes")
	x := lazy.FromSlice([]float64{1, 2, 3})
	for _, operations := range []int{1, displayed, 1000, 10_000} {
		t := timed(x, operations, func(y *lazy.Array) { lazy.Eval(y) })
		one := t.together / time.Duration(operations)
		bar := ""
		if operations >= 1000 {
			bar = fmt.Sprintf("%.2f", float64(one)/float64(mostForOne))
		}
		fmt.Printf("%-16s%12d%12s%12s%12s%14s%12s%14d\n", "", operations, short(t.written), short(t.evaluated), short(t.together), one, bar, t.bytes)
	}
	t := timed(x, displayed, func(y *lazy.Array) { _ = fmt.Sprint(y) })
	bar := fmt.Sprintf("%.2f", float64(t.together)/float64(mostForDisplay))
	fmt.Printf("%-16s%12d%12s%12s%12s%14s%12s%14d\n", "  and displayed", displayed, short(t.written), short(t.evaluated), short(t.together),
		t.together/displayed, bar, t.bytes)
}

// timing is medians of many turns, and bytes of memory that an operation takes until it is garbage.
type timing struct {
	written, evaluated, together time.Duration
	bytes                        uint64
}

// timed writes down a chain of so many operations on x, and lets ask ask for what they make.
func timed(x *lazy.Array, operations int, ask func(y *lazy.Array)) timing {
	const least = 200_000 // operations, so that what the collector takes is in it
	turns := max(least/operations, 20)
	var written, evaluated, together []time.Duration
	var before, after runtime.MemStats
	for turn := range turns + 3 {
		if turn == 3 {
			runtime.ReadMemStats(&before)
		}
		begin := time.Now()
		y := x
		for i := range operations {
			if i%2 == 0 {
				y = y.Mul(0.5)
			} else {
				y = y.Add(x)
			}
		}
		between := time.Now()
		ask(y)
		end := time.Now()
		if turn >= 3 {
			written, evaluated, together = append(written, between.Sub(begin)), append(evaluated, end.Sub(between)), append(together, end.Sub(begin))
		}
	}
	runtime.ReadMemStats(&after)
	slices.Sort(together)
	return timing{median(written), median(evaluated), together[len(together)/2], (after.TotalAlloc - before.TotalAlloc) / uint64(turns*operations)}
}
