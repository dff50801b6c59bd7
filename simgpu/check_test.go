package simgpu

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/internal/testsize"
	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/kir/random"
)

// checkedUnder are machines with policies that let threads come in different orders.
func checkedUnder() []struct {
	preset  string
	options []Option
} {
	return []struct {
		preset  string
		options []Option
	}{
		{"v100", nil},
		{"v100", []Option{WithDivergence(NREC{}), WithIssuePolicy(LRR{}), WithBlockOrder(Shuffle(7)), AsWritten()}},
		{"tiny", []Option{WithIssuePolicy(Barrel{}), AsWritten()}},
		{"v100", []Option{WithDivergence(MIMD{}), AsWritten()}},
		{"fermisbi", []Option{WithDivergence(TF{}), WithCoIssue(SWI{Sets: 4}), WithLanes(XorRev), Change(func(p *Preset) { p.WarpSize, p.Schedulers = 64, 1 })}},
		{"gtx480", []Option{WithDivergence(TF{}), AsWritten()}},
		{"tesla2009", []Option{WithDivergence(DWF{}), WithLanes(Swizzle), AsWritten()}},
		{"v100", []Option{WithDivergence(DWF{Policy: DPC, RegFile: Ported, Pool: 3})}},
		{"fermisbi", []Option{WithIssuePolicy(TwoLevel{2})}}, // warps of 64
		{"fermisbi-64", []Option{WithDivergence(SBI{WholeAccesses: true})}},
		{"fermivt", []Option{WithCTAs(VT{}), WithSMs(1), Change(func(p *Preset) { p.MaxBlocksPerSM = 2 })}},
		{"fermisbi-64", []Option{WithDivergence(SBI{Constraints: true, WholeAccesses: true}), WithCoIssue(SWI{Sets: 2}), WithLanes(Xor), AsWritten()}},
	}
}

// Random kernels leave the same memory in whatever order their threads issue; Launch itself fails if they do not.
func TestCheckOfRandomKernels(t *testing.T) {
	for seed := range testsize.Seeds("simgpu.TestCheckOfRandomKernels") {
		k := random.New(seed, random.All)
		for i, m := range checkedUnder() {
			if !testsize.Part(int(seed)+i, 3) {
				continue
			}
			b := newBench(t, m.preset, append(m.options, Check())...)
			in, out := b.put(k.Input), b.put(k.Output())
			loaded, err := b.gpu.Load(k.Func)
			if err != nil {
				t.Fatal(err)
			}
			b.stream.Launch(loaded, k.Grid, k.Block, 0, k.At(in.Addr(), out.Addr()))
			if err := b.stream.Sync(context.Background()); err != nil {
				t.Fatalf("seed %d on machine %d: %v\n%v", seed, i, err, k.Func)
			}
		}
	}
}

// Executing changes no time: the cycles are those of the replay of all blocks. A short test has a third of launches and
// machines, each turn another.
func TestCheckOfLaunches(t *testing.T) {
	at := 0
	for _, c := range launchCases(t) {
		for i, m := range checkedUnder() {
			if at++; !testsize.Part(at, 3) {
				continue
			}
			var cycles [2]int64
			for j, option := range []Option{Full(), Check()} {
				b := newBench(t, m.preset, append(m.options, option)...)
				params, check := c.setUp(b)
				cycles[j] = b.launch(c.f, c.grid, c.block, params...).Stats.Cycles
				check()
			}
			if cycles[0] != cycles[1] {
				t.Errorf("%s on machine %d: %d cycles, with Check %d", c.name, i, cycles[0], cycles[1])
			}
		}
	}
}

