//go:build !nocuda

package cudabackend

import (
	"bytes"
	"encoding/binary"
	"errors"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/offload/device"
)

// ways are how a GPU can be driven here.
var ways = map[string]maker{"in this process": newBench, "in a worker": newWorkerBench}

var (
	_ device.Device    = (*remote)(nil)
	_ device.Reserver  = (*remote)(nil)
	_ device.Forgetful = (*remote)(nil)
)

// newFleetHere returns a fleet whose workers are this test program.
func newFleetHere(t testing.TB) *fleet {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	f := newFleet([]string{"/usr/bin/env", workerVariable + "=1", self})
	t.Cleanup(f.stop)
	return f
}

// newWorkerBench makes a bench whose GPUs are in a worker.
func newWorkerBench(t *testing.T, devices int, pools bool) *bench {
	t.Helper()
	f := newFleetHere(t)
	return makeBench(t, devices, pools, func(ordinal int) (gpuUnderTest, error) { return openRemote(f, ordinal) })
}

// process returns the worker of b's GPU.
func (b *bench) process() *worker {
	b.Helper()
	w, err := b.gpu.(*remote).worker()
	if err != nil {
		b.Fatal(err)
	}
	return w
}

// endless runs for ever, unless x[0] is not 0.
func endless(t *testing.T) *kir.Func {
	b := kir.NewBuilder("endless")
	x := b.Param("x", kir.U64)
	loop, end := b.NewBlock("loop"), b.NewBlock("end")
	b.Jump(loop)
	b.SetBlock(loop)
	b.Branch(b.Op(kir.OpEq, b.Load(kir.Global, kir.I32, x), b.Const(kir.I32, 0)), loop, end)
	b.SetBlock(end)
	b.Return()
	f, err := b.Func()
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// losses are what ends a worker, or only its context.
var losses = []struct {
	name    string
	happen  func(b *bench) // it is said no later than at the next Sync
	kernels string         // that are named
	says    []string
}{
	{"illegal address", func(b *bench) {
		x := b.alloc(b.gpu, 1024)
		params := saxpyParams(x, x, 256, 256, 1)
		params[7] = 0x7f // x is nowhere
		b.stream.Launch(b.load(saxpy(b.T)), kir.D1(1), kir.D1(256), 0, params)
	}, "kernel saxpy", []string{"CUDA_ERROR_ILLEGAL_ADDRESS (700)", "cuEventQuery"}},
	{"launch timeout", func(b *bench) {
		x, k := b.alloc(b.gpu, 1024), b.load(saxpy(b.T))
		library.Fail("cuLaunchKernel", 0, 702)
		b.stream.Launch(k, kir.D1(1), kir.D1(256), 0, saxpyParams(x, x, 256, 256, 1))
	}, "kernel saxpy", []string{"CUDA_ERROR_LAUNCH_TIMEOUT (702)", "drives a display"}},
	{"every other sticky result", func(b *bench) {
		library.Fail("cuMemcpyHtoDAsync_v2", 0, 719)
		b.stream.CopyIn(b.alloc(b.gpu, 1024), 0, make([]byte, 1024))
	}, "", []string{"CUDA_ERROR_LAUNCH_FAILED (719)"}},
	{"killed in mid-kernel", func(b *bench) {
		x := b.alloc(b.gpu, 1024)
		b.stream.CopyIn(x, 0, make([]byte, 1024))
		b.stream.Launch(b.load(endless(b.T)), kir.D1(1), kir.D1(1), 0, binary.LittleEndian.AppendUint64(nil, x.Addr()))
		time.Sleep(50 * time.Millisecond) // so that it runs, most often
		b.process().cmd.Process.Signal(syscall.SIGKILL)
	}, "kernel endless", []string{"signal: killed"}},
	{"does not answer", func(b *bench) {
		x := b.alloc(b.gpu, 0)
		b.process().cmd.Process.Signal(syscall.SIGSTOP)
		b.stream.CopyIn(x, 0, nil)
	}, "", []string{"has not answered for"}},
}

// Whatever ends a worker is one error that says what it was; what was made is void, and the same device works again at
// once, in another worker. The host's memory, pinned too, stays.
func TestAWorkerIsLost(t *testing.T) {
	for _, c := range losses {
		t.Run(c.name, func(t *testing.T) {
			b := newWorkerBench(t, 1, true)
			if c.name == "does not answer" {
				b = newImpatientBench(t)
			}
			pinned, err := b.gpu.HostAlloc(4096)
			if err != nil {
				t.Fatal(err)
			}
			copy(pinned, ramp(1024))
			old, before := b.alloc(b.gpu, 4096), b.process()
			c.happen(b)
			err = b.stream.Sync(ctx)
			if err == nil { // what happened, happened to no operation
				_, err = b.gpu.Alloc(1)
			}
			var lost *Lost
			if !errors.As(err, &lost) || lost.Kernels != c.kernels {
				t.Fatalf("%v (%+v)", err, lost)
			}
			for _, want := range append(c.says, "cuda:0: ", "is lost", "the next use starts it anew") {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("%q is not in: %v", want, err)
				}
			}
			if n := b.gpu.Losses(); n != 1 {
				t.Errorf("%d losses", n)
			}
			if err := b.stream.CopyOut(make([]byte, 4096), old, 0).Wait(ctx); !errors.As(err, &lost) {
				t.Errorf("a copy from a buffer that is void: %v", err)
			}

			s, err := b.gpu.NewStream(0)
			if err != nil {
				t.Fatal(err)
			}
			if b.process() == before {
				t.Error("the worker is the same")
			}
			if err := s.CopyIn(old, 0, pinned).Wait(ctx); !errors.As(err, &lost) {
				t.Errorf("a copy to a buffer that is void: %v", err)
			}
			s.Sync(ctx)
			x, out := b.alloc(b.gpu, 4096), make([]byte, 4096)
			s.CopyIn(x, 0, pinned)
			s.Launch(b.load(saxpy(t)), kir.D1(4), kir.D1(256), 0, saxpyParams(x, x, 1024, 1024, 1))
			e := s.CopyOut(out, x, 0)
			if b.sync(s); float(out, 1000) != 2000 || e.Trace().End <= 0 {
				t.Errorf("x[1000] = %v, at %v", float(out, 1000), e.Trace().End)
			}
			if !bytes.Equal(pinned, ramp(1024)) {
				t.Error("the host's bytes changed")
			}
			// it is being collected
			for end := time.Now().Add(20 * time.Second); before.cmd.Process.Signal(syscall.Signal(0)) == nil; {
				if time.Now().After(end) {
					t.Fatal("the process before still runs")
				}
				time.Sleep(10 * time.Millisecond)
			}
		})
	}
}

