package offload

import (
	"context"
	"errors"
	"sync"

	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/offload/device"
	"github.com/arrayrepl/arrayrepl/offload/partition"
)

// Where the elements of a box lie in many stretches, as columns of a matrix that is in rows, a kernel puts them side by
// side, one copy goes to the other device, and a kernel there puts them where they belong.

// mostStretches is how many stretches are copied one by one.
const mostStretches = 8

// packAxes is how many axes the kernel has; boxes with more that cannot be joined are copied by stretches.
const packAxes = 3

// lattice is where the elements of a box lie in memory: at, and steps along each of its axes, in elements.
type lattice struct {
	at    int
	steps []int
}

// lattice returns where the elements of b, over a root, lie in what t has packed; nil is a copy of the whole.
func (t *tile) lattice(b partition.Box, root []int) (l lattice) {
	start := 0
	switch {
	case t == nil:
	case t.line():
		start = t.box[0].Start
	default:
		b, root = b.Within(t.box), t.box.Shape()
	}
	l.steps = make([]int, len(b))
	pitch := 1
	for a := len(b) - 1; a >= 0; a-- {
		l.at += b[a].Start * pitch
		l.steps[a] = b[a].Step * pitch
		pitch *= root[a]
	}
	l.at -= start
	return l
}

// dense is where the elements of a box lie that have been put side by side.
func dense(shape []int) lattice {
	l := lattice{steps: make([]int, len(shape))}
	n := 1
	for a := len(shape) - 1; a >= 0; a-- {
		l.steps[a] = n
		n *= shape[a]
	}
	return l
}

// packed is a copy by the kernel: extents, and steps of both sides.
type packed struct{ extents, from, to [packAxes]int }

// joined joins the axes that both sides walk as one; false where more are left than the kernel has.
func joined(shape []int, from, to lattice) (p packed, ok bool) {
	var n, f, t []int
	for a, k := range shape {
		if k == 1 {
			continue
		}
		if i := len(n) - 1; i >= 0 && f[i] == from.steps[a]*k && t[i] == to.steps[a]*k {
			n[i], f[i], t[i] = n[i]*k, from.steps[a], to.steps[a]
			continue
		}
		n, f, t = append(n, k), append(f, from.steps[a]), append(t, to.steps[a])
	}
	if len(n) > packAxes {
		return p, false
	}
	p.extents = [packAxes]int{1, 1, 1}
	skip := packAxes - len(n)
	copy(p.extents[skip:], n)
	copy(p.from[skip:], f)
	copy(p.to[skip:], t)
	return p, true
}

// packTypes are what the kernel copies elements as, by their bytes. An element of 16 bytes is two of 8.
var packTypes = map[int]kir.Type{1: kir.U8, 2: kir.U16, 4: kir.U32, 8: kir.U64}

var packKernels sync.Map // by type

// packKernel copies n elements that lie in a lattice to another.
func packKernel(t kir.Type) *kir.Func {
	if f, ok := packKernels.Load(t); ok {
		return f.(*kir.Func)
	}
	b := kir.NewBuilder("pack")
	from, to, n := b.Param("from", kir.U64), b.Param("to", kir.U64), b.Param("n", kir.I64)
	var extents, fromSteps, toSteps [packAxes]*kir.Value
	for a, name := range []string{"0", "1", "2"} {
		extents[a] = b.Param("n"+name, kir.I64)
		fromSteps[a], toSteps[a] = b.Param("from"+name, kir.I64), b.Param("to"+name, kir.I64)
	}
	i := b.GlobalIDX()
	work, end := b.NewBlock("work"), b.NewBlock("end")
	b.Branch(b.Op(kir.OpLt, i, n), work, end)
	b.SetBlock(work)
	f, g := b.Int(kir.I64, 0), b.Int(kir.I64, 0)
	for a := packAxes - 1; a >= 0; a-- {
		index := i
		if a > 0 {
			index = b.Op(kir.OpRem, i, extents[a])
			i = b.Op(kir.OpDiv, i, extents[a])
		}
		f = b.Op(kir.OpAdd, f, b.Op(kir.OpMul, index, fromSteps[a]))
		g = b.Op(kir.OpAdd, g, b.Op(kir.OpMul, index, toSteps[a]))
	}
	b.Store(kir.Global, b.Index(to, g, t), b.Load(kir.Global, t, b.Index(from, f, t)))
	b.Jump(end)
	b.SetBlock(end)
	b.Return()
	kernel, err := b.Func()
	if err != nil {
		panic(err) // it depends on nothing that may be wrong
	}
	packKernels.Store(t, kernel)
	return kernel
}

