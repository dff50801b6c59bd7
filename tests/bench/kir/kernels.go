package main

import "github.com/arrayrepl/arrayrepl/kir"

// mapKernel is y[i] = body(x[i], y[i]) for i < n.
func mapKernel(name string, typ kir.Type, body func(b *kir.Builder, x, y *kir.Value) *kir.Value) *kir.Func {
	b := kir.NewBuilder(name)
	n, x, y := b.Param("n", kir.I64), b.Param("x", kir.U64), b.Param("y", kir.U64)
	i := b.GlobalIDX()
	in, end := b.NewBlock("in"), b.NewBlock("end")
	b.Branch(b.Op(kir.OpLt, i, n), in, end)
	b.SetBlock(in)
	to := b.Index(y, i, typ)
	b.Store(kir.Global, to, body(b, b.Load(kir.Global, typ, b.Index(x, i, typ)), b.Load(kir.Global, typ, to)))
	b.Jump(end)
	b.SetBlock(end)
	b.Return()
	return must(b.Func())
}

func saxpy() *kir.Func {
	return mapKernel("saxpy", kir.F32, func(b *kir.Builder, x, y *kir.Value) *kir.Value {
		return b.Op(kir.OpAdd, b.Op(kir.OpMul, b.Const(kir.F32, 2.5), x), y)
	})
}

// chain is the fused map of ten operations that goChain computes.
func chain(typ kir.Type) *kir.Func {
	return mapKernel("chain", typ, func(b *kir.Builder, x, _ *kir.Value) *kir.Value {
		for k := range 5 {
			x = b.Op(kir.OpAdd, b.Op(kir.OpMul, x, b.Const(typ, 1.125+float64(k)/8)), b.Const(typ, float64(k)-0.5))
		}
		return x
	})
}

func goChain[T float32 | float64](x, y []T) {
	for i, v := range x {
		v = T(v*1.125) + -0.5
		v = T(v*1.25) + 0.5
		v = T(v*1.375) + 1.5
		v = T(v*1.5) + 2.5
		y[i] = T(v*1.625) + 3.5
	}
}

// mandelbrot counts, in y[i] of i32, the rounds of z = z*z + c that stay within 2, up to 200, for points of a size x
// size picture: threads that end at different times.
func mandelbrot() *kir.Func {
	b := kir.NewBuilder("mandelbrot")
	size, y := b.Param("size", kir.I64), b.Param("y", kir.U64)
	i := b.GlobalIDX()
	f := func(x *kir.Value) *kir.Value { return b.Convert(kir.F32, x) }
	at := func(i *kir.Value, from float64) *kir.Value {
		return b.Op(kir.OpAdd, b.Op(kir.OpDiv, b.Op(kir.OpMul, f(i), b.Const(kir.F32, 3)), f(size)), b.Const(kir.F32, from))
	}
	cr, ci := at(b.Op(kir.OpRem, i, size), -2), at(b.Op(kir.OpDiv, i, size), -1.5)
	head, body, exit := b.NewBlock("head", kir.I32, kir.F32, kir.F32), b.NewBlock("body"), b.NewBlock("exit")
	zero := b.Const(kir.F32, 0)
	b.Jump(head, b.Int(kir.I32, 0), zero, zero)
	b.SetBlock(head)
	k, zr, zi := head.Params[0], head.Params[1], head.Params[2]
	rr, ii := b.Op(kir.OpMul, zr, zr), b.Op(kir.OpMul, zi, zi)
	inside := b.Op(kir.OpLe, b.Op(kir.OpAdd, rr, ii), b.Const(kir.F32, 4))
	b.Branch(b.Op(kir.OpAnd, inside, b.Op(kir.OpLt, k, b.Int(kir.I32, 200))), body, exit)
	b.SetBlock(body)
	ri := b.Op(kir.OpMul, zr, zi)
	b.Jump(head, b.Op(kir.OpAdd, k, b.Int(kir.I32, 1)), b.Op(kir.OpAdd, b.Op(kir.OpSub, rr, ii), cr),
		b.Op(kir.OpAdd, b.Op(kir.OpAdd, ri, ri), ci))
	b.SetBlock(exit)
	b.Store(kir.Global, b.Index(y, i, kir.I32), k)
	b.Return()
	return must(b.Func())
}