// Two processes that fight for a card's memory: the second is told how much it asked for, how much is free, and who has
// the rest; it goes on when the first has ended.
func TestTwoProcessesFightForMemory(t *testing.T) {
	b := newWorkerBench(t, 1, true)
	b.alloc(b.gpu, 50*mb)
	f := newFleetHere(t)
	g, err := openRemote(f, 0)
	if err != nil {
		t.Fatal(err)
	}
	_, err = g.Alloc(20 * mb)
	var full *device.OutOfMemory
	if !errors.As(err, &full) || full.Need != 20*mb || full.Free > 14*mb || full.Size != 64*mb {
		t.Fatalf("%v (%+v)", err, full)
	}
	for _, want := range []string{"cuda:0 is out of memory: 21 MB needed, 14.7 MB of 67.1 MB free", "end other programs", "nvidia-smi", "have 52.4 MB of it"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q is not in: %v", want, err)
		}
	}
	w := b.process()
	w.cmd.Process.Kill()
	<-w.gone // it was waited for
	if _, err := g.Alloc(20 * mb); err != nil {
		t.Errorf("after the first has ended: %v", err)
	}
}

// newImpatientBench is newWorkerBench with a fleet that waits less long for a word of its worker.
func newImpatientBench(t *testing.T) *bench {
	f := newFleetHere(t)
	f.silent = 3 * beat
	return makeBench(t, 1, true, func(ordinal int) (gpuUnderTest, error) { return openRemote(f, ordinal) })
}

// Copies of all sizes arrive whole: in a message, by slabs, one or many, and in place from memory that is shared.
func TestCopiesToAWorker(t *testing.T) {
	b := newWorkerBench(t, 1, true)
	for _, n := range []int{0, 1, inlineBytes, inlineBytes + 1, slabBytes, slabBytes + 1, 3*slabCount*slabBytes/2 - 1} {
		want := make([]byte, n)
		for i := range want {
			want[i] = byte(i * 7 >> (i % 5))
		}
		pinned, err := b.gpu.HostAlloc(n)
		if err != nil {
			t.Fatal(err)
		}
		copy(pinned, want)
		for _, from := range [][]byte{want, pinned} {
			x, out := b.alloc(b.gpu, n+1), make([]byte, n)
			b.stream.CopyIn(x, 1, from)
			clear(out)
			e := b.stream.CopyOut(out, x, 1)
			b.sync(b.stream)
			if !bytes.Equal(out, want) {
				t.Errorf("%d bytes: others came", n)
			}
			if tr := e.Trace(); tr.Bytes != int64(n) || tr.End < tr.Start || tr.Device != "cuda:0" {
				t.Errorf("%d bytes: %+v", n, tr)
			}
			x.Free()
		}
	}
}

// BenchmarkLaunch is what a launch takes the caller, and how long a copy of four bytes to the host takes, with GPUs in
// this process and in a worker. What the fake driver does itself is the same in both.
func BenchmarkLaunch(b *testing.B) {
	for name, open := range map[string]func() (device.Device, error){
		"in this process": func() (device.Device, error) { return Open(0) },
		"in a worker":     func() (device.Device, error) { return openRemote(newFleetHere(b), 0) },
	} {
		b.Run(name, func(b *testing.B) {
			library.Reset(1, 64*mb, 12040, 1)
			if err := initAgain(); err != nil {
				b.Fatal(err)
			}
			g, err := open()
			if err != nil {
				b.Fatal(err)
			}
			s, err := g.NewStream(0)
			if err != nil {
				b.Fatal(err)
			}
			x, err := g.Alloc(1024)
			if err != nil {
				b.Fatal(err)
			}
			k, err := g.Load(empty(b))
			if err != nil {
				b.Fatal(err)
			}
			const batch = 64 // fewer than may be under way
			params := binary.LittleEndian.AppendUint64(nil, x.Addr())
			var launching time.Duration
			n := 0
			for b.Loop() {
				start := time.Now()
				for range batch {
					s.Launch(k, kir.D1(1), kir.D1(1), 0, params)
				}
				launching += time.Since(start)
				n += batch
				if err := s.Sync(ctx); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(launching.Nanoseconds())/float64(n), "ns/launch")
			start, out := time.Now(), make([]byte, 4)
			const trips = 1000
			for range trips {
				if err := s.CopyOut(out, x, 0).Wait(ctx); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(time.Since(start).Nanoseconds())/trips, "ns/round-trip")
			s.Sync(ctx)
			g.Close()
		})
	}
}

// empty does nothing with its parameter.
func empty(t testing.TB) *kir.Func {
	b := kir.NewBuilder("empty")
	b.Param("x", kir.U64)
	b.Return()
	f, err := b.Func()
	if err != nil {
		t.Fatal(err)
	}
	return f
}
