package calibrate

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"

	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/offload/device"
)

// Case is a launch whose time a model predicts and a device shows.
type Case struct {
	Name        string
	Func        *kir.Func
	Grid, Block kir.Dim3
	SharedBytes int // dynamic
	Params      []byte
	Arrays      map[int][]byte // by the place of their address in Params: what they hold when the launch begins
}

// Compared is what a launch took, in seconds.
type Compared struct {
	Name                string
	Predicted, Measured float64
}

// Ratio is Predicted / Measured; NaN where the device's clock saw nothing pass.
func (c Compared) Ratio() float64 {
	if c.Measured <= 0 {
		return math.NaN()
	}
	return c.Predicted / c.Measured
}

// Compare runs each case on both devices, none left out. Each launch finds its arrays as the case has them; on a real
// device the fastest of five counts.
func Compare(ctx context.Context, predicted, measured device.Device, cases []Case) ([]Compared, error) {
	var out []Compared
	for i := range cases {
		c := &cases[i]
		p, err := c.on(ctx, predicted)
		if err == nil {
			var m float64
			if m, err = c.on(ctx, measured); err == nil {
				out = append(out, Compared{c.Name, p, m})
			}
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", c.Name, err)
		}
	}
	return out, nil
}

// MeanError returns the mean of |predicted - measured| / measured, over the launches that took time, and how many those
// are.
func MeanError(list []Compared) (mean float64, n int) {
	for _, c := range list {
		if r := c.Ratio(); !math.IsNaN(r) {
			mean += math.Abs(r - 1)
			n++
		}
	}
	return mean / float64(max(n, 1)), n
}

// on returns the seconds that c takes on d.
func (c *Case) on(ctx context.Context, d device.Device) (took float64, err error) {
	s, err := d.NewStream(0)
	if err != nil {
		return 0, err
	}
	defer s.Close()
	k, err := d.Load(c.Func)
	if err != nil {
		return 0, err
	}
	params, buffers := append([]byte(nil), c.Params...), map[int]device.Buffer{}
	for at, data := range c.Arrays {
		b, err := d.Alloc(len(data))
		if err != nil {
			return 0, err
		}
		defer b.Free()
		buffers[at] = b
		binary.LittleEndian.PutUint64(params[at:], b.Addr())
	}
	r := newRunner(ctx, d, s)
	return r.fastest(func() device.Event {
		for at, data := range c.Arrays {
			s.CopyIn(buffers[at], 0, data)
		}
		return s.Launch(k, c.Grid, c.Block, c.SharedBytes, params)
	})
}
