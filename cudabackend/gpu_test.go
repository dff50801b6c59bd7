package cudabackend

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/arrayrepl/arrayrepl/internal/testsize"
	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/offload/device"
)

var (
	_ device.Device   = (*GPU)(nil)
	_ device.Reserver = (*GPU)(nil)
)

func TestWhatTheDriverSaysOfACard(t *testing.T) {
	b := newBench(t, 2, true)
	names, err := Names()
	if err != nil || strings.Join(names, " ") != "cuda:0 cuda:1" {
		t.Errorf("names %v, %v", names, err)
	}
	version, _, err := DriverVersion()
	if err != nil || version != "12.4" {
		t.Errorf("version %q, %v", version, err)
	}
	// The figures of c/driver.c: 1 GHz, two transfers a clock, 1,024 bits.
	p := b.gpu.Properties()
	if p.Name != "Fake GPU" || p.SMs != 8 || p.WarpSize != 32 || p.MemoryBytes != 64*mb || p.MemoryBandwidth != 256e9 || p.SharedPerBlock != 166912 || p.Modelled {
		t.Errorf("%+v", p)
	}
	if cc := b.gpu.ComputeCapability(); cc != 80 {
		t.Errorf("compute capability %d", cc)
	}
}

// The fake driver does nothing before somebody waits, so results are there only where the package waits for them.
func TestSaxpy(t *testing.T) {
	bothWays(t, func(t *testing.T, newBench maker) {
		withAndWithoutPools(t, func(t *testing.T, pools bool) {
			b := newBench(t, 1, pools)
			const n = 1000
			x, y := b.alloc(b.gpu, 4*n), b.alloc(b.gpu, 4*n)
			out := make([]byte, 4*n)
			in := b.stream.CopyIn(x, 0, ramp(n))
			b.stream.CopyIn(y, 0, ramp(n))
			run := b.stream.Launch(b.load(saxpy(t)), kir.D1(4), kir.D1(256), 0, saxpyParams(x, y, n, n, 2))
			last := b.stream.CopyOut(out, y, 0)
			if _, here := b.gpu.(*GPU); here && float(out, 7) != 0 { // a worker asks
				t.Fatal("the fake driver did not wait to be asked")
			}
			if err := last.Wait(ctx); err != nil {
				t.Fatal(err)
			}
			for i := range n {
				if float(out, i) != 3*float32(i) {
					t.Fatalf("pools %v: y[%d] = %v", pools, i, float(out, i))
				}
			}
			first, second, third := in.Trace(), run.Trace(), last.Trace()
			if first.End > second.Start || second.End > third.Start || first.Duration() <= 0 || second.Duration() <= 0 || second.Modelled {
				t.Errorf("times %v–%v, %v–%v, %v–%v", first.Start, first.End, second.Start, second.End, third.Start, third.End)
			}
			// 2,048 threads an SM, blocks of 256: 8 blocks, full.
			if st := second.Stats; st == nil || st.ResidentBlocks != 8 || st.Theoretical != 1 || st.Registers != 16 || st.TotalBlocks != 4 {
				t.Errorf("stats %+v", second.Stats)
			}
			x.Free()
			y.Free()
			if err := y.Free(); err == nil {
				t.Error("a buffer was freed twice")
			}
			if err := b.gpu.Close(); err != nil || library.Left(0) != 0 || library.Used(0) != 0 {
				t.Errorf("%v; %d bytes were allocated after everything was freed and closed, %d are", err, library.Left(0), library.Used(0))
			}
		})
	})
}

// withAndWithoutPools runs f against a driver that has memory pools, and against an old one.
func withAndWithoutPools(t *testing.T, f func(t *testing.T, pools bool)) {
	for _, pools := range []bool{true, false} {
		t.Run(fmt.Sprintf("pools %v", pools), func(t *testing.T) { f(t, pools) })
	}
}

