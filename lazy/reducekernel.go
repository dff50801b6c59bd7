package lazy

import (
	"slices"

	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/offload"
)

// How the work of a reduction is shared out. None of it depends on the device: every device adds in the same order.
const (
	columnOutputs = 1024 // with so many results, and the last axis kept, each thread makes one of its own
	shortAxis     = 32   // as it does where there is so little to reduce that a warp would idle
	warpAxis      = 2048 // with warpOutputs results and no more than that to reduce, each warp makes one
	shortRow      = 128  // with no more than that to reduce, a block has shortRowBlock threads
	shortRowBlock = 64
	warpOutputs   = 8192 // about the warps that the largest GPUs hold
	chunk         = 16 * blockSize
	maxChunks     = 1024
)

// reduceTask makes the kernels of a group that ends in a reduction: the expression is evaluated element by element as
// the reduction goes over the domain.
//
// With many results, one thread makes each, and neighbouring threads read neighbouring elements; or, where these are of
// one result, one warp does. With few, a block makes each: its threads stride over the elements, and a tree in shared
// memory combines what they have; where even that leaves the device idle, several blocks share a result, and a second
// launch combines their parts.
func (f *fused) reduceTask() (*offload.Task, error) {
	s := f.share()
	r, launches, scratch, err := f.reduceLaunches(s)
	if err != nil {
		return nil, err
	}
	task := f.task(r, launches, scratch)
	task.Parts = reduceParts{f, s}
	return task, nil
}

// sharing is how the work of a reduction is shared out. Parts of one have that of the whole, and so its order.
type sharing struct {
	form         form
	step, chunks int // of rows: how many elements a block reduces, and how many blocks share a result
}

// threads returns how many a block has. The bits of a result are those of a full block's: its further threads would
// bring nothing, and a thread with two elements adds what the tree's widest step would.
func (s sharing) threads() int {
	if s.form == formShortRows {
		return shortRowBlock
	}
	return blockSize
}

// reduced reports whether the group's reduction goes over an axis of the domain.
func (f *fused) reduced(axis int) bool { return slices.Contains(f.g.root.reduce.Axes, axis) }

// axes are the dims of the domain that are kept, and of those that are reduced.
func (f *fused) axes() (kept, red []dim) {
	layouts := f.layouts()
	kept = dimsOf(f.domain, layouts, func(axis int) bool { return !f.reduced(axis) })
	return kept, dimsOf(f.domain, layouts, f.reduced)
}

func (f *fused) share() sharing {
	outputs, length, lastKept := 1, 1, false
	for axis, size := range f.domain {
		if f.reduced(axis) {
			length *= size
		} else {
			outputs *= size
		}
		if size > 1 {
			lastKept = !f.reduced(axis)
		}
	}
	if length <= shortAxis || lastKept && outputs >= columnOutputs {
		return sharing{form: formColumns}
	}
	if length <= warpAxis && outputs >= warpOutputs {
		return sharing{form: formWarps}
	}
	s := sharing{form: formRows, chunks: 1}
	if length <= shortRow {
		s.form = formShortRows
	}
	if outputs < columnOutputs {
		s.chunks = min((length+chunk-1)/chunk, maxChunks)
	}
	if s.chunks > 1 {
		s.form = formChunks
	}
	s.step = (length + s.chunks - 1) / s.chunks
	return s
}

func (f *fused) reduceLaunches(s sharing) (rec *groupPlan, launches []offload.Launch, scratch []int, err error) {
	n := f.g.root
	kept, red := f.axes()
	r := newReduction(n.reduce.Reduction, kirTypes[n.args[0].node.dtype])
	switch s.form {
	case formColumns:
		rec, launches, err = f.columns(r, kept, red)
	case formWarps:
		rec, launches, err = f.warps(r, kept, red)
	default:
		rec, launches, err = f.rows(r, kept, red, s)
		if s.chunks > 1 {
			scratch = []int{sizeOf(kept) * s.chunks * r.acc.Bytes()}
		}
	}
	return rec, launches, scratch, err
}

