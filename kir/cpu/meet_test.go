package cpu_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/kir/cpu"
	"github.com/arrayrepl/arrayrepl/kir/opt"
	"github.com/arrayrepl/arrayrepl/kir/ref"
)

const outAddr = 1 << 20

// kernel builds a kernel of which body computes values for each thread, which go to out one after another.
func kernel(t testing.TB, body func(b *kir.Builder, tid *kir.Value) []*kir.Value) *kir.Func {
	t.Helper()
	b := kir.NewBuilder("k")
	out := b.Param("out", kir.U64)
	xs := body(b, b.Special(kir.TidX))
	i := b.Op(kir.OpMul, b.GlobalIDX(), b.Int(kir.I64, int64(8*len(xs))))
	at := b.Op(kir.OpAdd, out, b.Convert(kir.U64, i))
	for k, x := range xs {
		if x.Type.Bytes() < 8 {
			x = b.Convert(kir.U64, b.Bitcast(unsignedOf(x.Type), x))
		}
		b.Store(kir.Global, b.Op(kir.OpAdd, at, b.Int(kir.U64, int64(8*k))), x)
	}
	b.Return()
	f, err := b.Func()
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// param returns the kernel's parameter; b is in its entry block.
func param(b *kir.Builder) *kir.Value { return b.Block().Values[0] }

func unsignedOf(t kir.Type) kir.Type {
	if t == kir.Bool {
		return kir.Bool
	}
	return []kir.Type{1: kir.U8, 2: kir.U16, 4: kir.U32, 8: kir.U64}[t.Bytes()]
}

// runBoth runs f on the engine, as it is and optimised, and on the reference, and returns what it wrote after
// comparing. Memory begins as zeros.
func runBoth(t testing.TB, f *kir.Func, grid, block, words int) []byte {
	t.Helper()
	params := binary.LittleEndian.AppendUint64(nil, outAddr)
	want := make([]byte, 8*words)
	if err := ref.Run(f, ref.Launch{Grid: kir.D1(grid), Block: kir.D1(block), Params: params, Memory: map[uint64][]byte{outAddr: want}}); err != nil {
		t.Fatalf("reference: %v\n%v", err, f)
	}
	for _, g := range []*kir.Func{f, opt.Optimize(f)} {
		got := make([]byte, 8*words)
		m := cpu.NewMemory()
		m.Map(outAddr, got)
		if err := runEngine(g, m, grid, block, params); err != nil {
			t.Fatalf("%v\n%v", err, g)
		}
		if !bytes.Equal(got, want) {
			t.Fatalf("engine and reference differ\n%x\n%x\n%v", got, want, g)
		}
	}
	return want
}

func runEngine(f *kir.Func, m *cpu.Memory, grid, block int, params []byte) error {
	p, err := cpu.Compile(f)
	if err != nil {
		return err
	}
	_, err = p.Run(context.Background(), cpu.Launch{Grid: kir.D1(grid), Block: kir.D1(block), Params: params, Memory: m})
	return err
}

func word(b []byte, i int) uint64 { return binary.LittleEndian.Uint64(b[8*i:]) }

func TestShuffles(t *testing.T) {
	for mode := kir.ShuffleIdx; mode <= kir.ShuffleXor; mode++ {
		for _, width := range []int{32, 16, 4} {
			for _, block := range []int{32, 7, 75} {
				f := kernel(t, func(b *kir.Builder, tid *kir.Value) []*kir.Value {
					x := b.Op(kir.OpMul, tid, tid)
					// a distance of each thread's own
					by := b.Op(kir.OpAnd, b.Op(kir.OpMul, tid, b.Int(kir.U32, 5)), b.Int(kir.U32, 31))
					s := kir.NewShuffle(mode, width)
					return []*kir.Value{b.Shuffle(s, x, b.Int(kir.U32, 3), b.FullMask()), b.Shuffle(s, x, by, b.FullMask()),
						b.Shuffle(s, b.Convert(kir.F64, x), b.Int(kir.U32, 1), b.FullMask()), b.Special(kir.LaneID), b.Special(kir.WarpID)}
				})
				runBoth(t, f, 2, block, 2*block*5)
			}
		}
	}
	// By hand: a sum over a warp by halves, and what stays at the edge of a segment.
	out := runBoth(t, kernel(t, func(b *kir.Builder, tid *kir.Value) []*kir.Value {
		sum := tid
		for d := 16; d > 0; d /= 2 {
			sum = b.Op(kir.OpAdd, sum, b.Shuffle(kir.NewShuffle(kir.ShuffleDown, 32), sum, b.Int(kir.U32, int64(d)), b.FullMask()))
		}
		return []*kir.Value{sum, b.Shuffle(kir.NewShuffle(kir.ShuffleUp, 8), tid, b.Int(kir.U32, 1), b.FullMask())}
	}), 1, 64, 128)
	if a, b := word(out, 0), word(out, 64); a != 31*32/2 || b != 31*32/2+32*32 {
		t.Errorf("sums %d and %d", a, b)
	}
	if a, b := word(out, 2*8+1), word(out, 2*9+1); a != 8 || b != 8 {
		t.Errorf("lanes 8 and 9 of segments of 8, shuffled up by 1: %d and %d, want 8 and 8", a, b)
	}
}

func TestVotes(t *testing.T) {
	out := runBoth(t, kernel(t, func(b *kir.Builder, tid *kir.Value) []*kir.Value {
		third := b.Op(kir.OpEq, b.Op(kir.OpRem, tid, b.Int(kir.U32, 3)), b.Int(kir.U32, 0))
		small := b.Op(kir.OpLt, tid, b.Int(kir.U32, 40))
		full := b.FullMask()
		return []*kir.Value{b.Vote(kir.OpBallot, third, full), b.Vote(kir.OpVoteAll, small, full), b.Vote(kir.OpVoteAny, small, full),
			b.MatchAny(b.Op(kir.OpRem, tid, b.Int(kir.U32, 5)), full), b.MatchAny(b.Convert(kir.F64, b.Op(kir.OpShr, tid, b.Int(kir.U32, 4))), full)}
	}), 1, 70, 350)
	for i, want := range map[int]uint64{0: 0x49249249, 1: 1, 5*33 + 1: 0, 5*33 + 2: 1, 5*69 + 2: 0, 5*64 + 0: 0b100100, 4: 0xffff, 5*64 + 4: 0x3f} {
		if got := word(out, i); got != want {
			t.Errorf("word %d: %#x, want %#x", i, got, want)
		}
	}
}

// TestLanesWaitForEachOther lets odd lanes come to a shuffle a round before the even ones, which enter the loop
// elsewhere; the even ones return a round earlier.
func TestLanesWaitForEachOther(t *testing.T) {
	runBoth(t, kernel(t, func(b *kir.Builder, tid *kir.Value) []*kir.Value {
		odd := b.Op(kir.OpEq, b.Op(kir.OpAnd, tid, b.Int(kir.U32, 1)), b.Int(kir.U32, 1))
		meet, turn, exit := b.NewBlock("meet", kir.U32, kir.U32), b.NewBlock("turn", kir.U32, kir.U32), b.NewBlock("exit")
		zero := b.Int(kir.U32, 0)
		b.BranchTo(odd, kir.Edge{To: meet, Args: []*kir.Value{zero, tid}}, kir.Edge{To: turn, Args: []*kir.Value{zero, tid}})
		b.SetBlock(meet)
		i, x := meet.Params[0], meet.Params[1]
		y := b.Op(kir.OpAdd, x, b.Shuffle(kir.NewShuffle(kir.ShuffleXor, 32), x, b.Int(kir.U32, 1), b.FullMask()))
		b.BranchTo(b.Op(kir.OpLt, i, b.Int(kir.U32, 3)), kir.Edge{To: turn, Args: []*kir.Value{i, y}}, kir.Edge{To: exit})
		b.SetBlock(turn)
		b.Jump(meet, b.Op(kir.OpAdd, turn.Params[0], b.Int(kir.U32, 1)), b.Op(kir.OpMul, turn.Params[1], b.Int(kir.U32, 3)))
		b.SetBlock(exit)
		return []*kir.Value{y}
	}), 2, 48, 96)
}

// TestHalvesOfAWarp has each side of a branch shuffle among the lanes that took it.
func TestHalvesOfAWarp(t *testing.T) {
	runBoth(t, kernel(t, func(b *kir.Builder, tid *kir.Value) []*kir.Value {
		low := b.Op(kir.OpLt, b.Special(kir.LaneID), b.Int(kir.U32, 20))
		yes, no, join := b.NewBlock("yes"), b.NewBlock("no"), b.NewBlock("join", kir.U32)
		b.Branch(low, yes, no)
		b.SetBlock(yes)
		b.WarpBarrier(b.Int(kir.U32, 1<<20-1))
		// out of the mask: its own
		b.Jump(join, b.Shuffle(kir.NewShuffle(kir.ShuffleIdx, 32), tid, b.Int(kir.U32, 30), b.Int(kir.U32, 1<<20-1)))
		b.SetBlock(no)
		b.Jump(join, b.Shuffle(kir.NewShuffle(kir.ShuffleIdx, 32), tid, b.Int(kir.U32, 30), b.Int(kir.U32, -1<<20)))
		b.SetBlock(join)
		return []*kir.Value{join.Params[0], b.Vote(kir.OpBallot, low, b.FullMask())}
	}), 1, 60, 120)
}

func TestWarpErrors(t *testing.T) {
	for want, body := range map[string]func(b *kir.Builder, tid *kir.Value) []*kir.Value{
		"thread (1) of block (0), ballot: its mask 0x1 does not name it, lane 1 of its warp": func(b *kir.Builder, tid *kir.Value) []*kir.Value {
			return []*kir.Value{b.Vote(kir.OpBallot, b.Op(kir.OpLt, tid, tid), b.Int(kir.U32, 1))}
		},
		"its mask is 0xffffffff, that of lane 1, which it names, is 0xfffffffe": func(b *kir.Builder, tid *kir.Value) []*kir.Value {
			m := b.Op(kir.OpSelect, b.Op(kir.OpEq, tid, b.Int(kir.U32, 1)), b.Int(kir.U32, -2), b.FullMask())
			return []*kir.Value{b.Vote(kir.OpBallot, b.Op(kir.OpLt, tid, tid), m)}
		},
		"it waits for lane 5 of its warp, which its mask names and which never comes here": func(b *kir.Builder, tid *kir.Value) []*kir.Value {
			yes, no, join := b.NewBlock("yes"), b.NewBlock("no"), b.NewBlock("join")
			b.Branch(b.Op(kir.OpLt, tid, b.Int(kir.U32, 5)), yes, no)
			b.SetBlock(yes)
			b.WarpBarrier(b.FullMask())
			b.Barrier()
			b.Jump(join)
			b.SetBlock(no)
			b.Barrier()
			b.Jump(join)
			b.SetBlock(join)
			return []*kir.Value{tid}
		},
	} {
		f := kernel(t, body)
		m := cpu.NewMemory()
		m.Map(outAddr, make([]byte, 8*32))
		params := binary.LittleEndian.AppendUint64(nil, outAddr)
		err := runEngine(f, m, 1, 32, params)
		var we *kir.WarpError
		if !errors.As(err, &we) || !strings.Contains(err.Error(), want) {
			t.Errorf("want %q, got %v", want, err)
		}
		if err := ref.Run(f, ref.Launch{Grid: kir.D1(1), Block: kir.D1(32), Params: params, Memory: map[uint64][]byte{outAddr: make([]byte, 256)}}); err == nil {
			t.Errorf("the reference has no error where %q is wanted", want)
		}
	}
}

func TestBarriersThatCount(t *testing.T) {
	out := runBoth(t, kernel(t, func(b *kir.Builder, tid *kir.Value) []*kir.Value {
		leave, stay := b.NewBlock("leave"), b.NewBlock("stay")
		b.Branch(b.Op(kir.OpGe, tid, b.Int(kir.U32, 50)), leave, stay)
		b.SetBlock(leave)
		b.Return()
		b.SetBlock(stay)
		even := b.Op(kir.OpEq, b.Op(kir.OpAnd, tid, b.Int(kir.U32, 1)), b.Int(kir.U32, 0))
		return []*kir.Value{b.BarrierReduce(kir.OpBarrierCount, even), b.BarrierReduce(kir.OpBarrierAnd, even), b.BarrierReduce(kir.OpBarrierOr, even),
			b.BarrierReduce(kir.OpBarrierAnd, b.Op(kir.OpLt, tid, b.Int(kir.U32, 50)))}
	}), 2, 64, 64*8)
	for i, want := range []uint64{25, 0, 1, 1} {
		if got := word(out, i); got != want {
			t.Errorf("figure %d: %d, want %d", i, got, want)
		}
	}
}

// TestAtomics lets the threads of some blocks meet at few addresses, in global and in shared memory. The order in which
// they take turns is that of their numbers, in the engine and the reference.
func TestAtomics(t *testing.T) {
	ops := map[kir.Op][]kir.Type{
		kir.OpAtomicAdd: {kir.I32, kir.U32, kir.I64, kir.U64, kir.F32, kir.F64}, kir.OpAtomicMin: {kir.I32, kir.U32, kir.I64, kir.U64}, kir.OpAtomicMax: {kir.I32, kir.U32, kir.I64, kir.U64},
		kir.OpAtomicAnd: {kir.I32, kir.U32, kir.I64, kir.U64}, kir.OpAtomicOr: {kir.I32, kir.U32, kir.I64, kir.U64}, kir.OpAtomicXor: {kir.I32, kir.U32, kir.I64, kir.U64},
		kir.OpAtomicExch: {kir.I32, kir.U32, kir.I64, kir.U64, kir.F32, kir.F64}, kir.OpAtomicCAS: {kir.I32, kir.U32, kir.I64, kir.U64}, kir.OpAtomicInc: {kir.U32}, kir.OpAtomicDec: {kir.U32},
	}
	for op, types := range ops {
		for _, typ := range types {
			for _, used := range []bool{true, false} {
				const grid, block = 5, 40
				f := kernel(t, func(b *kir.Builder, tid *kir.Value) []*kir.Value {
					// Cells behind the threads' words; each block adds to its own shared ones and gives them on.
					cells := b.Op(kir.OpAdd, param(b), b.Int(kir.U64, 8*grid*block*3))
					own := b.SharedArray("own", typ, 4)
					i := b.Convert(kir.I64, b.Op(kir.OpAnd, tid, b.Int(kir.U32, 3)))
					x := b.Op(kir.OpSub, b.Convert(typ, b.Op(kir.OpAdd, tid, b.Special(kir.CtaidX))), b.Const(typ, 7))
					args := []*kir.Value{x}
					if op == kir.OpAtomicCAS {
						args = []*kir.Value{b.Const(typ, 0), x}
					}
					first := b.NewBlock("first")
					rest := b.NewBlock("rest")
					b.Branch(b.Op(kir.OpLt, tid, b.Int(kir.U32, 4)), first, rest)
					b.SetBlock(first)
					b.Store(kir.Shared, b.Index(own, i, typ), b.Const(typ, 0))
					b.Jump(rest)
					b.SetBlock(rest)
					b.Barrier()
					s := b.Atomic(op, kir.Shared, b.Index(own, i, typ), args...)
					g := b.Atomic(op, kir.Global, b.Index(cells, i, typ), args...)
					b.Barrier()
					result := []*kir.Value{s, b.Load(kir.Shared, typ, b.Index(own, i, typ)), g}
					if !used {
						result[2] = result[1]
					}
					return result
				})
				runBoth(t, f, grid, block, grid*block*3+4)
			}
		}
	}
}

// TestLocksAmongThreadsOfABlock has every thread take a lock, add to a plain counter and give the lock back. Those that
// try in vain must not keep the one that has the lock from going on.
func TestLocksAmongThreadsOfABlock(t *testing.T) {
	const grid, block = 3, 70
	f := kernel(t, func(b *kir.Builder, tid *kir.Value) []*kir.Value {
		lock := b.Op(kir.OpAdd, param(b), b.Int(kir.U64, 8*grid*block))
		counter := b.Op(kir.OpAdd, lock, b.Int(kir.U64, 8))
		try, work, done := b.NewBlock("try"), b.NewBlock("work"), b.NewBlock("done")
		b.Jump(try)
		b.SetBlock(try)
		old := b.Atomic(kir.OpAtomicCAS, kir.Global, lock, b.Int(kir.U32, 0), b.Int(kir.U32, 1))
		b.Branch(b.Op(kir.OpEq, old, b.Int(kir.U32, 0)), work, try)
		b.SetBlock(work)
		b.Fence(kir.DeviceScope)
		b.Store(kir.Global, counter, b.Op(kir.OpAdd, b.Load(kir.Global, kir.U64, counter), b.Int(kir.U64, 1)))
		b.Fence(kir.DeviceScope)
		b.Atomic(kir.OpAtomicExch, kir.Global, lock, b.Int(kir.U32, 0))
		b.Jump(done)
		b.SetBlock(done)
		return []*kir.Value{tid}
	})
	if n := word(runBoth(t, f, grid, block, grid*block+2), grid*block+1); n != grid*block {
		t.Errorf("%d threads counted, want %d", n, grid*block)
	}
}

// TestAtomicSumsOfFloatsAreTheSameEveryRun adds floats of very different sizes from many blocks.
func TestAtomicSumsOfFloatsAreTheSameEveryRun(t *testing.T) {
	const grid, block = 64, 64
	f := kernel(t, func(b *kir.Builder, tid *kir.Value) []*kir.Value {
		x := b.Op(kir.OpExp, b.Convert(kir.F32, b.Op(kir.OpAnd, b.Op(kir.OpAdd, tid, b.Special(kir.CtaidX)), b.Int(kir.U32, 31))))
		b.Atomic(kir.OpAtomicAdd, kir.Global, b.Op(kir.OpAdd, param(b), b.Int(kir.U64, 8*grid*block)), x)
		return []*kir.Value{tid}
	})
	var sums []uint64
	for range 5 {
		m, out := cpu.NewMemory(), make([]byte, 8*grid*block+8)
		m.Map(outAddr, out)
		if err := runEngine(f, m, grid, block, binary.LittleEndian.AppendUint64(nil, outAddr)); err != nil {
			t.Fatal(err)
		}
		sums = append(sums, word(out, grid*block))
	}
	for _, s := range sums {
		if s != sums[0] {
			t.Fatalf("%x", sums)
		}
	}
}

func TestLocalConstAndOffsets(t *testing.T) {
	table := make([]byte, 0, 64)
	for i := range 8 {
		table = binary.LittleEndian.AppendUint64(table, uint64(i*i*i))
	}
	for _, block := range []int{5, 32, 300} {
		runBoth(t, kernel(t, func(b *kir.Builder, tid *kir.Value) []*kir.Value {
			b.ConstTable("unused", kir.U8, []byte{1, 2, 3})
			cubes, scratch := b.ConstTable("cubes", kir.U64, table), b.LocalArray("scratch", kir.U64, 8)
			wide := b.Convert(kir.I64, tid)
			for i := range 8 { // scratch[i] = tid*i
				b.Store(kir.Local, b.Op(kir.OpAdd, scratch, b.Int(kir.U64, int64(8*i))), b.Convert(kir.U64, b.Op(kir.OpMul, wide, b.Int(kir.I64, int64(i)))))
			}
			at := func(k int64) *kir.Value {
				return b.Op(kir.OpAnd, b.Op(kir.OpMul, wide, b.Int(kir.I64, k)), b.Int(kir.I64, 7))
			}
			small := b.Op(kir.OpAdd, scratch, b.Int(kir.U64, 4))
			vs := b.LoadVector(kir.Local, kir.U32, 2, b.Op(kir.OpAdd, scratch, b.Int(kir.U64, 48)))
			return []*kir.Value{b.Load(kir.Const, kir.U64, b.Index(cubes, at(3), kir.U64)), b.Load(kir.Local, kir.U64, b.Index(scratch, at(5), kir.U64)),
				b.Load(kir.Local, kir.U32, small), vs[0], vs[1], b.Load(kir.Const, kir.U64, b.Op(kir.OpAdd, cubes, b.Int(kir.U64, 24)))}
		}), 9, block, 9*block*6)
	}
}

func TestChecksAndPrintf(t *testing.T) {
	b := kir.NewBuilder("k")
	b.Pos = kir.Pos{File: "cell 2", Line: 4, Col: 7}
	tid := b.Special(kir.TidX)
	b.Printf("thread %d: %v %.2f\n", tid, b.Op(kir.OpLt, tid, b.Int(kir.U32, 1)), b.Op(kir.OpDiv, b.Convert(kir.F32, tid), b.Const(kir.F32, 3)))
	b.Check(kir.CheckIndex, b.Op(kir.OpLt, tid, b.Int(kir.U32, 3)), b.Convert(kir.I64, tid), b.Int(kir.I64, 3), "xs[i]")
	b.Return()
	f, err := b.Func()
	if err != nil {
		t.Fatal(err)
	}
	for threads, want := range map[int]string{
		3: "", 4: "cell 2, line 4, column 7: kernel k: thread (3) of block (0): index 3 is out of range: the length is 3 (xs[i])",
	} {
		p, err := cpu.Compile(f)
		if err != nil {
			t.Fatal(err)
		}
		var out, fromRef strings.Builder
		_, err = p.Run(context.Background(), cpu.Launch{Grid: kir.D1(2), Block: kir.D1(threads), Output: &out})
		var trap *kir.Trap
		if want == "" && err != nil || want != "" && (!errors.As(err, &trap) || err.Error() != want) {
			t.Errorf("%d threads: %v", threads, err)
		}
		refErr := ref.Run(f, ref.Launch{Grid: kir.D1(2), Block: kir.D1(threads), Output: &fromRef})
		if (refErr == nil) != (want == "") {
			t.Errorf("%d threads: the reference: %v", threads, refErr)
		}
		if text := "thread 0: true 0.00\nthread 1: false 0.33\nthread 2: false 0.67\n"; want == "" && (out.String() != text+text || fromRef.String() != text+text) {
			t.Errorf("printed %q and %q", out.String(), fromRef.String())
		}
	}
}

func TestPrintfIsBounded(t *testing.T) {
	b := kir.NewBuilder("loud")
	b.Printf(strings.Repeat("x", 1000) + "\n")
	b.Return()
	f, err := b.Func()
	if err != nil {
		t.Fatal(err)
	}
	p, err := cpu.Compile(f)
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	if _, err := p.Run(context.Background(), cpu.Launch{Grid: kir.D1(100), Block: kir.D1(100), Output: &out}); err != nil {
		t.Fatal(err)
	}
	if n := out.Len(); n > 1<<20+200 || !strings.HasSuffix(out.String(), "the rest of the launch's output is left out\n") {
		t.Errorf("%d bytes, at the end %q", n, out.String()[n-100:])
	}
}

func ExampleLaunch_output() {
	b := kir.NewBuilder("hello")
	b.Printf("hello from thread %d\n", b.Special(kir.TidX))
	b.Return()
	f, _ := b.Func()
	p, _ := cpu.Compile(f)
	_, err := p.Run(context.Background(), cpu.Launch{Grid: kir.D1(1), Block: kir.D1(2)})
	fmt.Println(err)
	// Output:
	// hello from thread 0
	// hello from thread 1
	// <nil>
}
