// Command multi runs plain array programs on 1, 2, 4 and 8 GPUs of a simulated machine, with the work of one GPU for
// each, and prints the weak scaling: the modelled time on one by that on several. Each row is a step of a program, of
// several that are evaluated together, as a cell does that shows the result of a loop, after one that brings the arrays
// to the devices.
//
// With -only placing it prints the published workloads under the default policy and the others, with -only planning
// what the processors take to plan.
//
//	go run ./tests/bench/multi [-only placing|planning] [-machine sim:v100x8] [-mb 64] [-events]
//	  [name]...
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

func run() error {
	machine := flag.String("machine", "sim:v100x8", "the simulated machine")
	megabytes := flag.Int("mb", 256, "of the largest array, for each GPU")
	parts := flag.Int("fraction", 40, "of the machine's multiprocessors and memory rates, 1 of so many, and of the arrays: the modelled times are about the same, and the work for this machine is not")
	steps := flag.Int("steps", 10, "that are evaluated together")
	events := flag.Bool("events", false, "list what each device did in the last step")
	what := flag.String("only", "", "of scaling, placing, planning: one of them")
	flag.Parse()
	if *what == "planning" {
		rt, err := use(*machine)
		if err != nil {
			return err
		}
		return planning(rt.Placement())
	}
	if *what == "placing" {
		if _, err := use(*machine); err != nil {
			return err
		}
		return placing(flag.Args(), *parts)
	}
	if *parts > 1 {
		*machine = testdevices.Fraction(strings.TrimPrefix(*machine, "sim:"), *parts)
	}
	rt, err := use(*machine)
	if err != nil {
		return err
	}
	for _, w := range workloads {
		if flag.NArg() > 0 && !slices.ContainsFunc(flag.Args(), func(s string) bool { return strings.Contains(w.name, s) }) {
			continue
		}
		if err := scale(rt, w, *machine, *megabytes<<20/max(*parts, 1), *steps, *events); err != nil {
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
		fmt.Printf("%-10s %d GPUs %10v, efficiency %.3f (at least %.2f wanted), %9s between GPUs in %d copies, %d from and to the host\n", w.name, gpus, took,
			float64(one)/float64(took), w.least, device.Bytes((after.BytesPeer-before.BytesPeer)/int64(steps)), (after.CopiesPeer-before.CopiesPeer)/int64(steps),
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
