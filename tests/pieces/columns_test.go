package pieces

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/internal/testsize"
	"github.com/arrayrepl/arrayrepl/lazy"
)

// TestProductsWithColumnsInPieces: products with a column are cut along what they sum over where nothing else is left,
// and have the bits of eager arrays, which add such pieces in order. A device with room has the same.
func TestProductsWithColumnsInPieces(t *testing.T) {
	testsize.InTurn(t, 0)
	const n = 300_000
	v, w := arrays.FromSlice(numbers(n, 3)), arrays.FromSlice(numbers(n, 4))
	for name, product := range map[string]struct {
		lazy  func(v, w *lazy.Array) *lazy.Array
		eager func(v, w *arrays.Array) *arrays.Array
		cut   int   // pieces at least; 0 where it may need none
		bytes int64 // of the device, which has room for two pieces
	}{
		"with itself": {func(v, w *lazy.Array) *lazy.Array { return lazy.Dot(v, v) },
			func(v, w *arrays.Array) *arrays.Array { return arrays.Dot(v, v) }, 3, 9 << 18},
		"with another": {func(v, w *lazy.Array) *lazy.Array { return lazy.Dot(v, w.Add(1)) },
			func(v, w *arrays.Array) *arrays.Array { return arrays.Dot(v, w.Add(1)) }, 3, 9 << 18},
		"reversed": {func(v, w *lazy.Array) *lazy.Array { return lazy.VDot(v.At(lazy.S(lazy.End, lazy.End, -1)), w) },
			func(v, w *arrays.Array) *arrays.Array {
				return arrays.VDot(v.At(arrays.S(arrays.End, arrays.End, -1)), w)
			}, 3, 9 << 18},
		"of two rows": {func(v, w *lazy.Array) *lazy.Array { return v.Reshape(2, -1).MatMul(w.At(lazy.To(n / 2))) },
			func(v, w *arrays.Array) *arrays.Array { return v.Reshape(2, -1).MatMul(w.At(arrays.To(n / 2))) }, 2, 9 << 18},
		"of pairs": {func(v, w *lazy.Array) *lazy.Array {
			return v.Reshape(2, 1, -1).MatMul(w.Reshape(2, -1, 1)).Reshape(-1)
		},
			func(v, w *arrays.Array) *arrays.Array {
				return v.Reshape(2, 1, -1).MatMul(w.Reshape(2, -1, 1)).Reshape(-1)
			}, 2, 17 << 18},
		"of ints": {func(v, w *lazy.Array) *lazy.Array {
			return lazy.Dot(v.Mul(100).AsType(arrays.Int32), w.Mul(100).AsType(arrays.Int32))
		},
			func(v, w *arrays.Array) *arrays.Array {
				return arrays.Dot(v.Mul(100).AsType(arrays.Int32), w.Mul(100).AsType(arrays.Int32))
			}, 0, 9 << 18},
	} {
		t.Run(name, func(t *testing.T) {
			want := product.eager(v, w).Bytes()
			for _, bytes := range []int64{0, product.bytes} {
				rt := paged(t, bytes)
				rt.Warn = func(m string) { t.Errorf("it said: %s", m) }
				y := product.lazy(lazy.FromArray(v), lazy.FromArray(w))
				forecast := lazy.Explain(y).TooLarge
				require.Equal(t, want, y.Array().Bytes(), "on a device with %d bytes", bytes)
				if s := rt.Stats(); bytes > 0 && (int(s.Pieces) < product.cut || product.cut > 0 && len(forecast) == 0) {
					t.Errorf("%d pieces, %d launches; foreseen: %v", s.Pieces, s.Launches, forecast)
				}
				require.Zero(t, rt.Stats().CPUTasks, "on the CPU")
				y = nil
				settled(t, rt)
			}
		})
	}
}
