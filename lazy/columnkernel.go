package lazy

import "github.com/arrayrepl/arrayrepl/kir"

// How package arrays adds the products of rows with a single column: element p goes to chain p%chains, the second half
// of the chains is added to the first until one number is left, and pieces of so many elements are added in order.
const (
	chains     = 32
	chainPiece = 1 << 16
	lines      = 8 // products that a block has
)

// chainPieces is how many such pieces there are of a product.
func chainPieces(terms int) int { return (terms + chainPiece - 1) / chainPiece }

// columnKernel multiplies matrices of n rows with a column, of t: a thread for each chain of a piece of an element of
// the result, which is the sum of k products. Grid y counts pairs, strideX and strideY elements apart, and z pieces;
// out has the pairs' results for each piece.
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
	chain, line, pair, piece := special(kir.TidX), special(kir.TidY), special(kir.CtaidY), special(kir.CtaidZ)
	e := add(mul(special(kir.CtaidX), number(lines)), line)
	near := least(e, add(n, number(-1))) // threads beyond the last compute it again
	x = b.Index(x, add(mul(pair, strideX), mul(near, k)), t)
	y = b.Index(y, mul(pair, strideY), t)
	own := add(mul(line, number(chains)), chain)
	lo := mul(piece, number(chainPiece))
	hi := least(add(lo, number(chainPiece)), k)

	inner, step, fold := b.NewBlock("inner"), b.NewBlock("step"), b.NewBlock("fold")
	store, done := b.NewBlock("store"), b.NewBlock("done")
	p, sum := b.BlockParam(inner, kir.I64), b.BlockParam(inner, t)
	b.Jump(inner, add(lo, chain), b.Const(t, 0))

	b.SetBlock(inner)
	b.Branch(b.Op(kir.OpLt, p, hi), step, fold)

	b.SetBlock(step)
	left, right := b.Load(kir.Global, t, b.Index(x, p, t)), b.Load(kir.Global, t, b.Index(y, p, t))
	b.Jump(inner, add(p, number(chains)), multiplyAdd(b, left, right, sum))

	b.SetBlock(fold)
	total := chainsTogether(b, sums, own, sum)
	b.Branch(b.Op(kir.OpAnd, b.Op(kir.OpEq, chain, number(0)), b.Op(kir.OpLt, e, n)), store, done)
	b.SetBlock(store)
	pairs := b.Convert(kir.I64, b.Special(kir.NCtaidY))
	b.Store(kir.Global, b.Index(out, add(mul(add(mul(piece, pairs), pair), n), e), t), total)
	b.Jump(done)
	b.SetBlock(done)
	b.Return()
	return built(b)
}

// chainsTogether adds the sums of the chains of each line of a block, in order; chain 0 has the result.
func chainsTogether(b *kir.Builder, sums, own, total *kir.Value) *kir.Value {
	number := func(x int64) *kir.Value { return b.Int(kir.I64, x) }
	// Every thread adds, those of the second half what nobody reads.
	for half := int64(chains / 2); half > 0; half /= 2 {
		b.Store(kir.Shared, b.Index(sums, own, total.Type), total)
		b.Barrier()
		next := b.Op(kir.OpMin, b.Op(kir.OpAdd, own, number(half)), number(lines*chains-1))
		total = b.Op(kir.OpAdd, total, b.Load(kir.Shared, total.Type, b.Index(sums, next, total.Type)))
		b.Barrier()
	}
	return total
}

