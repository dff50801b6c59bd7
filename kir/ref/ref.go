// Package ref runs kernels of package kir slowly and plainly: one thread at a time from meeting to meeting (a barrier,
// an operation of a warp), one operation at a time, by the words of kir's documentation and with none of the code of
// kir's engine. It is the judge of that engine in tests; integers are computed with math/big.
package ref

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"

	"github.com/arrayrepl/arrayrepl/kir"
)

// Launch is one execution of a kernel.
type Launch struct {
	Grid, Block kir.Dim3
	SharedBytes int               // dynamic shared memory, from byte Func.SharedBytes on
	Params      []byte            // the packed buffer, little-endian
	Memory      map[uint64][]byte // global memory by base address; the pieces do not overlap
	Output      io.Writer         // what OpPrintf prints; nil prints nothing
	MaxSteps    int               // operations of one thread after which Run gives up; 0 means 10 million
}

const defaultSteps = 10_000_000

// Run executes f. Blocks run one after another, and in a block threads in the order of their numbers, each until it
// must wait for others. An access outside of memory, a check that fails, threads that wait for others that never come,
// and a thread that takes more than MaxSteps are errors. A thread alone is active at OpActiveMask; clocks count its
// operations.
func Run(f *kir.Func, l Launch) (err error) {
	if l.MaxSteps == 0 {
		l.MaxSteps = defaultSteps
	}
	consts, err := f.Constants(l.Params, func(addr uint64, n int) ([]byte, error) {
		for base, mem := range l.Memory {
			if addr >= base && addr-base <= uint64(len(mem)) && uint64(len(mem))-(addr-base) >= uint64(n) {
				return mem[addr-base:][:n], nil
			}
		}
		return nil, fmt.Errorf("no global memory at %#x", addr)
	})
	if err != nil {
		return err
	}
	var waiting []*block // at a barrier of the grid
	for cta := range l.Grid.Count() {
		b := &block{f: f, l: &l, cta: cta, consts: consts, shared: undefined(f.SharedBytes() + l.SharedBytes)}
		for i := range l.Block.Count() {
			b.threads = append(b.threads, &thread{tid: i, val: map[*kir.Value]uint64{}, blk: f.Blocks[0], left: l.MaxSteps,
				local: undefined(f.LocalBytes())})
		}
		waiting = append(waiting, b)
		rank, size := f.ClusterOf(cta, l.Grid)
		if f.Cooperative() && cta < l.Grid.Count()-1 || rank < size-1 {
			continue
		}
		if size > 1 {
			for _, b := range waiting {
				b.cluster = waiting
			}
		}
		met := len(waiting)
		for len(waiting) > 0 {
			var more []*block
			for _, b := range waiting {
				b.grid = false
				if err := b.run(); err != nil {
					return fmt.Errorf("kernel %s, block %d: %w", f.Name, b.cta, err)
				}
				if b.grid {
					more = append(more, b)
				}
			}
			if len(more) > 0 && len(more) < met {
				return fmt.Errorf("kernel %s, block %d waits for blocks that have ended", f.Name, more[0].cta)
			}
			waiting = more
		}
	}
	return nil
}

// undefined returns memory that nobody has written: bytes 0xff, as in kir's engine.
func undefined(n int) []byte { return bytes.Repeat([]byte{0xff}, n) }

type block struct {
	f       *kir.Func
	l       *Launch
	cta     int
	shared  []byte
	consts  []byte
	threads []*thread
	grid    bool // it has come to a barrier of the grid, or of its cluster
	cluster []*block
}

type thread struct {
	tid   int
	val   map[*kir.Value]uint64
	blk   *kir.Block
	pc    int
	at    *kir.Value // the barrier or operation of a warp that it waits at, or nil
	local []byte
	done  bool
	left  int // operations
}

func (b *block) run() error {
	for {
		live := 0
		for _, th := range b.threads {
			if !th.done && th.at == nil {
				if err := b.toMeeting(th); err != nil {
					return fmt.Errorf("thread %d: %w", th.tid, err)
				}
			}
			if !th.done {
				live++
			}
		}
		if live == 0 {
			return nil
		}
		if b.meetInWarps() {
			continue
		}
		if err := b.meetAtBarrier(live); err != nil {
			return err
		}
		if b.grid {
			return nil
		}
	}
}

// toMeeting runs th until it must wait for others, or to its end.
func (b *block) toMeeting(th *thread) error {
	for {
		for th.pc < len(th.blk.Values) {
			v := th.blk.Values[th.pc]
			th.pc++
			if v.Op.IsBarrier() || v.Op.IsWarp() && v.Op != kir.OpActiveMask {
				th.at = v
				return nil
			}
			if err := b.step(th, v); err != nil {
				return fmt.Errorf("%q: %w", v.Text(), err)
			}
		}
		if th.left -= len(th.blk.Values) + 1; th.left < 0 {
			return fmt.Errorf("still running after %d operations", b.l.MaxSteps)
		}
		t := &th.blk.Term
		e := t.To[0]
		switch t.Kind {
		case kir.TermReturn:
			th.done = true
			return nil
		case kir.TermBranch:
			if th.val[t.Cond] == 0 {
				e = t.To[1]
			}
		}
		var vals []uint64
		for _, a := range e.Args {
			vals = append(vals, th.val[a])
		}
		for i, p := range e.To.Params {
			th.val[p] = vals[i]
		}
		th.blk, th.pc = e.To, 0
	}
}

