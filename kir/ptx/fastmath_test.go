package ptx_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/internal/judges"
	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/kir/opt"
	"github.com/arrayrepl/arrayrepl/kir/ptx"
)

// TestFastMathIsAskedFor: approximations and fused products stand in the text of a kernel that has gone through
// opt.FastMath alone, and ptxas takes both.
func TestFastMathIsAskedFor(t *testing.T) {
	b := kir.NewBuilder("k")
	x, out := b.Param("x", kir.F32), b.Param("out", kir.U64)
	y := b.Op(kir.OpAdd, b.Op(kir.OpMul, x, x), b.Op(kir.OpDiv, x, b.Op(kir.OpSqrt, b.Op(kir.OpSin, x))))
	b.Store(kir.Global, out, y)
	b.Store(kir.Global, b.Op(kir.OpAdd, out, b.Int(kir.U64, 4)), b.Op(kir.OpDiv, b.Op(kir.OpSqrt, x), y))
	b.Return()
	f, err := b.Func()
	require.NoError(t, err)
	loose := []string{"fma.rn.f32", "rcp.approx.f32", "rsqrt.approx.f32", "sqrt.approx.f32", "sin.approx.f32"}
	exact := []string{"div.rn.f32", "sqrt.rn.f32", "arrayrepl_sin_f32"}
	for fast, words := range map[bool][2][]string{true: {loose, exact}, false: {exact, loose}} {
		g := f
		if fast {
			g = opt.FastMath(f)
		}
		text, err := ptx.Print(ptx.Options{}, g)
		require.NoError(t, err)
		for _, w := range words[0] {
			assert.Contains(t, text, w, "fast math %v", fast)
		}
		for _, w := range words[1] {
			assert.False(t, strings.Contains(text, "\t"+w) || strings.Contains(text, " "+w+","), "fast math %v: %s", fast, w)
		}
		_, err = judges.Ptxas(t, text, 75)
		assert.NoError(t, err)
		_, err = ptx.Parse(text)
		assert.NoError(t, err)
	}
}