// chainsKernel does what columnKernel does for some terms of one piece, of rows that are k elements apart. Where it
// goes on, the chains begin with what chainSums has of them; where the piece ends, their sum is the result, or is added
// to that of the pieces before.
func chainsKernel(t kir.Type, goesOn, ends, later bool) *kir.Func {
	b := kir.NewBuilder("matmul_chains")
	x, y := b.Param("x", kir.U64), b.Param("y", kir.U64)
	chainSums, out := b.Param("chainSums", kir.U64), b.Param("out", kir.U64)
	n, k, terms := b.Param("n", kir.I64), b.Param("k", kir.I64), b.Param("terms", kir.I64)
	strideX, strideY := b.Param("strideX", kir.I64), b.Param("strideY", kir.I64)
	sums := b.SharedArray("sums", t, lines*chains)
	special := func(s kir.Special) *kir.Value { return b.Convert(kir.I64, b.Special(s)) }
	number := func(x int64) *kir.Value { return b.Int(kir.I64, x) }
	add := func(x, y *kir.Value) *kir.Value { return b.Op(kir.OpAdd, x, y) }
	mul := func(x, y *kir.Value) *kir.Value { return b.Op(kir.OpMul, x, y) }
	chain, line, pair := special(kir.TidX), special(kir.TidY), special(kir.CtaidY)
	e := add(mul(special(kir.CtaidX), number(lines)), line)
	near := b.Op(kir.OpMin, e, add(n, number(-1))) // threads beyond the last compute it again
	x = b.Index(x, add(mul(pair, strideX), mul(near, k)), t)
	y = b.Index(y, mul(pair, strideY), t)
	own := add(mul(line, number(chains)), chain)
	result := add(mul(pair, n), near)
	kept := b.Index(chainSums, add(mul(result, number(chains)), chain), t)

	inner, step, fold := b.NewBlock("inner"), b.NewBlock("step"), b.NewBlock("fold")
	store, done := b.NewBlock("store"), b.NewBlock("done")
	p, sum := b.BlockParam(inner, kir.I64), b.BlockParam(inner, t)
	begin := b.Const(t, 0)
	if goesOn {
		begin = b.Load(kir.Global, t, kept)
	}
	b.Jump(inner, chain, begin)

	b.SetBlock(inner)
	b.Branch(b.Op(kir.OpLt, p, terms), step, fold)

	b.SetBlock(step)
	left, right := b.Load(kir.Global, t, b.Index(x, p, t)), b.Load(kir.Global, t, b.Index(y, p, t))
	b.Jump(inner, add(p, number(chains)), multiplyAdd(b, left, right, sum))

	b.SetBlock(fold)
	there := b.Op(kir.OpLt, e, n)
	total := sum
	if ends {
		total = chainsTogether(b, sums, own, sum)
		there = b.Op(kir.OpAnd, there, b.Op(kir.OpEq, chain, number(0)))
	}
	b.Branch(there, store, done)
	b.SetBlock(store)
	to := kept
	if ends {
		if to = b.Index(out, result, t); later {
			total = add(b.Load(kir.Global, t, to), total)
		}
	}
	b.Store(kir.Global, to, total)
	b.Jump(done)
	b.SetBlock(done)
	b.Return()
	return built(b)
}

// columnTogetherKernel adds what the pieces have for an element of the result, one after the other.
func columnTogetherKernel(t kir.Type) *kir.Func {
	b := kir.NewBuilder("matmul_column_together")
	parts, out := b.Param("parts", kir.U64), b.Param("out", kir.U64)
	results, pieces := b.Param("results", kir.I64), b.Param("pieces", kir.I64)
	return eachElement(b, func(i *kir.Value) {
		head, next, end := b.NewBlock("head", kir.I64, t), b.NewBlock("next"), b.NewBlock("added")
		b.Jump(head, b.Int(kir.I64, 1), b.Load(kir.Global, t, b.Index(parts, i, t)))
		b.SetBlock(head)
		piece, sum := head.Params[0], head.Params[1]
		b.Branch(b.Op(kir.OpLt, piece, pieces), next, end)
		b.SetBlock(next)
		at := b.Op(kir.OpAdd, b.Op(kir.OpMul, piece, results), i)
		b.Jump(head, b.Op(kir.OpAdd, piece, b.Int(kir.I64, 1)), b.Op(kir.OpAdd, sum, b.Load(kir.Global, t, b.Index(parts, at, t))))
		b.SetBlock(end)
		b.Store(kir.Global, b.Index(out, i, t), sum)
	})
}
