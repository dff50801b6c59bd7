package offload

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/arrayrepl/arrayrepl/offload/device"
)

// Bytes of a probe's two copies, whose difference tells the rate: what a copy takes before its first byte is in both.
// A model needs no more; the larger of the measured ones is as in GrCUDA's probe.
var (
	probedModelled = [2]int{1 << 20, 5 << 20}
	probedMeasured = [2]int{100e6, 500e6}
)

// Probe measures how fast the named devices copy to each other, within themselves, and from and to the host's pinned
// memory: each ordered pair alone, one after the other. Devices that are not linked copy through the host, one copy
// after the other, and that is what counts. Without names it probes all GPUs of the machine of the current device.
// The devices should have nothing else to do; each needs up to 1 GB of free memory.
func (rt *Runtime) Probe(names ...string) (*Links, error) {
	ctx := rt.CellContext()
	if err := rt.acquire(ctx); err != nil {
		return nil, err
	}
	defer rt.release()
	devices, err := rt.probed(names)
	if err != nil {
		return nil, err
	}
	return probe(ctx, devices)
}

// probe measures the links between devices.
func probe(ctx context.Context, devices []device.Device) (_ *Links, err error) {
	l := newLinks(len(devices))
	ends := make([]*probeEnd, len(devices))
	defer func() {
		for _, e := range ends {
			if e != nil {
				e.close()
			}
		}
	}()
	for i, d := range devices {
		l.Names = append(l.Names, d.ID())
		if ends[i], err = newProbeEnd(d); err != nil {
			return nil, fmt.Errorf("probe of %s: %w", d.ID(), err)
		}
	}
	host := len(devices)
	for i, from := range ends {
		if l.Rates[host][i], err = from.rate(ctx, from.copyIn); err == nil {
			l.Rates[i][host], err = from.rate(ctx, from.copyOut)
		}
		for j, to := range ends {
			if err == nil {
				l.Rates[i][j], err = from.rateTo(ctx, to)
			}
		}
		if err != nil {
			return nil, fmt.Errorf("probe of %s: %w", from.d.ID(), err)
		}
	}
	l.together, err = together(ctx, ends)
	return l, err
}

// together returns the rate at which the host copies to all of the devices at once, in GB/s; 0 for one device.
func together(ctx context.Context, ends []*probeEnd) (float64, error) {
	if len(ends) < 2 {
		return 0, nil
	}
	bytes, longest := 0, 0.0
	copies := make([]device.Event, len(ends))
	for i, e := range ends {
		copies[i] = e.copyIn(e.sizes[1])
		bytes += e.sizes[1]
	}
	for i, e := range ends {
		s, err := e.took(ctx, copies[i])
		if err != nil {
			return 0, fmt.Errorf("probe of %s: %w", e.d.ID(), err)
		}
		longest = max(longest, s)
	}
	return float64(bytes) / longest / 1e9, nil
}

// probed returns the devices that Probe is asked for.
func (rt *Runtime) probed(names []string) ([]device.Device, error) {
	if len(names) == 0 {
		if _, shares := rt.current.(device.Sharer); shares {
			return nil, fmt.Errorf("probe: %s works in the host's memory, so that nothing is copied; name GPUs", rt.current.ID())
		}
		name, _, _ := strings.Cut(rt.current.ID(), "#")
		return rt.machine(name)
	}
	var devices []device.Device
	for _, name := range names {
		d, err := rt.devices.Get(name)
		if err != nil {
			return nil, err
		}
		if _, shares := d.(device.Sharer); shares {
			return nil, fmt.Errorf("probe: %s works in the host's memory, so that nothing is copied; name GPUs", name)
		}
		if slices.Contains(devices, d) {
			return nil, fmt.Errorf("probe: %s is named twice", name)
		}
		devices = append(devices, d)
	}
	return devices, nil
}

// probeEnd is a device with what copies need.
type probeEnd struct {
	d       device.Device
	sizes   [2]int
	s       device.Stream
	buffers [2]device.Buffer
	host    []byte
	pinner  device.Pinner
}

