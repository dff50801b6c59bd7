package simgpu

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/kir/cpu"
)

// exec computes a launch a second time, each instruction in the cycle in which the timing model issues it: so the
// divergence policy, the issue policy, the order of the blocks and the number of SMs decide who comes first. Ways and
// addresses are those that the threads have then, not the recorded ones.
type exec struct {
	kernel *kernel
	f      *kir.Func
	l      *cpu.Launch
	cta    func(number int) int // of the block that was dispatched so
	memory image
	before image // memory as the launch found it, for who looks for a race
	consts []byte
	shared map[int][]byte // memory of blocks of clusters
	places *places
	most   int64 // machine instructions that an instruction of the launch takes at most, in the mean of a basic block
	limit  int64 // thread instructions after which somebody must be waiting in vain
	now    int64 // cycle
	err    error // the first

	args    []uint64
	arms    [2]Arm
	touched [maxWarp]uint64 // by lane: where its last access went
}

// image is a copy of a GPU's memory: what was mapped, by address.
type image []piece

type piece struct {
	base uint64
	data []byte
}

// execBlock is the state of a resident block's threads.
type execBlock struct {
	cta    int
	regs   [][]uint64 // by value's ID, by thread
	shared []byte
	local  [][]byte     // by thread
	at     []*kir.Value // by thread: the operation of its warp that it waits at, or nil
	gone   []bool       // by thread
	parked []*warpSplit // that wait there
	place  []int32      // by thread: the basic block that it is in
}

func newExec(k *kernel, c *code, l *cpu.Launch) *exec {
	x := &exec{kernel: k, f: c.f, l: l, memory: k.gpu.image(), before: k.gpu.image()}
	for i := range c.blocks {
		n := int64(max(1, c.f.Blocks[i].Instructions()))
		x.most = max(x.most, (c.blocks[i].count+n-1)/n)
	}
	x.consts, x.err = x.f.Constants(l.Params, func(addr uint64, n int) ([]byte, error) { return x.at(nil, 0, kir.Global, addr, n) })
	return x
}

// image returns a copy of all that is mapped.
func (g *GPU) image() image {
	var m image
	for _, s := range g.mapped {
		m = append(m, piece{s.addr, bytes.Clone(g.contents[s.addr].read())})
	}
	return m
}

// block returns the state of a block that begins. Memory that nobody has written is all ones, as in kir's engine.
func (x *exec) block(number, threads int) *execBlock {
	undefined := func(n int) []byte { return bytes.Repeat([]byte{0xff}, n) }
	b := &execBlock{cta: x.cta(number), shared: undefined(x.f.SharedBytes() + x.l.SharedBytes),
		regs: make([][]uint64, x.f.NumValues()), local: make([][]byte, threads), at: make([]*kir.Value, threads), gone: make([]bool, threads), place: make([]int32, threads)}
	all := make([]uint64, threads*x.f.NumValues())
	for i := range b.regs {
		b.regs[i], all = all[:threads:threads], all[threads:]
	}
	if x.f.Bounds.Cluster > 1 {
		if x.shared == nil {
			x.shared = map[int][]byte{}
		}
		x.shared[b.cta] = b.shared
	}
	if n := x.f.LocalBytes(); n > 0 {
		for i := range b.local {
			b.local[i] = undefined(n)
		}
	}
	return b
}

// reach executes what st has not yet, up to value number to of its block. It reports false when st must wait there for
// other lanes of its warp.
func (x *exec) reach(st *warpSplit, to int) bool {
	b, values := st.warp.block.exec, x.f.Blocks[st.block].Values
	parts := 0 // of a vector access, that are left
	for ; st.value <= to && x.err == nil; st.value++ {
		v := values[st.value]
		switch {
		case v.Op.IsBarrier(): // what it brings, it brings when it opens
		case v.Op == kir.OpActiveMask:
			x.active(b, v, st)
		case v.Op.IsWarp():
			if !x.meet(st, v) {
				return false
			}
		default:
			if parts--; v.Op.IsMemory() && parts < 0 {
				parts = int(v.Vec) - 1
				for rest := st.lanes; rest != 0; rest &= rest - 1 {
					l := rest.first()
					x.touch(st.warp, l, v.Space, b.regs[v.Args[0].ID][st.warp.first+l]+v.Imm)
				}
			}
			for rest := st.lanes; rest != 0; rest &= rest - 1 {
				if err := x.step(b, v, st.warp.first+rest.first()); err != nil {
					x.fail(b, v, st.warp.first+rest.first(), err)
					return true
				}
			}
		}
	}
	return true
}