// What one stream makes and another reads needs a Wait, and has it.
func TestStreamsWaitForEachOther(t *testing.T) {
	bothWays(t, func(t *testing.T, newBench maker) {
		b := newBench(t, 1, true)
		other, err := b.gpu.NewStream(-1)
		if err != nil {
			t.Fatal(err)
		}
		const n = 256
		x, y := b.alloc(b.gpu, 4*n), b.alloc(b.gpu, 4*n)
		k, out := b.load(saxpy(t)), make([]byte, 4*n)
		b.stream.CopyIn(x, 0, ramp(n))
		filled := b.stream.CopyIn(y, 0, ramp(n))
		other.Wait(filled)
		ran := other.Launch(k, kir.D1(1), kir.D1(n), 0, saxpyParams(x, y, n, n, 1))
		b.stream.Wait(ran)
		b.stream.CopyOut(out, y, 0)
		b.sync(b.stream)
		if float(out, 100) != 200 {
			t.Errorf("y[100] = %v", float(out, 100))
		}
		b.sync(other)
	})
}

func TestPeerCopies(t *testing.T) {
	bothWays(t, func(t *testing.T, newBench maker) {
		b := newBench(t, 2, true)
		g, s := b.open(1)
		from, to, out := b.alloc(b.gpu, 4096), b.alloc(g, 4096), make([]byte, 4096)
		want := bytes.Repeat([]byte{1, 2, 3, 4}, 1024)
		s.Wait(b.stream.CopyIn(from, 0, want))
		e := s.CopyPeer(to, 0, from, 0, 4096)
		s.CopyOut(out, to, 0)
		b.sync(s)
		if !bytes.Equal(out, want) {
			t.Error("other bytes came")
		}
		if tr := e.Trace(); tr.Peer != "cuda:0" || tr.Device != "cuda:1" || tr.Bytes != 4096 {
			t.Errorf("%+v", tr)
		}
		b.sync(b.stream)
	})
}

// A freed buffer's memory may be anybody's, but not before the work that was queued is done with it.
func TestMemoryIsFreedAfterItsWork(t *testing.T) {
	testsize.InTurn(t, 0)
	bothWays(t, func(t *testing.T, newBench maker) {
		b := newBench(t, 1, true)
		out := make([]byte, 40*mb)
		want := bytes.Repeat([]byte{7}, 40*mb)
		for range 4 { // together 160 MB of 64
			buf := b.alloc(b.gpu, 40*mb)
			b.stream.CopyIn(buf, 0, want)
			b.stream.CopyOut(out, buf, 0)
			if err := buf.Free(); err != nil {
				t.Fatal(err)
			}
		}
		b.sync(b.stream)
		if !bytes.Equal(out, want) {
			t.Error("a buffer was freed before it was read")
		}
	})
}

func TestOutOfMemoryHasNumbers(t *testing.T) {
	bothWays(t, func(t *testing.T, newBench maker) {
		withAndWithoutPools(t, func(t *testing.T, pools bool) {
			b := newBench(t, 1, pools)
			used := b.alloc(b.gpu, 50*mb)
			_, err := b.gpu.Alloc(20 * mb)
			var full *device.OutOfMemory
			if !errors.As(err, &full) || full.Need != 20*mb || full.Free > 14*mb || full.Size != 64*mb || full.Device != "cuda:0" {
				t.Errorf("%v (%+v)", err, full)
			}
			used.Free()
			b.alloc(b.gpu, 20*mb).Free() // goes on
		})
	})
}

// A check that fails ends the launch with the error that the engine gives, and nothing else: the next launch works.
func TestFailedCheckIsATrap(t *testing.T) {
	bothWays(t, func(t *testing.T, newBench maker) {
		b := newBench(t, 1, true)
		const n = 1000
		f := saxpy(t)
		x, y, k := b.alloc(b.gpu, 4*n), b.alloc(b.gpu, 4*n), b.load(f)
		b.stream.CopyIn(x, 0, ramp(n))
		b.stream.CopyIn(y, 0, ramp(n))
		e := b.stream.Launch(k, kir.D1(4), kir.D1(256), 0, saxpyParams(x, y, n, 600, 2))
		err := e.Wait(ctx)
		var trap *kir.Trap
		if !errors.As(err, &trap) || trap.Kernel != "saxpy" || trap.Block != (kir.Dim3{X: 2}) || trap.Thread != (kir.Dim3{X: 88}) || trap.Figures != [2]int64{600, 600} {
			t.Fatalf("%v", err)
		}
		// As the engine says it: block 2 begins at 512.
		if want := "kernel saxpy: thread (88) of block (2): index 600 is out of range: the length is 600 (y)"; err.Error() != want {
			t.Errorf("%q, want %q", err, want)
		}
		if err := b.stream.Sync(ctx); !errors.As(err, &trap) {
			t.Errorf("Sync: %v", err)
		}
		e = b.stream.Launch(k, kir.D1(4), kir.D1(256), 0, saxpyParams(x, y, n, n, 2))
		if err := e.Wait(ctx); err != nil {
			t.Errorf("the launch after it: %v", err)
		}
		b.sync(b.stream)
	})
}

