package opt_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/internal/testsize"
	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/kir/opt"
	"github.com/arrayrepl/arrayrepl/kir/random"
)

// withIndices has quotients with their remainders, and multiples, too.
var withIndices = func() random.Features {
	f := random.All
	f.Indices = true
	return f
}()

// What a CPU runs keeps the results of kernels, with fewer branches than others run.
func TestKernelsOfCPUsKeepResults(t *testing.T) {
	fewer := 0
	change := func(f *kir.Func) *kir.Func {
		g, h := opt.Optimize(f), opt.OptimizeForCPU(f)
		require.NoError(t, kir.Verify(h))
		if len(h.Blocks) < len(g.Blocks) {
			fewer++
		}
		return h
	}
	for seed := range testsize.Seeds("kir/opt.TestKernelsOfCPUsKeepResults") {
		err := random.New(3000+seed, withIndices).Check(random.After("for a CPU", change, random.Engine(1)))
		if d := (*random.Difference)(nil); errors.As(err, &d) {
			d = random.Shrink(d, 2000)
			t.Fatalf("%v\nafter shrinking: %v\n%v", err, d, d.Kernel.Func)
		}
		require.NoError(t, err)
	}
	require.Positive(t, fewer)
}

// Each pass alone, on kernels as they are generated and after the whole pipeline, keeps their results and leaves them
// well formed.
func TestPassesKeepResultsOfRandomKernels(t *testing.T) {
	for name, run := range opt.Passes() {
		t.Run(name, func(t *testing.T) {
			changed := 0
			change := func(f *kir.Func) *kir.Func {
				before := f.String()
				g, did := run(f)
				if did {
					changed++
				}
				if f.String() != before {
					t.Fatalf("the pass changed its input\n%s", before)
				}
				return g
			}
			for seed := range testsize.Seeds("kir/opt.TestPassesKeepResultsOfRandomKernels") {
				k := random.New(1000+seed, withIndices)
				err := k.Check(random.After(name, change, random.Engine(1)))
				if d := (*random.Difference)(nil); errors.As(err, &d) {
					d = random.Shrink(d, 2000)
					t.Fatalf("%v\nafter shrinking: %v\n%v", err, d, d.Kernel.Func)
				} else if err != nil {
					t.Fatal(err)
				}
			}
			// some change one kernel in twenty
			if changed < 3 && testsize.Of("kir/opt.TestPassesKeepResultsOfRandomKernels") >= 600 {
				t.Errorf("the pass changed %d kernels: the test shows little", changed)
			}
		})
	}
}
