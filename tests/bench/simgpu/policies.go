package main

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/arrayrepl/arrayrepl/gpu"
	_ "github.com/arrayrepl/arrayrepl/gpu/corpus" // gpu.Corpus
	"github.com/arrayrepl/arrayrepl/lazy"
	"github.com/arrayrepl/arrayrepl/offload"
	"github.com/arrayrepl/arrayrepl/offload/device"
	"github.com/arrayrepl/arrayrepl/offload/host"
	"github.com/arrayrepl/arrayrepl/simgpu"
)

// policies measures replays under policies side by side, and prints ratios with their bars. cells is the arrayrepl
// command, for policies of cells; without one they are left out.
func policies(turns int, cells string) {
	var r device.Registry
	r.Add("host", func() (device.Device, error) { return host.Open(0), nil })
	simgpu.Register(&r)
	lazy.Wiring{}.SetRuntime(must(offload.New(&r, "sim:v100")))
	one := func(o ...simgpu.Option) simgpu.Option { return simgpu.With(o...) }

	// rates are warp instructions a second of each machine, the best of the turns, of which each has all machines.
	rates := func(of gpu.Recordings, machines []string) []float64 {
		best := make([]float64, len(machines))
		for turn := range turns + 1 {
			for i, m := range machines {
				c0 := processorTime()
				c := gpu.Compare(of, m)
				took := (processorTime() - c0).Seconds()
				n := int64(0)
				for _, row := range c.Rows {
					if row.Stats == nil {
						fmt.Fprintln(os.Stderr, row.Kernel, m, row.Err)
						os.Exit(1)
					}
					n += row.Stats.WarpInstructions
				}
				if turn > 0 { // the first computes the launches
					best[i] = max(best[i], float64(n)/took)
				}
			}
		}
		return best
	}
	compare := func(base string, kernels []string, names []string, bars []float64, options ...simgpu.Option) {
		got := rates(gpu.Corpus(kernels...), simgpu.Variants(base, options...))
		for i := 1; i < len(got); i++ {
			fmt.Printf("%-44s %5.2f of %s, %.2f M warp instructions a second  [%.2f]\n", base+": "+names[i], got[i]/got[0], names[0], got[i]/1e6, bars[i])
		}
	}
	compare("fermisbi-64", []string{"NeedlemanWunsch", "SortingNetwork", "Mandelbrot"}, []string{"PDOM", "TF", "SBI", "SWI"}, []float64{1, 0.5, 0.5, 0.5},
		simgpu.WithDivergence(simgpu.PDOM{}), simgpu.WithDivergence(simgpu.TF{}), simgpu.WithDivergence(simgpu.SBI{Constraints: true}),
		one(simgpu.WithDivergence(simgpu.TF{}), simgpu.WithCoIssue(simgpu.SWI{})))
	compare("tesla2009", []string{"LU", "ProfileHMM", "FFT"}, []string{"PDOM", "DWF"}, []float64{1, 0.25},
		simgpu.WithDivergence(simgpu.PDOM{}), simgpu.WithDivergence(simgpu.DWF{}))
	compare("fermivt", []string{"Histogram", "Reduction", "Gather"}, []string{"PDOM", "VT", "VT, active loads first"}, []float64{1, 0.7, 0.7},
		simgpu.WithDivergence(simgpu.PDOM{}), simgpu.WithCTAs(simgpu.VT{}), one(simgpu.WithCTAs(simgpu.VT{}), simgpu.WithLoads(simgpu.ActiveFirst{})))

	eight := simgpu.Variants("fermivt", simgpu.WithPicker(simgpu.GTO{}), simgpu.WithPicker(simgpu.LRR{}), simgpu.WithPicker(simgpu.Oldest{}),
		simgpu.WithPicker(simgpu.TwoLevel{}), simgpu.WithCTAs(simgpu.VT{}), simgpu.WithCTAs(simgpu.MaxTLP{}), simgpu.WithDivergence(simgpu.TF{}),
		simgpu.WithLoads(simgpu.Mascar{}))
	// By the clock, and by processor time. A replay alone has the whole machine: collections of garbage and other
	// programs take the cores that it leaves idle; eight at once leave none. So as many copies of it are timed at once
	// as there are cores, and beside that one alone.
	cores := min(runtime.GOMAXPROCS(0), len(eight))
	var beside, apart, together, apartBusy, togetherBusy []float64
	both := func(f func()) (passed, busy float64) {
		t, c := time.Now(), processorTime()
		f()
		return time.Since(t).Seconds(), (processorTime() - c).Seconds()
	}
	for range turns {
		of := gpu.Corpus("LU")
		first, firstBusy := both(func() { gpu.Compare(of, eight[0]) })
		again, againBusy := both(func() { gpu.Compare(of, eight[0]) })
		pass, busy := max(0, first-again), max(0, firstBusy-againBusy) // the functional pass; busy has the replays, too
		copies, alone := 0.0, 0.0
		for _, m := range eight {
			t, c := both(func() { gpu.Compare(of, m) })
			alone, busy = alone+t, busy+c
			t, _ = both(func() {
				var wg sync.WaitGroup
				for range cores {
					wg.Go(func() { gpu.Compare(of, m) })
				}
				wg.Wait()
			})
			copies += t / float64(cores)
		}
		beside, apart = append(beside, pass+copies), append(apart, pass+alone/float64(cores))
		apartBusy = append(apartBusy, busy)
		of = gpu.Corpus("LU")
		t, c := both(func() { gpu.Compare(of, eight...) })
		together, togetherBusy = append(together, t), append(togetherBusy, c)
	}
	of := func(times []float64) float64 { return slices.Min(together) / slices.Min(times) }
	fmt.Printf("%-44s %5.2f of a pass and 8 replays on %d busy cores, %.2f where they are alone, %.2f by processor time  "+
		"[1.15]\n", "Compare of 8 policies", of(beside), cores, of(apart), slices.Min(togetherBusy)/slices.Min(apartBusy))
	t, c0 := time.Now(), processorTime()
	gpu.Compare(gpu.Corpus(), simgpu.Variants("fermivt", simgpu.WithPicker(simgpu.GTO{}), simgpu.WithPicker(simgpu.LRR{}), simgpu.WithPicker(simgpu.Oldest{}),
		simgpu.WithCTAs(simgpu.VT{}), simgpu.WithDivergence(simgpu.TF{}), simgpu.WithLoads(simgpu.Mascar{}))...)
	fmt.Printf("%-44s %5.1f s on %d cores, %.1f s of processors  [60 s on 2]\n", "the corpus under 6 policies", time.Since(t).Seconds(), runtime.GOMAXPROCS(0),
		(processorTime() - c0).Seconds())
	recordings()
	if cells == "" {
		fmt.Println("policies of cells are not measured: -cells .build/arrayrepl")
		return
	}
	out, err := exec.Command(cells, "-e", strings.ReplaceAll(cellPolicies, "TURNS", fmt.Sprint(turns))).CombinedOutput()
	fmt.Print(string(out))
	must(0, err)
}

