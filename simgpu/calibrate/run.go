package calibrate

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/offload/device"
	"github.com/arrayrepl/arrayrepl/offload/trace"
)

// Figure is one thing that was measured.
type Figure struct {
	Name   string  // "latency of L1"
	Value  float64 // in Unit
	Unit   string  // "cycles", "B/s", "flop/s", "ns", ...
	Fields string  // of simgpu.Preset that it is made of: "L1Latency + L2Latency"
	Why    string  // there is no Value: "the device has no pinned memory"; empty where there is one
}

// String returns it in a line.
func (f Figure) String() string {
	if f.Why != "" {
		return fmt.Sprintf("%-34s %12s %-8s %s", f.Name, "-", "", f.Why)
	}
	return fmt.Sprintf("%-34s %12.5g %-8s %s", f.Name, f.Value, f.Unit, f.Fields)
}

// Run measures d, which does nothing else meanwhile, by ten microbenchmarks: pointer chases, a stream, conflicts of
// shared memory, rates of fma, special functions and doubles, launches, pinned and pageable copies, atomics. Cycles are
// of the clock in its Properties. What a device does not have is a figure without a value that says why. On a simulated
// GPU every block should be replayed (simgpu.Full), else rates are those of samples.
func Run(ctx context.Context, d device.Device) ([]Figure, error) {
	s, err := d.NewStream(0)
	if err != nil {
		return nil, err
	}
	defer s.Close()
	r := newRunner(ctx, d, s)
	for _, measure := range []func() error{
		r.chases, r.bandwidth, r.conflicts, r.fma, r.special, r.doubles, r.launches, r.pinned, r.pageable, r.atomics,
	} {
		err := measure()
		for _, b := range r.buffers {
			err = errors.Join(err, b.Free())
		}
		if r.buffers = nil; err != nil {
			return nil, err
		}
	}
	return r.figures, nil
}

// runner measures one device.
type runner struct {
	ctx     context.Context
	device  device.Device
	stream  device.Stream
	clock   float64 // Hz
	memory  int64   // bytes that the device has
	turns   int     // of which the fastest counts: the first loads code, and others use a card too
	figures []Figure
	buffers []device.Buffer // of the measurement that runs
}

func newRunner(ctx context.Context, d device.Device, s device.Stream) *runner {
	p := d.Properties()
	r := &runner{ctx: ctx, device: d, stream: s, clock: p.ClockHz, memory: p.MemoryBytes, turns: 5}
	if p.Modelled { // no noise
		r.turns = 1
	}
	return r
}

func (r *runner) found(name string, value float64, unit, fields string) {
	f := Figure{Name: name, Value: value, Unit: unit, Fields: fields}
	if !(value > 0) || math.IsInf(value, 0) { // two times were alike, or the longer run was the faster
		f.Value, f.Why = 0, "the runs took too short for the device's clock"
	}
	r.figures = append(r.figures, f)
}

func (r *runner) none(name, fields, why string) {
	r.figures = append(r.figures, Figure{Name: name, Fields: fields, Why: why})
}

// sync waits for all that is queued.
func (r *runner) sync() error { return r.stream.Sync(r.ctx) }

// alloc makes a zeroed buffer that lasts as long as the measurement.
func (r *runner) alloc(bytes int) (device.Buffer, error) {
	b, err := r.device.Alloc(bytes)
	if err != nil {
		return nil, err
	}
	r.buffers = append(r.buffers, b)
	r.stream.CopyIn(b, 0, make([]byte, bytes))
	return b, nil
}

// launch runs f with parameters of eight bytes each and returns how many cycles it took.
func (r *runner) launch(f *kir.Func, blocks, threads int, params ...uint64) (cycles float64, err error) {
	k, err := r.device.Load(f)
	if err != nil {
		return 0, err
	}
	var packed []byte
	for _, p := range params {
		packed = binary.LittleEndian.AppendUint64(packed, p)
	}
	took, err := r.fastest(func() device.Event {
		if simulated, ok := r.device.(interface{ ColdCaches() }); ok {
			simulated.ColdCaches()
		}
		return r.stream.Launch(k, kir.D1(blocks), kir.D1(threads), 0, packed)
	})
	return took * r.clock, err
}

// fastest returns the seconds of the fastest of the runner's turns.
func (r *runner) fastest(do func() device.Event) (took float64, err error) {
	for i := range r.turns {
		e := do()
		if err := r.sync(); err != nil {
			return 0, err
		}
		t := e.Trace()
		if s := seconds(t.End - t.Start); i == 0 || s < took {
			took = s
		}
	}
	return took, nil
}

// slope returns the cycles that one unit more of n takes: make builds the kernel and its parameters for n.
func (r *runner) slope(from, to, blocks, threads int, make func(n int) (*kir.Func, []uint64, error)) (float64, error) {
	var cycles [2]float64
	for i, n := range [...]int{from, to} {
		f, params, err := make(n)
		if err != nil {
			return 0, err
		}
		if cycles[i], err = r.launch(f, blocks, threads, params...); err != nil {
			return 0, err
		}
	}
	return (cycles[1] - cycles[0]) / float64(to-from), nil
}

func seconds(t trace.Time) float64 { return float64(t) / float64(trace.Second) }
