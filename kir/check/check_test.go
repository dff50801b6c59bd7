package check

import (
	"context"
	"encoding/binary"
	"strings"
	"testing"

	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/kir/cpu"
)

// scanBlock is the block scan of Sengupta, Harris and Garland ("Efficient parallel scan algorithms for GPUs", 2008),
// inclusive, for one block of threads, with the line of each step as position. safe reads a warp's total before the
// barrier that the others' reads stand before; sync puts warp barriers between the steps of a warp's scan.
func scanBlock(t *testing.T, threads int, safe, sync bool) *cpu.Program {
	b := kir.NewBuilder("scanBlock")
	x := b.Param("x", kir.U64)
	p := b.SharedArray("p", kir.F32, threads)
	tid := b.Convert(kir.I64, b.Special(kir.TidX))
	lane, warp := b.Op(kir.OpRem, tid, b.Int(kir.I64, 32)), b.Op(kir.OpDiv, tid, b.Int(kir.I64, 32))
	at := func(i *kir.Value) *kir.Value { return b.Index(p, i, kir.F32) }
	load := func(i *kir.Value) *kir.Value { return b.Load(kir.Shared, kir.F32, at(i)) }
	minus := func(i *kir.Value, k int64) *kir.Value { return b.Op(kir.OpSub, i, b.Int(kir.I64, k)) }
	line := func(n int) { b.Pos = kir.Pos{File: "scan.go", Line: n} }
	when := func(cond *kir.Value, body func()) {
		then, join := b.NewBlock("then"), b.NewBlock("join")
		b.Branch(cond, then, join)
		b.SetBlock(then)
		body()
		b.Jump(join)
		b.SetBlock(join)
	}
	meet := func() {
		if sync {
			b.WarpBarrier(b.ActiveMask())
		}
	}
	scanWarp := func() {
		for o := int64(1); o < 32; o *= 2 {
			when(b.Op(kir.OpGe, lane, b.Int(kir.I64, o)), func() {
				sum := b.Op(kir.OpAdd, load(minus(tid, o)), load(tid))
				meet()
				b.Store(kir.Shared, at(tid), sum)
			})
			if sync {
				b.WarpBarrier(b.FullMask())
			}
		}
	}
	line(1)
	b.Store(kir.Shared, at(tid), b.Load(kir.Global, kir.F32, b.Index(x, tid, kir.F32)))
	meet()
	line(2)
	scanWarp()
	v := load(tid)
	total := v
	line(3)
	b.Barrier()
	line(4)
	last := b.Op(kir.OpEq, lane, b.Int(kir.I64, 31))
	when(last, func() {
		if !safe {
			total = load(tid)
		}
		line(5)
		b.Store(kir.Shared, at(warp), total)
	})
	line(6)
	b.Barrier()
	line(7)
	when(b.Op(kir.OpEq, warp, b.Int(kir.I64, 0)), scanWarp)
	line(8)
	b.Barrier()
	head, join := b.NewBlock("rest"), b.NewBlock("end", kir.F32)
	b.BranchTo(b.Op(kir.OpGt, warp, b.Int(kir.I64, 0)), kir.Edge{To: head}, kir.Edge{To: join, Args: []*kir.Value{v}})
	b.SetBlock(head)
	line(9)
	b.Jump(join, b.Op(kir.OpAdd, load(minus(warp, 1)), v))
	b.SetBlock(join)
	line(10)
	b.Store(kir.Global, b.Index(x, tid, kir.F32), join.Params[0])
	b.Return()
	return program(t, b)
}