// neighbour lets thread i of a block of 1024 write s[i] and read what a thread of another warp wrote, the first warp of
// the last and so on, with a barrier between or without one.
func neighbour(t *testing.T, barrier bool) *kir.Func {
	b := kir.NewBuilder("neighbour")
	out := b.Param("out", kir.U64)
	s := b.SharedArray("s", kir.I32, 1024)
	tid := b.Special(kir.TidX)
	at := func(i *kir.Value) *kir.Value { return b.Index(s, b.Convert(kir.I64, i), kir.I32) }
	b.Pos = kir.Pos{File: "cell 3", Line: 6}
	b.Store(kir.Shared, at(tid), b.Convert(kir.I32, tid))
	if barrier {
		b.Barrier()
	}
	b.Pos = kir.Pos{File: "cell 3", Line: 8}
	other := b.Op(kir.OpXor, tid, b.Int(kir.U32, 992))
	b.Store(kir.Global, b.Index(out, b.Convert(kir.I64, tid), kir.I32), b.Load(kir.Shared, kir.I32, at(other)))
	b.Return()
	return build(t, b)
}

// A kernel without the barrier that it needs leaves other memory when its warps take turns: the functional pass runs
// all threads of a block side by side, the machine one warp after the other.
func TestCheckFindsAMissingBarrier(t *testing.T) {
	for _, barrier := range []bool{true, false} {
		b := newBench(t, "v100", Check(), WithIssuePolicy(Oldest{}))
		k, err := b.gpu.Load(neighbour(t, barrier))
		if err != nil {
			t.Fatal(err)
		}
		b.stream.Launch(k, kir.D1(1), kir.D1(1024), 0, pack(t, b.alloc(4096)))
		err = b.stream.Sync(context.Background())
		var order *OrderError
		if errors.As(err, &order) == barrier {
			t.Errorf("barrier %v: %v", barrier, err)
		}
		if barrier {
			continue
		}
		for _, says := range []string{"the buffer that out points into", "race: thread", "at cell 3, line 6 writes", "at cell 3, line 8 reads", "a barrier must stand between"} {
			if !strings.Contains(order.Error(), says) {
				t.Errorf("%v\nand not %q", order, says)
			}
		}
		if p := order.Pos; p.File != "cell 3" || p.Line != 6 && p.Line != 8 {
			t.Errorf("the error is at %v", p)
		}
	}
}

// waits is a kernel in which each thread goes round a loop until the word at its parameter p is not 0; how says what
// reads it.
func waits(t *testing.T, how string) *kir.Func {
	b := kir.NewBuilder("waits")
	p := b.Param("p", kir.U64)
	zero, one := b.Int(kir.U32, 0), b.Int(kir.U32, 1)
	head, body, done := b.NewBlock("head", kir.U32), b.NewBlock("body"), b.NewBlock("done")
	b.Jump(head, zero)
	b.SetBlock(head)
	i := head.Params[0]
	b.Pos = kir.Pos{File: "cell 3", Line: 8}
	var again *kir.Value
	next := i
	switch how {
	case "load":
		again = b.Op(kir.OpEq, b.Load(kir.Global, kir.U32, p), zero)
	case "lock":
		again = b.Op(kir.OpNe, b.Atomic(kir.OpAtomicCAS, kir.Global, p, zero, one), zero)
	case "exchange":
		again = b.Op(kir.OpNe, b.Atomic(kir.OpAtomicExch, kir.Global, p, one), zero)
	case "add nothing":
		again = b.Op(kir.OpEq, b.Atomic(kir.OpAtomicAdd, kir.Global, p, zero), zero)
	case "counted": // it gives up in the end
		next = b.Op(kir.OpAdd, i, one)
		again = b.Op(kir.OpAnd, b.Op(kir.OpEq, b.Load(kir.Global, kir.U32, p), zero), b.Op(kir.OpLt, i, b.Int(kir.U32, 9)))
	case "tickets": // each round takes one
		again = b.Op(kir.OpLt, b.Atomic(kir.OpAtomicAdd, kir.Global, p, one), b.Int(kir.U32, 9))
	case "walk": // it goes through the words
		next = b.Op(kir.OpAdd, i, one)
		again = b.Op(kir.OpEq, b.Load(kir.Global, kir.U32, b.Index(p, b.Convert(kir.I64, i), kir.U32)), zero)
	}
	b.Branch(again, body, done)
	b.SetBlock(body)
	b.Jump(head, next)
	b.SetBlock(done)
	b.Return()
	return build(t, b)
}

