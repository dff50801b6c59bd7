package cpu

import (
	"math"
	"sync/atomic"
	"unsafe"

	"github.com/arrayrepl/arrayrepl/internal/vector"
	"github.com/arrayrepl/arrayrepl/kir"
)

// worker runs thread blocks, one after another or several of a small size side by side. It holds their registers.
type worker struct {
	p      *Program
	l      *Launch
	extent extent // of the threads that run side by side
	per    int    // threads in a block
	n      int    // threads that run side by side
	regs   []reg

	arena      []uint64       // the lanes
	spare      unsafe.Pointer // lanes of no register
	moved      reg            // addresses with an instruction's offset
	movedLanes unsafe.Pointer
	arg        [4]uint64 // result and operands of an operation on uniform values
	smem       []uint64  // shared memory, block after block
	apart      int       // bytes from a block's to the next one's
	lmem       []byte    // local memory, thread after thread
	spaces     [kir.NumSpaces]table
	near       []segment // by memory operation: where it was last
	paged      bool      // some memory of the launch is
	line       []uint64  // of a file, that was read past its cache
	rows       []rows    // that loads of the basic block have taken apart; its capacity keeps their memory
	held       []holding // by memory operation and warp: the line that it had last, where those are held
	holds      bool      // whether any is
	kept       []holding // lines that are held until the end of these threads
	again      []bool    // by memory operation: threads may come to it again
	procs      int       // workers that may hold lines
	far        []segment // by memory operation: the memory of lines where it was last
	counted    []*lineCounts
	addrs      []uint64     // for the recorder
	tapes      []chainTapes // by chain
	scratch    []uint64     // of tapes

	cta      int           // the first block of those that run now
	limit    *atomic.Int64 // of the launch: below 0 nobody waits for it any more
	rec      Recorder
	err      error
	work     int64    // instructions that every block has executed
	works    []int64  // instructions that each block has executed beyond those
	threads  []int32  // the numbers from 0
	all      []int32  // of them, those of the threads that run side by side
	live     int      // threads that have not returned
	list     []int32  // threads that run now, increasing
	partial  bool     // they are not all that live
	ready    queue    // threads by the basic block that they run next
	waiting  queue    // threads by the basic block at whose end's barrier they wait
	lives    []int    // by block, those of blocks side by side
	picks    int      // how often a list was chosen
	stalled  queue    // threads by the basic block at whose head they wait for others of their warps
	retried  int      // how many threads lived when those last tried to go on
	alive    []uint32 // by warp: the lanes that have not returned
	printed  *int     // bytes that the launch has printed
	free     [][]int32
	oneByOne bool                     // blocks side by side may run one by one instead
	rowEnded bool                     // and are to: see errRowEnds
	rank     int                      // of the block in its cluster
	grid     func(at *kir.Value) bool // waits for the other blocks of the launch; false where none shall go on
	asks     []ask                    // memory that those after these threads access, of which
	asked    int                      // so many have been asked for
}

// queue holds lists of threads by basic block.
type queue struct {
	lists [][]int32
	count int // lists that are not empty
}

// poison fills shared memory before a block runs. On real devices it holds anything; as all ones, a float that was
// never written is NaN and an integer is -1 or the greatest, and every run gives the same.
const poison = ^uint64(0)

// pad is the number of words between the arrays of lanes. It keeps them apart in the cache's sets, and is room for what
// the vector loops do beyond the last thread.
const pad = vector.TapeLanes

