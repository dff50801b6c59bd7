package dp_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/gpu/dp"
	"github.com/arrayrepl/arrayrepl/gpu/dp/internal/combined"
	"github.com/arrayrepl/arrayrepl/internal/testsize"
	"github.com/arrayrepl/arrayrepl/kir/gosrc"
	"github.com/arrayrepl/arrayrepl/kir/gosrc/load"
	np "github.com/arrayrepl/arrayrepl/lazy"
)

// runsOf scans by a loop.
func runsOf[T any](xs []T, heads []bool, op func(a, b T) T) []T {
	out := append([]T{}, xs...)
	for i := 1; i < len(out); i++ {
		if heads == nil || !heads[i] {
			out[i] = op(out[i-1], xs[i])
		}
	}
	return out
}

// Scans of structs and arrays keep the order on all machines, and are what a loop over the compiled function makes.
func TestRecordsAreLoops(t *testing.T) {
	testsize.InTurn(t, 2)
	use(t)
	p, err := load.Load(".", "./internal/combined")
	require.NoError(t, err)
	op := func(name string, fn any, identity ...any) *dp.Operator {
		obj, err := p.Func(name)
		require.NoError(t, err)
		return dp.Op(gosrc.NewFunc(p.Source, obj, nil, fn), identity...)
	}
	mul, join, then := op("Mul", combined.Mul, combined.Matrix{A: 1, D: 1}), op("Join", combined.Join), op("Then", combined.Then)
	for k, m := range []string{"host", machines[1], machines[3]} {
		np.Use(m)
		n := []int{40, 33, 2200}[k]
		ms, fs, ts, heads := make([]combined.Matrix, n), make([]combined.Found, n), make([][9]uint8, min(n, 40)), make([]bool, n)
		for i := range n {
			ms[i] = combined.Matrix{A: rand.Int32(), B: rand.Int32(), C: rand.Int32(), D: rand.Int32()}
			fs[i] = combined.Found{Begins: rand.IntN(9) == 0, Sum: rand.Int64()}
			fs[i].Least.Value, fs[i].Least.At = float32(rand.IntN(50)), uint16(i)
			heads[i] = rand.IntN(40) == 0
		}
		for i := range ts {
			for s := range ts[i] {
				ts[i][s] = uint8(rand.IntN(9))
			}
		}
		want := runsOf(ms, nil, combined.Mul)
		require.Equal(t, want, dp.ScanRecords(mul, np.RecordsOf(ms)).Slice(), m)
		before := append([]combined.Matrix{{A: 1, D: 1}}, want[:n-1]...)
		require.Equal(t, before, dp.ScanRecordsEx(mul, np.RecordsOf(ms)).Slice(), m)
		require.Equal(t, runsOf(ms, heads, combined.Mul), dp.SegScanRecords(mul, np.RecordsOf(ms), dp.Heads(heads)).Slice(), m)
		require.Equal(t, runsOf(fs, nil, combined.Join), dp.ScanRecords(join, np.RecordsOf(fs)).Slice(), m)
		if k == 0 || k == 2 && !testsize.Short() { // compiling the nine kernels of a table takes seconds
			require.Equal(t, runsOf(ts, nil, combined.Then), dp.ScanRecords(then, np.RecordsOf(ts)).Slice(), m)
		}
	}
}