// TestCheckKnowsThatDivisionsAreLong: a launch that executes far more machine instructions than the engine's, as a
// division of 64 bits is some tens of them, does not go round and round.
func TestCheckKnowsThatDivisionsAreLong(t *testing.T) {
	b := kir.NewBuilder("divisions")
	out := b.Param("out", kir.U64)
	x := b.Convert(kir.I64, b.GlobalIDX())
	at, sum := x, x
	for range 12 {
		sum = b.Op(kir.OpAdd, sum, x)
		x = b.Op(kir.OpDiv, b.Op(kir.OpAdd, x, b.Int(kir.I64, 1<<40)), b.Op(kir.OpAdd, sum, b.Int(kir.I64, 3)))
	}
	b.Store(kir.Global, b.Op(kir.OpAdd, out, b.Convert(kir.U64, b.Op(kir.OpMul, at, b.Int(kir.I64, 8)))), x)
	b.Return()
	m := newBench(t, "v100", Check())
	k, err := m.gpu.Load(build(t, b))
	require.NoError(t, err)
	m.stream.Launch(k, kir.D1(16), kir.D1(256), 0, pack(t, m.alloc(8*16*256)))
	require.NoError(t, m.stream.Sync(context.Background()))
}

func TestCheckRefusesToWaitForOtherThreads(t *testing.T) {
	for how, refused := range map[string]bool{
		"load": true, "lock": true, "exchange": true, "add nothing": true,
		"counted": false, "tickets": false, "walk": false,
	} {
		b := newBench(t, "v100", Check())
		k, err := b.gpu.Load(waits(t, how))
		if err != nil {
			t.Fatal(err)
		}
		words := make([]byte, 64)
		words[4*15] = 1
		b.stream.Launch(k, kir.D1(1), kir.D1(1), 0, pack(t, b.put(words)))
		end, cancel := context.WithTimeout(ctx, time.Minute) // it waits for ever // what is not refused would never end
		err = b.stream.Sync(end)
		cancel()
		var order *OrderError
		if errors.As(err, &order) != refused {
			t.Errorf("%s: %v", how, err)
			continue
		}
		if refused && !strings.HasPrefix(order.Error(), "cell 3, line 8: kernel waits, checked under pdom, gto, blocks in order: a thread goes round a loop") {
			t.Errorf("%s: %v", how, order)
		}
	}
}

// Lanes that parted meet at a shuffle, whether their policy has brought them together or not.
func TestCheckOfAShuffleAfterABranch(t *testing.T) {
	b := kir.NewBuilder("after")
	out := b.Param("out", kir.U64)
	tid := b.Special(kir.TidX)
	odd, even, join := b.NewBlock("odd"), b.NewBlock("even"), b.NewBlock("join", kir.U32)
	b.Branch(b.Op(kir.OpEq, b.Op(kir.OpAnd, tid, b.Int(kir.U32, 1)), b.Int(kir.U32, 1)), odd, even)
	b.SetBlock(odd)
	b.Store(kir.Global, b.Index(out, b.Convert(kir.I64, b.Op(kir.OpAdd, tid, b.Int(kir.U32, 64))), kir.U32), tid)
	b.Jump(join, b.Op(kir.OpMul, tid, b.Int(kir.U32, 3)))
	b.SetBlock(even)
	b.Jump(join, b.Op(kir.OpMul, tid, b.Int(kir.U32, 5)))
	b.SetBlock(join)
	x := b.Shuffle(kir.NewShuffle(kir.ShuffleXor, 32), join.Params[0], b.Int(kir.U32, 1), b.FullMask())
	b.Store(kir.Global, b.Index(out, b.Convert(kir.I64, tid), kir.U32), x)
	b.Return()
	f := build(t, b)
	for _, d := range []Divergence{PDOM{}, TF{}, SBI{}, NREC{}, MIMD{}, DWF{}} {
		m := newBench(t, "v100", Check(), AsWritten(), WithDivergence(d))
		buf := m.alloc(4 * 128)
		m.launch(f, kir.D1(1), kir.D1(64), buf)
		for i, got := 0, m.get(buf); i < 64; i++ {
			want := uint64(i^1) * uint64(5-2*((i^1)&1))
			if word(got[4*i:4*i+4]) != want {
				t.Fatalf("under %s: thread %d has %d, want %d", d.Name(), i, word(got[4*i:4*i+4]), want)
			}
		}
	}
}