// fit makes w ready for a launch in which up to side blocks run side by side.
func (w *worker) fit(l *Launch, side int, global, consts table) {
	p := w.p
	w.l, w.per = l, l.Block.Count()
	n := side * w.per
	stride := n + pad
	if need := (p.slots + 2) * stride; cap(w.arena) < need {
		w.arena = make([]uint64, need)
	}
	w.arena = w.arena[:cap(w.arena)]
	if w.regs == nil {
		w.rows = make([]rows, 0, mostRows)
		w.regs = make([]reg, len(p.regs))
		w.near = make([]segment, p.memOps)
		for _, q := range w.queues() {
			q.lists = make([][]int32, len(p.code))
		}
	}
	for i, info := range p.regs {
		home := unsafe.Pointer(&w.arena[info.slot*stride])
		w.regs[i] = reg{p: home, home: home, typ: info.typ, affine: true}
	}
	w.spare = unsafe.Pointer(&w.arena[p.slots*stride])
	w.movedLanes = unsafe.Pointer(&w.arena[(p.slots+1)*stride])
	clear(w.near)
	if len(w.threads) < n {
		w.threads, w.free = make([]int32, n), nil
		for i := range w.threads {
			w.threads[i] = int32(i)
		}
	}
	w.works = make([]int64, side)
	w.spaces = [kir.NumSpaces]table{kir.Global: global, kir.Const: consts}
	if n := p.f.SharedBytes() + l.SharedBytes; n > 0 {
		w.apart = p.sharedStride(l)
		if words := side * w.apart / 8; cap(w.smem) < words {
			w.smem = make([]uint64, words)
		} else {
			w.smem = w.smem[:words]
		}
		w.spaces[kir.Shared] = table{{{size: uint64(n), ptr: unsafe.Pointer(&w.smem[0])}}}
	}
	if bytes := p.localStride * n; bytes > 0 {
		if cap(w.lmem) < bytes {
			w.lmem = alignedBytes(bytes)
		}
		w.lmem = w.lmem[:bytes]
		w.spaces[kir.Local] = table{{{size: uint64(p.f.LocalBytes()), ptr: unsafe.Pointer(&w.lmem[0])}}}
	}
	w.arrange(side)
}

// alignedBytes returns memory that is aligned for every type.
func alignedBytes(n int) []byte {
	words := make([]uint64, (n+7)/8)
	return lanes[byte](unsafe.Pointer(unsafe.SliceData(words)), n)
}

// arrange makes w ready to run so many blocks side by side.
func (w *worker) arrange(side int) {
	b := w.l.Block
	w.extent = extent{b.X, b.Y, b.Z, side}
	w.n = side * w.per
	w.all = w.threads[:w.n]
	for _, v := range w.p.fixed {
		w.fix(v)
	}
}

// fix sets the register of a constant, parameter, array or special register, less those of the block's index.
func (w *worker) fix(v *kir.Value) {
	r := &w.regs[v.ID]
	switch v.Op {
	case kir.OpConst:
		r.setUniform(v.Imm)
	case kir.OpParam:
		n, off := v.ParamRef()
		off += w.p.f.Params[n].Offset
		var bits uint64
		for i := range v.Type.Bytes() {
			bits |= uint64(w.l.Params[off+i]) << (8 * i)
		}
		r.setUniform(kir.Canonical(v.Type, bits))
	case kir.OpShared:
		r.setUniform(uint64(w.p.f.Shared[v.Imm].Offset))
	case kir.OpLocal:
		r.setUniform(uint64(w.p.f.Local[v.Imm].Offset))
	case kir.OpConstTable:
		r.setUniform(uint64(w.p.f.Const[v.Imm].Offset))
	case kir.OpSpecial:
		b, g := w.l.Block, w.l.Grid
		switch s := kir.Special(v.Imm); s {
		case kir.TidX, kir.TidY, kir.TidZ:
			var step steps
			if i := s - kir.TidX; w.extent[i] > 1 {
				step[i] = 1
			}
			r.setAffine(0, step)
		case kir.NTidX, kir.NTidY, kir.NTidZ:
			r.setUniform(uint64([3]int{b.X, b.Y, b.Z}[s-kir.NTidX]))
		case kir.NCtaidX, kir.NCtaidY, kir.NCtaidZ:
			r.setUniform(uint64([3]int{g.X, g.Y, g.Z}[s-kir.NCtaidX]))
		case kir.LaneID, kir.WarpID:
			x := lanes[uint32](r.p, w.n)
			for i := range x {
				if t := uint32(i % w.per); s == kir.LaneID {
					x[i] = t % kir.WarpSize
				} else {
					x[i] = t / kir.WarpSize
				}
			}
			r.setLanes()
		case kir.SMID, kir.ClusterRank:
			r.setUniform(0)
		case kir.ClusterBlocks:
			r.setUniform(uint64(max(w.p.f.Bounds.Cluster, 1)))
		case kir.DynamicSharedBytes:
			r.setUniform(uint64(w.l.SharedBytes))
		}
	}
}

