package calibrate

import (
	"context"
	"encoding/binary"
	"fmt"

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
}

// String returns it in a line.
func (f Figure) String() string {
	return fmt.Sprintf("%-34s %12.5g %-8s %s", f.Name, f.Value, f.Unit, f.Fields)
}

// Run measures d, which does nothing else meanwhile, by ten microbenchmarks: pointer chases, a stream, conflicts of shared memory,
// rates of fma, special functions and doubles, launches, pinned and pageable copies, atomics. Cycles are of the clock in its
// Properties. On a simulated GPU every block should be replayed (simgpu.Full), else rates are those of samples.
func Run(ctx context.Context, d device.Device) ([]Figure, error) {
	s, err := d.NewStream(0)
	if err != nil {
		return nil, err
	}
	defer s.Close()
	r := &runner{ctx: ctx, device: d, stream: s, clock: d.Properties().ClockHz}
	for _, measure := range []func() error{
		r.chases, r.bandwidth, r.conflicts, r.fma, r.special, r.doubles, r.launches, r.pinned, r.pageable, r.atomics,
	} {
		if err := measure(); err != nil {
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
	figures []Figure
}

func (r *runner) found(name string, value float64, unit, fields string) {
	r.figures = append(r.figures, Figure{name, value, unit, fields})
}

// sync waits for all that is queued.
func (r *runner) sync() error { return r.stream.Sync(r.ctx) }

// alloc makes a zeroed buffer.
func (r *runner) alloc(bytes int) (device.Buffer, error) {
	b, err := r.device.Alloc(bytes)
	if err != nil {
		return nil, err
	}
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
	e := r.stream.Launch(k, kir.D1(blocks), kir.D1(threads), 0, packed)
	if err := r.sync(); err != nil {
		return 0, err
	}
	t := e.Trace()
	return seconds(t.End-t.Start) * r.clock, nil
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
