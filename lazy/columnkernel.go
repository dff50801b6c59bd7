package lazy

import "github.com/arrayrepl/arrayrepl/kir"

// How package arrays adds the products of rows with a single column: element p goes to chain p%chains, the second half
// of the chains is added to the first until one number is left, and pieces of so many elements are added in order.
const (
	chains     = 32
	chainPiece = 1 << 16
	lines      = 8 // products that a block has
)

// columnKernel multiplies matrices of n rows with a column, of t: a thread for each chain of an element of the result,
// which is the sum of k products. Grid y counts pairs, strideX and strideY elements apart.
func columnKernel(t kir.Type) *kir.Func {
	b := kir.NewBuilder("matmul_column")
	x, y, out := b.Param("x", kir.U64), b.Param("y", kir.U64), b.Param("out", kir.U64)
	n, k := b.Param("n", kir.I64), b.Param("k", kir.I64)
	strideX, strideY := b.Param("strideX", kir.I64), b.Param("strideY", kir.I64)
	sums := b.SharedArray("sums", t, lines*chains)
	special := func(s kir.Special) *kir.Value { return b.Convert(kir.I64, b.Special(s)) }
	number := func(x int64) *kir.Value { return b.Int(kir.I64, x) }
	add := func(x, y *kir.Value) *kir.Value { return b.Op(kir.OpAdd, x, y) }
	mul := func(x, y *kir.Value) *kir.Value { return b.Op(kir.OpMul, x, y) }
	least := func(x, y *kir.Value) *kir.Value { return b.Op(kir.OpMin, x, y) }
	chain, line, pair := special(kir.TidX), special(kir.TidY), special(kir.CtaidY)
	e := add(mul(special(kir.CtaidX), number(lines)), line)
	near := least(e, add(n, number(-1))) // threads beyond the last compute it again
	x = b.Index(x, add(mul(pair, strideX), mul(near, k)), t)
	y = b.Index(y, mul(pair, strideY), t)
	own := add(mul(line, number(chains)), chain)

	pieces, begin, inner, step, fold := b.NewBlock("pieces"), b.NewBlock("begin"), b.NewBlock("inner"), b.NewBlock("step"), b.NewBlock("fold")
	end, store, done := b.NewBlock("end"), b.NewBlock("store"), b.NewBlock("done")
	lo, total := b.BlockParam(pieces, kir.I64), b.BlockParam(pieces, t)
	p, sum := b.BlockParam(inner, kir.I64), b.BlockParam(inner, t)
	b.Jump(pieces, number(0), b.Const(t, 0))

	b.SetBlock(pieces)
	b.Branch(b.Op(kir.OpLt, lo, k), begin, end)

	b.SetBlock(begin)
	hi := least(add(lo, number(chainPiece)), k)
	b.Jump(inner, add(lo, chain), b.Const(t, 0))

	b.SetBlock(inner)
	b.Branch(b.Op(kir.OpLt, p, hi), step, fold)

	b.SetBlock(step)
	left, right := b.Load(kir.Global, t, b.Index(x, p, t)), b.Load(kir.Global, t, b.Index(y, p, t))
	b.Jump(inner, add(p, number(chains)), multiplyAdd(b, left, right, sum))

	b.SetBlock(fold)
	// Every thread adds, those of the second half what nobody reads.
	for half := int64(chains / 2); half > 0; half /= 2 {
		b.Store(kir.Shared, b.Index(sums, own, t), sum)
		b.Barrier()
		other := b.Load(kir.Shared, t, b.Index(sums, least(add(own, number(half)), number(lines*chains-1)), t))
		sum = add(sum, other)
		b.Barrier()
	}
	first := b.Op(kir.OpEq, lo, number(0))
	b.Jump(pieces, add(lo, number(chainPiece)), b.Op(kir.OpSelect, first, sum, add(total, sum)))

	b.SetBlock(end)
	b.Branch(b.Op(kir.OpAnd, b.Op(kir.OpEq, chain, number(0)), b.Op(kir.OpLt, e, n)), store, done)
	b.SetBlock(store)
	b.Store(kir.Global, b.Index(out, add(mul(pair, n), e), t), total)
	b.Jump(done)
	b.SetBlock(done)
	b.Return()
	return built(b)
}
