package main

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/gpu/sparse"
	"github.com/arrayrepl/arrayrepl/lazy"
	"github.com/arrayrepl/arrayrepl/offload"
	"github.com/arrayrepl/arrayrepl/offload/trace"
)

// workload is one row. peer.py has the same by the same name.
type workload struct {
	name   string
	dtypes []arrays.DType
	moved  int // arrays of N elements that must be read or written; 0 of what is not a streaming kernel
	make   func(o options, d arrays.DType) (inputs []*lazy.Array, run func() []*lazy.Array)
}

var (
	floats = []arrays.DType{arrays.Float32, arrays.Float64}
	narrow = floats[:1]
)

var rows = []workload{
	{"saxpy", narrow, 3, func(o options, d arrays.DType) ([]*lazy.Array, func() []*lazy.Array) {
		x, y := ramp(o.N, d, 0, 1), ramp(o.N, d, 1, 2)
		return []*lazy.Array{x, y}, func() []*lazy.Array { return []*lazy.Array{x.Mul(2).Add(y)} }
	}},
	{"sum", narrow, 1, func(o options, d arrays.DType) ([]*lazy.Array, func() []*lazy.Array) {
		x := ramp(o.N, d, 0, 1)
		return []*lazy.Array{x}, func() []*lazy.Array { return []*lazy.Array{x.Sum()} }
	}},
	{"sum of axis 0", narrow, 1, axisSum(0)},
	{"sum of axis 1", narrow, 1, axisSum(1)},
	{"running sum", narrow, 2, func(o options, d arrays.DType) ([]*lazy.Array, func() []*lazy.Array) {
		x := ramp(o.N, d, 0, 1)
		return []*lazy.Array{x}, func() []*lazy.Array { return []*lazy.Array{x.CumSum()} }
	}},
	{"sort", []arrays.DType{arrays.Uint32}, 0, func(o options, d arrays.DType) ([]*lazy.Array, func() []*lazy.Array) {
		x := lazy.BitAnd(lazy.Arange(o.N).Mul(2654435761), math.MaxUint32).AsType(d)
		return []*lazy.Array{x}, func() []*lazy.Array { return []*lazy.Array{lazy.Sort(x)} }
	}},
	{"mesh times a vector", narrow, 0, func(o options, d arrays.DType) ([]*lazy.Array, func() []*lazy.Array) {
		offsets, columns := mesh(o.N / 10)
		x := ramp(len(offsets)-1, d, 0, 1)
		m := sparse.CSR(x.Size(), x.Size(), offsets, columns, lazy.Ones(len(columns)).AsType(d))
		return []*lazy.Array{x}, func() []*lazy.Array { return []*lazy.Array{sparse.Mul(m, x)} }
	}},
	{"Black-Scholes", floats, 5, func(o options, d arrays.DType) ([]*lazy.Array, func() []*lazy.Array) {
		price, strike, years := ramp(o.N, d, 10, 50), ramp(o.N, d, 15, 60), ramp(o.N, d, 0.5, 2)
		return []*lazy.Array{price, strike, years}, func() []*lazy.Array { return blackScholes(price, strike, years) }
	}},
	{"Haversine", floats, 3, func(o options, d arrays.DType) ([]*lazy.Array, func() []*lazy.Array) {
		lat, lon := ramp(o.N, d, -1.5, 1.5), ramp(o.N, d, -3, 3)
		return []*lazy.Array{lat, lon}, func() []*lazy.Array { return haversine(lat, lon) }
	}},
	{"matmul", narrow, 0, func(o options, d arrays.DType) ([]*lazy.Array, func() []*lazy.Array) {
		x, y := ramp(o.Side*o.Side, d, 0, 1).Reshape(o.Side, o.Side), ramp(o.Side*o.Side, d, 1, 2).Reshape(o.Side, o.Side)
		return []*lazy.Array{x, y}, func() []*lazy.Array { return []*lazy.Array{x.MatMul(y)} }
	}},
}

// ramp is n numbers from lo to hi.
func ramp(n int, d arrays.DType, lo, hi float64) *lazy.Array {
	return lazy.Arange(n).AsType(d).Mul((hi - lo) / float64(n)).Add(lo).AsType(d)
}

// mesh is a square mesh of about so many points whose edges meet, in compressed rows: each point has its four
// neighbours and itself.
func mesh(points int) (offsets, columns []int32) {
	side := max(int(math.Sqrt(float64(points))), 3)
	n := side * side
	offsets, columns = make([]int32, n+1), make([]int32, 0, 5*n)
	for i := range n {
		for _, step := range []int{-side, -1, 0, 1, side} {
			columns = append(columns, int32((i+step+n)%n))
		}
		offsets[i+1] = int32(len(columns))
	}
	return offsets, columns
}

