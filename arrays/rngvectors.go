package arrays

import (
	"fmt"
	"math"
	"slices"
)

// vector returns a parameter that is a list of numbers.
func (p parameter) vector(op string) []float64 {
	a := p.numbers(op)
	if a.NDim() != 1 || a.Len() == 0 {
		check(op, &Error{Shapes: [][]int{a.layout.Shape}, Msg: fmt.Sprintf("%s has shape %s; it must be a 1-D array of numbers", p.name, shapeString(a.layout.Shape))})
	}
	return elements[float64](a.data)
}

// costOfDraw is what a number of a distribution costs, in elements of plain work.
const costOfDraw = 128

// fillRows draws an array of the given shape with a last axis of k more, row by row. draw counts its work, as a row may
// be long.
func fillRows[T element](r *RNG, op string, dtype DType, shape []int, k int, draw func(row []T, work *poller)) *Array {
	shape = append(slices.Clone(shape), k)
	check(op, checkShape(shape))
	a := New(dtype, shape...)
	r.mu.Lock()
	defer r.mu.Unlock()
	v := elements[T](a.data)
	var work poller
	for i := 0; i < len(v); i += k {
		draw(v[i:i+k], &work)
	}
	return a
}

// Multinomial returns int64 counts of the outcomes of n trials, in a last axis as long as p, the outcomes'
// probabilities. It panics with *Error when these add up to more than 1; what is missing of 1 is the last one's.
func (r *RNG) Multinomial(n int, p ArrayLike, shape ...int) *Array {
	const op = "multinomial"
	chances := parameter{"p", p, probability}.vector(op)
	if n < 0 {
		check(op, &Error{Msg: fmt.Sprintf("n is %d; it must be 0 or more", n)})
	}
	if sum := plainSum(chances[:len(chances)-1]); sum > 1+1e-12 {
		check(op, &Error{Msg: fmt.Sprintf("the probabilities but the last add up to %v, which is more than 1", sum)})
	}
	return fillRows(r, op, Int64, shape, len(chances), func(row []int64, work *poller) {
		rest, trials := 1.0, int64(n)
		for i, p := range chances[:len(chances)-1] {
			work.did(costOfDraw)
			row[i] = r.src.Binomial(trials, min(p/rest, 1))
			trials -= row[i]
			if trials <= 0 {
				return
			}
			rest -= p
		}
		row[len(row)-1] = trials
	})
}

// plainSum adds few numbers one after the other.
func plainSum(v []float64) (sum float64) {
	for _, x := range v {
		sum += x
	}
	return sum
}

// Dirichlet returns float64 numbers that add up to 1 in a last axis as long as alpha, whose elements must be above 0.
func (r *RNG) Dirichlet(alpha ArrayLike, shape ...int) *Array {
	const op = "dirichlet"
	a := parameter{"alpha", alpha, above0}.vector(op)
	k := len(a)
	if slices.Max(a) >= 0.1 {
		return fillRows(r, op, Float64, shape, k, func(row []float64, work *poller) {
			sum := 0.0
			for i := range row {
				work.did(costOfDraw)
				row[i] = r.src.Gamma(a[i])
				sum += row[i]
			}
			inverse := 1 / sum
			for i := range row {
				row[i] *= inverse
			}
		})
	}
	// All gamma numbers could be 0 then: pieces of a stick instead, each a part of what is left.
	rest := slices.Clone(a)
	for i := k - 2; i >= 0; i-- {
		rest[i] += rest[i+1]
	}
	return fillRows(r, op, Float64, shape, k, func(row []float64, work *poller) {
		left := 1.0
		for i := range k - 1 {
			work.did(costOfDraw)
			part := r.src.Beta(a[i], rest[i+1])
			row[i] = left * part
			left *= 1 - part
		}
		row[k-1] = left
	})
}

// MultivariateNormal returns float64 vectors, in a last axis as long as mean, of the normal distribution with the
// covariance matrix cov, by its Cholesky factor: NumPy's numbers with method="cholesky". It panics with *Error when cov
// is not symmetric and positive definite.
func (r *RNG) MultivariateNormal(mean, cov ArrayLike, shape ...int) *Array {
	const op = "multivariate_normal"
	m := FromSlice(parameter{"the mean", mean, anyNumber}.vector(op))
	c := parameter{"the covariance", cov, anyNumber}.numbers(op)
	k := m.Len()
	if !slices.Equal(c.layout.Shape, []int{k, k}) {
		check(op, &Error{Shapes: [][]int{m.layout.Shape, c.layout.Shape}, Msg: fmt.Sprintf("the mean has %d numbers and the covariance shape %s; it must be (%d,%d)", k, shapeString(c.layout.Shape), k, k)})
	}
	v, largest := elements[float64](c.data), 0.0
	for _, x := range v {
		largest = max(largest, math.Abs(x))
	}
	for i := range k {
		for j := range i {
			if math.Abs(v[i*k+j]-v[j*k+i]) > 1e-8*largest {
				check(op, &Error{Msg: fmt.Sprintf("the covariance is not symmetric: %v at [%d,%d] and %v at [%d,%d]", v[i*k+j], i, j, v[j*k+i], j, i)})
			}
		}
	}
	factor, err := TryCholesky(c)
	if err != nil {
		check(op, &Error{Msg: "the covariance is not positive definite", Err: err})
	}
	z := fillRows(r, op, Float64, shape, k, func(row []float64, work *poller) {
		for i := range row {
			work.did(costOfDraw)
			row[i] = r.src.Normal()
		}
	})
	return Add(MatMul(z, factor.T()), m)
}
