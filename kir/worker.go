package kir

import (
	"sync/atomic"
	"unsafe"
)

// worker runs thread blocks one after another. It holds the registers of one block.
type worker struct {
	p    *Program
	l    *Launch
	size Dim3 // of a block
	n    int  // threads in a block
	regs []reg

	arena  []uint64       // the lanes
	spare  unsafe.Pointer // lanes of no register
	arg    [4]uint64      // result and operands of an operation on uniform values
	smem   []uint64
	shared []segment // the one of the block's shared memory, or none
	segs   []segment
	near   []segment // by memory operation: where it was last
	addrs  []uint64  // for the recorder

	cta     int // the block that runs now
	rec     Recorder
	err     error
	work    int64 // instructions executed for the block
	all     []int32
	live    int     // threads that have not returned
	list    []int32 // threads that run now, increasing
	partial bool    // they are not all that live
	ready   queue   // threads by the basic block that they run next
	waiting queue   // threads by the basic block at whose end's barrier they wait
	free    [][]int32
}

// queue holds lists of threads by basic block.
type queue struct {
	lists [][]int32
	count int // lists that are not empty
}

// poison fills shared memory before a block runs. On real devices it holds anything; as all ones, a float that was never
// written is NaN and an integer is -1 or the greatest, and every run gives the same.
const poison = ^uint64(0)

// fit makes w ready for a launch.
func (w *worker) fit(l *Launch, segs []segment) {
	p := w.p
	w.l, w.segs, w.size, w.n = l, segs, l.Block, l.Block.Count()
	stride := w.n + 16 // words; the pad keeps arrays apart in the cache's sets
	if need := (p.slots + 1) * stride; cap(w.arena) < need {
		w.arena = make([]uint64, need)
	}
	w.arena = w.arena[:cap(w.arena)]
	if w.regs == nil {
		w.regs = make([]reg, len(p.regs))
		w.near = make([]segment, p.memOps)
		w.ready.lists, w.waiting.lists = make([][]int32, len(p.code)), make([][]int32, len(p.code))
	}
	for i, info := range p.regs {
		w.regs[i] = reg{p: unsafe.Pointer(&w.arena[info.slot*stride]), typ: info.typ, affine: true}
	}
	w.spare = unsafe.Pointer(&w.arena[p.slots*stride])
	clear(w.near)
	if len(w.all) != w.n {
		w.all, w.free = make([]int32, w.n), nil
		for i := range w.all {
			w.all[i] = int32(i)
		}
	}
	w.shared = nil
	if n := p.f.SharedBytes() + l.SharedBytes; n > 0 {
		if words := (n + 7) / 8; cap(w.smem) < words {
			w.smem = make([]uint64, words)
		} else {
			w.smem = w.smem[:words]
		}
		w.shared = []segment{{0, uint64(n), unsafe.Pointer(&w.smem[0])}}
	}
	for _, v := range p.fixed {
		w.fix(v)
	}
}

// fix sets the register of a constant, parameter, shared array or special register, less those of the block's index.
func (w *worker) fix(v *Value) {
	r := &w.regs[v.ID]
	switch v.Op {
	case OpConst:
		r.setUniform(v.Imm)
	case OpParam:
		n, off := v.ParamRef()
		off += w.p.f.Params[n].Offset
		var bits uint64
		for i := range v.Type.Bytes() {
			bits |= uint64(w.l.Params[off+i]) << (8 * i)
		}
		r.setUniform(canonical(v.Type, bits))
	case OpShared:
		r.setUniform(uint64(w.p.f.Shared[v.Imm].Offset))
	case OpSpecial:
		b, g := w.l.Block, w.l.Grid
		switch s := Special(v.Imm); s {
		case TidX, TidY, TidZ:
			var step [3]int64
			if i := s - TidX; [3]int{b.X, b.Y, b.Z}[i] > 1 {
				step[i] = 1
			}
			r.setAffine(0, step)
		case NTidX, NTidY, NTidZ:
			r.setUniform(uint64([3]int{b.X, b.Y, b.Z}[s-NTidX]))
		case NCtaidX, NCtaidY, NCtaidZ:
			r.setUniform(uint64([3]int{g.X, g.Y, g.Z}[s-NCtaidX]))
		}
	}
}

// run executes block number cta. It returns early, with an error or without, when limit falls to cta or below.
func (w *worker) run(cta int, limit *atomic.Int64) error {
	w.cta, w.err, w.rec, w.work, w.live = cta, nil, nil, 0, w.n
	if w.l.Record != nil {
		w.rec = w.l.Record(cta)
	}
	place := w.l.Grid.at(cta)
	for _, v := range w.p.fixed {
		if s := Special(v.Imm); v.Op == OpSpecial && s >= CtaidX && s <= CtaidZ {
			w.regs[v.ID].setUniform(uint64([3]int{place.X, place.Y, place.Z}[s-CtaidX]))
		}
	}
	fill(w.smem, poison)
	next := 0
	w.list = w.all
	for next >= 0 {
		if limit.Load() <= int64(cta) {
			w.abandon()
			return nil
		}
		c := &w.p.code[next]
		w.partial = len(w.list) != w.live
		w.work += c.work * int64(len(w.list))
		if w.rec != nil {
			w.rec.Step(c.blk, w.list)
		}
		for i := range c.instrs {
			in := &c.instrs[i]
			if in.fn != nil {
				w.compute(in)
			} else if !w.access(in) {
				w.abandon()
				return w.err
			}
		}
		if next = w.leave(c); w.err != nil {
			w.abandon()
			return w.err
		}
	}
	return nil
}

// abandon forgets the threads of a block that did not come to its end.
func (w *worker) abandon() {
	for _, q := range []*queue{&w.ready, &w.waiting} {
		clear(q.lists)
		q.count = 0
	}
}