func goMandelbrot(y []int32, size int) {
	for i := range y {
		cr := float32(float32(i%size)*3)/float32(size) - 2
		ci := float32(float32(i/size)*3)/float32(size) - 1.5
		k, zr, zi := int32(0), float32(0), float32(0)
		for ; k < 200; k++ {
			rr, ii := float32(zr*zr), float32(zi*zi)
			if rr+ii > 4 {
				break
			}
			ri := float32(zr * zi)
			zr, zi = (rr-ii)+cr, (ri+ri)+ci
		}
		y[i] = k
	}
}

// matmul is c = a*b for n x n matrices of f32, n a multiple of tile, with tiles in shared memory.
func matmul(tile int) *kir.Func {
	b := kir.NewBuilder("matmul")
	n, pa, pb, pc := b.Param("n", kir.I64), b.Param("a", kir.U64), b.Param("b", kir.U64), b.Param("c", kir.U64)
	as, bs := b.SharedArray("as", kir.F32, tile*tile), b.SharedArray("bs", kir.F32, tile*tile)
	wide := func(s kir.Special) *kir.Value { return b.Convert(kir.I64, b.Special(s)) }
	add := func(x, y *kir.Value) *kir.Value { return b.Op(kir.OpAdd, x, y) }
	mul := func(x, y *kir.Value) *kir.Value { return b.Op(kir.OpMul, x, y) }
	load := func(s kir.Space, base, i *kir.Value) *kir.Value { return b.Load(s, kir.F32, b.Index(base, i, kir.F32)) }
	k, zero := b.Int(kir.I64, int64(tile)), b.Int(kir.I64, 0)
	tx, ty := wide(kir.TidX), wide(kir.TidY)
	row, col, own := add(mul(wide(kir.CtaidY), k), ty), add(mul(wide(kir.CtaidX), k), tx), add(mul(ty, k), tx)
	head, body := b.NewBlock("head", kir.I64, kir.F32), b.NewBlock("body")
	inner, step := b.NewBlock("inner", kir.I64, kir.F32), b.NewBlock("step")
	next, exit := b.NewBlock("next"), b.NewBlock("exit")
	b.Jump(head, zero, b.Const(kir.F32, 0))
	b.SetBlock(head)
	at, sum := head.Params[0], head.Params[1]
	b.Branch(b.Op(kir.OpLt, at, n), body, exit)
	b.SetBlock(body)
	b.Store(kir.Shared, b.Index(as, own, kir.F32), load(kir.Global, pa, add(mul(row, n), add(at, tx))))
	b.Store(kir.Shared, b.Index(bs, own, kir.F32), load(kir.Global, pb, add(mul(add(at, ty), n), col)))
	b.Barrier()
	b.Jump(inner, zero, sum)
	b.SetBlock(inner)
	j, acc := inner.Params[0], inner.Params[1]
	b.Branch(b.Op(kir.OpLt, j, k), step, next)
	b.SetBlock(step)
	x, y := load(kir.Shared, as, add(mul(ty, k), j)), load(kir.Shared, bs, add(mul(j, k), tx))
	b.Jump(inner, add(j, b.Int(kir.I64, 1)), add(acc, mul(x, y)))
	b.SetBlock(next)
	b.Barrier()
	b.Jump(head, add(at, k), acc)
	b.SetBlock(exit)
	b.Store(kir.Global, b.Index(pc, add(mul(row, n), col), kir.F32), sum)
	b.Return()
	return must(b.Func())
}

func goMatmul(x, y, z []float32, n int) {
	for i := range n {
		row := z[i*n:][:n]
		clear(row)
		for k := range n {
			a := x[i*n+k]
			for j, v := range y[k*n:][:n] {
				row[j] += float32(a * v)
			}
		}
	}
}