func program(t *testing.T, b *kir.Builder) *cpu.Program {
	t.Helper()
	f, err := b.Func()
	if err != nil {
		t.Fatal(err)
	}
	p, err := cpu.Compile(f)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// run checks a launch with one buffer of 4096 words.
func run(t *testing.T, p *cpu.Program, grid, block int, o Options) []Finding {
	t.Helper()
	m := cpu.NewMemory()
	m.Map(1<<20, make([]byte, 4*4096))
	l := cpu.Launch{Grid: kir.D1(grid), Block: kir.D1(block), Params: binary.LittleEndian.AppendUint64(nil, 1<<20), Memory: m}
	found, err := Run(context.Background(), p, l, o)
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func texts(found []Finding) string {
	var s strings.Builder
	for _, f := range found {
		s.WriteString(f.String() + "\n")
	}
	return s.String()
}

// TestScanOf1024 finds the race that the published code has with 1,024 threads: the last lane of warp 31 writes the
// total of its warp to p[31] while the last lane of warp 0 has yet to read its own total there.
func TestScanOf1024(t *testing.T) {
	lockstep := Options{Lockstep: true}
	found := run(t, scanBlock(t, 1024, false, false), 1, 1024, lockstep)
	if len(found) != 1 {
		t.Fatalf("%d findings:\n%s", len(found), texts(found))
	}
	f := found[0]
	if f.Kind != Race || f.Where != "p[31]" || f.Value.Pos.Line != 5 || f.Thread.X != 1023 || f.With.Value.Pos.Line != 4 || f.With.Thread.X != 31 {
		t.Error(f)
	}
	want := "scan.go:5: kernel scanBlock: race: thread (1023) of block (0) at scan.go:5 writes p[31] (shared address 0x7c), " +
		"and thread (31) of block (0) at scan.go:4 reads it; a barrier must stand between"
	if f.String() != want {
		t.Errorf("%s\nwant\n%s", f, want)
	}
	for name, found := range map[string][]Finding{
		"512 threads":           run(t, scanBlock(t, 512, false, false), 1, 512, lockstep),
		"the total read before": run(t, scanBlock(t, 1024, true, false), 1, 1024, lockstep),
		"warp barriers":         run(t, scanBlock(t, 512, false, true), 1, 512, Options{}),
		"both":                  run(t, scanBlock(t, 1024, true, true), 1, 1024, Options{}),
	} {
		if len(found) > 0 {
			t.Errorf("%s:\n%s", name, texts(found))
		}
	}
	// Without lockstep the published code hears of other lanes with no barrier between.
	found = run(t, scanBlock(t, 64, true, false), 1, 64, Options{})
	if len(found) == 0 || found[0].Kind != MissingWarpSync || !strings.Contains(found[0].String(), "a warp barrier must stand between") {
		t.Errorf("without lockstep:\n%s", texts(found))
	}
}

// TestFindings has one small kernel for each kind.
func TestFindings(t *testing.T) {
	type body func(b *kir.Builder, x, tid *kir.Value)
	share := func(b *kir.Builder, n int) *kir.Value { return b.SharedArray("s", kir.U32, n) }
	for _, c := range []struct {
		name        string
		grid, block int
		body        body
		want        string // in the one finding; empty for none
	}{
		{"neighbour without a barrier", 1, 64, func(b *kir.Builder, x, tid *kir.Value) {
			s := share(b, 65)
			b.Store(kir.Shared, b.Index(s, tid, kir.U32), b.Special(kir.TidX))
			b.WarpBarrier(b.FullMask())
			b.Load(kir.Shared, kir.U32, b.Index(s, b.Op(kir.OpXor, tid, b.Int(kir.I64, 32)), kir.U32))
		}, "race: thread (0) of block (0) reads s[32] (shared address 0x80), and thread (32) of block (0) writes it"},
		{"with a barrier", 2, 64, func(b *kir.Builder, x, tid *kir.Value) {
			s := share(b, 65)
			b.Store(kir.Shared, b.Index(s, tid, kir.U32), b.Special(kir.TidX))
			b.Barrier()
			b.Load(kir.Shared, kir.U32, b.Index(s, b.Op(kir.OpXor, tid, b.Int(kir.I64, 32)), kir.U32))
		}, ""},
		{"half of a warp's barrier", 1, 32, func(b *kir.Builder, x, tid *kir.Value) {
			s := share(b, 32)
			b.Store(kir.Shared, b.Index(s, tid, kir.U32), b.Special(kir.TidX))
			b.WarpBarrier(b.Op(kir.OpSelect, b.Op(kir.OpLt, tid, b.Int(kir.I64, 16)), b.Int(kir.U32, 0xffff), b.Int(kir.U32, 0xffff0000)))
			b.Load(kir.Shared, kir.U32, b.Index(s, b.Op(kir.OpXor, tid, b.Int(kir.I64, 1)), kir.U32))
		}, ""},
		{"nobody wrote", 1, 4, func(b *kir.Builder, x, tid *kir.Value) {
			b.Load(kir.Shared, kir.U32, b.Index(share(b, 4), tid, kir.U32))
		}, "uninitialized shared memory: thread (0) of block (0) reads s[0] (shared address 0x0), which no thread of the block has written (4 times)"},
		{"blocks write one element", 2, 1, func(b *kir.Builder, x, tid *kir.Value) {
			b.Store(kir.Global, x, b.Special(kir.CtaidX))
		}, "race: thread (0) of block (1) writes x[0] (global address 0x100000), and thread (0) of block (0) writes it; blocks run in any order"},
		{"blocks raise one flag", 4, 32, func(b *kir.Builder, x, tid *kir.Value) {
			b.Store(kir.Global, x, b.Int(kir.U32, 1))
		}, ""},
		{"blocks count together", 4, 32, func(b *kir.Builder, x, tid *kir.Value) {
			b.Atomic(kir.OpAtomicAdd, kir.Global, x, b.Int(kir.U32, 1))
		}, ""},
		{"bytes of one word", 1, 64, func(b *kir.Builder, x, tid *kir.Value) {
			b.Store(kir.Global, b.Op(kir.OpAdd, x, b.Convert(kir.U64, tid)), b.Convert(kir.U8, tid))
		}, ""},
		{"a count and a plain read", 2, 1, func(b *kir.Builder, x, tid *kir.Value) {
			b.Atomic(kir.OpAtomicAdd, kir.Global, x, b.Int(kir.U32, 1))
			b.Load(kir.Global, kir.U32, x)
		}, "race: thread (0) of block (1) atomically changes x[0] (global address 0x100000), and thread (0) of block (0) reads it"},
		{"out of bounds", 1, 32, func(b *kir.Builder, x, tid *kir.Value) {
			b.Store(kir.Global, b.Index(x, b.Op(kir.OpMul, tid, b.Int(kir.I64, 200)), kir.U32), b.Special(kir.TidX))
		}, "thread (21) of block (0): store of 4 bytes at global address 0x1041a0 is out of bounds: 16800 bytes from the start of a buffer of 16384 bytes (the buffer of x)"},
		{"a barrier in a branch", 1, 32, func(b *kir.Builder, x, tid *kir.Value) {
			yes, join := b.NewBlock("yes"), b.NewBlock("join")
			b.Branch(b.Op(kir.OpLt, tid, b.Int(kir.I64, 3)), yes, join)
			b.SetBlock(yes)
			b.Barrier()
			b.Jump(join)
			b.SetBlock(join)
			b.Barrier()
		}, "divergent barriers: 3 threads wait at the barrier in block b1 yes"},
		// as on devices from 7.0 on
		{"a barrier that others end without", 1, 64, func(b *kir.Builder, x, tid *kir.Value) {
			yes, join := b.NewBlock("yes"), b.NewBlock("join")
			b.Branch(b.Op(kir.OpLt, tid, b.Int(kir.I64, 3)), yes, join)
			b.SetBlock(yes)
			b.Barrier()
			b.Jump(join)
			b.SetBlock(join)
		}, "missed barrier: 3 threads of block (0) waited, 61 had ended; all threads of a block must come to a barrier"},
		{"a shuffle from lanes that have ended", 1, 64, func(b *kir.Builder, x, tid *kir.Value) {
			yes, join := b.NewBlock("yes"), b.NewBlock("join")
			b.Branch(b.Op(kir.OpLt, tid, b.Int(kir.I64, 48)), yes, join)
			b.SetBlock(yes)
			b.Shuffle(kir.NewShuffle(kir.ShuffleDown, 32), b.Special(kir.TidX), b.Int(kir.U32, 15), b.FullMask())
			b.Jump(join)
			b.SetBlock(join)
		}, "no lane: thread (33) of block (0) gets its value by shuffle from lane 16 of its warp, whose thread has ended: the value may be any (15 times)"},
		{"a shuffle from lanes that the block does not have", 2, 40, func(b *kir.Builder, x, tid *kir.Value) {
			b.Shuffle(kir.NewShuffle(kir.ShuffleXor, 32), b.Special(kir.TidX), b.Int(kir.U32, 8), b.FullMask())
		}, "no lane: thread (32) of block (0) gets its value by shuffle from lane 8 of its warp, which the block does not have: the value may be any (16 times)"},
		{"a shuffle within lanes that are there", 2, 40, func(b *kir.Builder, x, tid *kir.Value) {
			for _, mode := range []kir.ShuffleMode{kir.ShuffleIdx, kir.ShuffleUp, kir.ShuffleDown, kir.ShuffleXor} {
				b.Shuffle(kir.NewShuffle(mode, 8), b.Special(kir.TidX), b.Int(kir.U32, 3), b.FullMask())
			}
		}, ""},
		{"a lane that never comes", 1, 32, func(b *kir.Builder, x, tid *kir.Value) {
			yes, join := b.NewBlock("yes"), b.NewBlock("join")
			b.Branch(b.Op(kir.OpLt, tid, b.Int(kir.I64, 3)), yes, join)
			b.SetBlock(yes)
			b.WarpBarrier(b.FullMask())
			b.Jump(join)
			b.SetBlock(join)
			b.Barrier()
		}, "it waits for lane 3 of its warp"},
		// The last block to count reads what all wrote: the fence and the counter order it.
		{"the last block reads", 3, 1, lastBlock(true), ""},
		{"the last block reads without a fence", 3, 1, lastBlock(false), "race: thread (0) of block (2) reads x[1]"},
	} {
		b := kir.NewBuilder("k")
		x := b.Param("x", kir.U64)
		c.body(b, x, b.Convert(kir.I64, b.Special(kir.TidX)))
		b.Return()
		found := run(t, program(t, b), c.grid, c.block, Options{})
		text := strings.TrimSpace(texts(found))
		if (len(found) == 0) != (c.want == "") || len(found) > 1 || !strings.Contains(text, c.want) {
			t.Errorf("%s: found\n%s\nwant\n%s", c.name, text, c.want)
		}
	}
}

func lastBlock(fence bool) func(b *kir.Builder, x, tid *kir.Value) {
	return func(b *kir.Builder, x, tid *kir.Value) {
		cta := b.Convert(kir.I64, b.Special(kir.CtaidX))
		b.Store(kir.Global, b.Index(x, b.Op(kir.OpAdd, cta, b.Int(kir.I64, 1)), kir.U32), b.Special(kir.CtaidX))
		if fence {
			b.Fence(kir.DeviceScope)
		}
		n := b.Atomic(kir.OpAtomicAdd, kir.Global, x, b.Int(kir.U32, 1))
		last, end := b.NewBlock("last"), b.NewBlock("end")
		b.Branch(b.Op(kir.OpEq, n, b.Int(kir.U32, 2)), last, end)
		b.SetBlock(last)
		b.Load(kir.Global, kir.U32, b.Op(kir.OpAdd, x, b.Int(kir.U64, 4)))
		b.Jump(end)
		b.SetBlock(end)
	}
}
