package simgpu

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/internal/testsize"
	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/kir/random"
	"github.com/arrayrepl/arrayrepl/offload/trace"
)

// Random kernels leave the same memory with their instructions in the order of the machine's compiler, also where they
// are computed in that order (Check); they execute the same instructions and accesses, and as many blocks fit on an SM.
func TestScheduledKernels(t *testing.T) {
	machines := []struct {
		preset  string
		options []Option
	}{
		{"v100", nil},
		{"gtx280", nil},
		{"gtx480", []Option{WithDivergence(NREC{}), WithIssuePolicy(LRR{})}},
		{"h200", []Option{WithDivergence(MIMD{})}},
	}
	differ, seeds := 0, 0
	for seed := range uint64(16) {
		if !testsize.Part(int(seed), 3) {
			continue
		}
		seeds++
		k := random.New(seed+500, random.All)
		want, err := random.Engine(1).Run(k, k.Func)
		require.NoError(t, err)
		unscheduled := *k.Func
		unscheduled.Bounds.Unscheduled = true
		for _, m := range machines {
			var stats [2]*trace.KernelStats
			for i, f := range []*kir.Func{k.Func, &unscheduled} {
				b := newBench(t, m.preset, m.options...)
				in, out := b.put(k.Input), b.put(k.Output())
				loaded, err := b.gpu.Load(f)
				require.NoError(t, err)
				e := b.stream.Launch(loaded, k.Grid, k.Block, 0, k.At(in.Addr(), out.Addr()))
				assert.True(t, k.Same(b.get(out), want), "seed %d on %s: other memory", seed, m.preset)
				stats[i] = e.Trace().Stats
			}
			a, b := stats[0], stats[1]
			if a.Cycles != b.Cycles {
				differ++
			}
			assert.Equal(t, b.ResidentBlocks, a.ResidentBlocks, "seed %d on %s: %d registers, without %d", seed, m.preset, a.Registers, b.Registers)
			// there what meets depends on the cycle
			if _, each := newBench(t, m.preset, m.options...).gpu.policies.divergence.(MIMD); !each {
				assert.Equal(t, []int64{b.WarpInstructions, b.ThreadInstructions, b.Requests, b.Transactions, b.BankConflicts},
					[]int64{a.WarpInstructions, a.ThreadInstructions, a.Requests, a.Transactions, a.BankConflicts}, "seed %d on %s", seed, m.preset)
			}
		}
		if t.Failed() {
			t.Fatalf("kernel of seed %d:\n%v", seed, k.Func)
		}
	}
	assert.Greater(t, differ, seeds, "the test shows little")
}

// Computed in the order of issue, random kernels without warp operations and atomics leave what they leave in the order
// of the program.
func TestScheduledKernelsUnderCheck(t *testing.T) {
	for seed := range uint64(20) {
		k := random.New(seed+900, random.Features{})
		want, err := random.Engine(1).Run(k, k.Func)
		require.NoError(t, err)
		b := newBench(t, "v100", Check())
		in, out := b.put(k.Input), b.put(k.Output())
		loaded, err := b.gpu.Load(k.Func)
		require.NoError(t, err)
		e := b.stream.Launch(loaded, k.Grid, k.Block, 0, k.At(in.Addr(), out.Addr()))
		require.NoError(t, e.Wait(ctx), "seed %d\n%v", seed, k.Func)
		assert.True(t, k.Same(b.get(out), want), "seed %d", seed)
	}
}
