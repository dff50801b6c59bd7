package kir

import (
	"strings"
	"testing"
)

// A comparison and its negation turn their constants to the right each for itself. (A kernel made at random found them sharing their
// operands.)
func TestAComparisonAndItsNegation(t *testing.T) {
	got := optimized(t, func(b *Builder) {
		out, x, two := b.Param("out", U64), b.Param("x", I32), b.Int(I32, 2)
		next := b.NewBlock("next")
		number := b.BlockParam(next, I32) // that it is 2 comes out later
		b.Jump(next, two)
		b.SetBlock(next)
		less := b.Op(OpLt, number, x)
		not := b.Op(OpNot, less)
		b.Store(Global, out, b.BarrierReduce(OpBarrierOr, less))
		b.Store(Global, b.Op(OpAdd, out, b.Int(U64, 1)), not)
		b.Return()
	})
	for _, want := range []string{"= gt v", "= le v"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in:\n%s", want, got)
		}
	}
}