// leave takes the lanes of st over the end of their block and returns where they go, the taken side of a branch first.
// The result is valid until the next call.
func (x *exec) leave(st *warpSplit) []Arm {
	blk := x.f.Blocks[st.block]
	x.reach(st, len(blk.Values)-1)
	b, t := st.warp.block.exec, &blk.Term
	if t.Kind == kir.TermReturn {
		x.arms[0] = Arm{Exit, st.lanes}
		return x.arms[:1]
	}
	var sides [2]Mask
	for rest := st.lanes; rest != 0; rest &= rest - 1 {
		thread, side := st.warp.first+rest.first(), 0
		if t.Kind == kir.TermBranch && b.regs[t.Cond.ID][thread] == 0 {
			side = 1
		}
		sides[side] |= rest & -rest
		x.args = x.args[:0]
		for _, arg := range t.To[side].Args {
			x.args = append(x.args, b.regs[arg.ID][thread])
		}
		for i, p := range t.To[side].To.Params {
			b.regs[p.ID][thread] = x.args[i]
		}
		b.place[thread] = int32(t.To[side].To.ID)
	}
	out := x.arms[:0]
	for side, lanes := range sides {
		switch {
		case lanes == 0:
		case len(out) == 1 && out[0].Block == t.To[side].To.ID:
			out[0].Lanes |= lanes
		default:
			out = append(out, Arm{t.To[side].To.ID, lanes})
		}
	}
	return out
}

// addresses appends what the lanes have touched in the access that they have executed last: where the timing model sees
// it.
func (x *exec) addresses(lanes Mask, out []uint64) access {
	for rest := lanes; rest != 0; rest &= rest - 1 {
		out = append(out, x.touched[rest.first()])
	}
	return out
}

// touch notes that a lane of w accesses addr.
func (x *exec) touch(w *replayWarp, lane int, space kir.Space, addr uint64) {
	b := w.block.exec
	switch space {
	case kir.Global:
		if r := x.places.of(addr); r != nil {
			addr += r.shift
		}
	case kir.Local:
		addr = localPlace(b.cta, x.f.LocalBytes(), len(b.at), w.first+lane, addr)
	}
	x.touched[lane] = addr
}

// step executes v, which meets nobody, for a thread.
func (x *exec) step(b *execBlock, v *kir.Value, thread int) error {
	var args [3]uint64
	for i := range min(len(v.Args), len(args)) {
		args[i] = b.regs[v.Args[i].ID][thread]
	}
	set := func(bits uint64) { b.regs[v.ID][thread] = bits }
	switch v.Op {
	case kir.OpConst:
		set(v.Imm)
	case kir.OpParam:
		n, off := v.ParamRef()
		off += x.f.Params[n].Offset
		set(word(x.l.Params[off : off+v.Type.Bytes()]))
	case kir.OpShared:
		rank, _ := x.f.ClusterOf(b.cta, x.l.Grid)
		set(kir.SharedBase(rank) + uint64(x.f.Shared[v.Imm].Offset))
	case kir.OpLocal:
		set(uint64(x.f.Local[v.Imm].Offset))
	case kir.OpConstTable:
		set(uint64(x.f.Const[v.Imm].Offset))
	case kir.OpSpecial:
		set(x.special(b, thread, kir.Special(v.Imm)))
	case kir.OpFence, kir.OpCopyCommit, kir.OpCopyWait, kir.OpPrintf: // the functional pass has printed
	case kir.OpCheck:
		if args[0] == 0 {
			return fmt.Errorf("its test fails")
		}
	case kir.OpLoad:
		mem, err := x.at(b, thread, v.Space, args[0]+v.Imm, v.Type.Bytes())
		if err != nil {
			return err
		}
		bits := word(mem)
		if v.Type == kir.Bool {
			bits = min(bits, 1)
		}
		set(bits)
	case kir.OpStore:
		mem, err := x.at(b, thread, v.Space, args[0]+v.Imm, v.Args[1].Type.Bytes())
		if err != nil {
			return err
		}
		put(mem, args[1])
	default:
		if !v.Op.IsAtomic() {
			set(x.kernel.gpu.arithmetic.Evaluate(v, args))
			return nil
		}
		mem, err := x.at(b, thread, v.Space, args[0]+v.Imm, v.Type.Bytes())
		if err != nil {
			return err
		}
		old := word(mem)
		put(mem, cpu.EvaluateAtomic(v, old, args[1], args[2]))
		set(old)
	}
	return nil
}

