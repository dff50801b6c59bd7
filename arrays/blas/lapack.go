package blas

import (
	"math"
	"slices"

	"github.com/arrayrepl/arrayrepl/internal/dense"
)

// routines are the functions for package dense of real ("d") or complex ("z") numbers. LAPACK has matrices by columns:
// one that is given by rows is its transpose, which some functions can do with; for others it is turned around.
func routines[T dense.Number](l *library, kind string) dense.Routines[T] {
	r := lapack[T]{l, kind, kind == "z"}
	return dense.Routines[T]{Solve: r.solve, LU: r.lu, Inverse: r.inverse, Cholesky: r.cholesky, QR: r.qr, EigenSymmetric: r.eigenSymmetric,
		Eigen: r.eigen, SVD: r.svd, LeastSquares: r.leastSquares}
}

type lapack[T dense.Number] struct {
	*library
	kind    string
	complex bool
}

// transposed is the m x n matrix a with rows and columns exchanged.
func transposed[T any](m, n int, a []T) []T {
	out := make([]T, m*n)
	turn(out, m, n, a)
	return out
}

// turn writes the m x n matrix a with rows and columns exchanged, in blocks that stay in cache.
func turn[T any](out []T, m, n int, a []T) {
	const block = 16
	for i0 := 0; i0 < m; i0 += block {
		for j0 := 0; j0 < n; j0 += block {
			for i := i0; i < min(i0+block, m); i++ {
				for j := j0; j < min(j0+block, n); j++ {
					out[j*m+i] = a[i*n+j]
				}
			}
		}
	}
}

// turnInPlace exchanges rows and columns of the n x n matrix a, in blocks that stay in cache.
func turnInPlace[T any](n int, a []T) {
	const block = 16
	for i0 := 0; i0 < n; i0 += block {
		for j0 := 0; j0 <= i0; j0 += block {
			for i := i0; i < min(i0+block, n); i++ {
				for j := j0; j < min(j0+block, i); j++ {
					a[i*n+j], a[j*n+i] = a[j*n+i], a[i*n+j]
				}
			}
		}
	}
}

// workspace asks a function how many elements of scratch memory are best.
func workspace[T dense.Number](ask func(work []T, size int)) []T {
	best := make([]T, 1)
	ask(best, -1)
	return make([]T, max(sizeOf(best[0]), 1))
}

func sizeOf[T dense.Number](v T) int {
	switch v := any(v).(type) {
	case float64:
		return int(v)
	case complex128:
		return int(real(v))
	}
	return 1
}

// few is how many equations of one right side OpenBLAS's gesv solves faster on one processor than its getrf factors
// them on all.
const few = 400

// solve factors the transpose, as it is given, and solves with the factors' transpose.
func (r lapack[T]) solve(n, m int, a, b []T) error {
	order := make([]int64, n)
	if m == 1 && n < few {
		turnInPlace(n, a)
		if r.call(r.kind+"gesv", n, m, a, n, order, b, n) != 0 {
			return dense.ErrSingular
		}
		return nil
	}
	if r.call(r.kind+"getrf", n, n, a, n, order) != 0 {
		return dense.ErrSingular
	}
	sides := b // one column lies in both ways
	if m > 1 {
		sides = transposed(n, m, b)
	}
	r.call(r.kind+"getrs", byte('T'), n, m, a, n, order, sides, n)
	if m > 1 {
		turn(b, m, n, sides)
	}
	return nil
}

// lu factors the transpose.
func (r lapack[T]) lu(n int, a []T) (pivots []int, ok bool) {
	order := make([]int64, n)
	ok = r.call(r.kind+"getrf", n, n, a, n, order) == 0
	pivots = r.ints(order, n)
	for i := range pivots {
		pivots[i]-- // from 1 on
	}
	return pivots, ok
}

// inverse inverts the transpose, as it is given.
func (r lapack[T]) inverse(n int, a []T) error {
	order := make([]int64, n)
	if r.call(r.kind+"getrf", n, n, a, n, order) != 0 {
		return dense.ErrSingular
	}
	run := func(work []T, size int) int { return r.call(r.kind+"getri", n, a, n, order, work, size) }
	work := workspace(func(work []T, size int) { run(work, size) })
	if run(work, len(work)) != 0 {
		return dense.ErrSingular
	}
	return nil
}

// cholesky factors the transpose by its upper triangle, which is the lower one by rows.
func (r lapack[T]) cholesky(n int, a []T) error {
	if r.call(r.kind+"potrf", byte('U'), n, a, n) != 0 {
		return dense.ErrSingular
	}
	return nil
}

func (r lapack[T]) qr(m, n, k int, a, q, out []T) {
	least := min(m, n)
	columns, tau := transposed(m, n, a), make([]T, least)
	factor := func(work []T, size int) { r.call(r.kind+"geqrf", m, n, columns, m, tau, work, size) }
	work := workspace(factor)
	factor(work, len(work))
	for i := range least {
		for j := i; j < n; j++ {
			out[i*n+j] = columns[j*m+i]
		}
	}
	name := "dorgqr"
	if r.complex {
		name = "zungqr"
	}
	full := make([]T, m*k)
	copy(full, columns[:m*least])
	unfold := func(work []T, size int) { r.call(name, m, k, least, full, m, tau, work, size) }
	work = workspace(unfold)
	unfold(work, len(work))
	turn(q, k, m, full)
}