// histogram counts the low bytes of n words in shared memory first, each thread every stride-th word, then in bins.
func histogram() *kir.Func {
	b := kir.NewBuilder("histogram")
	n, x, bins := b.Param("n", kir.I64), b.Param("x", kir.U64), b.Param("bins", kir.U64)
	own := b.SharedArray("own", kir.U32, 256)
	tid := b.Convert(kir.I64, b.Special(kir.TidX))
	wide := func(s kir.Special) *kir.Value { return b.Convert(kir.I64, b.Special(s)) }
	at, one := b.Index(own, tid, kir.U32), b.Int(kir.U32, 1)
	b.Store(kir.Shared, at, b.Int(kir.U32, 0))
	b.Barrier()
	stride := b.Op(kir.OpMul, wide(kir.NTidX), wide(kir.NCtaidX))
	head, body, exit := b.NewBlock("head", kir.I64), b.NewBlock("body"), b.NewBlock("exit")
	b.Jump(head, b.GlobalIDX())
	b.SetBlock(head)
	i := head.Params[0]
	b.Branch(b.Op(kir.OpLt, i, n), body, exit)
	b.SetBlock(body)
	key := b.Op(kir.OpAnd, b.Load(kir.Global, kir.U32, b.Index(x, i, kir.U32)), b.Int(kir.U32, 255))
	b.Atomic(kir.OpAtomicAdd, kir.Shared, b.Index(own, b.Convert(kir.I64, key), kir.U32), one)
	b.Jump(head, b.Op(kir.OpAdd, i, stride))
	b.SetBlock(exit)
	b.Barrier()
	b.Atomic(kir.OpAtomicAdd, kir.Global, b.Index(bins, tid, kir.U32), b.Load(kir.Shared, kir.U32, at))
	b.Return()
	return must(b.Func())
}

func goHistogram(x []uint32, bins []uint32) {
	for _, k := range x {
		bins[k&255]++
	}
}

// gather is y[i] = x[index[i]].
func gather() *kir.Func {
	b := kir.NewBuilder("gather")
	n, x, index, y := b.Param("n", kir.I64), b.Param("x", kir.U64), b.Param("index", kir.U64), b.Param("y", kir.U64)
	i := b.GlobalIDX()
	in, end := b.NewBlock("in"), b.NewBlock("end")
	b.Branch(b.Op(kir.OpLt, i, n), in, end)
	b.SetBlock(in)
	j := b.Convert(kir.I64, b.Load(kir.Global, kir.U32, b.Index(index, i, kir.U32)))
	b.Store(kir.Global, b.Index(y, i, kir.F32), b.Load(kir.Global, kir.F32, b.Index(x, j, kir.F32)))
	b.Jump(end)
	b.SetBlock(end)
	b.Return()
	return must(b.Func())
}

// sum adds up n floats: each thread every stride-th one, a warp by shuffles, the warps by an atomic.
func sum() *kir.Func {
	b := kir.NewBuilder("sum")
	n, x, total := b.Param("n", kir.I64), b.Param("x", kir.U64), b.Param("total", kir.U64)
	wide := func(s kir.Special) *kir.Value { return b.Convert(kir.I64, b.Special(s)) }
	stride := b.Op(kir.OpMul, wide(kir.NTidX), wide(kir.NCtaidX))
	head, body, exit := b.NewBlock("head", kir.I64, kir.F32), b.NewBlock("body"), b.NewBlock("exit")
	b.Jump(head, b.GlobalIDX(), b.Const(kir.F32, 0))
	b.SetBlock(head)
	i, acc := head.Params[0], head.Params[1]
	b.Branch(b.Op(kir.OpLt, i, n), body, exit)
	b.SetBlock(body)
	b.Jump(head, b.Op(kir.OpAdd, i, stride), b.Op(kir.OpAdd, acc, b.Load(kir.Global, kir.F32, b.Index(x, i, kir.F32))))
	b.SetBlock(exit)
	for d := int64(16); d > 0; d /= 2 {
		acc = b.Op(kir.OpAdd, acc, b.Shuffle(kir.NewShuffle(kir.ShuffleDown, 32), acc, b.Int(kir.U32, d), b.FullMask()))
	}
	first, end := b.NewBlock("first"), b.NewBlock("end")
	b.Branch(b.Op(kir.OpEq, b.Special(kir.LaneID), b.Int(kir.U32, 0)), first, end)
	b.SetBlock(first)
	b.Atomic(kir.OpAtomicAdd, kir.Global, total, acc)
	b.Jump(end)
	b.SetBlock(end)
	b.Return()
	return must(b.Func())
}

func goSum(x []float32) (s float32) {
	for _, v := range x {
		s += v
	}
	return s
}