// packLaunch copies the elements of a box of that shape from one address to another; false where the kernel cannot.
func packLaunch(shape []int, unit int, from, to lattice, fromAddr, toAddr uint64) (l Launch, ok bool) {
	if unit == 16 {
		shape = append(append([]int{}, shape...), 2)
		from, to = from.halves(), to.halves()
		unit = 8
	}
	t, ok := packTypes[unit]
	if !ok {
		return l, false
	}
	p, ok := joined(shape, from, to)
	if !ok {
		return l, false
	}
	n := elements(shape)
	args := []Arg{Bits(fromAddr + uint64(from.at*unit)), Bits(toAddr + uint64(to.at*unit)), Int(n)}
	for a := range packAxes {
		args = append(args, Int(p.extents[a]), Int(p.from[a]), Int(p.to[a]))
	}
	const threads = 256
	return Launch{Func: packKernel(t), Grid: kir.D1((n + threads - 1) / threads), Block: kir.D1(threads), Args: args}, true
}

// halves is l of elements of half the size.
func (l lattice) halves() lattice {
	h := lattice{at: 2 * l.at}
	for _, s := range l.steps {
		h.steps = append(h.steps, 2*s)
	}
	h.steps = append(h.steps, 1)
	return h
}

// copyPacked copies box b over a root from one copy of a value to another, with kernels that pack and unpack; false
// where they cannot, or there is no memory for it, and nothing has been written to the other copy. Both streams have
// waited for what they read and write.
func (rt *Runtime) copyPacked(ctx context.Context, in device.Stream, from, to *resident, b partition.Box, root []int, after []int, rec *recorder) (last device.Event, ok bool, err error) {
	unit, shape := to.tile.unit, b.Shape()
	f, t := from.tile.lattice(b, root), to.tile.lattice(b, root)
	n := b.Len() * unit
	if from.dev == to.dev {
		l, ok := packLaunch(shape, unit, f, t, from.block.Addr(), to.block.Addr())
		if !ok {
			return nil, false, nil
		}
		last, err = rt.issue(to.dev, in, l, nil, nil, rec)
		if err == nil {
			rec.onDevice[to] = rec.add(to.dev, "copy of a tile", last, after)
		}
		return last, true, err
	}
	side := dense(shape)
	if _, ok := packLaunch(shape, unit, f, side, 0, 0); !ok {
		return nil, false, nil
	}
	if _, ok := packLaunch(shape, unit, side, t, 0, 0); !ok {
		return nil, false, nil
	}
	l, err := rt.lanesOf(from.dev)
	if err != nil {
		return nil, true, err
	}
	source, offset := from, f.at*unit
	if len(from.tile.stretches(b, root)) > 1 {
		v := rt.NewValue(n)
		if source, err = rt.place(ctx, from.dev, l.out, v, rec); errors.Is(err, device.ErrOutOfMemory) {
			return nil, false, nil
		} else if err != nil {
			return nil, true, err
		}
		defer rt.memory.freeOf(v, source)
		from.ready(l.out)
		launch, _ := packLaunch(shape, unit, f, side, from.block.Addr(), source.block.Addr())
		ev, err := rt.issue(from.dev, l.out, launch, nil, nil, rec)
		if err != nil {
			return nil, true, err
		}
		after = []int{rec.add(from.dev, "pack a tile", ev, after)}
		rt.memory.usedBy(from, l.out, ev)
		rt.wrote(source, l.out, ev)
		offset = 0
	}
	source.ready(in)
	target, at := to, t.at*unit
	scattered := len(to.tile.stretches(b, root)) > 1
	if scattered {
		v := rt.NewValue(n)
		if target, err = rt.place(ctx, to.dev, in, v, rec); errors.Is(err, device.ErrOutOfMemory) {
			return nil, false, nil
		} else if err != nil {
			return nil, true, err
		}
		defer rt.memory.freeOf(v, target)
		at = 0
	}
	last = in.CopyPeer(target.block.Buffer, at, source.block.Buffer, offset, n)
	id := rec.add(to.dev, "", last, after)
	rt.stats.CopiesPeer++
	rt.stats.BytesPeer += int64(n)
	rt.memory.usedBy(source, in, last)
	rt.memory.usedBy(target, in, last)
	if scattered {
		launch, _ := packLaunch(shape, unit, side, t, target.block.Addr(), to.block.Addr())
		if last, err = rt.issue(to.dev, in, launch, nil, nil, rec); err != nil {
			return nil, true, err
		}
		id = rec.add(to.dev, "unpack a tile", last, []int{id})
		rt.memory.usedBy(target, in, last)
	}
	rec.onDevice[to] = id
	return last, true, nil
}
