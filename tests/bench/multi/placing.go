package main

import (
	"flag"
	"fmt"
	"strings"
	"time"

	np "github.com/arrayrepl/arrayrepl/lazy"
	"github.com/arrayrepl/arrayrepl/offload"
	"github.com/arrayrepl/arrayrepl/offload/trace"
	"github.com/arrayrepl/arrayrepl/simgpu"
	"github.com/arrayrepl/arrayrepl/tests/internal/published"
)

// placed is a program of package published with its size, of the paper's least divided by so much as the machine is
// smaller.
type placed struct {
	name        string
	n, features int
}

var devicesOf = flag.Bool("kernels", false, "of placing: list each kernel")

var policies = flag.String("policy", "", "of placing: this one and the default alone")

var placedPrograms = []placed{{"VEC", 4_000_000, 0}, {"VEC", 160_000, 0}, {"B&S", 250_000, 0}, {"ML", 16_000, 64}, {"ML", 1600, 1024}, {"CG", 1600, 0}, {"MUL", 3200, 0}}

// slower makes a machine known that has a part of another's multiprocessors and of all its rates, and returns its name.
// With that part of the elements a kernel and a copy take about as long there as on the other.
func slower(base string, parts int, changes ...func(*simgpu.Preset)) string {
	return simgpu.Custom(base, simgpu.Change(func(p *simgpu.Preset) {
		for _, change := range changes {
			change(p)
		}
		p.SMs = max(p.SMs/parts, 1)
		p.L2Bytes, p.L2Banks, p.DRAMChannels = p.L2Bytes/parts, max(p.L2Banks/parts, 1), max(p.DRAMChannels/parts, 1)
		p.DRAMPeak /= int64(parts)
		for _, rate := range []*int64{&p.PinnedRate, &p.PageableRate, &p.RootRate, &p.PCIePeerRate, &p.PortRate} {
			*rate /= int64(parts)
		}
		links := make([][]int64, len(p.Links))
		for i, row := range p.Links {
			for _, rate := range row {
				links[i] = append(links[i], rate/int64(parts))
			}
		}
		if p.Links != nil {
			p.Links = links
		}
	}))
}

// managed has arrays of the host move at the link's rate beside kernels, as managed and pinned memory do. The paper's
// arrays are managed.
func managed(p *simgpu.Preset) { p.PageableRate = p.PinnedRate }

// placing prints, for each of the published programs with partitions by hand, the modelled time under the default
// policy and under the others, and how far the default is behind the best of them.
func placing(only []string, parts int) error {
	s, err := published.New()
	if err != nil {
		return err
	}
	defer s.Close()
	usual := offload.Default().Placement().Name()
	for _, base := range []string{"v100x8", "a100x8"} {
		machine := "sim:" + base
		if parts > 1 {
			machine = slower(base, parts)
		}
		for _, c := range placedPrograms {
			if len(only) > 0 && !wanted(only, c.name) {
				continue
			}
			for _, p := range published.Programs {
				if p.Name != c.name {
					continue
				}
				if err := compare(s, p, c, base, machine, usual); err != nil {
					return fmt.Errorf("%s on %s: %w", c.name, base, err)
				}
			}
		}
	}
	return nil
}

// compare prints one program's row for a machine.
func compare(s *published.Session, p published.Program, c placed, base, machine, usual string) error {
	if _, err := s.Cell(fmt.Sprintf("n, parts, features := %d, 16, %d", c.n, c.features)); err != nil {
		return err
	}
	begun := time.Now()
	var runs []trace.Program
	for _, policy := range offload.Policies() {
		if *policies != "" && !strings.Contains(*policies, policy) && policy != usual {
			continue
		}
		if _, err := s.Cell("np.Use(\"host\")\n" + p.Data); err != nil { // nothing is on a device
			return err
		}
		np.Use(machine)
		var failed error
		run := offload.EachPolicy(func() { _, failed = s.Cell(p.Parts) }, policy)
		if failed != nil {
			return failed
		}
		runs = append(runs, run...)
		offload.Collect()
	}
	var own, best trace.Time
	for _, r := range runs {
		if r.Name == usual {
			own = r.Took()
		}
		if best == 0 || r.Took() < best {
			best = r.Took()
		}
	}
	fmt.Printf("%-4s n = %-8d %-6s default %10v, of the best %.3f (at most 1.05 wanted) %s\n", p.Name, c.n, base, own, float64(own)/float64(best), verdict(float64(own) <= 1.05*float64(best)))
	for _, r := range runs {
		if *devicesOf {
			on(r)
		}
		in, _, between := r.Copied()
		fmt.Printf("       %-22s %10v, %7.1f MB from the host, %7.1f between GPUs\n", r.Name, r.Took(), float64(in)/1e6, float64(between)/1e6)
	}
	fmt.Fprintln(screen, "took", time.Since(begun).Round(time.Millisecond))
	return nil
}

// on prints on which GPUs a program's kernels ran, in their order, when they began and ended.
func on(r trace.Program) {
	for _, l := range r.Logs {
		for _, e := range l.Events() {
			if e.Kind == trace.Kernel {
				fmt.Fprintf(screen, "         %-12s on %s from %v to %v\n", e.Name, e.Device[len(e.Device)-1:], e.Start, e.End)
			}
		}
	}
}

func verdict(met bool) string {
	if met {
		return "met"
	}
	return "not met"
}
