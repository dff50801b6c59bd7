package simgpu

import (
	"context"
	"encoding/binary"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/internal/testsize"
	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/kir/check"
	"github.com/arrayrepl/arrayrepl/kir/cpu"
	"github.com/arrayrepl/arrayrepl/kir/random"
)

// TestReturnsAndBarriersOfRandomKernels: kernels whose threads return inside of branches and loops, between barriers of
// the others, leave under each policy what an interpreter of single threads leaves, and check reports a missed barrier
// of just those that have one.
func TestReturnsAndBarriersOfRandomKernels(t *testing.T) {
	machines := []struct {
		preset  string
		options []Option
	}{
		{"v100", nil}, {"v100", []Option{AsWritten()}}, {"v100", []Option{Check()}}, {"tiny", []Option{WithDivergence(PDOM{}), Check(), AsWritten()}},
		{"v100", []Option{WithDivergence(NREC{}), Check(), AsWritten()}}, {"v100", []Option{WithDivergence(MIMD{}), WithIssuePolicy(LRR{}), Check(), AsWritten()}},
		{"fermisbi", []Option{Check()}}, {"gtx480", []Option{WithIssuePolicy(Oldest{}), Check()}},
	}
	found := map[bool]int{}
	for seed := range testsize.Seeds("simgpu.TestReturnsAndBarriersOfRandomKernels") {
		e, err := random.NewEarly(seed)
		require.NoError(t, err, "seed %d", seed)
		want, missed := e.Interpret()
		found[missed]++
		for i, m := range machines {
			b := newBench(t, m.preset, m.options...)
			out := b.put(make([]byte, 4*len(want)))
			loaded, err := b.gpu.Load(e.Func)
			require.NoError(t, err)
			b.stream.Launch(loaded, kir.D1(e.Blocks), kir.D1(e.Threads), 0, binary.LittleEndian.AppendUint64(nil, out.Addr()))
			require.NoError(t, b.stream.Sync(context.Background()), "seed %d on machine %d\n%v", seed, i, e.Func)
			require.Equal(t, want, words32(b.get(out)), "seed %d on machine %d\n%v", seed, i, e.Func)
		}
		p, err := cpu.Compile(e.Func)
		require.NoError(t, err)
		memory, left := cpu.NewMemory(), make([]byte, 4*len(want))
		memory.Map(1<<20, left)
		findings, err := check.Run(context.Background(), p, cpu.Launch{
			Grid: kir.D1(e.Blocks), Block: kir.D1(e.Threads), Params: binary.LittleEndian.AppendUint64(nil, 1<<20), Memory: memory,
		}, check.Options{})
		require.NoError(t, err, "seed %d", seed)
		require.Equal(t, want, words32(left), "seed %d", seed)
		reported := slices.ContainsFunc(findings, func(f check.Finding) bool { return f.Kind == check.MissedBarrier })
		require.Equal(t, missed, reported, "seed %d: %v\n%v", seed, findings, e.Func)
		for _, f := range findings {
			require.Equal(t, check.MissedBarrier, f.Kind, "seed %d: %v\n%v", seed, f, e.Func)
		}
	}
	require.Positive(t, found[true])
	require.Positive(t, found[false])
}

func words32(b []byte) (out []uint32) {
	for ; len(b) > 0; b = b[4:] {
		out = append(out, binary.LittleEndian.Uint32(b))
	}
	return out
}
