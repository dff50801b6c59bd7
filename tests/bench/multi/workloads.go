package main

import (
	"math"

	"github.com/arrayrepl/arrayrepl/arrays"
	np "github.com/arrayrepl/arrayrepl/lazy"
)

// workload is a program in plain array code: start makes its arrays, the largest of so many bytes for each GPU, and
// returns one step of it, which returns what is to be evaluated if there is no further one. least is the weak scaling
// on eight GPUs that is wanted.
type workload struct {
	name  string
	least float64
	start func(gpus, bytes int) (step func() []*np.Array)
}

var workloads = []workload{
	{"stencil", 0.95, stencil}, {"options", 0.98, options}, {"jacobi", 0.85, jacobi}, {"logistic", 0.85, logistic},
	{"cg", 0.75, gradients}, {"sum", 0, sum},
}

// side is of a square matrix of float64 with so many bytes for each GPU, a multiple of eight.
func side(gpus, bytes int) int {
	n := int(math.Sqrt(float64(gpus) * float64(bytes) / 8))
	return n / 8 * 8
}

func sum(gpus, bytes int) func() []*np.Array {
	x := np.Arange(float64(gpus * bytes / 8))
	s := np.Zeros()
	return func() []*np.Array { // each sum waits for the one before
		s = x.Mul(s).Sum()
		return []*np.Array{s}
	}
}

func stencil(gpus, bytes int) func() []*np.Array {
	cols := int(math.Sqrt(float64(bytes) / 16)) // as many as rows on two GPUs
	rows := bytes / 8 / cols
	g := np.Arange(float64(gpus*rows*cols)).Reshape(gpus*rows, cols).Copy()
	return func() []*np.Array {
		c := g.At(arrays.S(1, -1), arrays.S(1, -1))
		n, w := g.At(arrays.S(0, -2), arrays.S(1, -1)), g.At(arrays.S(1, -1), arrays.S(0, -2))
		s, e := g.At(arrays.S(2, gpus*rows), arrays.S(1, -1)), g.At(arrays.S(1, -1), arrays.S(2, cols))
		c.Set(c.Add(n).Add(e).Add(w).Add(s).Mul(0.2))
		return []*np.Array{g}
	}
}

// options prices European calls and puts by Black and Scholes.
func options(gpus, bytes int) func() []*np.Array {
	n := gpus * bytes / 8
	spot := np.Linspace(5, 30, n)
	strike, years := np.Linspace(1, 100, n), np.Linspace(0.25, 10, n)
	const rate, volatility = 0.02, 0.3
	normal := func(d *np.Array) *np.Array { return d.Div(math.Sqrt2).Erf().Add(1).Mul(0.5) }
	return func() []*np.Array {
		root := years.Sqrt().Mul(volatility)
		d1 := spot.Div(strike).Log().Add(years.Mul(rate + volatility*volatility/2)).Div(root)
		d2 := d1.Sub(root)
		discounted := strike.Mul(years.Mul(-rate).Exp())
		return []*np.Array{spot.Mul(normal(d1)).Sub(discounted.Mul(normal(d2)))}
	}
}

func jacobi(gpus, bytes int) func() []*np.Array {
	n := side(gpus, bytes)
	r := np.Arange(float64(n*n)).Mod(11).Div(11*float64(n)).Reshape(n, n)
	b, d := np.Ones(n), np.Ones(n).Mul(3)
	x := np.Ones(n).Mul(0.5)
	return func() []*np.Array {
		x = b.Sub(np.Dot(r, x)).Div(d)
		return []*np.Array{x}
	}
}

// logistic is a step of logistic regression by gradient descent over all samples.
func logistic(gpus, bytes int) func() []*np.Array {
	const features = 32
	n := gpus * (bytes / 8 / features / 1024 * 1024) // tiles end where blocks of sums do
	x := np.Arange(float64(n*features)).Mod(13).Div(13).Reshape(n, features)
	y := np.Arange(float64(n)).Mod(2)
	w := np.Zeros(features)
	return func() []*np.Array {
		p := np.Dot(x, w).Neg().Exp().Add(1).Reciprocal()
		w = w.Sub(np.Dot(p.Sub(y), x).Mul(1e-5))
		return []*np.Array{w}
	}
}

// gradients is a step of the method of conjugate gradients, with a dense matrix.
func gradients(gpus, bytes int) func() []*np.Array {
	n := side(gpus, bytes)
	i := np.Arange(float64(n))
	a := i.Reshape(n, 1).Sub(i).Abs().Mul(-0.5).Exp()
	x := np.Zeros(n)
	r := np.Ones(n)
	p := r.Mul(1)
	rr := np.Dot(r, r)
	return func() []*np.Array {
		q := np.Dot(a, p)
		alpha := rr.Div(np.Dot(p, q))
		x = x.Add(p.Mul(alpha))
		r = r.Sub(q.Mul(alpha))
		next := np.Dot(r, r)
		p = r.Add(p.Mul(next.Div(rr)))
		rr = next
		return []*np.Array{x, r, p, rr}
	}
}