// axisSum adds along an axis of a matrix with rows of 1,000, or what N has.
func axisSum(axis int) func(o options, d arrays.DType) ([]*lazy.Array, func() []*lazy.Array) {
	return func(o options, d arrays.DType) ([]*lazy.Array, func() []*lazy.Array) {
		columns := min(1000, o.N)
		x := ramp(o.N/columns*columns, d, 0, 1).Reshape(-1, columns)
		return []*lazy.Array{x}, func() []*lazy.Array { return []*lazy.Array{x.Sum(lazy.Axis(axis))} }
	}
}

// blackScholes prices calls and puts at 2 % interest and a volatility of 30 %.
func blackScholes(price, strike, years *lazy.Array) []*lazy.Array {
	const rate, volatility = 0.02, 0.3
	phi := func(x *lazy.Array) *lazy.Array { return lazy.Erf(x.Mul(math.Sqrt2 / 2)).Add(1).Mul(0.5) }
	spread := lazy.Sqrt(years).Mul(volatility)
	d1 := lazy.Log(price.Div(strike)).Add(years.Mul(rate + volatility*volatility/2)).Div(spread)
	d2 := d1.Sub(spread)
	later := strike.Mul(lazy.Exp(years.Mul(-rate)))
	call := price.Mul(phi(d1)).Sub(later.Mul(phi(d2)))
	return []*lazy.Array{call, call.Sub(price).Add(later)}
}

// haversine is the distance in kilometres from one place, of coordinates in radians.
func haversine(lat, lon *lazy.Array) []*lazy.Array {
	const lat0, lon0, radius = 0.7, -1.2, 6371
	a, b := lazy.Sin(lat.Sub(lat0).Mul(0.5)), lazy.Sin(lon.Sub(lon0).Mul(0.5))
	h := a.Mul(a).Add(lazy.Cos(lat).Mul(math.Cos(lat0)).Mul(b).Mul(b))
	return []*lazy.Array{lazy.Asin(lazy.Sqrt(h)).Mul(2 * radius)}
}

// workloads measures all rows and writes them beside the peers' figures.
func workloads(w io.Writer, o options, limit float64, peers []peer) error {
	fmt.Fprintf(w, "| workload | kernels | of the copy's rate | whole evaluation |")
	for _, p := range peers {
		fmt.Fprintf(w, " %s |", p.name)
	}
	fmt.Fprintf(w, "\n|---|---|---|---|%s\n", strings.Repeat("---|", len(peers)))
	for _, row := range rows {
		for _, d := range row.dtypes {
			kernels, whole, err := row.measure(o, d)
			if err != nil {
				return fmt.Errorf("%s of %v: %w", row.name, d, err)
			}
			share := "–"
			if row.moved > 0 {
				share = fmt.Sprintf("%.0f %%", 100*float64(row.moved*o.N*d.Size())/kernels/limit)
			} else if row.name == "matmul" {
				share = fmt.Sprintf("%.3g TFLOP/s", 2*math.Pow(float64(o.Side), 3)/kernels/1e12)
			}
			name := fmt.Sprintf("%s %v", row.name, d)
			fmt.Fprintf(w, "| %s | %s | %s | %s |", name, short(kernels), share, short(whole))
			for _, p := range peers {
				fmt.Fprintf(w, " %s |", p.beside(name, whole))
			}
			fmt.Fprintln(w)
		}
	}
	return nil
}

// measure returns how long the kernels of one evaluation took by the card's clock, and all of it by the host's. Inputs
// and results stay on the card.
func (row workload) measure(o options, d arrays.DType) (kernels, whole float64, err error) {
	inputs, run := row.make(o, d)
	if err := lazy.TryEval(inputs...); err != nil {
		return 0, 0, err
	}
	var onCard []float64
	whole, err = median(o.Turns, func() (float64, error) {
		offload.Collect() // the results of the turn before go
		start := time.Now()
		if err := lazy.TryEval(run()...); err != nil {
			return 0, err
		}
		took := time.Since(start).Seconds()
		var sum trace.Time
		for _, e := range trace.Last().Events() {
			if e.Kind == trace.Kernel {
				sum += e.Duration()
			}
		}
		onCard = append(onCard, sum.Seconds())
		return took, nil
	})
	if err != nil {
		return 0, 0, err
	}
	onCard = onCard[1:]
	slices.Sort(onCard)
	return onCard[len(onCard)/2], whole, nil
}

// short writes a time for people.
func short(seconds float64) string { return fmt.Sprintf("%.3g ms", seconds*1e3) }
