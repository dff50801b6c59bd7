package tests

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/gpu/kernels"
	"github.com/arrayrepl/arrayrepl/internal/testsize"
	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/kir/check"
	"github.com/arrayrepl/arrayrepl/kir/cpu"
	"github.com/arrayrepl/arrayrepl/kir/gosrc"
	"github.com/arrayrepl/arrayrepl/kir/opt"
)

// TestCleanKernelsHaveNoFindings runs the corpus through the checkers, as written and optimised.
func TestCleanKernelsHaveNoFindings(t *testing.T) {
	testsize.InTurn(t, 1)
	for _, k := range kernels.All {
		c, err := kernels.Compile(k.Name, gosrc.Options{})
		if err != nil {
			t.Fatalf("%s: %v", k.Name, err)
		}
		for name, f := range map[string]*kir.Func{"as written": c.Func, "optimised": opt.Optimize(c.Func)} {
			found, err := findings(k, c, f)
			if err != nil {
				t.Errorf("%s, %s: %v", k.Name, name, err)
			}
			for _, f := range found {
				t.Errorf("%s, %s: %v", k.Name, name, f)
			}
		}
	}
}

// findings runs f, a form of c, as k is launched.
func findings(k kernels.Kernel, c *gosrc.Kernel, f *kir.Func) ([]check.Finding, error) {
	params, memory, err := kernels.Pack(c, k.Args())
	if err != nil {
		return nil, err
	}
	m := cpu.NewMemory()
	for base, b := range memory {
		m.Map(base, b)
	}
	p, err := cpu.Compile(f)
	if err != nil {
		return nil, err
	}
	dim := func(d [3]int) kir.Dim3 { return kir.Dim3{X: d[0], Y: d[1], Z: d[2]} }
	return check.Run(context.Background(), p, cpu.Launch{
		Grid: dim(k.Grid), Block: dim(k.Block), SharedBytes: k.Dynamic, Params: params, Memory: m}, check.Options{})
}

// The published scan of a block has a race with 1,024 threads (cuda-scan-brook.md D.2.3 [D]): the last warp's total
// goes to where the last lane of the first warp has its own. With 512 it has none, and the scan with totals of their
// own has none with 1,024.
func TestScanOf1024Threads(t *testing.T) {
	for _, c := range []struct {
		name    string
		threads int
		race    bool
	}{{"ScanRace", 512, false}, {"ScanRace", 1024, true}, {"ScanBlock", 1024, false}} {
		compiled, err := kernels.Compile(c.name, gosrc.Options{})
		require.NoError(t, err)
		k := kernels.Kernel{Name: c.name, Grid: [3]int{1, 1, 1}, Block: [3]int{c.threads, 1, 1}, Args: func() []any { return []any{make([]int32, c.threads)} }}
		for _, f := range []*kir.Func{compiled.Func, opt.Optimize(compiled.Func)} {
			found, err := findings(k, compiled, f)
			require.NoError(t, err)
			switch {
			case !c.race && len(found) > 0:
				t.Errorf("%s with %d threads: %v", c.name, c.threads, found[0])
			case c.race && (len(found) != 1 || found[0].Kind != check.Race || found[0].Where != "s[31]" || found[0].Thread.X != 1023 || found[0].With.Thread.X != 31):
				t.Errorf("%s with %d threads: %v", c.name, c.threads, found)
			}
		}
	}
}
