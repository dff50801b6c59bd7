package opt

import (
	"strings"
	"testing"

	"github.com/arrayrepl/arrayrepl/kir"
)

// A comparison and its negation turn their constants to the right each for itself. (A kernel made at random found them
// sharing their operands.)
func TestAComparisonAndItsNegation(t *testing.T) {
	got := optimized(t, kir.Bounds{}, func(b *kir.Builder) {
		out, x, two := b.Param("out", kir.U64), b.Param("x", kir.I32), b.Int(kir.I32, 2)
		next := b.NewBlock("next")
		number := b.BlockParam(next, kir.I32) // that it is 2 comes out later
		b.Jump(next, two)
		b.SetBlock(next)
		less := b.Op(kir.OpLt, number, x)
		not := b.Op(kir.OpNot, less)
		b.Store(kir.Global, out, b.BarrierReduce(kir.OpBarrierOr, less))
		b.Store(kir.Global, b.Op(kir.OpAdd, out, b.Int(kir.U64, 1)), not)
		b.Return()
	})
	for _, want := range []string{"= gt v", "= le v"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in:\n%s", want, got)
		}
	}
}
