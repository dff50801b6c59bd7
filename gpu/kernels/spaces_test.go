package kernels_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/gpu/kernels"
	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/kir/gosrc"
	"github.com/arrayrepl/arrayrepl/kir/ptx"
)

// What the corpus has of the parts of CUDA beyond blocks with a barrier: at least twenty kernels, each of which the
// other tests here run on the interpreter, the CPU engine, simulated GPUs in the order in which they issue, and in
// managed memory, and whose PTX ptxas takes (kir/ptx).
func TestKernelsBeyondBlocks(t *testing.T) {
	kinds := []struct {
		name string
		has  func(c *gosrc.Kernel, v *kir.Value) bool
	}{
		{"tiles", func(_ *gosrc.Kernel, v *kir.Value) bool {
			return v.Op == kir.OpShuffle || v.Op == kir.OpMatchAny || v.Op == kir.OpActiveMask
		}},
		{"barriers of the grid", func(_ *gosrc.Kernel, v *kir.Value) bool { return v.Op == kir.OpGridBarrier }},
		{"clusters", func(_ *gosrc.Kernel, v *kir.Value) bool { return v.Op == kir.OpClusterBarrier }},
		{"device variables", func(c *gosrc.Kernel, _ *kir.Value) bool { return len(c.Variables) > 0 }},
		{"asynchronous copies", func(_ *gosrc.Kernel, v *kir.Value) bool { return v.Op == kir.OpCopyCommit }},
		{"tensor cores", func(_ *gosrc.Kernel, v *kir.Value) bool { return v.Op == kir.OpMMA }},
	}
	any, inManaged := map[string]bool{}, 0
	of := map[string][]string{}
	for _, k := range kernels.All {
		c, err := kernels.Compile(k.Name, gosrc.Options{})
		require.NoError(t, err)
		for _, kind := range kinds {
			if uses(c, kind.has) {
				of[kind.name] = append(of[kind.name], k.Name)
				any[k.Name] = true
			}
		}
		if numbers(k.Args()) {
			inManaged++
		}
		_, err = ptx.Print(ptx.Options{}, c.Func)
		require.NoError(t, err)
		if k.Cluster == 0 {
			require.Equal(t, max(k.Since, 80), max(ptx.LeastTarget(c.Func), 80), k.Name)
		}
	}
	for _, kind := range kinds {
		t.Logf("%d with %s: %v", len(of[kind.name]), kind.name, of[kind.name])
		require.GreaterOrEqual(t, len(of[kind.name]), 2, kind.name)
	}
	t.Logf("%d kernels of %d have one or more of these, %d run in managed memory too", len(any), len(kernels.All), inManaged)
	require.GreaterOrEqual(t, len(any), 20)
	require.GreaterOrEqual(t, inManaged, 20)
}

func uses(c *gosrc.Kernel, has func(*gosrc.Kernel, *kir.Value) bool) bool {
	for _, b := range c.Func.Blocks {
		for _, v := range b.Values {
			if has(c, v) {
				return true
			}
		}
	}
	return false
}
