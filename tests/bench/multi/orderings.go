package main

import (
	"fmt"
	"math"

	np "github.com/arrayrepl/arrayrepl/lazy"
	"github.com/arrayrepl/arrayrepl/offload"
	"github.com/arrayrepl/arrayrepl/offload/trace"
	"github.com/arrayrepl/arrayrepl/tests/internal/published"
)

// orderedPrograms are the programs at sizes that take a machine of a 40th about as long as the paper's least take all
// of it.
var orderedPrograms = []placed{{"VEC", 4_000_000, 0}, {"B&S", 250_000, 0}, {"ML", 1600, 1024}, {"CG", 1600, 0}, {"MUL", 512, 20_000}}

// orderings prints the published programs with whole arrays, as GrCUDA has them, on one GPU, synchronously and not, on
// four and on eight, under three policies, in modelled time, and beside them what the paper finds.
func orderings(only []string, parts int) error {
	s, err := published.New()
	if err != nil {
		return err
	}
	defer s.Close()
	defer offload.Preset("default")
	for _, base := range []string{"v100x8", "a100x8"} {
		machine := slower(base, parts, managed)
		logs, programs := 0.0, 0
		for _, c := range orderedPrograms {
			if len(only) > 0 && !wanted(only, c.name) {
				continue
			}
			took := func(gpus, parts int, policy string, eager bool) (trace.Time, error) {
				return runPublished(s, c, machine, gpus, parts, policy, eager)
			}
			const minMax = "min-max-transfer-time"
			var t [6]trace.Time
			for i, r := range []struct {
				gpus   int
				policy string
				eager  bool
			}{{1, minMax, true}, {1, minMax, false}, {4, minMax, false}, {8, minMax, false}, {8, "min-transfer-size", false}, {8, "round-robin", false}} {
				if t[i], err = took(r.gpus, 16, r.policy, r.eager); err != nil {
					return fmt.Errorf("%s on %s: %w", c.name, base, err)
				}
			}
			sync, one, four, eight, size, turns := t[0], t[1], t[2], t[3], t[4], t[5]
			fmt.Printf("%-4s %s: one GPU %v, synchronously %v, four %v, eight %v, by min-transfer-size %v, round-robin %v\n", c.name, base, one, sync, four, eight, size, turns)
			finding("the synchronous GPU is not faster", ratio(sync, one), sync >= one)
			gain := ratio(four, eight)
			switch {
			case base == "v100x8" && (c.name == "ML" || c.name == "CG"):
				finding("eight are not faster than four", gain, gain <= 1.02)
			case base == "a100x8" && c.name == "ML":
				finding("eight are faster than four", gain, gain > 1.02)
			case base == "a100x8" && c.name == "CG":
				finding("eight are about as fast as four", gain, gain <= 1.1)
			}
			if c.name == "ML" {
				finding("min-max-transfer-time is not behind min-transfer-size", ratio(size, eight), ratio(size, eight) >= 0.99)
			}
			if c.name == "MUL" && base == "v100x8" {
				whole, err := took(1, 1, minMax, false)
				if err != nil {
					return err
				}
				parted := ratio(whole, one)
				finding("parts on one GPU are 1.31 times faster than one part, within a tenth", parted, parted >= 1.31*0.9 && parted <= 1.31*1.1)
				finding("eight GPUs are at most 1.3 times faster than one with the same parts", ratio(one, eight), ratio(one, eight) <= 1.3)
			}
			logs += math.Log(ratio(turns, eight))
			programs++
		}
		if programs > 0 {
			mean := math.Exp(logs / float64(programs))
			fmt.Printf("%s, %d programs\n", base, programs)
			finding("round-robin takes at least 1.2 times as long as min-max-transfer-time, in the geometric mean", mean, mean >= 1.2)
		}
	}
	return nil
}

// runPublished returns the modelled time of a program, whose arrays begin on the host.
func runPublished(s *published.Session, c placed, machine string, gpus, parts int, policy string, eager bool) (trace.Time, error) {
	var program published.Program
	for _, p := range published.Programs {
		if p.Name == c.name {
			program = p
		}
	}
	if _, err := s.Cell(fmt.Sprintf("n, parts, features := %d, %d, %d\nnp.Use(\"host\")", c.n, parts, c.features)); err != nil {
		return 0, err
	}
	if _, err := s.Cell(program.Data + program.Long); err != nil {
		return 0, err
	}
	offload.Preset("grcuda")
	if eager {
		offload.SetTrigger(offload.Eager)
	} else {
		offload.SetTrigger(offload.OnDisplay)
	}
	names := make([]string, gpus)
	for i := range names {
		names[i] = fmt.Sprintf("%s#%d", machine, i)
	}
	np.Use(names...)
	var failed error
	runs := offload.EachPolicy(func() { _, failed = s.Cell(program.Parts) }, policy)
	offload.Preset("default")
	offload.Collect()
	if failed != nil {
		return 0, failed
	}
	return runs[0].Took(), nil
}

func ratio(a, b trace.Time) float64 { return float64(a) / float64(b) }

// finding prints something that the paper finds, and the figure that shows it here.
func finding(what string, figure float64, found bool) {
	fmt.Printf("       %s: %.3f %s\n", what, figure, verdict(found))
}
