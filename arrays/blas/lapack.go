package blas

import (
	"math"

	"github.com/arrayrepl/arrayrepl/internal/dense"
)

// routines are the functions for package dense of real ("d") or complex ("z") numbers. LAPACK has matrices by columns: one that is
// given by rows is its transpose, which some functions can do with; for others it is turned around.
func routines[T dense.Number](l *library, kind string) dense.Routines[T] {
	r := lapack[T]{l, kind, kind == "z"}
	return dense.Routines[T]{Solve: r.solve, LU: r.lu, Inverse: r.inverse, Cholesky: r.cholesky, QR: r.qr, EigenSymmetric: r.eigenSymmetric,
		Eigen: r.eigen, SVD: r.svd}
}

type lapack[T dense.Number] struct {
	*library
	kind    string
	complex bool
}

// transposed is the m x n matrix a with rows and columns exchanged, in blocks that stay in cache.
func transposed[T any](m, n int, a []T) []T {
	out := make([]T, m*n)
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
	return out
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

func (r lapack[T]) solve(n, m int, a, b []T) error {
	columns, sides := transposed(n, n, a), transposed(n, m, b)
	if r.call(r.kind+"gesv", n, m, columns, n, make([]int64, n), sides, n) != 0 {
		return dense.ErrSingular
	}
	copy(b, transposed(m, n, sides))
	return nil
}

func (r lapack[T]) lu(n int, a []T) (pivots []int, ok bool) {
	columns, order := transposed(n, n, a), make([]int64, n)
	ok = r.call(r.kind+"getrf", n, n, columns, n, order) == 0
	copy(a, transposed(n, n, columns))
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
	copy(q, transposed(k, m, full))
}

func (r lapack[T]) eigenSymmetric(n int, a []T, w []float64, vectors bool) error {
	columns, job := transposed(n, n, a), byte('N')
	if vectors {
		job = 'V'
	}
	run := func(work []T, size int, real []float64, reals int, order []int64, orders int) int {
		if r.complex {
			return r.call("zheevd", job, byte('L'), n, columns, n, w, work, size, real, reals, order, orders)
		}
		return r.call("dsyevd", job, byte('L'), n, columns, n, w, work, size, order, orders)
	}
	best, bestReal, bestOrder := make([]T, 1), make([]float64, 1), make([]int64, 1)
	run(best, -1, bestReal, -1, bestOrder, -1)
	size, reals, orders := max(sizeOf(best[0]), 1), max(int(bestReal[0]), 1), max(int(int32(bestOrder[0])), 1)
	if run(make([]T, size), size, make([]float64, reals), reals, make([]int64, orders), orders) != 0 {
		return dense.ErrNotConverged
	}
	copy(a, transposed(n, n, columns))
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
			copy(vectors, transposed(n, n, v))
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

// svd decomposes the transpose, as it is given: its left vectors are the right ones, which lie there by columns, so that they are rows.
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
