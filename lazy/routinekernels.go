package lazy

import (
	"sync"

	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/offload"
)

// tile is the side of the blocks of productKernel.
const tile = 16

// productKernel multiplies matrices of t in tiles that the threads of a block share; grid z counts pairs of matrices.
// Products are added in the order of the summed axis by fused multiply-adds, those of long sums in lines and blocks, as
// package arrays does: the bits are the same.
//
// One that goes on begins with what out has: the sums of the terms before, whole blocks of them where sums are long.
func productKernel(t kir.Type, long, goesOn bool) *kir.Func {
	name := "matmul_tiled"
	if long {
		name += "_long"
	}
	if goesOn {
		name += "_on"
	}
	b := kir.NewBuilder(name)
	x, y, out := b.Param("x", kir.U64), b.Param("y", kir.U64), b.Param("out", kir.U64)
	m, n, k := b.Param("m", kir.I64), b.Param("n", kir.I64), b.Param("k", kir.I64)
	strideX, strideY := b.Param("strideX", kir.I64), b.Param("strideY", kir.I64)
	xs, ys := b.SharedArray("xs", t, tile*tile), b.SharedArray("ys", t, tile*tile)
	special := func(s kir.Special) *kir.Value { return b.Convert(kir.I64, b.Special(s)) }
	number := func(x int64) *kir.Value { return b.Int(kir.I64, x) }
	add := func(x, y *kir.Value) *kir.Value { return b.Op(kir.OpAdd, x, y) }
	mul := func(x, y *kir.Value) *kir.Value { return b.Op(kir.OpMul, x, y) }
	least := func(x, y *kir.Value) *kir.Value { return b.Op(kir.OpMin, x, y) }
	side, one := number(tile), number(1)
	tx, ty, pair := special(kir.TidX), special(kir.TidY), special(kir.CtaidZ)
	row, col := add(mul(special(kir.CtaidY), side), ty), add(mul(special(kir.CtaidX), side), tx)
	x, y, out = b.Index(x, mul(pair, strideX), t), b.Index(y, mul(pair, strideY), t), b.Index(out, mul(pair, mul(m, n)), t)
	// Threads beyond the edge load what is there, which none inside adds.
	nearRow, nearCol, last := least(row, add(m, number(-1))), least(col, add(n, number(-1))), add(k, number(-1))
	rowOfX, rowOfXs, own := mul(nearRow, k), mul(ty, side), add(mul(ty, side), tx)

	tiles, load, inner, step, next := b.NewBlock("tiles"), b.NewBlock("load"), b.NewBlock("inner"), b.NewBlock("step"), b.NewBlock("next")
	end, store, done := b.NewBlock("end"), b.NewBlock("store"), b.NewBlock("done")
	p, sum := b.BlockParam(tiles, kir.I64), b.BlockParam(tiles, t)
	i, partial := b.BlockParam(inner, kir.I64), b.BlockParam(inner, t)
	start, params := []*kir.Value{number(0), b.Const(t, 0)}, []*kir.Value{sum}
	if long { // beside the line's, the sums of the block's lines and of blocks
		start = append(start, b.Const(t, nothing), b.Const(t, nothing))
		params = append(params, b.BlockParam(tiles, t), b.BlockParam(tiles, t))
	}
	if goesOn {
		start[len(start)-1] = b.Load(kir.Global, t, b.Index(out, add(mul(nearRow, n), nearCol), t))
	}
	b.Jump(tiles, start...)

	b.SetBlock(tiles)
	b.Branch(b.Op(kir.OpLt, p, k), load, end)

	b.SetBlock(load)
	fromX, fromY := least(add(p, tx), last), least(add(p, ty), last)
	b.Store(kir.Shared, b.Index(xs, own, t), b.Load(kir.Global, t, b.Index(x, add(rowOfX, fromX), t)))
	b.Store(kir.Shared, b.Index(ys, own, t), b.Load(kir.Global, t, b.Index(y, add(mul(fromY, n), nearCol), t)))
	length := least(side, b.Op(kir.OpSub, k, p))
	b.Barrier()
	b.Jump(inner, number(0), sum)

	b.SetBlock(inner)
	b.Branch(b.Op(kir.OpLt, i, length), step, next)

	b.SetBlock(step)
	left, right := b.Load(kir.Shared, t, b.Index(xs, add(rowOfXs, i), t)), b.Load(kir.Shared, t, b.Index(ys, add(mul(i, side), tx), t))
	b.Jump(inner, add(i, one), multiplyAdd(b, left, right, partial))

	b.SetBlock(next)
	b.Barrier()
	after := add(p, side)
	sums := append([]*kir.Value{partial}, params[1:]...)
	if long {
		ends := func(terms int64) *kir.Value {
			return b.Op(kir.OpEq, b.Op(kir.OpAnd, after, number(terms-1)), number(0))
		}
		sums = longSums(b, sums, ends(sumLine), ends(sumBlock))
	}
	b.Jump(tiles, append([]*kir.Value{after}, sums...)...)

	b.SetBlock(end)
	if long {
		rest := func(terms int64) *kir.Value { return b.Op(kir.OpNe, b.Op(kir.OpAnd, p, number(terms-1)), number(0)) }
		sum = longSums(b, params, rest(sumLine), rest(sumBlock))[2]
	}
	b.Branch(b.Op(kir.OpAnd, b.Op(kir.OpLt, row, m), b.Op(kir.OpLt, col, n)), store, done)
	b.SetBlock(store)
	b.Store(kir.Global, b.Index(out, add(mul(row, n), col), t), sum)
	b.Jump(done)
	b.SetBlock(done)
	b.Return()
	return built(b)
}