// recordings measures what is kept of recordings: of the launch and what one machine gathers of it, and what each other
// kind of machine adds.
func recordings() {
	heap := func() int64 {
		runtime.GC()
		runtime.GC() // a sync.Pool gives up what it has in two
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return int64(m.HeapAlloc)
	}
	machines := []string{"sim:v100", "sim:fermivt", "sim:tesla2009", "sim:fermisbi"}
	gpu.Compare(gpu.Corpus("LU"), machines...) // the devices are there
	for _, name := range []string{"LU", "ProfileHMM", "SortingNetwork", "Histogram", "Gather"} {
		gpu.Compare(gpu.Corpus(name), machines[0]) // the code is
		of, before := gpu.Corpus(name), heap()
		instructions := gpu.Compare(of, machines[0]).Rows[0].Stats.WarpInstructions
		one := heap()
		gpu.Compare(of, machines[1:]...)
		more := float64(heap()-one) / float64(len(machines)-1)
		runtime.KeepAlive(of)
		n := float64(instructions)
		fmt.Printf("%-44s %5.1f bytes a warp instruction with its arrays, %.1f for each other kind of machine  [24]\n",
			"a recording of "+name, float64(one-before)/n, more/n)
	}
}

// cellPolicies measures, in a cell, GTO beside the same policy as a Picker of the cell and a Score of it.
const cellPolicies = `
type again struct{}

func (again) Name() string { return "gto again" }

func (again) Pick(now int64, c []simgpu.Cand, e *simgpu.Env) int {
	if e.Last >= 0 && e.Last < len(c) && c[e.Last].Ready {
		return e.Last
	}
	for i := range c {
		if c[i].Ready {
			return i
		}
	}
	return -1
}

few := simgpu.Score("few loads", func(c simgpu.Cand) float64 { return -float64(c.LoadsInFlight) })
of := gpu.Corpus("Histogram", "Reduction", "LU")
machines := simgpu.Variants("fermivt", simgpu.WithPicker(simgpu.GTO{}), simgpu.WithPicker(again{}), simgpu.WithPicker(few))
best := make([]time.Duration, 3)
for turn := range TURNS + 1 {
	for i, m := range machines {
		t := time.Now()
		gpu.Compare(of, m)
		if took := time.Since(t); turn > 0 && (best[i] == 0 || took < best[i]) {
			best[i] = took
		}
	}
}
fmt.Printf("%-44s %5.2f of GTO  [0.20]\n", "GTO written again in a cell", float64(best[0])/float64(best[1]))
fmt.Printf("%-44s %5.2f of GTO  [0.50]\n", "a Score of a cell", float64(best[0])/float64(best[2]))
`
