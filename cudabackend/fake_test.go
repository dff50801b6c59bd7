package cudabackend

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"os"
	"testing"

	"github.com/arrayrepl/arrayrepl/cudabackend/fake"
	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/offload/device"
)

// library is the driver of all tests: a fake one, whose kernels package kir computes.
var library *fake.Driver

var ctx = context.Background()

// workerVariable makes the program of the tests a worker.
const workerVariable = "ARRAYREPL_TEST_WORKER"

func TestMain(m *testing.M) {
	if os.Getenv(workerVariable) != "" {
		err := fake.Attach()
		if err == nil {
			err = ServeWorker()
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	dir, err := os.MkdirTemp("", "")
	if err == nil {
		library, err = fake.Start(dir)
	}
	if errors.Is(err, fake.ErrNone) {
		fmt.Println("skipped:", err)
		return
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	code := m.Run()
	os.RemoveAll(dir)
	os.Exit(code)
}

const mb = 1 << 20

// gpuUnderTest is what GPUs in this process and in a worker have in common.
type gpuUnderTest interface {
	device.Device
	device.Reserver
	device.Forgetful
	HostAlloc(bytes int) ([]byte, error)
	MemInfo() (free, total int64)
	ComputeCapability() int
}

// bench is a GPU of the fake driver and a stream.
type bench struct {
	*testing.T
	openGPU func(ordinal int) (gpuUnderTest, error)
	gpu     gpuUnderTest
	stream  device.Stream
}

// maker resets the driver to so many devices of 64 MB and opens the first.
type maker func(t *testing.T, devices int, pools bool) *bench

// newBench makes a bench whose GPUs are in this process.
func newBench(t *testing.T, devices int, pools bool) *bench {
	return makeBench(t, devices, pools, func(ordinal int) (gpuUnderTest, error) { return Open(ordinal) })
}

func makeBench(t *testing.T, devices int, pools bool, openGPU func(ordinal int) (gpuUnderTest, error)) *bench {
	t.Helper()
	withPools := int32(0)
	if pools {
		withPools = 1
	}
	library.Reset(devices, 64*mb, 12040, withPools)
	b := &bench{T: t, openGPU: openGPU}
	b.gpu, b.stream = b.open(0)
	return b
}

// bothWays runs f with GPUs in this process, and in a worker where there are such.
func bothWays(t *testing.T, f func(t *testing.T, newBench maker)) {
	for name, newBench := range ways {
		t.Run(name, func(t *testing.T) { f(t, newBench) })
	}
}

// initAgain initialises the driver after a Reset.
func initAgain() error {
	d, err := open()
	if err == nil {
		err = d.must(fnInit, 0)
	}
	return err
}

// open opens one of the driver's devices.
func (b *bench) open(ordinal int) (gpuUnderTest, device.Stream) {
	b.Helper()
	if err := initAgain(); err != nil {
		b.Fatal(err)
	}
	g, err := b.openGPU(ordinal)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		if err := g.Close(); err != nil {
			b.Errorf("Close: %v", err)
		}
	})
	s, err := g.NewStream(0)
	if err != nil {
		b.Fatal(err)
	}
	return g, s
}

func (b *bench) alloc(g device.Device, bytes int) device.Buffer {
	b.Helper()
	buf, err := g.Alloc(bytes)
	if err != nil {
		b.Fatal(err)
	}
	return buf
}

func (b *bench) sync(s device.Stream) {
	b.Helper()
	if err := s.Sync(ctx); err != nil {
		b.Fatal(err)
	}
}

func (b *bench) load(f *kir.Func) device.Kernel {
	b.Helper()
	k, err := b.gpu.Load(f)
	if err != nil {
		b.Fatal(err)
	}
	return k
}

// saxpy makes y[i] = a*x[i] + y[i] for i < n, and checks that i is less than the length.
func saxpy(t *testing.T) *kir.Func {
	b := kir.NewBuilder("saxpy")
	x, y, n, length, a := b.Param("x", kir.U64), b.Param("y", kir.U64), b.Param("n", kir.I64), b.Param("len", kir.I64), b.Param("a", kir.F32)
	i := b.Convert(kir.I64, b.GlobalIDX())
	work, end := b.NewBlock("work"), b.NewBlock("end")
	b.Branch(b.Op(kir.OpLt, i, n), work, end)
	b.SetBlock(work)
	b.Check(kir.CheckIndex, b.Op(kir.OpLt, i, length), i, length, "y")
	at := b.Index(y, i, kir.F32)
	b.Store(kir.Global, at, b.Op(kir.OpAdd, b.Op(kir.OpMul, a, b.Load(kir.Global, kir.F32, b.Index(x, i, kir.F32))), b.Load(kir.Global, kir.F32, at)))
	b.Jump(end)
	b.SetBlock(end)
	b.Return()
	f, err := b.Func()
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func saxpyParams(x, y device.Buffer, n, length int, a float32) []byte {
	p := binary.LittleEndian.AppendUint64(nil, x.Addr())
	p = binary.LittleEndian.AppendUint64(p, y.Addr())
	p = binary.LittleEndian.AppendUint64(p, uint64(n))
	p = binary.LittleEndian.AppendUint64(p, uint64(length))
	return binary.LittleEndian.AppendUint32(p, math.Float32bits(a))
}

func floats(xs ...float32) (b []byte) {
	for _, x := range xs {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(x))
	}
	return b
}

// ramp is 0, 1, … n-1.
func ramp(n int) []byte {
	xs := make([]float32, n)
	for i := range xs {
		xs[i] = float32(i)
	}
	return floats(xs...)
}

func float(b []byte, i int) float32 { return math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:])) }