func TestLaunchLimits(t *testing.T) {
	bothWays(t, func(t *testing.T, newBench maker) {
		b := newBench(t, 1, true)
		x := b.alloc(b.gpu, 4096)
		k, p := b.load(saxpy(t)), saxpyParams(x, x, 1, 1, 1)
		for _, c := range []struct {
			grid, block kir.Dim3
			shared      int
			params      []byte
			want        string
		}{
			{kir.D1(1), kir.D1(1025), 0, p, "number of threads of a block in x is 1025, this card allows 1024"},
			{kir.D1(1), kir.Dim3{X: 32, Y: 64, Z: 1}, 0, p, "number of threads of a block is 2048, this card allows 1024"},
			{kir.Dim3{X: 1, Y: 70000, Z: 1}, kir.D1(1), 0, p, "number of blocks of the grid in y is 70000, this card allows 65535"},
			{kir.D1(1), kir.D1(1), 200_000, p, "number of bytes of shared memory of a block is 200000, this card allows 166912"},
			{kir.D1(1), kir.D1(1), 0, p[:8], "its parameters take 36 bytes, 8 were given"},
		} {
			err := b.stream.Launch(k, c.grid, c.block, c.shared, c.params).Wait(ctx)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v, want %q", err, c.want)
			}
			if err := b.stream.Sync(ctx); err == nil {
				t.Error("Sync gives no error")
			}
		}
		// More shared memory than a function has without asking: the fake driver refuses it unless it was asked.
		if err := b.stream.Launch(k, kir.D1(1), kir.D1(1), 100_000, p).Wait(ctx); err != nil {
			t.Error(err)
		}
		b.sync(b.stream)
	})
}

// After an illegal access nothing of the driver works in this process: every call says so, once and for all, and what
// the host holds stays.
func TestABrokenContextIsNamed(t *testing.T) {
	b := newBench(t, 1, true)
	const n = 256
	x, k := b.alloc(b.gpu, 4*n), b.load(saxpy(t))
	host := ramp(n)
	b.stream.CopyIn(x, 0, host)
	params := saxpyParams(x, x, n, n, 1)
	params[7] = 0x7f // x is nowhere
	b.stream.Launch(k, kir.D1(1), kir.D1(n), 0, params)
	err := b.stream.Sync(ctx)
	var lost *Lost
	if !errors.As(err, &lost) || lost.Cause.Result != 700 || !strings.Contains(err.Error(), "CUDA_ERROR_ILLEGAL_ADDRESS (700)") || !strings.Contains(err.Error(), "cuda:0") {
		t.Fatalf("%v", err)
	}
	if _, err := b.gpu.Alloc(1); !errors.As(err, &lost) {
		t.Errorf("Alloc: %v", err)
	}
	if err := b.stream.CopyOut(make([]byte, 4*n), x, 0).Wait(ctx); !errors.As(err, &lost) {
		t.Errorf("CopyOut: %v", err)
	}
	if !bytes.Equal(host, ramp(n)) {
		t.Error("the host's bytes changed")
	}
}

func TestPTXThatTheDriverRefuses(t *testing.T) {
	b := newBench(t, 1, true)
	k := &kernel{gpu: b.gpu.(*GPU)}
	text := ".version 7.5\n.target sm_80\n.address_size 64\n.visible .entry k()\n{\n\t.loc 1 12 3\n\tfrobnicate.u32 %r1;\n\tret;\n}\n.file 1 \"cell 4\"\n"
	err := k.gpu.do(func() error { return k.load(text) })
	var e *Error
	if !errors.As(err, &e) || e.Result != 218 {
		t.Fatalf("%v", err)
	}
	for _, want := range []string{"cuModuleLoadDataEx: CUDA_ERROR_INVALID_PTX (218)", "line 7", "frobnicate.u32 %r1;", "of cell 4:12:3"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q is not in:\n%v", want, err)
		}
	}
}