// Thread 0 waits until its neighbour in the warp has written, in a loop that writes too and so could be any loop. The
// functional pass lets threads go on in turn where there is a compare-and-swap. With the stack of PDOM it waits for
// ever, since the taken side of the branch goes first; where lanes that parted take turns it does not.
func TestCheckEndsWhatWaitsForEver(t *testing.T) {
	b := kir.NewBuilder("patient")
	p := b.Param("p", kir.U64)
	one := b.Int(kir.U32, 1)
	wait, write, done := b.NewBlock("wait"), b.NewBlock("write"), b.NewBlock("done")
	b.Branch(b.Op(kir.OpEq, b.Special(kir.TidX), b.Int(kir.U32, 0)), wait, write)
	b.SetBlock(wait)
	b.Pos = kir.Pos{File: "cell 3", Line: 8}
	b.Store(kir.Global, b.Index(p, b.Int(kir.I64, 1), kir.U32), one)
	b.Branch(b.Op(kir.OpEq, b.Atomic(kir.OpAtomicCAS, kir.Global, p, b.Int(kir.U32, 7), one), b.Int(kir.U32, 0)), wait, done)
	b.SetBlock(write)
	b.Atomic(kir.OpAtomicExch, kir.Global, p, one) // a store would race with what waits
	b.Jump(done)
	b.SetBlock(done)
	b.Return()
	f := build(t, b)
	for _, d := range []Divergence{PDOM{}, NREC{}, MIMD{}} {
		m := newBench(t, "tiny", Check(), AsWritten(), WithDivergence(d))
		k, err := m.gpu.Load(f)
		if err != nil {
			t.Fatal(err)
		}
		m.stream.Launch(k, kir.D1(1), kir.D1(2), 0, pack(t, m.alloc(8)))
		end, cancel := context.WithTimeout(ctx, time.Minute)
		err = m.stream.Sync(end)
		cancel()
		var order *OrderError
		switch {
		case d == Divergence(PDOM{}) && (!errors.As(err, &order) || !strings.HasPrefix(err.Error(), "cell 3, line 8: kernel patient, checked under pdom") || order.Thread != (kir.Dim3{})):
			t.Errorf("under %s: %v", d.Name(), err)
		case d != Divergence(PDOM{}) && err != nil:
			t.Errorf("under %s: %v", d.Name(), err)
		}
	}
}

// Threads that wait for ever in the functional pass, in whatever way, are given up with the cell; the stream goes on.
func TestAHangIsInterrupted(t *testing.T) {
	for _, c := range []struct {
		how   string
		holds byte // what the word has, so that nobody stops waiting
	}{{"load", 0}, {"lock", 1}, {"exchange", 1}, {"add nothing", 0}} {
		b := newBench(t, "v100")
		k, err := b.gpu.Load(waits(t, c.how))
		if err != nil {
			t.Fatal(err)
		}
		x := b.put([]byte{c.holds, 0, 0, 0})
		e := b.stream.Launch(k, kir.D1(3), kir.D1(64), 0, pack(t, x))
		limited, cancel := context.WithCancel(ctx)
		time.AfterFunc(50*time.Millisecond, cancel)
		begin := time.Now()
		if err := b.stream.Sync(limited); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: Sync says %v", c.how, err)
		}
		if took := time.Since(begin); took > time.Minute { // 100 ms are promised; the machine may be busy
			t.Errorf("%s: Sync returned after %v", c.how, took)
		}
		if err := e.Wait(ctx); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: the launch says %v", c.how, err)
		}
		b.launch(saxpy(t), kir.D1(1), kir.D1(32), b.alloc(128), b.alloc(128), 32)
	}
}