// at returns the n bytes at addr of the memory that a thread sees.
func (x *exec) at(b *execBlock, thread int, space kir.Space, addr uint64, n int) ([]byte, error) {
	var mem []byte
	switch space {
	case kir.Shared:
		if mem = b.shared; x.f.Bounds.Cluster > 1 {
			var owner int
			owner, addr = kir.SharedPlace(addr)
			rank, _ := x.f.ClusterOf(b.cta, x.l.Grid)
			if mem = x.shared[b.cta-rank+owner]; mem == nil {
				return nil, fmt.Errorf("block %d of the cluster has not begun: put gpu.SyncCluster() before", owner)
			}
		}
	case kir.Local:
		mem = b.local[thread]
	case kir.Const:
		mem = x.consts
	default:
		i, found := slices.BinarySearchFunc(x.memory, addr, func(p piece, addr uint64) int {
			switch {
			case p.base > addr:
				return 1
			case p.base+uint64(len(p.data)) <= addr:
				return -1
			}
			return 0
		})
		if !found {
			return nil, fmt.Errorf("global address %#x is in no buffer", addr)
		}
		mem, addr = x.memory[i].data, addr-x.memory[i].base
	}
	if addr > uint64(len(mem)) || uint64(len(mem))-addr < uint64(n) {
		return nil, fmt.Errorf("its address is outside of %v memory", space)
	}
	return mem[addr:][:n], nil
}

func (x *exec) special(b *execBlock, thread int, s kir.Special) uint64 {
	block, grid := x.l.Block, x.l.Grid
	switch s {
	case kir.TidX:
		return uint64(thread % block.X)
	case kir.TidY:
		return uint64(thread / block.X % block.Y)
	case kir.TidZ:
		return uint64(thread / (block.X * block.Y))
	case kir.NTidX:
		return uint64(block.X)
	case kir.NTidY:
		return uint64(block.Y)
	case kir.NTidZ:
		return uint64(block.Z)
	case kir.CtaidX:
		return uint64(b.cta % grid.X)
	case kir.CtaidY:
		return uint64(b.cta / grid.X % grid.Y)
	case kir.CtaidZ:
		return uint64(b.cta / (grid.X * grid.Y))
	case kir.NCtaidX:
		return uint64(grid.X)
	case kir.NCtaidY:
		return uint64(grid.Y)
	case kir.NCtaidZ:
		return uint64(grid.Z)
	case kir.LaneID:
		return uint64(thread % kir.WarpSize)
	case kir.WarpID:
		return uint64(thread / kir.WarpSize)
	case kir.DynamicSharedBytes:
		return uint64(x.l.SharedBytes)
	case kir.ClusterRank, kir.ClusterBlocks:
		rank, blocks := x.f.ClusterOf(b.cta, x.l.Grid)
		if s == kir.ClusterRank {
			return uint64(rank)
		}
		return uint64(blocks)
	case kir.Clock64, kir.GlobalTimer:
		return uint64(x.now)
	}
	return 0 // kir.SMID, as in kir's engine
}

// word returns up to eight bytes as a little-endian number.
func word(mem []byte) uint64 {
	var w [8]byte
	copy(w[:], mem)
	return binary.LittleEndian.Uint64(w[:])
}

// put writes the low bytes of bits.
func put(mem []byte, bits uint64) {
	var w [8]byte
	binary.LittleEndian.PutUint64(w[:], bits)
	copy(mem, w[:])
}
