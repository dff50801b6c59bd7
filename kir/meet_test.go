package kir_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
	"testing"

	. "github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/kir/ref"
)

const outAddr = 1 << 20

// kernel builds a kernel of which body computes values for each thread, which go to out one after another.
func kernel(t testing.TB, body func(b *Builder, tid *Value) []*Value) *Func {
	t.Helper()
	b := NewBuilder("k")
	out := b.Param("out", U64)
	xs := body(b, b.Special(TidX))
	i := b.Op(OpMul, b.GlobalIDX(), b.Int(I64, int64(8*len(xs))))
	at := b.Op(OpAdd, out, b.Convert(U64, i))
	for k, x := range xs {
		if x.Type.Bytes() < 8 {
			x = b.Convert(U64, b.Bitcast(unsignedOf(x.Type), x))
		}
		b.Store(Global, b.Op(OpAdd, at, b.Int(U64, int64(8*k))), x)
	}
	b.Return()
	f, err := b.Func()
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// param returns the kernel's parameter; b is in its entry block.
func param(b *Builder) *Value { return b.Block().Values[0] }

func unsignedOf(t Type) Type {
	if t == Bool {
		return Bool
	}
	return []Type{1: U8, 2: U16, 4: U32, 8: U64}[t.Bytes()]
}

// runBoth runs f on the engine, as it is and optimised, and on the reference, and returns what it wrote after comparing.
// Memory begins as zeros.
func runBoth(t testing.TB, f *Func, grid, block, words int) []byte {
	t.Helper()
	params := binary.LittleEndian.AppendUint64(nil, outAddr)
	want := make([]byte, 8*words)
	if err := ref.Run(f, ref.Launch{Grid: D1(grid), Block: D1(block), Params: params, Memory: map[uint64][]byte{outAddr: want}}); err != nil {
		t.Fatalf("reference: %v\n%v", err, f)
	}
	for _, g := range []*Func{f, Optimize(f)} {
		got := make([]byte, 8*words)
		m := NewMemory()
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

func runEngine(f *Func, m *Memory, grid, block int, params []byte) error {
	p, err := Compile(f)
	if err != nil {
		return err
	}
	_, err = p.Run(context.Background(), Launch{Grid: D1(grid), Block: D1(block), Params: params, Memory: m})
	return err
}

func word(b []byte, i int) uint64 { return binary.LittleEndian.Uint64(b[8*i:]) }

func TestShuffles(t *testing.T) {
	for mode := ShuffleIdx; mode <= ShuffleXor; mode++ {
		for _, width := range []int{32, 16, 4} {
			for _, block := range []int{32, 7, 75} {
				f := kernel(t, func(b *Builder, tid *Value) []*Value {
					x := b.Op(OpMul, tid, tid)
					by := b.Op(OpAnd, b.Op(OpMul, tid, b.Int(U32, 5)), b.Int(U32, 31)) // a distance of each thread's own
					s := NewShuffle(mode, width)
					return []*Value{b.Shuffle(s, x, b.Int(U32, 3), b.FullMask()), b.Shuffle(s, x, by, b.FullMask()),
						b.Shuffle(s, b.Convert(F64, x), b.Int(U32, 1), b.FullMask()), b.Special(LaneID), b.Special(WarpID)}
				})
				runBoth(t, f, 2, block, 2*block*5)
			}
		}
	}
	// By hand: a sum over a warp by halves, and what stays at the edge of a segment.
	out := runBoth(t, kernel(t, func(b *Builder, tid *Value) []*Value {
		sum := tid
		for d := 16; d > 0; d /= 2 {
			sum = b.Op(OpAdd, sum, b.Shuffle(NewShuffle(ShuffleDown, 32), sum, b.Int(U32, int64(d)), b.FullMask()))
		}
		return []*Value{sum, b.Shuffle(NewShuffle(ShuffleUp, 8), tid, b.Int(U32, 1), b.FullMask())}
	}), 1, 64, 128)
	if a, b := word(out, 0), word(out, 64); a != 31*32/2 || b != 31*32/2+32*32 {
		t.Errorf("sums %d and %d", a, b)
	}
	if a, b := word(out, 2*8+1), word(out, 2*9+1); a != 8 || b != 8 {
		t.Errorf("lanes 8 and 9 of segments of 8, shuffled up by 1: %d and %d, want 8 and 8", a, b)
	}
}

func TestVotes(t *testing.T) {
	out := runBoth(t, kernel(t, func(b *Builder, tid *Value) []*Value {
		third := b.Op(OpEq, b.Op(OpRem, tid, b.Int(U32, 3)), b.Int(U32, 0))
		small := b.Op(OpLt, tid, b.Int(U32, 40))
		full := b.FullMask()
		return []*Value{b.Vote(OpBallot, third, full), b.Vote(OpVoteAll, small, full), b.Vote(OpVoteAny, small, full),
			b.MatchAny(b.Op(OpRem, tid, b.Int(U32, 5)), full), b.MatchAny(b.Convert(F64, b.Op(OpShr, tid, b.Int(U32, 4))), full)}
	}), 1, 70, 350)
	for i, want := range map[int]uint64{0: 0x49249249, 1: 1, 5*33 + 1: 0, 5*33 + 2: 1, 5*69 + 2: 0, 5*64 + 0: 0b100100, 4: 0xffff, 5*64 + 4: 0x3f} {
		if got := word(out, i); got != want {
			t.Errorf("word %d: %#x, want %#x", i, got, want)
		}
	}
}

// TestLanesWaitForEachOther lets odd lanes come to a shuffle a round before the even ones, which enter the loop elsewhere;
// the even ones return a round earlier.
func TestLanesWaitForEachOther(t *testing.T) {
	runBoth(t, kernel(t, func(b *Builder, tid *Value) []*Value {
		odd := b.Op(OpEq, b.Op(OpAnd, tid, b.Int(U32, 1)), b.Int(U32, 1))
		meet, turn, exit := b.NewBlock("meet", U32, U32), b.NewBlock("turn", U32, U32), b.NewBlock("exit")
		zero := b.Int(U32, 0)
		b.BranchTo(odd, Edge{meet, []*Value{zero, tid}}, Edge{turn, []*Value{zero, tid}})
		b.SetBlock(meet)
		i, x := meet.Params[0], meet.Params[1]
		y := b.Op(OpAdd, x, b.Shuffle(NewShuffle(ShuffleXor, 32), x, b.Int(U32, 1), b.FullMask()))
		b.BranchTo(b.Op(OpLt, i, b.Int(U32, 3)), Edge{turn, []*Value{i, y}}, Edge{To: exit})
		b.SetBlock(turn)
		b.Jump(meet, b.Op(OpAdd, turn.Params[0], b.Int(U32, 1)), b.Op(OpMul, turn.Params[1], b.Int(U32, 3)))
		b.SetBlock(exit)
		return []*Value{y}
	}), 2, 48, 96)
}

// TestHalvesOfAWarp has each side of a branch shuffle among the lanes that took it.
func TestHalvesOfAWarp(t *testing.T) {
	runBoth(t, kernel(t, func(b *Builder, tid *Value) []*Value {
		low := b.Op(OpLt, b.Special(LaneID), b.Int(U32, 20))
		yes, no, join := b.NewBlock("yes"), b.NewBlock("no"), b.NewBlock("join", U32)
		b.Branch(low, yes, no)
		b.SetBlock(yes)
		b.WarpBarrier(b.Int(U32, 1<<20-1))
		b.Jump(join, b.Shuffle(NewShuffle(ShuffleIdx, 32), tid, b.Int(U32, 30), b.Int(U32, 1<<20-1))) // out of the mask: its own
		b.SetBlock(no)
		b.Jump(join, b.Shuffle(NewShuffle(ShuffleIdx, 32), tid, b.Int(U32, 30), b.Int(U32, -1<<20)))
		b.SetBlock(join)
		return []*Value{join.Params[0], b.Vote(OpBallot, low, b.FullMask())}
	}), 1, 60, 120)
}

func TestWarpErrors(t *testing.T) {
	for want, body := range map[string]func(b *Builder, tid *Value) []*Value{
		"thread (1) of block (0), ballot: its mask 0x1 does not name it, lane 1 of its warp": func(b *Builder, tid *Value) []*Value {
			return []*Value{b.Vote(OpBallot, b.Op(OpLt, tid, tid), b.Int(U32, 1))}
		},
		"its mask is 0xffffffff, that of lane 1, which it names, is 0xfffffffe": func(b *Builder, tid *Value) []*Value {
			m := b.Op(OpSelect, b.Op(OpEq, tid, b.Int(U32, 1)), b.Int(U32, -2), b.FullMask())
			return []*Value{b.Vote(OpBallot, b.Op(OpLt, tid, tid), m)}
		},
		"it waits for lane 5 of its warp, which its mask names and which never comes here": func(b *Builder, tid *Value) []*Value {
			yes, no, join := b.NewBlock("yes"), b.NewBlock("no"), b.NewBlock("join")
			b.Branch(b.Op(OpLt, tid, b.Int(U32, 5)), yes, no)
			b.SetBlock(yes)
			b.WarpBarrier(b.FullMask())
			b.Barrier()
			b.Jump(join)
			b.SetBlock(no)
			b.Barrier()
			b.Jump(join)
			b.SetBlock(join)
			return []*Value{tid}
		},
	} {
		f := kernel(t, body)
		m := NewMemory()
		m.Map(outAddr, make([]byte, 8*32))
		params := binary.LittleEndian.AppendUint64(nil, outAddr)
		err := runEngine(f, m, 1, 32, params)
		var we *WarpError
		if !errors.As(err, &we) || !strings.Contains(err.Error(), want) {
			t.Errorf("want %q, got %v", want, err)
		}
		if err := ref.Run(f, ref.Launch{Grid: D1(1), Block: D1(32), Params: params, Memory: map[uint64][]byte{outAddr: make([]byte, 256)}}); err == nil {
			t.Errorf("the reference has no error where %q is wanted", want)
		}
	}
}

func TestBarriersThatCount(t *testing.T) {
	out := runBoth(t, kernel(t, func(b *Builder, tid *Value) []*Value {
		leave, stay := b.NewBlock("leave"), b.NewBlock("stay")
		b.Branch(b.Op(OpGe, tid, b.Int(U32, 50)), leave, stay)
		b.SetBlock(leave)
		b.Return()
		b.SetBlock(stay)
		even := b.Op(OpEq, b.Op(OpAnd, tid, b.Int(U32, 1)), b.Int(U32, 0))
		return []*Value{b.BarrierReduce(OpBarrierCount, even), b.BarrierReduce(OpBarrierAnd, even), b.BarrierReduce(OpBarrierOr, even),
			b.BarrierReduce(OpBarrierAnd, b.Op(OpLt, tid, b.Int(U32, 50)))}
	}), 2, 64, 64*8)
	for i, want := range []uint64{25, 0, 1, 1} {
		if got := word(out, i); got != want {
			t.Errorf("figure %d: %d, want %d", i, got, want)
		}
	}
}

// TestAtomics lets the threads of some blocks meet at few addresses, in global and in shared memory. The order in which they
// take turns is that of their numbers, in the engine and the reference.
func TestAtomics(t *testing.T) {
	ops := map[Op][]Type{
		OpAtomicAdd: {I32, U32, I64, U64, F32, F64}, OpAtomicMin: {I32, U32, I64, U64}, OpAtomicMax: {I32, U32, I64, U64},
		OpAtomicAnd: {I32, U32, I64, U64}, OpAtomicOr: {I32, U32, I64, U64}, OpAtomicXor: {I32, U32, I64, U64},
		OpAtomicExch: {I32, U32, I64, U64, F32, F64}, OpAtomicCAS: {I32, U32, I64, U64}, OpAtomicInc: {U32}, OpAtomicDec: {U32},
	}
	for op, types := range ops {
		for _, typ := range types {
			for _, used := range []bool{true, false} {
				const grid, block = 5, 40
				f := kernel(t, func(b *Builder, tid *Value) []*Value {
					// Cells behind the threads' words; each block adds to its own shared ones and gives them on.
					cells := b.Op(OpAdd, param(b), b.Int(U64, 8*grid*block*3))
					own := b.SharedArray("own", typ, 4)
					i := b.Convert(I64, b.Op(OpAnd, tid, b.Int(U32, 3)))
					x := b.Op(OpSub, b.Convert(typ, b.Op(OpAdd, tid, b.Special(CtaidX))), b.Const(typ, 7))
					args := []*Value{x}
					if op == OpAtomicCAS {
						args = []*Value{b.Const(typ, 0), x}
					}
					first := b.NewBlock("first")
					rest := b.NewBlock("rest")
					b.Branch(b.Op(OpLt, tid, b.Int(U32, 4)), first, rest)
					b.SetBlock(first)
					b.Store(Shared, b.Index(own, i, typ), b.Const(typ, 0))
					b.Jump(rest)
					b.SetBlock(rest)
					b.Barrier()
					s := b.Atomic(op, Shared, b.Index(own, i, typ), args...)
					g := b.Atomic(op, Global, b.Index(cells, i, typ), args...)
					b.Barrier()
					result := []*Value{s, b.Load(Shared, typ, b.Index(own, i, typ)), g}
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

// TestLocksAmongThreadsOfABlock has every thread take a lock, add to a plain counter and give the lock back. Those that try in
// vain must not keep the one that has the lock from going on.
func TestLocksAmongThreadsOfABlock(t *testing.T) {
	const grid, block = 3, 70
	f := kernel(t, func(b *Builder, tid *Value) []*Value {
		lock := b.Op(OpAdd, param(b), b.Int(U64, 8*grid*block))
		counter := b.Op(OpAdd, lock, b.Int(U64, 8))
		try, work, done := b.NewBlock("try"), b.NewBlock("work"), b.NewBlock("done")
		b.Jump(try)
		b.SetBlock(try)
		old := b.Atomic(OpAtomicCAS, Global, lock, b.Int(U32, 0), b.Int(U32, 1))
		b.Branch(b.Op(OpEq, old, b.Int(U32, 0)), work, try)
		b.SetBlock(work)
		b.Fence(DeviceScope)
		b.Store(Global, counter, b.Op(OpAdd, b.Load(Global, U64, counter), b.Int(U64, 1)))
		b.Fence(DeviceScope)
		b.Atomic(OpAtomicExch, Global, lock, b.Int(U32, 0))
		b.Jump(done)
		b.SetBlock(done)
		return []*Value{tid}
	})
	if n := word(runBoth(t, f, grid, block, grid*block+2), grid*block+1); n != grid*block {
		t.Errorf("%d threads counted, want %d", n, grid*block)
	}
}

// TestAtomicSumsOfFloatsAreTheSameEveryRun adds floats of very different sizes from many blocks.
func TestAtomicSumsOfFloatsAreTheSameEveryRun(t *testing.T) {
	const grid, block = 64, 64
	f := kernel(t, func(b *Builder, tid *Value) []*Value {
		x := b.Op(OpExp, b.Convert(F32, b.Op(OpAnd, b.Op(OpAdd, tid, b.Special(CtaidX)), b.Int(U32, 31))))
		b.Atomic(OpAtomicAdd, Global, b.Op(OpAdd, param(b), b.Int(U64, 8*grid*block)), x)
		return []*Value{tid}
	})
	var sums []uint64
	for range 5 {
		m, out := NewMemory(), make([]byte, 8*grid*block+8)
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
		runBoth(t, kernel(t, func(b *Builder, tid *Value) []*Value {
			b.ConstTable("unused", U8, []byte{1, 2, 3})
			cubes, scratch := b.ConstTable("cubes", U64, table), b.LocalArray("scratch", U64, 8)
			wide := b.Convert(I64, tid)
			for i := range 8 { // scratch[i] = tid*i
				b.Store(Local, b.Op(OpAdd, scratch, b.Int(U64, int64(8*i))), b.Convert(U64, b.Op(OpMul, wide, b.Int(I64, int64(i)))))
			}
			at := func(k int64) *Value {
				return b.Op(OpAnd, b.Op(OpMul, wide, b.Int(I64, k)), b.Int(I64, 7))
			}
			small := b.Op(OpAdd, scratch, b.Int(U64, 4))
			vs := b.LoadVector(Local, U32, 2, b.Op(OpAdd, scratch, b.Int(U64, 48)))
			return []*Value{b.Load(Const, U64, b.Index(cubes, at(3), U64)), b.Load(Local, U64, b.Index(scratch, at(5), U64)),
				b.Load(Local, U32, small), vs[0], vs[1], b.Load(Const, U64, b.Op(OpAdd, cubes, b.Int(U64, 24)))}
		}), 9, block, 9*block*6)
	}
}

func TestChecksAndPrintf(t *testing.T) {
	b := NewBuilder("k")
	b.Pos = Pos{"cell 2", 4, 7}
	tid := b.Special(TidX)
	b.Printf("thread %d: %v %.2f\n", tid, b.Op(OpLt, tid, b.Int(U32, 1)), b.Op(OpDiv, b.Convert(F32, tid), b.Const(F32, 3)))
	b.Check(CheckIndex, b.Op(OpLt, tid, b.Int(U32, 3)), b.Convert(I64, tid), b.Int(I64, 3), "xs[i]")
	b.Return()
	f, err := b.Func()
	if err != nil {
		t.Fatal(err)
	}
	for threads, want := range map[int]string{
		3: "", 4: "cell 2, line 4, column 7: kernel k: thread (3) of block (0): index 3 is out of range: the length is 3 (xs[i])",
	} {
		p, err := Compile(f)
		if err != nil {
			t.Fatal(err)
		}
		var out, fromRef strings.Builder
		_, err = p.Run(context.Background(), Launch{Grid: D1(2), Block: D1(threads), Output: &out})
		var trap *Trap
		if want == "" && err != nil || want != "" && (!errors.As(err, &trap) || err.Error() != want) {
			t.Errorf("%d threads: %v", threads, err)
		}
		refErr := ref.Run(f, ref.Launch{Grid: D1(2), Block: D1(threads), Output: &fromRef})
		if (refErr == nil) != (want == "") {
			t.Errorf("%d threads: the reference: %v", threads, refErr)
		}
		if text := "thread 0: true 0.00\nthread 1: false 0.33\nthread 2: false 0.67\n"; want == "" && (out.String() != text+text || fromRef.String() != text+text) {
			t.Errorf("printed %q and %q", out.String(), fromRef.String())
		}
	}
}

func TestPrintfIsBounded(t *testing.T) {
	b := NewBuilder("loud")
	b.Printf(strings.Repeat("x", 1000) + "\n")
	b.Return()
	f, err := b.Func()
	if err != nil {
		t.Fatal(err)
	}
	p, err := Compile(f)
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	if _, err := p.Run(context.Background(), Launch{Grid: D1(100), Block: D1(100), Output: &out}); err != nil {
		t.Fatal(err)
	}
	if n := out.Len(); n > 1<<20+200 || !strings.HasSuffix(out.String(), "the rest of the launch's output is left out\n") {
		t.Errorf("%d bytes, at the end %q", n, out.String()[n-100:])
	}
}

func ExampleLaunch_output() {
	b := NewBuilder("hello")
	b.Printf("hello from thread %d\n", b.Special(TidX))
	b.Return()
	f, _ := b.Func()
	p, _ := Compile(f)
	_, err := p.Run(context.Background(), Launch{Grid: D1(1), Block: D1(2)})
	fmt.Println(err)
	// Output:
	// hello from thread 0
	// hello from thread 1
	// <nil>
}