// leastProbed is what the larger copy has at least: a device with less room cannot be measured.
const leastProbed = 4096

// newProbeEnd returns d with buffers, smaller ones where d has no room for larger.
func newProbeEnd(d device.Device) (*probeEnd, error) {
	sizes := probedMeasured
	if d.Properties().Modelled {
		sizes = probedModelled
	}
	for {
		e := &probeEnd{d: d, sizes: sizes}
		err := e.open()
		if err == nil {
			return e, nil
		}
		e.close()
		if sizes = [2]int{sizes[0] / 2, sizes[1] / 2}; !errors.Is(err, device.ErrOutOfMemory) || sizes[1] < leastProbed {
			return nil, err
		}
	}
}

func (e *probeEnd) open() (err error) {
	if e.s, err = e.d.NewStream(0); err != nil {
		return err
	}
	for i := range e.buffers {
		if e.buffers[i], err = e.d.Alloc(e.sizes[1]); err != nil {
			return err
		}
	}
	if p, ok := e.d.(device.Pinner); ok {
		e.pinner = p
		e.host, err = p.HostAlloc(e.sizes[1])
		return err
	}
	e.host = make([]byte, e.sizes[1])
	return nil
}

func (e *probeEnd) close() {
	for _, b := range e.buffers {
		if b != nil {
			b.Free()
		}
	}
	if e.pinner != nil && e.host != nil {
		e.pinner.HostFree(e.host)
	}
	if e.s != nil {
		e.s.Close()
	}
}

func (e *probeEnd) copyIn(n int) device.Event  { return e.s.CopyIn(e.buffers[0], 0, e.host[:n]) }
func (e *probeEnd) copyOut(n int) device.Event { return e.s.CopyOut(e.host[:n], e.buffers[0], 0) }

// rate returns the rate of the copies that submit queues, in GB/s.
func (e *probeEnd) rate(ctx context.Context, submit func(n int) device.Event) (float64, error) {
	return rateOf(e.sizes, func(n int) (float64, error) { return e.took(ctx, submit(n)) })
}

// rateTo returns the rate of copies to another device, or within e, in GB/s.
func (e *probeEnd) rateTo(ctx context.Context, to *probeEnd) (float64, error) {
	sizes := [2]int{min(e.sizes[0], to.sizes[0]), min(e.sizes[1], to.sizes[1])}
	target := to.buffers[1] // the other one, so that a copy within e has two
	rate, err := rateOf(sizes, func(n int) (float64, error) {
		return e.took(ctx, e.s.CopyPeer(target, 0, e.buffers[0], 0, n))
	})
	if err == nil || e == to || ctx.Err() != nil {
		return rate, err
	}
	return rateOf(sizes, func(n int) (float64, error) { // there is no link
		out, err := e.took(ctx, e.copyOut(n))
		if err != nil {
			return 0, err
		}
		in, err := to.took(ctx, to.copyIn(n)) // from memory that is pinned for it
		return out + in, err
	})
}

// rateOf returns the rate, in GB/s, at which the bytes go by which copies of two sizes differ.
func rateOf(sizes [2]int, took func(n int) (seconds float64, err error)) (float64, error) {
	var t [2]float64
	for i, n := range sizes {
		var err error
		if t[i], err = took(n); err != nil {
			return 0, err
		}
	}
	if t[1] <= t[0] { // something else was going on
		return float64(sizes[1]) / t[1] / 1e9, nil
	}
	return float64(sizes[1]-sizes[0]) / (t[1] - t[0]) / 1e9, nil
}

// took waits for a copy on e's stream and returns how many seconds it has taken.
func (e *probeEnd) took(ctx context.Context, copied device.Event) (float64, error) {
	if err := errors.Join(e.s.Sync(ctx), ctx.Err()); err != nil {
		return 0, err
	}
	if err := copied.Wait(ctx); err != nil {
		return 0, err
	}
	r := copied.Trace()
	return (r.End - r.Start).Seconds(), nil
}
