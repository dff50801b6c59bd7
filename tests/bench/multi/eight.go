package main

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/arrayrepl/arrayrepl/lazy"
	"github.com/arrayrepl/arrayrepl/offload"
)

// eight prints what simulating eight GPUs takes of this machine, beside one GPU with the same arrays, so that the same
// elements are computed: the least of several turns, one after the other, on the clock and of the processors. The ratio
// is to be at most 1.2.
func eight(machine string, bytes, steps int, only []string) error {
	const turns = 5
	for _, w := range workloads {
		if len(only) > 0 && !wanted(only, w.name) {
			continue
		}
		var wall, busy [2]time.Duration
		for turn := range turns {
			for i, gpus := range []int{1, 8} {
				t, p := simulated(machine, w, gpus, bytes, steps)
				if turn == 0 || t < wall[i] {
					wall[i] = t
				}
				if turn == 0 || p < busy[i] {
					busy[i] = p
				}
			}
		}
		ratio := float64(wall[1]) / float64(wall[0])
		fmt.Printf("%-10s one GPU %8v, of processors %8v; eight %8v, %8v: %.2f times the clock (at most 1.2 wanted) %s, %.2f times the processors\n",
			w.name, round(wall[0]), round(busy[0]), round(wall[1]), round(busy[1]), ratio, verdict(ratio <= 1.2), float64(busy[1])/float64(busy[0]))
	}
	return nil
}

// simulated returns what the steps of a program take of this machine, with the arrays of eight GPUs on so many of them.
func simulated(machine string, w workload, gpus, bytes, steps int) (wall, busy time.Duration) {
	names := make([]string, gpus)
	for i := range names {
		names[i] = fmt.Sprintf("%s#%d", machine, i)
	}
	lazy.Use(names...)
	step := w.start(8, bytes)
	for range 2 { // plans are made, links measured
		lazy.Eval(slices.Clone(step())...)
	}
	begin, used := time.Now(), processorTime()
	var last []*lazy.Array
	for range steps {
		last = step()
	}
	lazy.Eval(last...)
	wall, busy = time.Since(begin), processorTime()-used
	step, last = nil, nil
	offload.Collect()
	return wall, busy
}

// wanted tells whether a name is among those that are asked for, by a part of it.
func wanted(only []string, name string) bool {
	return slices.ContainsFunc(only, func(s string) bool { return strings.Contains(name, s) })
}