// Threads that return early from inside a branch are gone: the others of their warp meet after the branch as if those
// had never been, with one return of the kernel or with several, also in a loop that others have left.
func TestCheckOfAShuffleAfterAnEarlyReturn(t *testing.T) {
	bit := func(b *kir.Builder, x *kir.Value, n int64) *kir.Value {
		return b.Op(kir.OpNe, b.Op(kir.OpAnd, x, b.Int(kir.U32, n)), b.Int(kir.U32, 0))
	}
	const some = 0x77777777 // all lanes but each fourth, which returns
	for _, c := range []struct {
		name         string
		loop, shared bool // in a loop; all return at one place
	}{{"several returns", false, false}, {"one return", false, true}, {"in a loop", true, false}, {"in a loop, one return", true, true}} {
		b := kir.NewBuilder("early")
		out := b.Param("out", kir.U64)
		tid := b.Special(kir.TidX)
		head, asks, work, merge, after, ret := b.NewBlock("head", kir.U32), b.NewBlock("asks"), b.NewBlock("work"), b.NewBlock("merge"),
			b.NewBlock("after"), b.NewBlock("ret")
		b.Jump(head, b.Int(kir.U32, 0))
		b.SetBlock(head)
		b.Branch(bit(b, tid, 1), asks, merge)
		b.SetBlock(asks)
		b.Branch(bit(b, tid, 2), ret, work)
		b.SetBlock(work)
		b.Store(kir.Global, b.Index(out, b.Convert(kir.I64, b.Op(kir.OpAdd, tid, b.Int(kir.U32, 64))), kir.U32), tid)
		b.Jump(merge)
		b.SetBlock(merge)
		if round := head.Params[0]; c.loop { // lanes 0 to 3 leave after a round, 4 to 7 after two
			more := b.Op(kir.OpLt, round, b.Op(kir.OpAnd, b.Op(kir.OpShr, tid, b.Int(kir.U32, 2)), b.Int(kir.U32, 3)))
			b.BranchTo(more, kir.Edge{To: head, Args: []*kir.Value{b.Op(kir.OpAdd, round, b.Int(kir.U32, 1))}}, kir.Edge{To: after})
		} else {
			b.WarpBarrier(b.Int(kir.U32, some))
			b.Jump(after)
		}
		b.SetBlock(after)
		x := b.Shuffle(kir.NewShuffle(kir.ShuffleXor, 32), b.Op(kir.OpMul, tid, b.Int(kir.U32, 3)), b.Int(kir.U32, 0), b.Int(kir.U32, some))
		b.Store(kir.Global, b.Index(out, b.Convert(kir.I64, tid), kir.U32), x)
		if c.shared {
			b.Jump(ret)
		} else {
			b.Return()
		}
		b.SetBlock(ret)
		b.Return()
		f := build(t, b)
		for _, d := range []Divergence{PDOM{}, TF{}, SBI{}, NREC{}, MIMD{}, DWF{}} {
			m := newBench(t, "v100", Check(), AsWritten(), WithDivergence(d))
			buf := m.put(make([]byte, 4*128))
			m.launch(f, kir.D1(1), kir.D1(64), buf)
			for i, got := 0, m.get(buf); i < 64; i++ {
				want := uint64(3 * i)
				if i%4 == 3 {
					want = 0
				}
				assert.Equal(t, want, word(got[4*i:4*i+4]), "%s under %s: thread %d", c.name, d.Name(), i)
			}
		}
	}
}
