package opt

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/kir/internal/testkernels"
)

// Conditions one after the other make one choice for each value on a CPU, and one condition for all of them.
func TestConditionsInARowAreOneChoice(t *testing.T) {
	for _, or := range []bool{false, true} {
		b := kir.NewBuilder("k")
		out, i := b.Param("out", kir.U64), b.GlobalIDX()
		x := b.Load(kir.Global, kir.F32, b.Index(b.Param("x", kir.U64), i, kir.F32))
		var conds []*kir.Value
		for _, c := range []float64{1, 2, 3} {
			conds = append(conds, b.Op(kir.OpLt, x, b.Const(kir.F32, c)))
		}
		for k := range 2 {
			y, z := b.Op(kir.OpMul, x, b.Const(kir.F32, float64(k+5))), b.Op(kir.OpAdd, x, b.Const(kir.F32, float64(k+7)))
			for _, c := range conds {
				if or {
					y = b.Op(kir.OpSelect, c, z, y)
				} else {
					y = b.Op(kir.OpSelect, c, y, z)
				}
			}
			b.Store(kir.Global, b.Index(out, b.Op(kir.OpAdd, i, b.Int(kir.I64, int64(1000*k))), kir.F32), y)
		}
		b.Return()
		f := testkernels.MustFunc(t, b)
		require.Equal(t, 6, strings.Count(Optimize(f).String(), "= select"), "others have what they had")
		g := OptimizeForCPU(f)
		require.NoError(t, kir.Verify(g))
		require.Equal(t, 2, strings.Count(g.String(), "= select"), g)
		require.Equal(t, 2, strings.Count(g.String(), "bool = and")+strings.Count(g.String(), "bool = or"), g)
	}
}
