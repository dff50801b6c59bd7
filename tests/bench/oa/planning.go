package main

import (
	"fmt"
	"slices"
	"time"

	"github.com/arrayrepl/arrayrepl/lazy"
)

// planning prints what the graph and its scheduling cost on the host, where the arrays are tiny and the kernels are known: to write
// so many operations down, and to evaluate them.
func planning() {
	fmt.Printf("\n%-16s%12s%12s%12s%12s%14s\n", "three numbers", "operations", "written", "evaluated", "together", "an operation")
	for _, operations := range []int{1, 40, 1000, 10_000} {
		const least = 200_000 // operations, so that what the collector takes is in it
		turns := max(least/operations, 20)
		x := lazy.FromSlice([]float64{1, 2, 3})
		var written, evaluated, together []time.Duration
		for turn := range turns + 3 {
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
			lazy.Eval(y)
			end := time.Now()
			if turn >= 3 {
				written, evaluated, together = append(written, between.Sub(begin)), append(evaluated, end.Sub(between)), append(together, end.Sub(begin))
			}
		}
		slices.Sort(together)
		all := together[len(together)/2]
		fmt.Printf("%-16s%12d%12s%12s%12s%14s\n", "", operations, short(median(written)), short(median(evaluated)), short(all), all/time.Duration(operations))
	}
}