// run executes side blocks from number cta on, which are neighbours in the grid's x; rec, which may be nil, listens to
// a block that runs alone. It returns early, with an error or without, when limit falls to cta or below.
func (w *worker) run(cta, side int, rec Recorder, limit *atomic.Int64) error {
	if side != w.extent[3] {
		w.arrange(side)
	}
	w.cta, w.err, w.rec, w.work, w.live, w.limit = cta, nil, rec, 0, w.n, limit
	clear(w.works)
	w.lives = w.lives[:0]
	for range side {
		w.lives = append(w.lives, w.per)
	}
	place := indexAt(w.l.Grid, cta)
	for _, v := range w.p.fixed {
		if v.Op == kir.OpShared && w.rank > 0 {
			w.regs[v.ID].setUniform(kir.SharedBase(w.rank) + uint64(w.p.f.Shared[v.Imm].Offset))
		}
		if v.Op != kir.OpSpecial {
			continue
		}
		switch r := &w.regs[v.ID]; kir.Special(v.Imm) {
		case kir.CtaidX:
			var step steps
			if side > 1 {
				step[3] = 1
			}
			r.setAffine(uint64(place.X), step)
		case kir.CtaidY:
			r.setUniform(uint64(place.Y))
		case kir.CtaidZ:
			r.setUniform(uint64(place.Z))
		case kir.ClusterRank:
			r.setUniform(uint64(w.rank))
		}
	}
	fill(w.smem, poison)
	fill(w.lmem, byte(poison&0xff))
	w.revive()
	w.picks = 0
	next := 0
	w.list = w.all
	for next >= 0 {
		if most := limit.Load(); most <= int64(cta) {
			w.stop(most, next)
			w.abandon()
			return nil
		} else if most >= lookFlag {
			w.tell(limit, most, next)
		}
		c := &w.p.code[next]
		if c.meet != nil && !w.meet(c) {
			if w.err == nil {
				next = w.next()
			}
			if w.err != nil {
				w.abandon()
				return w.err
			}
			continue
		}
		w.partial = len(w.list) != w.live
		w.rows = w.rows[:0]
		w.count(c.work)
		if w.rec != nil {
			w.rec.Step(c.blk, w.list)
		}
		for i := 0; i < len(c.instrs); i++ {
			in := &c.instrs[i]
			if in.chain != nil && w.runChain(in.chain) {
				i += len(in.chain.instrs) - 1
			} else if in.pair != nil && w.computePair(in, &c.instrs[i+1]) {
				i++
			} else if in.fn != nil {
				w.compute(in)
			} else if !in.do(w, in) {
				w.abandon()
				return w.err
			}
			if w.rowEnded {
				w.rowEnded = false
				w.abandon()
				return errRowEnds
			}
			if len(w.asks) > 0 {
				w.askFor(askStep)
			}
		}
		if next = w.leave(c); w.err != nil {
			w.abandon()
			return w.err
		}
	}
	w.askFor(math.MaxInt)
	if w.rec != nil {
		w.rec.End()
	}
	return nil
}

// revive makes all lanes of all warps live.
func (w *worker) revive() {
	if !w.p.warps {
		return
	}
	w.retried = -1
	w.alive = w.alive[:0]
	for n := w.n; n > 0; n -= kir.WarpSize { // warps of blocks side by side are whole
		w.alive = append(w.alive, uint32(1<<min(n, kir.WarpSize)-1))
	}
}

// count adds what each thread of w.list executes to the count of its block.
func (w *worker) count(work int64) {
	if len(w.list) == w.n {
		w.work += work * int64(w.per)
		return
	}
	if w.extent[3] == 1 {
		w.works[0] += work * int64(len(w.list))
		return
	}
	w.eachBlock(w.list, func(block int, list []int32) { w.works[block] += work * int64(len(list)) })
}

func (w *worker) queues() []*queue { return []*queue{&w.ready, &w.waiting, &w.stalled} }

// abandon forgets the threads of a block that did not come to its end.
func (w *worker) abandon() {
	w.asks, w.asked = w.asks[:0], 0
	for _, q := range w.queues() {
		clear(q.lists)
		q.count = 0
	}
}