// whole adds the parameters of kernels that make a result each from beginning to end, and returns the number of the
// first.
func (f *fused) whole(outputs, length int) (at int) {
	at = f.param("outputs", kir.I64, offload.Int(outputs))
	f.param("length", kir.I64, offload.Int(length))
	f.param("out", kir.U64, offload.Pointer(f.g.root.value))
	return at
}

// columns: each thread makes one result.
func (f *fused) columns(r reduction, kept, red []dim) (*groupPlan, []offload.Launch, error) {
	outputs := sizeOf(kept)
	at := f.whole(outputs, sizeOf(red))
	plan, err := f.planned(formColumns, kept, red, func(rec *groupPlan) error {
		return rec.add(f.kernel(rec.name, func(e *emitter) { e.columnsBody(r, at, kept, red) }))
	})
	if err != nil {
		return nil, nil, err
	}
	return plan, []offload.Launch{f.launch(plan, 0, kir.D1((outputs+blockSize-1)/blockSize))}, nil
}

func (e *emitter) columnsBody(r reduction, at int, kept, red []dim) {
	b, count, total, out := e.b, e.p[at], e.p[at+1], e.p[at+2]
	o := b.GlobalIDX()
	start, end := b.NewBlock("start"), b.NewBlock("end")
	b.Branch(b.Op(kir.OpLt, o, count), start, end)

	b.SetBlock(start)
	base := offsets(b, kept, len(e.inputs), o, nil)
	acc := e.loop(r, b.Int(kir.I64, 0), total, b.Int(kir.I64, 1), red, base)
	r.store(b, acc, total, out, o, kirTypes[e.g.root.dtype])
	b.Jump(end)

	b.SetBlock(end)
	b.Return()
}

// perBlock is the number of warps in a block.
const perBlock = blockSize / kir.WarpSize

// warps: each warp makes one result. Its lanes stride over the elements, and then combine what they have by shuffles,
// so that nobody waits for the block.
func (f *fused) warps(r reduction, kept, red []dim) (*groupPlan, []offload.Launch, error) {
	outputs := sizeOf(kept)
	at := f.whole(outputs, sizeOf(red))
	plan, err := f.planned(formWarps, kept, red, func(rec *groupPlan) error {
		return rec.add(f.kernel(rec.name, func(e *emitter) { e.warpsBody(r, at, kept, red) }))
	})
	if err != nil {
		return nil, nil, err
	}
	l := f.launch(plan, 0, kir.D1((outputs+perBlock-1)/perBlock))
	l.Block = kir.Dim3{X: kir.WarpSize, Y: perBlock, Z: 1}
	return plan, []offload.Launch{l}, nil
}

func (e *emitter) warpsBody(r reduction, at int, kept, red []dim) {
	b, count, total, out := e.b, e.p[at], e.p[at+1], e.p[at+2]
	lane := b.Convert(kir.I64, b.Special(kir.TidX))
	first := b.Op(kir.OpMul, b.Convert(kir.I64, b.Special(kir.CtaidX)), b.Int(kir.I64, perBlock))
	o := b.Op(kir.OpAdd, first, b.Convert(kir.I64, b.Special(kir.TidY)))
	start, store, end := b.NewBlock("start"), b.NewBlock("store"), b.NewBlock("end")
	b.Branch(b.Op(kir.OpLt, o, count), start, end)

	b.SetBlock(start)
	base := offsets(b, kept, len(e.inputs), o, nil)
	acc := e.loop(r, lane, total, b.Int(kir.I64, kir.WarpSize), red, base)
	for s := int64(kir.WarpSize / 2); s > 0; s /= 2 {
		other := b.Shuffle(kir.NewShuffle(kir.ShuffleXor, kir.WarpSize), acc, b.Int(kir.U32, s), b.FullMask())
		acc = b.Op(r.op, acc, other)
	}
	b.Branch(b.Op(kir.OpEq, lane, b.Int(kir.I64, 0)), store, end)

	b.SetBlock(store)
	r.store(b, acc, total, out, o, kirTypes[e.g.root.dtype])
	b.Jump(end)

	b.SetBlock(end)
	b.Return()
}