// memory returns the n bytes at addr, in the memory that th sees.
func (b *block) memory(th *thread, space kir.Space, addr uint64, n int) ([]byte, error) {
	within := func(mem []byte, base uint64) bool {
		return addr >= base && addr-base <= uint64(len(mem)) && uint64(len(mem))-(addr-base) >= uint64(n)
	}
	if addr%uint64(n) != 0 {
		return nil, fmt.Errorf("address %#x is not aligned to %d bytes", addr, n)
	}
	if space != kir.Global {
		mem := b.shared
		if space == kir.Shared && b.cluster != nil {
			var rank int
			if rank, addr = kir.SharedPlace(addr); rank >= len(b.cluster) {
				return nil, fmt.Errorf("the cluster has no block %d", rank)
			}
			mem = b.cluster[rank].shared
		}
		switch space {
		case kir.Local:
			mem = th.local
		case kir.Const:
			mem = b.consts
		}
		if within(mem, 0) {
			return mem[addr:][:n], nil
		}
		return nil, fmt.Errorf("no %v memory at %#x", space, addr)
	}
	for base, mem := range b.l.Memory {
		if within(mem, base) {
			return mem[addr-base:][:n], nil
		}
	}
	return nil, fmt.Errorf("no global memory at %#x", addr)
}

// step executes v, which is not a barrier, for th.
func (b *block) step(th *thread, v *kir.Value) error {
	var args []uint64
	for _, a := range v.Args {
		args = append(args, th.val[a])
	}
	var word [8]byte
	switch v.Op {
	case kir.OpConst:
		th.val[v] = v.Imm
	case kir.OpParam:
		n, off := v.ParamRef()
		off += b.f.Params[n].Offset
		copy(word[:], b.l.Params[off:off+v.Type.Bytes()])
		th.val[v] = binary.LittleEndian.Uint64(word[:])
	case kir.OpShared:
		rank, _ := b.f.ClusterOf(b.cta, b.l.Grid)
		th.val[v] = uint64(b.f.Shared[v.Imm].Offset) + uint64(rank)*kir.SharedBase(1)
	case kir.OpSpecial:
		th.val[v] = uint64(b.special(th, kir.Special(v.Imm)))
	case kir.OpLocal:
		th.val[v] = uint64(b.f.Local[v.Imm].Offset)
	case kir.OpConstTable:
		th.val[v] = uint64(b.f.Const[v.Imm].Offset)
	case kir.OpLoad:
		mem, err := b.memory(th, v.Space, args[0]+v.Imm, v.Type.Bytes())
		if err != nil {
			return err
		}
		copy(word[:], mem)
		x := binary.LittleEndian.Uint64(word[:])
		if v.Type == kir.Bool && x != 0 {
			x = 1
		}
		th.val[v] = x
	case kir.OpStore:
		binary.LittleEndian.PutUint64(word[:], args[1])
		mem, err := b.memory(th, v.Space, args[0]+v.Imm, v.Args[1].Type.Bytes())
		if err != nil {
			return err
		}
		copy(mem, word[:])
	case kir.OpFence, kir.OpCopyCommit, kir.OpCopyWait:
	case kir.OpActiveMask:
		th.val[v] = 1 << (th.tid % kir.WarpSize)
	case kir.OpCheck:
		if kind, text := b.f.Check(v); args[0] == 0 {
			return fmt.Errorf("check of %v failed: %d, %d %s", kind, int64(args[1]), int64(args[2]), text)
		}
	case kir.OpPrintf:
		var values []any
		for i, a := range v.Args {
			values = append(values, goValue(a.Type, args[i]))
		}
		if b.l.Output != nil {
			fmt.Fprintf(b.l.Output, b.f.Strings[v.Imm], values...)
		}
	default:
		if v.Op.IsAtomic() {
			mem, err := b.memory(th, v.Space, args[0]+v.Imm, v.Type.Bytes())
			if err != nil {
				return err
			}
			copy(word[:], mem)
			old := binary.LittleEndian.Uint64(word[:])
			binary.LittleEndian.PutUint64(word[:], atomic(v, old, args[1:]))
			copy(mem, word[:])
			th.val[v] = old
			return nil
		}
		th.val[v] = Op(v, args)
	}
	return nil
}

func (b *block) special(th *thread, s kir.Special) int {
	bl, g := b.l.Block, b.l.Grid
	rank, blocks := b.f.ClusterOf(b.cta, g)
	return []int{
		th.tid % bl.X, th.tid / bl.X % bl.Y, th.tid / bl.X / bl.Y, bl.X, bl.Y, bl.Z,
		b.cta % g.X, b.cta / g.X % g.Y, b.cta / g.X / g.Y, g.X, g.Y, g.Z,
		th.tid % kir.WarpSize, th.tid / kir.WarpSize, 0, b.l.SharedBytes, b.l.MaxSteps - th.left, b.l.MaxSteps - th.left, rank, blocks,
	}[s]
}