// longSums adds a line's sum to its block's where the line ends, and that to the sum of blocks where the block ends.
func longSums(b *kir.Builder, sums []*kir.Value, lineEnds, blockEnds *kir.Value) []*kir.Value {
	line, block, total := sums[0], sums[1], sums[2]
	choose := func(c, x, y *kir.Value) *kir.Value { return b.Op(kir.OpSelect, c, x, y) }
	block = choose(lineEnds, b.Op(kir.OpAdd, block, line), block)
	total = choose(blockEnds, b.Op(kir.OpAdd, total, block), total)
	return []*kir.Value{choose(lineEnds, b.Const(line.Type, 0), line), choose(blockEnds, b.Const(line.Type, nothing), block), total}
}

// multiplyAdd is x*y + sum, rounded once. Integers wrap, so that their order does not matter.
func multiplyAdd(b *kir.Builder, x, y, sum *kir.Value) *kir.Value {
	if x.Type.IsFloat() {
		return b.Op(kir.OpFma, x, y, sum)
	}
	return b.Op(kir.OpAdd, b.Op(kir.OpMul, x, y), sum)
}

// built returns a kernel that depends on nothing that may be wrong.
func built(b *kir.Builder) *kir.Func {
	f, err := b.Func()
	if err != nil {
		panic(err)
	}
	return f
}

// elementwise launches f, whose last parameter is how many threads have work, with n of them.
func elementwise(f *kir.Func, n int, args ...offload.Arg) offload.Launch {
	return hashed{f: ofBlocks(f, blockSize)}.each(n, args...)
}

// each launches the kernel, whose last parameter is how many threads have work, with n of them.
func (k hashed) each(n int, args ...offload.Arg) offload.Launch {
	return offload.Launch{Func: k.f, Hash: k.hash, Grid: kir.D1((n + blockSize - 1) / blockSize), Block: kir.D1(blockSize), Args: append(args, offload.Int(n))}
}

// keptKernels are kernels that follow from a few values, by these: each tile of each product launches one.
var keptKernels sync.Map

// kept returns the kernel that build makes for a key, of a type of its own. Nobody changes it.
func kept(key any, build func() *kir.Func) hashed {
	if k, ok := keptKernels.Load(key); ok {
		return k.(hashed)
	}
	f := build()
	k, _ := keptKernels.LoadOrStore(key, hashed{f, f.Hash()})
	return k.(hashed)
}

// eachElement lets body do element i, in a kernel for elementwise whose other parameters are there.
func eachElement(b *kir.Builder, body func(i *kir.Value)) *kir.Func {
	n := b.Param("n", kir.I64)
	i := b.GlobalIDX()
	work, end := b.NewBlock("work"), b.NewBlock("end")
	b.Branch(b.Op(kir.OpLt, i, n), work, end)
	b.SetBlock(work)
	body(i)
	b.Jump(end)
	b.SetBlock(end)
	b.Return()
	return built(b)
}

// transpose writes a matrix of rows by columns elements, of so many words of 4 bytes each, with rows and columns
// exchanged.
func transpose(out, in offload.Arg, rows, columns, words int) offload.Launch {
	b := kir.NewBuilder("transpose")
	to, from := b.Param("out", kir.U64), b.Param("in", kir.U64)
	r, c, w := b.Param("rows", kir.I64), b.Param("columns", kir.I64), b.Param("words", kir.I64)
	f := eachElement(b, func(i *kir.Value) {
		element, word := b.Op(kir.OpDiv, i, w), b.Op(kir.OpRem, i, w)
		at := b.Op(kir.OpAdd, b.Op(kir.OpMul, b.Op(kir.OpRem, element, c), r), b.Op(kir.OpDiv, element, c))
		at = b.Op(kir.OpAdd, b.Op(kir.OpMul, at, w), word)
		b.Store(kir.Global, b.Index(to, at, kir.U32), b.Load(kir.Global, kir.U32, b.Index(from, i, kir.U32)))
	})
	return elementwise(f, rows*columns*words, out, in, offload.Int(rows), offload.Int(columns), offload.Int(words))
}

// widenKernel makes complex numbers of real ones.
func widenKernel(t kir.Type) *kir.Func {
	b := kir.NewBuilder("complex")
	out, in := b.Param("out", kir.U64), b.Param("in", kir.U64)
	return eachElement(b, func(i *kir.Value) {
		at := b.Op(kir.OpMul, i, b.Int(kir.I64, 2))
		b.Store(kir.Global, b.Index(out, at, t), b.Load(kir.Global, t, b.Index(in, i, t)))
		b.Store(kir.Global, b.Index(out, b.Op(kir.OpAdd, at, b.Int(kir.I64, 1)), t), b.Const(t, 0))
	})
}

// divideKernel divides numbers of t by an integer, in place.
func divideKernel(t kir.Type) *kir.Func {
	b := kir.NewBuilder("divide")
	x, by := b.Param("x", kir.U64), b.Param("by", kir.I64)
	return eachElement(b, func(i *kir.Value) {
		at := b.Index(x, i, t)
		b.Store(kir.Global, at, b.Op(kir.OpDiv, b.Load(kir.Global, t, at), b.Convert(t, by)))
	})
}
