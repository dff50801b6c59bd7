package sparse

import (
	"fmt"
	"math"

	np "github.com/arrayrepl/arrayrepl/lazy"
)

// Solution is what [CG] found.
type Solution struct {
	X         *np.Array // of shape (rows)
	Steps     int
	Residuals []float64 // the norm of b - A·x before the first step and after each, over that of b
	Converged bool      // whether the last residual is at most the tolerance
}

// String says how far it came.
func (s *Solution) String() string {
	end := "converged"
	if !s.Converged {
		end = "did not converge"
	}
	return fmt.Sprintf("%s after %d steps, residual %.3g", end, s.Steps, s.Residuals[len(s.Residuals)-1])
}

// CGOption is what can be said of [CG]: [Tolerance], [MostSteps], [By].
type CGOption struct{ set func(o *cgOptions) }

type cgOptions struct {
	tolerance float64
	steps     int
	how       []Method
}

// Tolerance is the residual, over the norm of b, at which the steps end; 1e-5 of float32 where nothing is said, 1e-10
// of float64.
func Tolerance(t float64) CGOption { return CGOption{func(o *cgOptions) { o.tolerance = t }} }

// MostSteps is how many steps are made at most: 10 for each row where nothing is said, as rounding delays the end.
func MostSteps(n int) CGOption { return CGOption{func(o *cgOptions) { o.steps = n }} }

// By is how the products are made.
func By(m Method) CGOption { return CGOption{func(o *cgOptions) { o.how = []Method{m} }} }

// CG solves A·x = b for a symmetric, positive definite matrix of floats by the method of conjugate gradients (Hestenes
// and Stiefel, 1952). Each step is a product with A; what comes to the host of a step are two numbers. It panics with
// *Error where shapes do not fit, or where a step finds that the matrix is not positive definite.
func CG(m *Matrix, b any, opts ...CGOption) *Solution {
	const op = "sparse.CG"
	if m == nil {
		fail(op, "the matrix is nil; was it never assigned?")
	}
	r := array(op, b)
	if m.rows != m.cols || r.NDim() != 1 || r.Size() != m.rows {
		fail(op, "the matrix has shape [%d %d], the right side %v; the matrix is square, and the right side has one number for each row", m.rows, m.cols, r.Shape())
	}
	checkNumbers(op, r.DType())
	d := np.Promote(m.DType(), r.DType())
	if d != np.Float32 {
		d = np.Float64
	}
	o := cgOptions{tolerance: map[np.DType]float64{np.Float32: 1e-5, np.Float64: 1e-10}[d], steps: 10 * m.rows}
	for _, option := range opts {
		option.set(&o)
	}
	m, r = m.AsType(d), r.AsType(d)
	number := func(x *np.Array) float64 { return x.AsType(np.Float64).Item().(float64) }
	dot := func(x, y *np.Array) float64 { return number(np.Sum(x.Mul(y))) }
	x, p := np.Zeros(m.rows).AsType(d), r
	square := dot(r, r)
	size := math.Sqrt(square)
	s := &Solution{X: x, Residuals: []float64{min(size, 1)}, Converged: size == 0}
	for !s.Converged && s.Steps < o.steps {
		q := Mul(m, p, o.how...)
		curve := dot(p, q)
		if !(curve > 0) {
			fail(op, "in step %d the direction p has pᵀAp = %v, which is not positive: the matrix is not positive definite, or not all of its numbers are finite", s.Steps+1, curve)
		}
		step := np.Full(square / curve).AsType(d)
		x, r = x.Add(p.Mul(step)), r.Sub(q.Mul(step))
		next := dot(r, r)
		np.Eval(x)
		p = r.Add(p.Mul(np.Full(next / square).AsType(d)))
		square = next
		s.X, s.Steps = x, s.Steps+1
		s.Residuals = append(s.Residuals, math.Sqrt(square)/size)
		s.Converged = s.Residuals[s.Steps] <= o.tolerance
	}
	return s
}
