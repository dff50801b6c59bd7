package dp_test

import (
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/gpu/dp"
	"github.com/arrayrepl/arrayrepl/internal/testsize"
	np "github.com/arrayrepl/arrayrepl/lazy"
)

// Elementwise operations in front of scans and behind them are in the scans' kernels on GPUs, with the bits of kernels
// of their own: of whole arrays, along axes, by segments, exclusive, and where what is in front is read behind too.
func TestScansTakeElementwiseOperations(t *testing.T) {
	use(t)
	rng := arrays.DefaultRNG(5)
	for turn, n := range []int{3, 33, 2049, 6201} {
		e := rng.Random(n).AsType(arrays.Float32)
		ints := rng.Random(n).Mul(100).AsType(arrays.Int32)
		heads := make([]bool, n)
		for i := range heads {
			heads[i] = i%97 == 5
		}
		chains := map[string]func(x, k *np.Array) *np.Array{
			"before":     func(x, _ *np.Array) *np.Array { return np.CumSum(x.Mul(2)) },
			"behind":     func(x, _ *np.Array) *np.Array { return np.CumSum(x).Add(1) },
			"both":       func(x, k *np.Array) *np.Array { return np.Sqrt(np.CumSum(x.Mul(k))).Add(k) },
			"shared":     func(x, _ *np.Array) *np.Array { y := x.Mul(3); return np.CumSum(y).Sub(y) },
			"ints":       func(_, k *np.Array) *np.Array { return np.CumSum(k.AsType(np.Int64).Mod(7)).Mul(-1) },
			"bools":      func(x, _ *np.Array) *np.Array { return dp.ScanEx(dp.Max, x.Greater(0.5).AsType(np.Int8)).Equal(1) },
			"maximum":    func(x, _ *np.Array) *np.Array { return np.Where(dp.Scan(dp.Max, x.Neg()).Less(-0.01), x, 0) },
			"by heads":   func(x, _ *np.Array) *np.Array { return dp.SegScan(dp.Sum, x.Mul(2), dp.Heads(heads)).Add(1) },
			"exclusive":  func(x, _ *np.Array) *np.Array { return dp.SegScanEx(dp.Sum, x.Mul(2), dp.Heads(heads)).Add(x) },
			"one a word": func(x, _ *np.Array) *np.Array { return dp.Scan(dp.Sum, x.Mul(2), dp.PerThread(1)).Add(1) },
			"downsweep": func(x, _ *np.Array) *np.Array {
				return dp.Scan(dp.Sum, x.Mul(2), dp.Kernel(dp.Downsweep{Pad: true})).Add(1)
			},
			"lines": func(x, _ *np.Array) *np.Array {
				m := x.Reshape(3, n/3)
				return np.CumSum(m.Mul(2), np.Axis(1)).Add(m)
			},
			"columns": func(x, _ *np.Array) *np.Array {
				m := x.Reshape(n/3, 3)
				return np.CumSum(m.Mul(2), np.Axis(0)).Add(1)
			},
		}
		for k, name := range slices.Sorted(maps.Keys(chains)) {
			if !testsize.Part(turn+k, 3) {
				continue
			}
			chain := chains[name]
			for i, m := range machines[1:] {
				if n != 2049 && i != (turn+2)%3 { // one of them has each of the other lengths
					continue
				}
				np.Use(m)
				x, k := np.FromArray(e), np.FromArray(ints)
				fused := chain(x, k)
				np.Fuse(false)
				want := chain(np.FromArray(e), np.FromArray(ints)).Copy()
				np.Eval(want)
				np.Fuse(true)
				steps := np.Explain(fused).Steps
				require.Equal(t, want.Array().Bytes(), fused.Array().Bytes(), "%s of %d on %s", name, n, m)
				if m == machines[3] { // others have less shared memory for what comes together
					require.Len(t, steps, 1, "%s of %d on %s: %v", name, n, m, steps)
				}
			}
		}
	}
}
