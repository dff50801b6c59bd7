package main

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"os"

	"github.com/arrayrepl/arrayrepl/cudabackend/nvrtc"
	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/offload/device"
	"github.com/arrayrepl/arrayrepl/offload/trace"
	"github.com/arrayrepl/arrayrepl/simgpu"
)

// card is a simulated GPU with one stream. Its methods panic with failure: experiments are written as if nothing
// failed.
type card struct {
	gpu    *simgpu.GPU
	stream device.Stream
	preset simgpu.Preset
}

// failure is an error that run catches.
type failure struct{ err error }

func must[T any](x T, err error) T {
	if err != nil {
		panic(failure{err})
	}
	return x
}

func open(preset string, change func(*simgpu.Preset)) *card {
	p := must(simgpu.PresetByName(preset))
	if change != nil {
		change(&p)
	}
	var options []simgpu.Option
	if whole {
		options = append(options, simgpu.Full())
	}
	g := simgpu.New(p, options...)
	return &card{gpu: g, stream: must(g.NewStream(0)), preset: p}
}

func (c *card) close() {
	c.stream.Close()
	c.gpu.Close()
}

// compiled are modules by their source and options: one ladder compiles each of its steps once for all machines.
var compiled = map[string][]*kir.Func{}

// kernel compiles CUDA C and returns the kernel of that name. Products and sums become one instruction, as in the
// published programs.
func kernel(source, name string, flags ...string) *kir.Func {
	key := fmt.Sprint(source, flags)
	fs := compiled[key]
	if fs == nil {
		fs = must(nvrtc.Kernels(source, nvrtc.Options{Name: name + ".cu", Flags: append([]string{"--fmad=true"}, flags...)}))
		compiled[key] = fs
	}
	for _, f := range fs {
		if f.Name == name {
			return f
		}
	}
	panic(failure{fmt.Errorf("there is no kernel %s", name)})
}

// alloc returns a buffer of so many bytes, all 0.
func (c *card) alloc(bytes int) device.Buffer { return must(c.gpu.Alloc(bytes)) }

// floats32 returns a buffer of n numbers.
func (c *card) floats32(n int, value func(i int) float32) device.Buffer {
	raw := make([]byte, 4*n)
	for i := range n {
		binary.LittleEndian.PutUint32(raw[4*i:], math.Float32bits(value(i)))
	}
	return c.copied(raw)
}

// ints32 returns a buffer of n numbers.
func (c *card) ints32(n int, value func(i int) int32) device.Buffer {
	raw := make([]byte, 4*n)
	for i := range n {
		binary.LittleEndian.PutUint32(raw[4*i:], uint32(value(i)))
	}
	return c.copied(raw)
}

func (c *card) copied(raw []byte) device.Buffer {
	b := c.alloc(len(raw))
	c.stream.CopyIn(b, 0, raw)
	c.sync()
	return b
}

// word returns the 32 bits at index i of b.
func (c *card) word(b device.Buffer, i int) uint32 {
	raw := make([]byte, 4)
	c.stream.CopyOut(raw, b, 4*i)
	c.sync()
	return binary.LittleEndian.Uint32(raw)
}

func (c *card) sync() { must(0, c.stream.Sync(context.Background())) }

// launch is one call of a kernel.
type launch struct {
	f           *kir.Func
	grid, block kir.Dim3
	shared      int   // dynamic bytes
	args        []any // buffers, int32, int64, float32, float64
}

// measured is what some launches, one after the other, took by the model.
type measured struct {
	seconds float64 // from the first one's start to the last one's end
	cycles  float64
	stats   []*trace.KernelStats
}

// run runs launches one after the other.
func (c *card) run(ls ...launch) measured {
	events := make([]device.Event, len(ls))
	for i, l := range ls {
		k := must(c.gpu.Load(l.f))
		events[i] = c.stream.Launch(k, l.grid, l.block, l.shared, pack(l.f, l.args))
	}
	c.sync()
	first, last := events[0].Trace(), events[len(events)-1].Trace()
	m := measured{seconds: float64(last.End-first.Start) * secondsPer}
	for _, e := range events {
		st := e.Trace().Stats
		m.stats = append(m.stats, st)
		m.cycles += float64(st.Cycles)
		if verbose {
			fmt.Fprintf(os.Stderr, "%s %v %v: %d cycles, %d registers, %d blocks on an SM by %s, occupancy %.2f, %.2f M warp instructions, %d of %d blocks timed, stalls %v, issued %v, sectors %d, L1 %d, L2 %d, DRAM %d bytes, conflicts %d\n", e.Trace().Name, st.Grid, st.Block, st.Cycles, st.Registers, st.ResidentBlocks,
				st.LimitedBy, st.Achieved, float64(st.WarpInstructions)/1e6, st.SampledBlocks, st.TotalBlocks, st.Stalls, st.Issued, st.Sectors, st.L1Hits, st.L2Hits, st.DRAMBytes, st.BankConflicts)
		}
	}
	return m
}

// whole has launches timed whole that are sampled else.
var whole bool

// verbose has run tell of each launch.
var verbose bool

// secondsPer is one tick of model time.
const secondsPer = 1 / (1e9 * float64(trace.Nanosecond))

// pack puts arguments where the parameters are.
func pack(f *kir.Func, args []any) []byte {
	if len(args) != len(f.Params) {
		panic(failure{fmt.Errorf("%s takes %d arguments, not %d", f.Name, len(f.Params), len(args))})
	}
	raw := make([]byte, f.ParamBytes())
	for i, a := range args {
		at := raw[f.Params[i].Offset:]
		switch a := a.(type) {
		case device.Buffer:
			binary.LittleEndian.PutUint64(at, a.Addr())
		case int:
			binary.LittleEndian.PutUint32(at, uint32(a))
		case int64:
			binary.LittleEndian.PutUint64(at, uint64(a))
		case float32:
			binary.LittleEndian.PutUint32(at, math.Float32bits(a))
		case float64:
			binary.LittleEndian.PutUint64(at, math.Float64bits(a))
		default:
			panic(failure{fmt.Errorf("%s: argument %d is a %T", f.Name, i, a)})
		}
	}
	return raw
}

func d2(x, y int) kir.Dim3 { return kir.Dim3{X: x, Y: y, Z: 1} }