// rows: the threads of some blocks share each result.
func (f *fused) rows(r reduction, kept, red []dim, s sharing) (*groupPlan, []offload.Launch, error) {
	n := f.g.root
	outputs, length := sizeOf(kept), sizeOf(red)
	chunks := s.chunks
	lengthAt := f.param("length", kir.I64, offload.Int(length))
	f.param("chunk", kir.I64, offload.Int(s.step))
	dst, grid := offload.Pointer(n.value), kir.D1(outputs)
	if chunks > 1 {
		dst, grid = offload.Scratch(0), kir.Dim3{X: chunks, Y: outputs, Z: 1}
	}
	f.param("out", kir.U64, dst)

	parts := &fused{g: f.g}
	parts.param("chunks", kir.I64, offload.Int(chunks))
	parts.param("length", kir.I64, offload.Int(length))
	parts.param("parts", kir.U64, offload.Scratch(0))
	parts.param("out", kir.U64, offload.Pointer(n.value))

	plan, err := f.planned(s.form, kept, red, func(rec *groupPlan) error {
		err := rec.add(f.kernel(rec.name, func(e *emitter) { e.rowsBody(r, lengthAt, kept, red, s) }))
		if err == nil && chunks > 1 {
			err = rec.add(parts.kernel(n.String()+"_parts", func(e *emitter) { e.partsBody(r, outputs > 1) }))
		}
		return err
	})
	if err != nil {
		return nil, nil, err
	}
	launches := []offload.Launch{f.launch(plan, 0, grid)}
	launches[0].Block = kir.D1(s.threads())
	if chunks > 1 {
		launches = append(launches, parts.launch(plan, 1, kir.D1(outputs)))
	}
	return plan, launches, nil
}

func (e *emitter) rowsBody(r reduction, lengthAt int, kept, red []dim, s sharing) {
	b, total, step, out := e.b, e.p[lengthAt], e.p[lengthAt+1], e.p[lengthAt+2]
	// Blocks that share a result stand side by side in the grid's first axis: a division of the block's number would
	// cost more than the work on short rows.
	o, slot, lo := b.Convert(kir.I64, b.Special(kir.CtaidX)), (*kir.Value)(nil), b.Int(kir.I64, 0)
	tid := b.Convert(kir.I64, b.Special(kir.TidX))
	shared := s.chunks > 1
	if slot = o; shared {
		part := o
		o = b.Convert(kir.I64, b.Special(kir.CtaidY))
		slot = b.Op(kir.OpAdd, b.Op(kir.OpMul, part, b.Convert(kir.I64, b.Special(kir.NCtaidY))), o)
		lo = b.Op(kir.OpMul, part, step)
	}
	base := offsets(b, kept, len(e.inputs), o, nil)
	hi := b.Op(kir.OpMin, b.Op(kir.OpAdd, lo, step), total)
	acc := e.loop(r, b.Op(kir.OpAdd, lo, tid), hi, b.Int(kir.I64, int64(s.threads())), red, base)
	acc = r.tree(b, acc, s.threads())

	store, end := b.NewBlock("store"), b.NewBlock("end")
	b.Branch(b.Op(kir.OpEq, tid, b.Int(kir.I64, 0)), store, end)
	b.SetBlock(store)
	if shared {
		b.Store(kir.Global, b.Index(out, slot, r.acc), acc)
	} else {
		r.store(b, acc, total, out, slot, kirTypes[e.g.root.dtype])
	}
	b.Jump(end)
	b.SetBlock(end)
	b.Return()
}

