package cpu

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/kir/internal/testkernels"
)

func mustCompile(t testing.TB, f *kir.Func) *Program {
	t.Helper()
	p, err := Compile(f)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestSaxpyEqualsPlainGo(t *testing.T) {
	const n = 1000 // the last block is not full
	x, y, want := make([]float32, n), make([]float32, n), make([]float32, n)
	for i := range x {
		x[i], y[i] = float32(i)/3, float32(n-i)
		want[i] = float32(2.5*x[i]) + y[i]
	}
	m := NewMemory()
	m.Map(1<<32, testkernels.FloatBytes(x))
	m.Map(1<<33, testkernels.FloatBytes(y))
	c, err := mustCompile(t, testkernels.SaxpyKernel(t)).Run(context.Background(),
		Launch{Grid: kir.D1(8), Block: kir.D1(128), Params: testkernels.PackParams(n, 1<<32, 1<<33), Memory: m})
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(y, want) {
		t.Errorf("got %v\nwant %v", y, want)
	}
	// Entry: 5 specials and conversions of 3 (all but params), mul, add, lt, branch; in: 2 x (mul, convert, add), 2
	// loads, mul, add, store. See Block.Instructions.
	f := testkernels.SaxpyKernel(t)
	full := int64(f.Blocks[0].Instructions()+f.Blocks[1].Instructions()) * 128
	last := int64(f.Blocks[0].Instructions())*128 + int64(f.Blocks[1].Instructions())*(n-7*128)
	if c.ThreadInstructions[0] != full || c.ThreadInstructions[7] != last {
		t.Errorf("instructions %v, want %d in full blocks and %d in the last", c.ThreadInstructions, full, last)
	}
}

func TestInstructionsLeaveOutWhatIsFree(t *testing.T) {
	b := kir.NewBuilder("k")
	p := b.Param("p", kir.U64)                   // free
	x := b.Load(kir.Global, kir.F32, p)          // 1
	y := b.Op(kir.OpAdd, x, b.Const(kir.F32, 1)) // 1, the constant is free
	b.Store(kir.Global, p, y)                    // 1
	b.Barrier()                                  // 1
	yes, no := b.NewBlock("y"), b.NewBlock("n")
	b.Branch(b.Op(kir.OpLt, x, y), yes, no) // 2
	b.SetBlock(yes)
	b.Return()
	b.SetBlock(no)
	b.Return()
	if got := testkernels.MustFunc(t, b).Blocks[0].Instructions(); got != 6 {
		t.Errorf("%d instructions, want 6", got)
	}
}

func TestMatmulEqualsPlainGo(t *testing.T) {
	const n, tile = 32, 8
	x, y, z := testkernels.Ramp[float32](n*n), testkernels.Ramp[float32](n*n), make([]float32, n*n)
	m := NewMemory()
	m.Map(1<<32, testkernels.FloatBytes(x))
	m.Map(1<<33, testkernels.FloatBytes(y))
	m.Map(1<<34, testkernels.FloatBytes(z))
	for _, f := range []*kir.Func{testkernels.MatmulKernel(t, tile), optimize(testkernels.MatmulKernel(t, tile))} {
		clear(z)
		l := Launch{Grid: kir.Dim3{X: n / tile, Y: n / tile, Z: 1}, Block: kir.Dim3{X: tile, Y: tile, Z: 1}, Params: testkernels.PackParams(n, 1<<32, 1<<33, 1<<34), Memory: m}
		if _, err := mustCompile(t, f).Run(context.Background(), l); err != nil {
			t.Fatal(err)
		}
		for i := range n {
			for j := range n {
				var sum float32
				for k := range n {
					sum += float32(x[i*n+k] * y[k*n+j])
				}
				if z[i*n+j] != sum {
					t.Fatalf("c[%d,%d] = %v, want %v", i, j, z[i*n+j], sum)
				}
			}
		}
	}
}

// TestValuesOutliveTheLoopOfOthers has thread t leave a loop after t+1 rounds. What it computed in its last round must
// survive the rounds of the others: a loaded value, one computed from it, and one read at the same address by all.
func TestValuesOutliveTheLoopOfOthers(t *testing.T) {
	const threads = 8
	b := kir.NewBuilder("k")
	in, out, cell := b.Param("in", kir.U64), b.Param("out", kir.U64), b.Param("cell", kir.U64)
	tid := b.Convert(kir.I64, b.Special(kir.TidX))
	loop, exit := b.NewBlock("loop", kir.I64), b.NewBlock("exit")
	b.Jump(loop, b.Int(kir.I64, 0))
	b.SetBlock(loop)
	i := loop.Params[0]
	loaded := b.Load(kir.Global, kir.I64, b.Index(in, i, kir.I64))
	other := b.Load(kir.Global, kir.I64, b.Index(in, b.Op(kir.OpAdd, i, b.Int(kir.I64, threads)), kir.I64))
	computed := b.Op(kir.OpMul, other, b.Int(kir.I64, 3))
	b.Store(kir.Global, cell, i) // the same for all that are here
	same := b.Load(kir.Global, kir.I64, cell)
	b.BranchTo(b.Op(kir.OpLt, i, tid), kir.Edge{To: loop, Args: []*kir.Value{b.Op(kir.OpAdd, i, b.Int(kir.I64, 1))}}, kir.Edge{To: exit})
	b.SetBlock(exit)
	at := b.Op(kir.OpMul, tid, b.Int(kir.I64, 3))
	for k, v := range []*kir.Value{loaded, computed, same} {
		b.Store(kir.Global, b.Index(out, b.Op(kir.OpAdd, at, b.Int(kir.I64, int64(k))), kir.I64), v)
	}
	b.Return()
	src, dst, m := make([]byte, 2*threads*8), make([]byte, 3*threads*8), NewMemory()
	for i := range 2 * threads {
		binary.LittleEndian.PutUint64(src[8*i:], uint64(100+i))
	}
	m.Map(1<<32, src)
	m.Map(1<<33, dst)
	m.Map(1<<34, make([]byte, 8))
	l := Launch{Grid: kir.D1(1), Block: kir.D1(threads), Params: testkernels.PackParams(1<<32, 1<<33, 1<<34), Memory: m}
	if _, err := mustCompile(t, testkernels.MustFunc(t, b)).Run(context.Background(), l); err != nil {
		t.Fatal(err)
	}
	for i := range threads {
		for k, want := range []int{100 + i, 3 * (100 + i + threads), i} {
			if got := binary.LittleEndian.Uint64(dst[8*(3*i+k):]); got != uint64(want) {
				t.Errorf("thread %d, value %d: %d, want %d", i, k, got, want)
			}
		}
	}
}

// stepLog records the order of steps and the addresses of accesses of one block.
type stepLog struct {
	lines []string
	ends  int
}

func (s *stepLog) Step(blk *kir.Block, threads []int32) {
	s.lines = append(s.lines, fmt.Sprintf("%s %v", blk.Name, threads))
}

func (s *stepLog) Access(v *kir.Value, threads []int32, at Addresses) {
	addrs := at.List()
	s.lines = append(s.lines, fmt.Sprintf("  %v %v %v", v.Op, threads, addrs))
	if base, step, ok := at.Affine(); ok {
		for i, t := range threads { // of blocks in x alone
			if want := base + uint64(step[0])*uint64(t); addrs[i] != want {
				s.lines = append(s.lines, fmt.Sprintf("thread %d went to %d, by the rule to %d", t, addrs[i], want))
			}
		}
	}
}

func (s *stepLog) End() { s.ends++ }

// TestDivergentThreadsMeetWherePathsJoin runs a loop of tid rounds for 4 threads, whose body branches on the parity of
// the round. The order follows from the rule: the lowest numbered block with waiting threads runs.
func TestDivergentThreadsMeetWherePathsJoin(t *testing.T) {
	for _, exitFirst := range []bool{false, true} { // the order of the branch's targets must not matter
		b := kir.NewBuilder("k")
		p := b.Param("p", kir.U64)
		tid := b.Special(kir.TidX)
		head, body := b.NewBlock("head", kir.U32), b.NewBlock("body")
		odd, even, latch, exit := b.NewBlock("odd"), b.NewBlock("even"), b.NewBlock("latch"), b.NewBlock("exit")
		b.Jump(head, b.Int(kir.U32, 0))
		b.SetBlock(head)
		i := head.Params[0]
		if exitFirst {
			b.Branch(b.Op(kir.OpGe, i, tid), exit, body)
		} else {
			b.Branch(b.Op(kir.OpLt, i, tid), body, exit)
		}
		b.SetBlock(body)
		b.Branch(b.Op(kir.OpEq, b.Op(kir.OpAnd, b.Op(kir.OpAdd, i, tid), b.Int(kir.U32, 1)), b.Int(kir.U32, 1)), odd, even)
		b.SetBlock(odd)
		b.Jump(latch)
		b.SetBlock(even)
		b.Jump(latch)
		b.SetBlock(latch)
		b.Jump(head, b.Op(kir.OpAdd, i, b.Int(kir.U32, 1)))
		b.SetBlock(exit)
		b.Store(kir.Global, b.Index(p, b.Convert(kir.I64, tid), kir.U32), i)
		b.Return()
		var log stepLog
		out, m := make([]byte, 16), NewMemory()
		m.Map(4096, out)
		_, err := mustCompile(t, testkernels.MustFunc(t, b)).Run(context.Background(), Launch{
			Grid: kir.D1(1), Block: kir.D1(4), Params: testkernels.PackParams(4096), Memory: m, Record: func(int) Recorder { return &log },
		})
		if err != nil {
			t.Fatal(err)
		}
		want := []string{
			"entry [0 1 2 3]", "head [0 1 2 3]",
			"body [1 2 3]", "odd [1 3]", "even [2]", "latch [1 2 3]", "head [1 2 3]",
			"body [2 3]", "odd [2]", "even [3]", "latch [2 3]", "head [2 3]",
			"body [3]", "odd [3]", "latch [3]", "head [3]",
			"exit [0 1 2 3]", "  store [0 1 2 3] [4096 4100 4104 4108]",
		}
		if !reflect.DeepEqual(log.lines, want) {
			t.Errorf("exitFirst %v:\n%s\nwant\n%s", exitFirst, strings.Join(log.lines, "\n"), strings.Join(want, "\n"))
		}
		for i := range 4 {
			if got := binary.LittleEndian.Uint32(out[4*i:]); got != uint32(i) {
				t.Errorf("thread %d counted %d", i, got)
			}
		}
	}
}

func TestRecordingOnlyWhereAsked(t *testing.T) {
	const n = 512
	m := NewMemory()
	m.Map(1<<32, make([]byte, 4*n))
	m.Map(1<<33, make([]byte, 4*n))
	var mu sync.Mutex
	logs := map[int]*stepLog{}
	l := Launch{Grid: kir.D1(4), Block: kir.D1(128), Params: testkernels.PackParams(n, 1<<32, 1<<33), Memory: m}
	l.Record = func(cta int) Recorder {
		if cta%2 == 0 {
			return nil
		}
		mu.Lock()
		defer mu.Unlock()
		logs[cta] = &stepLog{}
		return logs[cta]
	}
	if _, err := mustCompile(t, testkernels.SaxpyKernel(t)).Run(context.Background(), l); err != nil {
		t.Fatal(err)
	}
	if len(logs) != 2 || logs[1] == nil || logs[3] == nil {
		t.Fatalf("recorded %d blocks", len(logs))
	}
	if logs[1].ends != 1 || logs[3].ends != 1 {
		t.Errorf("the blocks ended %d and %d times", logs[1].ends, logs[3].ends)
	}
	if got := len(logs[3].lines); got != 3+3 { // three basic blocks, two loads and a store
		t.Errorf("%d calls:\n%s", got, strings.Join(logs[3].lines, "\n"))
	}
}

// strayKernel is p[tid*step] = 1 in u32.
func strayKernel(t *testing.T, step int64) *Program {
	b := kir.NewBuilder("stray")
	b.Pos = kir.Pos{File: "cell 3", Line: 7, Col: 2}
	p := b.Param("p", kir.U64)
	addr := b.Op(kir.OpAdd, p, b.Convert(kir.U64, b.Op(kir.OpMul, b.Convert(kir.I64, b.Special(kir.TidX)), b.Int(kir.I64, step))))
	b.Store(kir.Global, addr, b.Int(kir.U32, 1))
	b.Block().Values[len(b.Block().Values)-1].Note = "p[i]"
	b.Return()
	return mustCompile(t, testkernels.MustFunc(t, b))
}

func TestTraps(t *testing.T) {
	for _, c := range []struct {
		name   string
		step   int64
		addr   uint64 // of the parameter
		thread int
		want   string
	}{
		{"over the end", 4, 8192, 16, "cell 3, line 7, column 2: kernel stray: thread (16) of block (0), p[i]: store of 4 bytes at global address 0x2040 " +
			"is out of bounds: 64 bytes from the start of a buffer of 64 bytes"},
		{"over the end in part", 4, 8192 - 4, 0, "is out of bounds: 4 bytes before a buffer of 64 bytes"},
		{"misaligned", 2, 8192, 1, "0x2002 is not aligned: it must be a multiple of 4"},
		{"nowhere", 4, 1 << 40, 0, "is in no buffer"},
		{"read only", 4, 1 << 30, 0, "is in a buffer of 64 bytes that the kernel has no pointer to write through"},
		{"read only, one by one", 68, 1 << 30, 0, "no pointer to write through"},
		{"nil", 0, 0, 0, "address 0x0 is out of bounds: 8192 bytes before a buffer"},
	} {
		m := NewMemory()
		m.Map(8192, make([]byte, 64))
		m.MapReadOnly(1<<30, make([]byte, 64))
		p := strayKernel(t, c.step)
		_, err := p.Run(context.Background(), Launch{Grid: kir.D1(3), Block: kir.D1(64), Params: testkernels.PackParams(int(c.addr)), Memory: m, Workers: 1})
		var trap *kir.Trap
		if !errors.As(err, &trap) {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if trap.Thread.X != c.thread || trap.Block.X != 0 || trap.Value.Op != kir.OpStore || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

func TestSharedMemoryIsBounded(t *testing.T) {
	b := kir.NewBuilder("k")
	a := b.SharedArray("tile", kir.F64, 4)
	b.Store(kir.Shared, b.Index(a, b.Convert(kir.I64, b.Special(kir.TidX)), kir.F64), b.Const(kir.F64, 1))
	b.Return()
	p := mustCompile(t, testkernels.MustFunc(t, b))
	_, err := p.Run(context.Background(), Launch{Grid: kir.D1(1), Block: kir.D1(5)})
	if err == nil || !strings.Contains(err.Error(), "outside of the block's 32 bytes of shared memory") {
		t.Error(err)
	}
	if _, err := p.Run(context.Background(), Launch{Grid: kir.D1(1), Block: kir.D1(5), SharedBytes: 8}); err != nil {
		t.Errorf("with dynamic shared memory behind the array: %v", err)
	}
}

func TestDivergentBarriersAreAnError(t *testing.T) {
	b := kir.NewBuilder("k")
	yes, no, join := b.NewBlock("yes"), b.NewBlock("no"), b.NewBlock("join")
	b.Branch(b.Op(kir.OpLt, b.Special(kir.TidX), b.Int(kir.U32, 3)), yes, no)
	b.SetBlock(yes)
	b.Barrier()
	b.Jump(join)
	b.SetBlock(no)
	b.Pos = kir.Pos{Line: 9}
	b.Barrier()
	b.Jump(join)
	b.SetBlock(join)
	b.Return()
	_, err := mustCompile(t, testkernels.MustFunc(t, b)).Run(context.Background(), Launch{Grid: kir.D1(1), Block: kir.D1(8)})
	var be *kir.BarrierError
	if !errors.As(err, &be) || be.Waiting != [2]int{3, 5} || be.Thread[1].X != 3 {
		t.Fatalf("%v", err)
	}
	for _, want := range []string{"in block b1 yes", "at :9", "5 threads"} {
		if !strings.Contains(err.Error(), strings.TrimPrefix(want, "at :")) {
			t.Errorf("%q is not in %q", want, err)
		}
	}
}

// TestReturnedThreadsCountAsArrived has half of the threads return before the barrier that the others come to.
func TestReturnedThreadsCountAsArrived(t *testing.T) {
	b := kir.NewBuilder("k")
	out, stay := b.NewBlock("out"), b.NewBlock("stay")
	b.Branch(b.Op(kir.OpLt, b.Special(kir.TidX), b.Int(kir.U32, 4)), out, stay)
	b.SetBlock(out)
	b.Return()
	b.SetBlock(stay)
	b.Barrier()
	b.Return()
	if _, err := mustCompile(t, testkernels.MustFunc(t, b)).Run(context.Background(), Launch{Grid: kir.D1(2), Block: kir.D1(8)}); err != nil {
		t.Error(err)
	}
}

func endless(t testing.TB) *Program {
	b := kir.NewBuilder("endless")
	loop := b.NewBlock("loop", kir.I64)
	b.Jump(loop, b.Int(kir.I64, 0))
	b.SetBlock(loop)
	b.Jump(loop, b.Op(kir.OpAdd, loop.Params[0], b.Int(kir.I64, 1)))
	return mustCompile(t, testkernels.MustFunc(t, b))
}

func TestCancellation(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
	defer cancel()
	start := time.Now()
	_, err := endless(t).Run(ctx, Launch{Grid: kir.D1(100), Block: kir.D1(256)})
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Error(err)
	}
	if d := time.Since(start); d > 5*time.Second { // 50 ms are promised; a loaded machine may schedule late
		t.Errorf("Run returned after %v", d)
	}
}

// TestLowestBlockTraps has every block but the first trap: the error is that of block 1, however many workers run.
func TestLowestBlockTraps(t *testing.T) {
	b := kir.NewBuilder("k")
	p := b.Param("p", kir.U64)
	b.Store(kir.Global, b.Index(p, b.Convert(kir.I64, b.Special(kir.CtaidX)), kir.U64), b.Int(kir.U64, 1))
	b.Return()
	prog := mustCompile(t, testkernels.MustFunc(t, b))
	m := NewMemory()
	m.Map(4096, make([]byte, 8))
	for range 50 {
		_, err := prog.Run(context.Background(), Launch{Grid: kir.D1(1000), Block: kir.D1(32), Params: testkernels.PackParams(4096), Memory: m, Workers: 4})
		var trap *kir.Trap
		if !errors.As(err, &trap) || trap.Block.X != 1 {
			t.Fatal(err)
		}
	}
}

func TestLaunchChecks(t *testing.T) {
	p := mustCompile(t, testkernels.SaxpyKernel(t))
	good := Launch{Grid: kir.D1(1), Block: kir.D1(1), Params: testkernels.PackParams(0, 0, 0)}
	for want, change := range map[string]func(*Launch){
		"":                          func(l *Launch) {},
		"at least 1":                func(l *Launch) { l.Grid.Z = 0 },
		"may have 1024 threads":     func(l *Launch) { l.Block = kir.Dim3{X: 64, Y: 17, Z: 1} },
		"may have 2147483647":       func(l *Launch) { l.Grid = kir.Dim3{X: 1 << 20, Y: 1 << 20, Z: 1} },
		"take 24 bytes, not 25":     func(l *Launch) { l.Params = append(l.Params, 0) },
		"-1 bytes of dynamic share": func(l *Launch) { l.SharedBytes = -1 },
	} {
		l := good
		change(&l)
		_, err := p.Run(context.Background(), l)
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("want %q, got %v", want, err)
		}
	}
}

func TestMemory(t *testing.T) {
	m := NewMemory()
	m.Map(100, make([]byte, 10))
	m.Map(110, make([]byte, 10)) // right behind
	m.Map(50, nil)               // nothing
	for _, c := range []struct {
		base uint64
		n    int
		ok   bool
	}{{95, 5, true}, {120, 1, true}, {96, 5, false}, {105, 1, false}, {119, 9, false}, {90, 100, false}, {^uint64(0), 1, true}, {^uint64(0), 2, false}} {
		panicked := func() (p bool) {
			defer func() { p = recover() != nil }()
			m.Map(c.base, make([]byte, c.n))
			return false
		}()
		if panicked == c.ok {
			t.Errorf("mapping %d bytes at %d: panics %v", c.n, c.base, panicked)
		}
		if c.ok {
			m.Unmap(c.base)
		}
	}
	segs := tableOf(m)
	for addr, want := range map[uint64]uint64{99: 0, 100: 100, 109: 100, 110: 110, 119: 110, 120: 0} {
		got := uint64(0)
		if s := segs.find(addr, 1); s != nil {
			got = s.base
		}
		if got != want {
			t.Errorf("address %d is found in %d, not %d", addr, got, want)
		}
	}
}

// Memory that is only read can be, and takes no atomics either.
func TestReadOnlyMemory(t *testing.T) {
	for _, c := range []struct {
		name string
		body func(b *kir.Builder, from, to *kir.Value)
		ok   bool
	}{
		{"load", func(b *kir.Builder, from, to *kir.Value) { b.Store(kir.Global, to, b.Load(kir.Global, kir.U32, from)) }, true},
		{"atomic", func(b *kir.Builder, from, to *kir.Value) {
			b.Atomic(kir.OpAtomicAdd, kir.Global, from, b.Const(kir.U32, 1))
		}, false},
	} {
		b := kir.NewBuilder(c.name)
		c.body(b, b.Param("from", kir.U64), b.Param("to", kir.U64))
		b.Return()
		f, err := b.Func()
		if err != nil {
			t.Fatal(err)
		}
		p, err := Compile(f)
		if err != nil {
			t.Fatal(err)
		}
		m, out, in := NewMemory(), make([]byte, 4), []byte{1, 2, 3, 4}
		m.MapReadOnly(1024, in)
		m.Map(2048, out)
		_, err = p.Run(context.Background(), Launch{Grid: kir.D1(1), Block: kir.D1(1), Params: testkernels.PackParams(1024, 2048), Memory: m})
		if (err == nil) != c.ok || c.ok && out[3] != 4 || in[0] != 1 {
			t.Errorf("%s: %v; %v, %v", c.name, err, in, out)
		}
	}
}
