package sparse

import (
	"github.com/arrayrepl/arrayrepl/kir"
	np "github.com/arrayrepl/arrayrepl/lazy"
)

// element are the types of elements in memory.
var element = map[np.DType]kir.Type{
	np.Int8: kir.I8, np.Int16: kir.I16, np.Int32: kir.I32, np.Int64: kir.I64, np.Uint8: kir.U8, np.Uint16: kir.U16, np.Uint32: kir.U32, np.Uint64: kir.U64,
	np.Float16: kir.F16, np.Float32: kir.F32, np.Float64: kir.F64,
}

// product builds a kernel of products.
type product struct {
	*kir.Builder
	t, sum                     kir.Type // of elements, and what they are added in
	right                      int      // how many vectors are multiplied at once
	tid                        *kir.Value
	rows, cols                 *kir.Value
	offsets, columns, values   *kir.Value
	x, y                       *kir.Value
	vector                     *kir.Value // which of them the thread has
	cache, cacheFrom, cacheEnd *kir.Value // elements of x in shared memory, and which; nil for none
}

func newProduct(name string, d np.DType, right int) *product {
	p := &product{Builder: kir.NewBuilder(name), t: element[d], right: right}
	p.sum = p.t
	if p.sum == kir.F16 {
		p.sum = kir.F32
	}
	p.rows, p.cols = p.Param("rows", kir.I64), p.Param("cols", kir.I64)
	p.offsets, p.columns, p.values = p.Param("offsets", kir.U64), p.Param("columns", kir.U64), p.Param("values", kir.U64)
	p.x, p.y = p.Param("x", kir.U64), p.Param("y", kir.U64)
	p.tid = p.Convert(kir.I64, p.Special(kir.TidX))
	p.vector = p.Convert(kir.I64, p.Special(kir.CtaidY))
	return p
}

// in is the place of element i of the vector, or of the result, that the thread has.
func (p *product) in(base, i *kir.Value) *kir.Value {
	if p.right > 1 {
		i = p.Op(kir.OpAdd, p.Op(kir.OpMul, i, p.Int(kir.I64, int64(p.right))), p.vector)
	}
	return p.Index(base, i, p.t)
}

// load is an element in the type that sums have.
func (p *product) load(at *kir.Value) *kir.Value {
	return p.Convert(p.sum, p.Load(kir.Global, p.t, at))
}

// cell is x at column j.
func (p *product) cell(j *kir.Value) *kir.Value {
	if p.cache == nil {
		return p.load(p.in(p.x, j))
	}
	near, far, join := p.NewBlock("near"), p.NewBlock("far"), p.NewBlock("cell", p.sum)
	p.Branch(p.Op(kir.OpAnd, p.Op(kir.OpGe, j, p.cacheFrom), p.Op(kir.OpLt, j, p.cacheEnd)), near, far)
	p.SetBlock(near)
	p.Jump(join, p.Load(kir.Shared, p.sum, p.Index(p.cache, p.Op(kir.OpSub, j, p.cacheFrom), p.sum)))
	p.SetBlock(far)
	p.Jump(join, p.load(p.in(p.x, j)))
	p.SetBlock(join)
	return join.Params[0]
}

// row returns where the values of a row begin and end.
func (p *product) row(i *kir.Value) (from, to *kir.Value) {
	at := func(k *kir.Value) *kir.Value { return p.Load(kir.Global, kir.I64, p.Index(p.offsets, k, kir.I64)) }
	return at(i), at(p.Op(kir.OpAdd, i, p.Int(kir.I64, 1)))
}

// sumOf adds the products from place from on, each step-th, to the end.
func (p *product) sumOf(from, to *kir.Value, step int64) *kir.Value {
	head, body, end := p.NewBlock("head", kir.I64, p.sum), p.NewBlock("body"), p.NewBlock("end")
	p.Jump(head, from, p.Const(p.sum, 0))
	p.SetBlock(head)
	k, sum := head.Params[0], head.Params[1]
	p.Branch(p.Op(kir.OpLt, k, to), body, end)
	p.SetBlock(body)
	j := p.Convert(kir.I64, p.Load(kir.Global, kir.I32, p.Index(p.columns, k, kir.I32)))
	v := p.load(p.Index(p.values, k, p.t))
	more := p.Op(kir.OpAdd, sum, p.Op(kir.OpMul, v, p.cell(j)))
	p.Jump(head, p.Op(kir.OpAdd, k, p.Int(kir.I64, step)), more)
	p.SetBlock(end)
	return sum
}