// partsBody is the second launch: block o reduces the parts of result o, one of several or the only one. Those of one
// chunk lie side by side, so that pieces of what is reduced fill one stretch.
func (e *emitter) partsBody(r reduction, several bool) {
	b, count, total, parts, out := e.b, e.p[0], e.p[1], e.p[2], e.p[3]
	o := b.Convert(kir.I64, b.Special(kir.CtaidX))
	tid := b.Convert(kir.I64, b.Special(kir.TidX))
	acc := r.loop(b, tid, count, b.Int(kir.I64, blockSize), func(i *kir.Value) *kir.Value {
		if several {
			i = b.Op(kir.OpAdd, b.Op(kir.OpMul, i, b.Convert(kir.I64, b.Special(kir.NCtaidX))), o)
		}
		return b.Load(kir.Global, r.acc, b.Index(parts, i, r.acc))
	})
	acc = r.tree(b, acc, blockSize)
	store, end := b.NewBlock("store"), b.NewBlock("end")
	b.Branch(b.Op(kir.OpEq, tid, b.Int(kir.I64, 0)), store, end)
	b.SetBlock(store)
	r.store(b, acc, total, out, o, kirTypes[e.g.root.dtype])
	b.Jump(end)
	b.SetBlock(end)
	b.Return()
}

// loop combines the expression's elements number from, from+step, … below to along the reduced axes.
func (e *emitter) loop(r reduction, from, to, step *kir.Value, red []dim, base []*kir.Value) *kir.Value {
	arg := e.g.root.args[0]
	return r.loop(e.b, from, to, step, func(i *kir.Value) *kir.Value {
		at := offsets(e.b, red, len(e.inputs), i, base)
		return e.b.Convert(r.acc, e.expr(arg, at, make(map[*node]*kir.Value)))
	})
}

// loop combines element(i) for i = from, from+step, … below to. The block after the loop is current when it returns.
func (r reduction) loop(b *kir.Builder, from, to, step *kir.Value, element func(i *kir.Value) *kir.Value) *kir.Value {
	head := b.NewBlock("loop", kir.I64, r.acc)
	body, done := b.NewBlock("element"), b.NewBlock("done")
	i, acc := head.Params[0], head.Params[1]
	b.Jump(head, from, b.Bits(r.acc, r.identity))
	b.SetBlock(head)
	b.Branch(b.Op(kir.OpLt, i, to), body, done)
	b.SetBlock(body)
	next := b.Op(r.op, acc, element(i))
	b.Jump(head, b.Op(kir.OpAdd, i, step), next)
	b.SetBlock(done)
	return acc
}

// tree combines the accumulators of a block's threads; thread 0 has the result.
func (r reduction) tree(b *kir.Builder, acc *kir.Value, threads int) *kir.Value {
	size := int64(r.acc.Bytes())
	shared := b.SharedArray("acc", r.acc, threads)
	tid := b.Special(kir.TidX)
	mine := b.Op(kir.OpAdd, shared, b.Op(kir.OpMul, b.Convert(kir.U64, tid), b.Int(kir.U64, size)))
	b.Store(kir.Shared, mine, acc)
	b.Barrier()
	for s := int64(threads / 2); s > 0; s /= 2 {
		add, join := b.NewBlock("add"), b.NewBlock("join")
		b.Branch(b.Op(kir.OpLt, tid, b.Int(kir.U32, s)), add, join)
		b.SetBlock(add)
		other := b.Load(kir.Shared, r.acc, b.Op(kir.OpAdd, mine, b.Int(kir.U64, s*size)))
		b.Store(kir.Shared, mine, b.Op(r.op, b.Load(kir.Shared, r.acc, mine), other))
		b.Jump(join)
		b.SetBlock(join)
		b.Barrier()
	}
	return b.Load(kir.Shared, r.acc, mine)
}

// store writes the result, number o of out, after dividing the sum by the number of elements where a mean is wanted.
func (r reduction) store(b *kir.Builder, acc, length, out, o *kir.Value, t kir.Type) {
	if r.mean {
		acc = b.Op(kir.OpDiv, acc, b.Convert(kir.F64, length))
	}
	b.Store(kir.Global, b.Index(out, o, t), b.Convert(t, acc))
}
