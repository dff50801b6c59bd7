package dp

import (
	"github.com/arrayrepl/arrayrepl/kir"
	np "github.com/arrayrepl/arrayrepl/lazy"
)

// built makes an operator on elements of d of a function that emits its code.
func built(name string, d np.DType, identity uint64, emit func(b *kir.Builder, x, y *kir.Value) *kir.Value) *Operator {
	return &Operator{name: name, dtype: d, built: emit, identityBits: []uint64{identity}}
}

// maxStates is how many states of an automaton fit in a number: 4 bits each.
const maxStates = 16

// then combines functions of states, each a number that has four bits for what it makes of each state: first x, then y.
// It is associative, and not commutative. Its identity keeps each state.
var then = built("then", np.Uint64, 0xfedcba9876543210, func(b *kir.Builder, x, y *kir.Value) *kir.Value {
	low := b.Int(kir.U64, maxStates-1)
	out := b.Int(kir.U64, 0)
	for s := range maxStates {
		at := b.Int(kir.U32, int64(4*s))
		mid := b.Op(kir.OpAnd, b.Op(kir.OpShr, x, at), low)
		to := b.Op(kir.OpAnd, b.Op(kir.OpShr, y, b.Op(kir.OpShl, b.Convert(kir.U32, mid), b.Int(kir.U32, 2))), low)
		out = b.Op(kir.OpOr, out, b.Op(kir.OpShl, to, at))
	}
	return out
})

// What a place of a sum does with the carry that comes to it.
const (
	propagate = iota // the carry goes on
	kill             // there is none
	generate         // there is one
)

// carries combines what two neighbouring places do, the lower one left: the higher decides, unless it propagates.
var carries = built("carries", np.Uint8, propagate, func(b *kir.Builder, x, y *kir.Value) *kir.Value {
	return b.Op(kir.OpSelect, b.Op(kir.OpEq, y, b.Int(kir.U8, propagate)), x, y)
})
