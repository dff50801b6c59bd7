// Command multi measures several devices, in parts, each with what is wanted beside what it finds:
//
//   - scaling: plain array programs on 1, 2, 4 and 8 GPUs of a simulated machine, with the work of one GPU for each: the
//     modelled time on one by that on several. Each row is a step of a program, of several that are evaluated together,
//     as a cell does that shows the result of a loop, after one that brings the arrays to the devices.
//   - placing: the published workloads under the default policy and the others.
//   - orderings: the published workloads with whole arrays on one, four and eight GPUs, and what their paper finds.
//   - planning: what the processors take to plan.
//   - one: what small arrays on one device take, beside an earlier commit.
//   - eight: what this machine takes to simulate eight GPUs, beside one with the same arrays.
//   - dask: array programs on this machine's processors beside Dask array with two worker processes.
//
// Usage:
//
//	go run ./tests/bench/multi [-o docs/design/measurements/multi.md] [-only scaling,…] [-machine sim:v100x8] [-mb 256]
//	  [-base CHECKOUT] [-python PYTHON] [-events] [name]...
package main

import (
	"flag"
	"fmt"
	"log"
	"os"
	"slices"
	"strings"

	"github.com/arrayrepl/arrayrepl/lazy"
	"github.com/arrayrepl/arrayrepl/offload"
	"github.com/arrayrepl/arrayrepl/offload/device"
	"github.com/arrayrepl/arrayrepl/offload/host"
	"github.com/arrayrepl/arrayrepl/offload/trace"
	"github.com/arrayrepl/arrayrepl/simgpu"
	"github.com/arrayrepl/arrayrepl/tests/bench/record"
	"github.com/arrayrepl/arrayrepl/tests/internal/testdevices"
)

// screen is for what is not part of the page.
var screen = os.Stderr

func main() {
	log.SetFlags(0)
	if err := run(); err != nil {
		log.Fatal(err)
	}
}

// A part is one of the tables of the page.
type part struct {
	name, what string
	run        func() error
}

func run() error {
	machine := flag.String("machine", "sim:v100x8", "the simulated machine")
	megabytes := flag.Int("mb", 256, "of the largest array, for each GPU")
	parts := flag.Int("fraction", 40, "of the machine's multiprocessors and memory rates, 1 of so many, and of the arrays: the modelled times are about the same, and the work for this machine is not")
	steps := flag.Int("steps", 10, "that are evaluated together")
	events := flag.Bool("events", false, "list what each device did in the last step")
	what := flag.String("only", "", "names of parts, with commas between them; all of them otherwise")
	base := flag.String("base", "", "a checkout of an earlier commit, which one device is compared with")
	python := flag.String("python", "", "a Python with what tests/bench/multi/requirements.txt has")
	paired := flag.Bool("pair", false, "run two builds of tests/bench/oa, the earlier first, and print what each takes of processors: for tests/bench/paired")
	page := record.Flag()
	flag.Parse()
	if *paired {
		return pair(flag.Args())
	}
	if err := page.Start(); err != nil {
		return err
	}
	rt, err := use(*machine)
	if err != nil {
		return err
	}
	whole := *machine
	if *parts > 1 {
		*machine = testdevices.Fraction(strings.TrimPrefix(*machine, "sim:"), *parts)
	}
	bytes := *megabytes << 20 / max(*parts, 1)
	all := []part{
		{"scaling", "Weak scaling, in modelled time, of " + whole, func() error { return scaling(rt, *machine, bytes, *steps, *events, flag.Args()) }},
		{"placing", "The default policy beside the others, in modelled time", func() error { return placing(flag.Args(), *parts) }},
		{"orderings", "Published programs with whole arrays, in modelled time", func() error { return orderings(flag.Args(), *parts) }},
		{"planning", "Planning on eight devices", func() error { return planning(rt.Placement()) }},
		{"one", "One device, beside an earlier commit", func() error { return one(*base) }},
		{"eight", "Eight simulated GPUs beside one with the same arrays", func() error { return eight(*machine, bytes, *steps, flag.Args()) }},
		{"dask", "Beside Dask array", func() error { return dask(*python, flag.Args()) }},
	}
	chosen := strings.Split(*what, ",")
	for _, name := range chosen {
		if *what != "" && !slices.ContainsFunc(all, func(p part) bool { return p.name == name }) {
			return fmt.Errorf("there is no part %q", name)
		}
	}
	for _, p := range all {
		if *what != "" && !slices.Contains(chosen, p.name) {
			continue
		}
		fmt.Printf("%s (%s)\n", p.what, p.name)
		if err := p.run(); err != nil {
			return fmt.Errorf("%s: %w", p.name, err)
		}
		fmt.Println()
	}
	return page.End()
}

// scaling prints the weak scaling of the programs that are asked for.
func scaling(rt *offload.Runtime, machine string, bytes, steps int, events bool, only []string) error {
	for _, w := range workloads {
		if len(only) > 0 && !wanted(only, w.name) {
			continue
		}
		if err := scale(rt, w, machine, bytes, steps, events); err != nil {
			return fmt.Errorf("%s: %w", w.name, err)
		}
	}
	return nil
}

// use gives lazy a runtime with the machine.
func use(machine string) (*offload.Runtime, error) {
	var r device.Registry
	r.Add("host", func() (device.Device, error) { return host.Open(0), nil })
	machines := new(simgpu.Machines)
	r.Add(machine, func() (device.Device, error) { return machines.Open(machine) })
	r.AddFamily("sim:", nil, machines.Open)
	rt, err := offload.New(&r, "host")
	if err == nil {
		lazy.Wiring{}.SetRuntime(rt)
		lazy.SimulateProducts(1 << 40)
	}
	return rt, err
}

// scale prints one row for each number of GPUs.
func scale(rt *offload.Runtime, w workload, machine string, bytes, steps int, events bool) error {
	one := trace.Time(0)
	for _, gpus := range []int{1, 2, 4, 8} {
		names := make([]string, gpus)
		for i := range names {
			names[i] = fmt.Sprintf("%s#%d", machine, i)
		}
		lazy.Use(names...)
		step := w.start(gpus, bytes)
		lazy.Eval(step()...)
		before := rt.Stats()
		var wanted []*lazy.Array
		for range steps {
			wanted = step()
		}
		lazy.Eval(wanted...)
		after := rt.Stats()
		took := trace.Last().Took() / trace.Time(steps)
		if gpus == 1 {
			one = took
		}
		efficiency := float64(one) / float64(took)
		fmt.Printf("%-10s %d GPUs %10v, efficiency %.3f (at least %.2f wanted) %s, %9s between GPUs in %d copies, %d from and to the host\n", w.name, gpus, took,
			efficiency, w.least, verdict(efficiency >= w.least), device.Bytes((after.BytesPeer-before.BytesPeer)/int64(steps)), (after.CopiesPeer-before.CopiesPeer)/int64(steps),
			after.CopiesIn-before.CopiesIn+after.CopiesOut-before.CopiesOut)
		if events {
			list(trace.Last())
		}
		step = nil
		offload.Collect()
	}
	return nil
}

func list(l *trace.Log) {
	begin := trace.Time(-1)
	all := slices.Clone(l.Events())
	slices.SortStableFunc(all, func(a, b trace.Event) int { return int(a.Start - b.Start) })
	for _, e := range all {
		if !e.Modelled {
			continue
		}
		if begin < 0 {
			begin = e.Start
		}
		fmt.Printf("    %10v to %10v  %-14s %d  %-9v %9d  %s\n", e.Start-begin, e.End-begin, e.Device, e.Stream, e.Kind, e.Bytes, e.Name)
	}
}