// only runs body where ok.
func (p *product) only(ok *kir.Value, body func()) {
	then, on := p.NewBlock("then"), p.NewBlock("on")
	p.Branch(ok, then, on)
	p.SetBlock(then)
	body()
	p.Jump(on)
	p.SetBlock(on)
}

func (p *product) put(row, sum *kir.Value) {
	p.Store(kir.Global, p.in(p.y, row), p.Convert(p.t, sum))
}

func (p *product) done() *kir.Func {
	p.Return()
	f, err := p.Func()
	if err != nil {
		fail("sparse.Mul", "%v", err)
	}
	return f
}

// rowPerThread is the kernel csrmul of Nickolls and others, and where cached is the number of threads of a block
// csrmulCached.
func rowPerThread(d np.DType, right, cached int) *kir.Func {
	name := "csr_row_per_thread"
	if cached > 0 {
		name = "csr_cached"
	}
	p := newProduct(name, d, right)
	i := p.GlobalIDX()
	if cached > 0 {
		cache := p.SharedArray("cache", p.sum, cached)
		from := p.Op(kir.OpSub, i, p.tid)
		p.only(p.Op(kir.OpLt, i, p.cols), func() { p.Store(kir.Shared, p.Index(cache, p.tid, p.sum), p.load(p.in(p.x, i))) })
		p.Barrier()
		p.cache, p.cacheFrom, p.cacheEnd = cache, from, p.Op(kir.OpAdd, from, p.Int(kir.I64, int64(cached)))
	}
	p.only(p.Op(kir.OpLt, i, p.rows), func() {
		from, to := p.row(i)
		p.put(i, p.sumOf(from, to, 1))
	})
	return p.done()
}

// warpPerRow is the kernel that Bell and Garland call vector: lanes meet through shared memory, which every machine
// has.
func warpPerRow(d np.DType, right int) *kir.Func {
	p := newProduct("csr_warp_per_row", d, right)
	i, lane := p.Op(kir.OpShr, p.GlobalIDX(), p.Int(kir.U32, 5)), p.Op(kir.OpAnd, p.tid, p.Int(kir.I64, kir.WarpSize-1))
	lanes := p.SharedArray("lanes", p.sum, threads)
	p.only(p.Op(kir.OpLt, i, p.rows), func() { // all of a warp, or none
		from, to := p.row(i)
		sum := p.sumOf(p.Op(kir.OpAdd, from, lane), to, kir.WarpSize)
		for far := kir.WarpSize / 2; far > 0; far /= 2 {
			p.Store(kir.Shared, p.Index(lanes, p.tid, p.sum), sum)
			p.WarpBarrier(p.FullMask())
			other := p.Load(kir.Shared, p.sum, p.Index(lanes, p.Op(kir.OpXor, p.tid, p.Int(kir.I64, int64(far))), p.sum))
			p.WarpBarrier(p.FullMask())
			sum = p.Op(kir.OpAdd, sum, other)
		}
		p.only(p.Op(kir.OpEq, lane, p.Int(kir.I64, 0)), func() { p.put(i, sum) })
	})
	return p.done()
}

// productsOf is the kernel that multiplies each value with its cell of x.
func productsOf(d np.DType) *kir.Func {
	b := kir.NewBuilder("csr_products")
	n := b.Param("n", kir.I64)
	columns, values, x, out := b.Param("columns", kir.U64), b.Param("values", kir.U64), b.Param("x", kir.U64), b.Param("out", kir.U64)
	p := &product{Builder: b, t: element[d], sum: element[d], right: 1}
	if p.sum == kir.F16 {
		p.sum = kir.F32
	}
	i := b.GlobalIDX()
	p.only(b.Op(kir.OpLt, i, n), func() {
		j := b.Convert(kir.I64, b.Load(kir.Global, kir.I32, b.Index(columns, i, kir.I32)))
		v := p.load(b.Index(values, i, p.t))
		b.Store(kir.Global, b.Index(out, i, p.t), b.Convert(p.t, b.Op(kir.OpMul, v, p.load(b.Index(x, j, p.t)))))
	})
	return p.done()
}
