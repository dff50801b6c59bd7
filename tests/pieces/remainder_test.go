package pieces

import (
	"cmp"
	"slices"
	"testing"
	"time"

	"github.com/arrayrepl/arrayrepl/internal/testsize"
	"github.com/arrayrepl/arrayrepl/lazy"
	"github.com/arrayrepl/arrayrepl/offload/trace"
	"github.com/arrayrepl/arrayrepl/tests/bench/oa/workloads"
	"github.com/arrayrepl/arrayrepl/tests/internal/testdevices"
)

// programs are workloads of the offload-annotations paper, and sums along two axes.
var programs = map[string]func(n int) []*lazy.Array{
	"Black-Scholes": func(n int) []*lazy.Array {
		call, put := workloads.BlackScholes(workloads.Options(n))
		return []*lazy.Array{call, put}
	},
	"Haversine": func(n int) []*lazy.Array { return []*lazy.Array{workloads.Haversine(workloads.Places(n))} },
	"sums": func(n int) []*lazy.Array {
		x := lazy.Arange(n).Reshape(-1, 32).AsType(lazy.Float64)
		return []*lazy.Array{x.Sub(x.Mean(lazy.Axis(0))).Sum(lazy.Axis(1)), x.Max()}
	},
}

// unexplained returns the time of a device between its first event and its last that no event tells of, and all of it.
func unexplained(log *trace.Log, device string) (gaps, all trace.Time) {
	events := slices.DeleteFunc(log.Events(), func(e trace.Event) bool { return e.Device != device })
	begin := func(e trace.Event) trace.Time { return e.Start - e.Launch }
	slices.SortFunc(events, func(a, b trace.Event) int { return cmp.Compare(begin(a), begin(b)) })
	if len(events) == 0 {
		return 0, 0
	}
	end := begin(events[0])
	for _, e := range events {
		gaps += max(begin(e)-end, 0)
		end = max(end, e.End)
	}
	return gaps, end - begin(events[0])
}

// On a simulated GPU every picosecond of an evaluation is a copy, a kernel, or the way of one to the device; in pieces
// too. A short test asks one device, each turn another.
func TestTraceTellsOfAllModelledTime(t *testing.T) {
	for i, device := range []string{"sim:v100", "sim:tiny", "sim:g80"} {
		if !testsize.Part(i, 3) {
			continue
		}
		for name, program := range programs {
			for _, n := range []int{1 << 10, 1 << 19} {
				testdevices.Use(t)
				lazy.Use(device)
				lazy.Eval(program(n)...)
				gaps, all := unexplained(trace.Last(), device+"#0")
				if gaps != 0 || all == 0 {
					t.Errorf("%s of %d on %s: nothing tells of %v of %v", name, n, device, gaps, all)
				}
			}
		}
	}
}

// On the host the trace tells of at least 98 % of what a person waits for. One run of ten is enough: a busy machine may
// take the processor away between any two events.
func TestTraceTellsOfTheTimeOnTheHost(t *testing.T) {
	testsize.InTurn(t, 1)
	for name, program := range programs {
		testdevices.Use(t)
		lazy.Use("host")
		least := 1.0
		for range 10 {
			xs := program(1 << 18)
			begun := time.Now()
			lazy.Eval(xs...)
			wall := trace.FromDuration(time.Since(begun))
			gaps, all := unexplained(trace.Last(), "host")
			least = min(least, float64(wall-all+gaps)/float64(wall))
		}
		t.Logf("%s: nothing tells of %.2f %%", name, 100*least)
		if least > 0.02 {
			t.Errorf("%s: nothing tells of %.1f %% of the time", name, 100*least)
		}
	}
}