// eigenSymmetric takes the transpose: a symmetric matrix is the same with its triangles exchanged, a Hermitian one has
// to be turned.
func (r lapack[T]) eigenSymmetric(n int, a []T, w []float64, vectors bool) error {
	columns, triangle, job := a, byte('U'), byte('N')
	if r.complex {
		columns, triangle = transposed(n, n, a), 'L'
	}
	if vectors {
		job = 'V'
	}
	run := func(work []T, size int, real []float64, reals int, order []int64, orders int) int {
		if r.complex {
			return r.call("zheevd", job, triangle, n, columns, n, w, work, size, real, reals, order, orders)
		}
		return r.call("dsyevd", job, triangle, n, columns, n, w, work, size, order, orders)
	}
	best, bestReal, bestOrder := make([]T, 1), make([]float64, 1), make([]int64, 1)
	run(best, -1, bestReal, -1, bestOrder, -1)
	size, reals, orders := max(sizeOf(best[0]), 1), max(int(bestReal[0]), 1), max(int(int32(bestOrder[0])), 1)
	if run(make([]T, size), size, make([]float64, reals), reals, make([]int64, orders), orders) != 0 {
		return dense.ErrNotConverged
	}
	switch {
	case r.complex:
		turn(a, n, n, columns)
	case vectors:
		turnInPlace(n, a)
	}
	return nil
}

func (r lapack[T]) eigen(n int, a []T, w, vectors []complex128) error {
	columns, job := transposed(n, n, a), byte('N')
	var v []T
	if job = 'N'; vectors != nil {
		job, v = 'V', make([]T, n*n)
	}
	re, im := make([]float64, n), make([]float64, 2*n) // im is scratch memory of complex numbers
	unused := make([]T, 1)
	if v == nil {
		v = unused
	}
	run := func(work []T, size int) int {
		if r.complex {
			return r.call("zgeev", byte('N'), job, n, columns, n, w, unused, 1, v, n, work, size, im)
		}
		return r.call("dgeev", byte('N'), job, n, columns, n, re, im, unused, 1, v, n, work, size)
	}
	work := workspace(func(work []T, size int) { run(work, size) })
	if run(work, len(work)) != 0 {
		return dense.ErrNotConverged
	}
	switch v := any(v).(type) {
	case []complex128:
		if vectors != nil {
			turn(any(vectors).([]complex128), n, n, v)
		}
	case []float64:
		for j := range n {
			w[j] = complex(re[j], im[j])
			for i := 0; i < n && vectors != nil; i++ {
				switch {
				case im[j] == 0:
					vectors[i*n+j] = complex(v[j*n+i], 0)
				case im[j] > 0: // of a pair, column j has the real part and column j+1 the imaginary one
					vectors[i*n+j] = complex(v[j*n+i], v[(j+1)*n+i])
					vectors[i*n+j+1] = complex(v[j*n+i], -v[(j+1)*n+i])
				}
			}
		}
	}
	return nil
}

// svd decomposes the transpose, as it is given: its left vectors are the right ones, which lie there by columns, so
// that they are rows.
func (r lapack[T]) svd(m, n int, a []T, s []float64, u, vt []T, full bool) error {
	least, most := min(m, n), max(m, n)
	job, rows := byte('N'), 1
	if u != nil {
		job, rows = 'S', least
		if full {
			job, rows = 'A', m
		}
	} else {
		u, vt = make([]T, 1), make([]T, 1)
	}
	order := make([]int64, 8*least)
	var reals []float64
	if r.complex {
		size := 7 * least
		if job != 'N' {
			size = max(5*least*least+5*least, 2*most*least+2*least*least+least)
		}
		reals = make([]float64, size)
	}
	run := func(work []T, size int) int {
		if r.complex {
			return r.call("zgesdd", job, n, m, a, n, s, vt, n, u, rows, work, size, reals, order)
		}
		return r.call("dgesdd", job, n, m, a, n, s, vt, n, u, rows, work, size, order)
	}
	work := workspace(func(work []T, size int) { run(work, size) })
	if run(work, len(work)) != 0 || math.IsNaN(s[0]) {
		return dense.ErrNotConverged
	}
	return nil
}

// leastSquares has b and x in one matrix by columns.
func (r lapack[T]) leastSquares(m, n, k int, a, b, x []T, s []float64, rcond float64) (int, error) {
	if slices.ContainsFunc(a, func(v T) bool { return v-v != 0 }) { // NaN and infinity
		return 0, dense.ErrNotConverged
	}
	rows := max(m, n)
	columns, sides := transposed(m, n, a), make([]T, rows*k)
	for i := range m {
		for j := range k {
			sides[j*rows+i] = b[i*k+j]
		}
	}
	rank := make([]int64, 1)
	run := func(work []T, size int, reals []float64, order []int64) int {
		if r.complex {
			return r.call("zgelsd", m, n, k, columns, m, sides, rows, s, []float64{rcond}, rank, work, size, reals, order)
		}
		return r.call("dgelsd", m, n, k, columns, m, sides, rows, s, []float64{rcond}, rank, work, size, order)
	}
	best, reals, order := make([]T, 1), make([]float64, 1), make([]int64, 1)
	run(best, -1, reals, order)
	size := max(sizeOf(best[0]), 1)
	if run(make([]T, size), size, make([]float64, max(int(reals[0]), 1)), make([]int64, max(r.ints(order, 1)[0], 1))) != 0 {
		return 0, dense.ErrNotConverged
	}
	for i := range n {
		for j := range k {
			x[i*k+j] = sides[j*rows+i]
		}
	}
	return r.ints(rank, 1)[0], nil
}
