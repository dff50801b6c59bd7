package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/arrayrepl/arrayrepl/cudabackend"
	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/lazy"
	"github.com/arrayrepl/arrayrepl/offload"
	"github.com/arrayrepl/arrayrepl/offload/device"
	"github.com/arrayrepl/arrayrepl/offload/host"
)

var ctx = context.Background()

// median of the times that f measures, in seconds, after one that does not count.
func median(turns int, f func() (seconds float64, err error)) (float64, error) {
	if _, err := f(); err != nil {
		return 0, err
	}
	var times []float64
	for range turns {
		t, err := f()
		if err != nil {
			return 0, err
		}
		times = append(times, t)
	}
	slices.Sort(times)
	return times[len(times)/2], nil
}

// copyRate returns the bytes a second that a copy on the card reads and writes.
func copyRate(d device.Device, o options) (float64, error) {
	s, err := d.NewStream(0)
	if err != nil {
		return 0, err
	}
	defer s.Close()
	bytes := 4 * o.N
	var bufs [2]device.Buffer
	for i := range bufs {
		if bufs[i], err = d.Alloc(bytes); err != nil {
			return 0, err
		}
		defer bufs[i].Free()
	}
	seconds, err := median(o.Turns, func() (float64, error) {
		e := s.CopyPeer(bufs[1], 0, bufs[0], 0, bytes)
		if err := s.Sync(ctx); err != nil {
			return 0, err
		}
		t := e.Trace()
		return t.Duration().Seconds(), nil
	})
	return 2 * float64(bytes) / seconds, err
}

// kernelsOfACell counts the launches of 40 operations on one shape, of which one result is asked for.
func kernelsOfACell(rt *offload.Runtime) (int64, error) {
	x := lazy.Arange(1000).AsType(lazy.Float32)
	if err := lazy.TryEval(x); err != nil {
		return 0, err
	}
	y := x
	for i := range 20 {
		y = y.Mul(0.5).Add(float32(i))
	}
	before := rt.Stats().Launches
	err := lazy.TryEval(y)
	return rt.Stats().Launches - before, err
}

// launches measures what a launch of an empty kernel takes its caller, and how long a launch and the wait for it take.
func launches(w io.Writer, o options) error {
	fmt.Fprintf(w, "\n| a launch | takes the caller | with the wait for it |\n|---|---|---|\n")
	for _, way := range []struct {
		name   string
		worker []string
	}{{"in process", nil}, {"through the worker", o.worker}} {
		r := new(device.Registry)
		r.Add("host", func() (device.Device, error) { return host.Open(0), nil })
		cudabackend.Register(r, way.worker...)
		d, err := r.Get(o.Device)
		if err != nil {
			return err
		}
		call, trip, err := launch(d, o.Turns)
		if err != nil {
			return fmt.Errorf("%s: %w", way.name, err)
		}
		fmt.Fprintf(w, "| %s | %.2f µs | %.2f µs |\n", way.name, call*1e6, trip*1e6)
		if err := d.Close(); err != nil {
			return err
		}
	}
	return nil
}

func launch(d device.Device, turns int) (call, trip float64, err error) {
	s, err := d.NewStream(0)
	if err != nil {
		return 0, 0, err
	}
	b := kir.NewBuilder("empty")
	b.Return()
	f, err := b.Func()
	if err != nil {
		return 0, 0, err
	}
	k, err := d.Load(f)
	if err != nil {
		return 0, 0, err
	}
	const batch = 64 // fewer than may be under way
	do := func(n int, wait bool) func() (float64, error) {
		return func() (float64, error) {
			start := time.Now()
			for range n {
				s.Launch(k, kir.D1(1), kir.D1(32), 0, nil)
			}
			took := time.Since(start)
			err := s.Sync(ctx)
			if wait {
				took = time.Since(start)
			}
			return took.Seconds() / float64(n), err
		}
	}
	if call, err = median(turns, do(batch, false)); err != nil {
		return 0, 0, err
	}
	trip, err = median(turns, do(1, true))
	return call, trip, err
}