// A cancelled Sync returns at once, its queue's errors do not come later, and the stream goes on.
func TestCancelledSync(t *testing.T) {
	testsize.InTurn(t, 0)
	bothWays(t, func(t *testing.T, newBench maker) {
		b := newBench(t, 1, true)
		const n = 1000
		x, k := b.alloc(b.gpu, 4*n), b.load(saxpy(t))
		for range 10 * depth { // more than may be under way
			b.stream.Launch(k, kir.D1(4), kir.D1(256), 0, saxpyParams(x, x, n, 600, 2))
		}
		over, cancel := context.WithCancel(ctx)
		cancel()
		if err := b.stream.Sync(over); !errors.Is(err, context.Canceled) {
			t.Errorf("%v", err)
		}
		if err := b.stream.Sync(ctx); err != nil {
			t.Errorf("an error of what was given up: %v", err)
		}
	})
}

// Every function of the driver fails once, at its first to fifth call: the error names a call or the work is right, and
// nothing hangs.
func TestEveryCallMayFail(t *testing.T) {
	testsize.InTurn(t, 0)
	for _, name := range functionNames {
		for after := range 5 {
			for _, result := range []int32{1, 2, 719} {
				library.Reset(1, 64*mb, 12040, 1)
				d, err := open()
				if err != nil {
					t.Fatal(err)
				}
				if err := d.must(fnInit, 0); err != nil {
					t.Fatal(err)
				}
				library.Fail(name, int32(after), result)
				err = everything(t)
				library.Fail("", 0, 0)
				if err != nil && !strings.Contains(err.Error(), "cu") {
					t.Errorf("%s, call %d, result %d: %v", name, after, result, err)
				}
			}
		}
	}
	library.Reset(1, 64*mb, 12040, 1)
}

// everything goes through all that a device does, and returns the first error.
func everything(t *testing.T) error {
	g, err := Open(0)
	if err != nil {
		return err
	}
	defer g.Close()
	s, err := g.NewStream(0)
	if err != nil {
		return err
	}
	k, err := g.Load(saxpy(t))
	if err != nil {
		return err
	}
	x, err := g.Alloc(1024)
	if err != nil {
		return wrapped(err)
	}
	pinned, err := g.HostAlloc(1024)
	if err != nil {
		return err
	}
	copy(pinned, ramp(256))
	s.CopyIn(x, 0, pinned)
	e := s.Launch(k, kir.D1(1), kir.D1(256), 0, saxpyParams(x, x, 256, 256, 1))
	s.Wait(e)
	out := make([]byte, 1024)
	s.CopyOut(out, x, 0)
	if err := s.Sync(ctx); err != nil {
		return err
	}
	if float(out, 100) != 200 {
		t.Errorf("no error, and x[100] = %v", float(out, 100))
	}
	return errors.Join(x.Free(), s.Close())
}

// wrapped makes an *OutOfMemory, which does not name the call, an error that does.
func wrapped(err error) error {
	if errors.Is(err, device.ErrOutOfMemory) {
		return errors.Join(errors.New("cuMemAlloc"), err)
	}
	return err
}

// Two goroutines work on one GPU, each on its own stream.
func TestGoroutines(t *testing.T) {
	bothWays(t, func(t *testing.T, newBench maker) {
		b := newBench(t, 1, true)
		k := b.load(saxpy(t))
		var wg sync.WaitGroup
		for w := range 4 {
			wg.Go(func() {
				s, err := b.gpu.NewStream(0)
				if err != nil {
					t.Error(err)
					return
				}
				for range 20 {
					const n = 256
					x, err := b.gpu.Alloc(4 * n)
					if err != nil {
						t.Error(err)
						return
					}
					out := make([]byte, 4*n)
					s.CopyIn(x, 0, ramp(n))
					s.Launch(k, kir.D1(1), kir.D1(n), 0, saxpyParams(x, x, n, n, float32(w)))
					s.CopyOut(out, x, 0)
					x.Free()
					if err := s.Sync(ctx); err != nil || float(out, 10) != float32(10*w+10) {
						t.Errorf("%v, x[10] = %v", err, float(out, 10))
					}
				}
			})
		}
		wg.Wait()
	})
}
