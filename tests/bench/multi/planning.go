package main

import (
	"fmt"
	"runtime"
	"time"

	"github.com/arrayrepl/arrayrepl/offload/partition"
	"github.com/arrayrepl/arrayrepl/offload/placement"
)

// switched are eight devices that copy at one rate, and at another from and to the host.
type switched struct{}

func (switched) Rate(from, to int) float64 {
	if from == placement.CPU || to == placement.CPU {
		return 24
	}
	return 250
}

// planning prints what the processors take to plan point tasks of a stencil: each reads its tile of a field with a row
// on either side, and writes that tile of another. free ones are placed by the default policy, the others where their
// tiles are.
func planning(policy placement.Policy) error {
	for _, free := range []bool{false, true} {
		least := 0.0
		for _, size := range []struct{ tasks, tiles int }{{12_500, 8}, {25_000, 8}, {50_000, 8}, {100_000, 8}, {100_000, 64}, {100_000, 512}, {100_000, 4096}} {
			took, err := planStencil(policy, size.tasks, size.tiles, free)
			if err != nil {
				return err
			}
			each := took.Seconds() * 1e6 / float64(size.tasks)
			if least == 0 {
				least = each
			}
			where := "in tiles"
			if free {
				where = "by the policy"
			}
			fmt.Printf("planning %6d tasks of %4d tiles %-13s %8v of processors, %.2f µs each (at most 5 wanted) %s; %.2f times what each of 12,500 takes\n",
				size.tasks, size.tiles, where, took.Round(time.Millisecond), each, verdict(each <= 5), each/least)
		}
	}
	return nil
}

// planStencil returns what the processors take to plan so many tasks on eight devices.
func planStencil(policy placement.Policy, tasks, tiles int, free bool) (time.Duration, error) {
	const devices, rows = 8, 1000
	p, err := placement.NewPlanner(placement.Options{Devices: devices, Rates: switched{}, Policy: policy})
	if err != nil {
		return 0, err
	}
	a, b := placement.NewField("a", 8, tiles*rows, 64), placement.NewField("b", 8, tiles*rows, 64)
	runtime.GC()
	begin := processorTime()
	for i := range tasks {
		k := i % tiles
		if k == 0 {
			a, b = b, a
		}
		able := []int{k * devices / tiles}
		if free {
			able = nil
		}
		own := partition.Box{partition.Span(k*rows, (k+1)*rows), partition.Span(0, 64)}
		around := partition.Box{partition.Span(max(k*rows-1, 0), min((k+1)*rows+1, tiles*rows)), partition.Span(0, 64)}
		if _, _, err := p.SubmitAmong(able, "stencil", placement.Access{Field: a, Box: around, Mode: placement.Read}, placement.Access{Field: b, Box: own, Mode: placement.Write}); err != nil {
			return 0, err
		}
	}
	return processorTime() - begin, nil
}
