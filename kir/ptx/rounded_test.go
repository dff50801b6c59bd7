package ptx

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/internal/elementary"
	"github.com/arrayrepl/arrayrepl/internal/judges"
	"github.com/arrayrepl/arrayrepl/internal/testsize"
	"github.com/arrayrepl/arrayrepl/kir"
)

// TestRoundedFunctions: float32(math.Exp(float64(x))) is a call of the function of float32 on a card whose float64 is
// slow, and the same kernel again when its text is read; its body gives the bits of the Go function that defines it.
// The judge of the text is ptxas.
func TestRoundedFunctions(t *testing.T) {
	testsize.InTurn(t, 2)
	r := rand.New(rand.NewPCG(9, 10))
	for _, f := range elementary.Rounded {
		b := kir.NewBuilder("k")
		x, out := b.Param("x", kir.F32), b.Param("out", kir.U64)
		y := b.Convert(kir.F64, x)
		if f.Arity() == 2 {
			y = b.Op(elementaryOps[f.Name], y, b.Convert(kir.F64, b.Param("y", kir.F32)))
		} else if f.Name == "rsqrt" {
			y = b.Op(kir.OpDiv, b.Const(kir.F64, 1), b.Op(kir.OpSqrt, y))
		} else {
			y = b.Op(elementaryOps[f.Name], y)
		}
		b.Store(kir.Global, out, b.Convert(kir.F32, y))
		b.Return()
		k, err := b.Func()
		require.NoError(t, err)

		name := f.Name + "_rounded"
		for target, rounded := range map[int]bool{75: true, 80: false, 86: true, 90: false} {
			text, err := Print(Options{Target: target}, k)
			require.NoError(t, err)
			assert.Equal(t, rounded, strings.Contains(text, functionPrefix+name), "%s for sm_%d", f.Name, target)
			gs, err := Parse(text)
			require.NoError(t, err)
			gs[0].Bounds.Compiled = false
			assert.True(t, kir.Equal(k, gs[0]), "%s for sm_%d:\n%v\n%v", f.Name, target, k, gs[0])
		}
		body := compile(t, Elementary(name))
		for range 2000 {
			x := float32(math.Ldexp(r.NormFloat64(), r.IntN(12)-6))
			got, want := uint64(0), uint64(0)
			if f.Arity() == 2 {
				y := float32(3 * r.NormFloat64())
				got, want = run(t, body, kir.F32, 2, uint64(math.Float32bits(x)), uint64(math.Float32bits(y))), uint64(math.Float32bits(f.Binary(x, y)))
			} else {
				got, want = run(t, body, kir.F32, 1, uint64(math.Float32bits(x)), 0), uint64(math.Float32bits(f.Unary(x)))
			}
			require.True(t, got == want || isNaN(kir.F32, got) && isNaN(kir.F32, want), "%s(%g) is %#x, not %#x", f.Name, x, got, want)
		}
		text, err := Print(Options{Target: 86}, k)
		require.NoError(t, err)
		_, err = judges.Ptxas(t, text, 86)
		assert.NoError(t, err, f.Name)
	}
}
