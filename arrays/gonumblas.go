package arrays

import (
	"sync"
	"unsafe"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/blas/gonum"

	"github.com/arrayrepl/arrayrepl/internal/dense"
	"github.com/arrayrepl/arrayrepl/internal/vector"
	"github.com/arrayrepl/arrayrepl/internal/workers"
)

// tiledBLAS is gonum's BLAS of float64 on the tiles that MatMul uses, and on its processors. gonum's LAPACK, which the
// factorizations are made of, and its package mat call what blas64.Use was given. Routines that are not here,
// increments that are not positive and what gonum refuses are gonum's own. A matrix with a zero in it is multiplied
// like any other, so that 0 times NaN is NaN; where beta is 0, what was in the result does not count; where alpha is 0,
// the operands do not. Elements of products are fused: see [MatMul].
type tiledBLAS struct{ gonum.Implementation }

// The choice is that of the process. Who has chosen another BLAS keeps it.
func init() {
	if _, ok := blas64.Implementation().(gonum.Implementation); ok && tiles64 != nil {
		blas64.Use(tiledBLAS{})
	}
}

const (
	double       = 8    // bytes
	leastForRows = 16   // elements of a matrix times a vector that are worth the vector loops
	triangleBase = 32   // sides of the triangles that gonum's own loops solve
	diagonalSide = 48   // of the squares that a symmetric result's diagonal is cut into
	vectorStack  = 1024 // elements of a vector that are copied to the stack
)

// fits reports whether slice s holds a matrix of so many rows and columns.
func fits(rows, columns, ld int, s []float64) bool {
	return rows > 0 && columns > 0 && ld >= columns && len(s) >= (rows-1)*ld+columns
}

// oriented is rows and columns of the matrix that lies in memory where its product is rows x columns.
func oriented(t blas.Transpose, rows, columns int) (int, int) {
	if t == blas.NoTrans {
		return rows, columns
	}
	return columns, rows
}

func isTranspose(t blas.Transpose) bool {
	return t == blas.NoTrans || t == blas.Trans || t == blas.ConjTrans
}

// stridedIn is the matrix, seen transposed where t says so.
func stridedIn(t blas.Transpose, s []float64, ld int) strided {
	m := strided{unsafe.Pointer(&s[0]), ld * double, double}
	if t != blas.NoTrans {
		m = m.transposed()
	}
	return m
}

// Dgemm is c = alpha*a*b + beta*c.
func (r tiledBLAS) Dgemm(tA, tB blas.Transpose, m, n, k int, alpha float64, a []float64, lda int, b []float64, ldb int, beta float64, c []float64, ldc int) {
	rowsA, columnsA := oriented(tA, m, k)
	rowsB, columnsB := oriented(tB, k, n)
	switch {
	case !isTranspose(tA) || !isTranspose(tB) || !fits(rowsA, columnsA, lda, a) || !fits(rowsB, columnsB, ldb, b) || !fits(m, n, ldc, c):
		r.Implementation.Dgemm(tA, tB, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc)
		return
	case alpha == 0:
		scaleRows(m, n, beta, c, ldc)
		return
	case n == 1:
		r.Dgemv(tA, rowsA, columnsA, alpha, a, lda, b, stepOf(tB, ldb), beta, c, ldc)
		return
	case m == 1:
		r.Dgemv(otherWay(tB), rowsB, columnsB, alpha, b, ldb, a, stepOf(otherWay(tA), lda), beta, c, 1)
		return
	}
	scaleRows(m, n, beta, c, ldc)
	left, right := stridedIn(tA, a, lda), stridedIn(tB, b, ldb)
	if alpha != 1 {
		var memory *[]byte
		if m < n {
			left, memory = scaledCopy(left, m, k, alpha)
		} else {
			right, memory = scaledCopy(right, k, n, alpha)
		}
		defer rooms.Put(memory)
	}
	tiledProduct[float64]{tiles64, stridedIn(blas.NoTrans, c, ldc), left, right, m, k, n, false}.compute()
	dense.Worked(m * n * k)
}

// otherWay is the other of transposed and not.
func otherWay(t blas.Transpose) blas.Transpose {
	if t == blas.NoTrans {
		return blas.Trans
	}
	return blas.NoTrans
}

// stepOf is how far apart the elements of the one column lie that a matrix has, transposed where t says so.
func stepOf(t blas.Transpose, ld int) int {
	if t == blas.NoTrans {
		return ld
	}
	return 1
}

// scaleRows multiplies c by beta; 0 clears it.
func scaleRows(m, n int, beta float64, c []float64, ldc int) {
	if beta == 1 {
		return
	}
	for i := range m {
		row := c[i*ldc : i*ldc+n]
		if beta == 0 {
			clear(row)
			continue
		}
		for j := range row {
			row[j] *= beta
		}
	}
}

// scaledCopy is alpha times m as rows of neighbours, in memory of its own.
func scaledCopy(m strided, rows, columns int, alpha float64) (strided, *[]byte) {
	memory := room(rows * columns * double)
	to := elements[float64](*memory)[:rows*columns]
	if m.column != double && m.row == double { // read along what is near, too
		m, rows, columns = m.transposed(), columns, rows
		copyScaled(to, m, rows, columns, alpha)
		return strided{unsafe.Pointer(&to[0]), double, columns * double}, memory
	}
	copyScaled(to, m, rows, columns, alpha)
	return strided{unsafe.Pointer(&to[0]), columns * double, double}, memory
}

func copyScaled(to []float64, m strided, rows, columns int, alpha float64) {
	for i := range rows {
		row := to[i*columns : (i+1)*columns]
		for j := range row {
			row[j] = alpha * *(*float64)(m.part(i, j))
		}
	}
}

// line is x with its elements beside each other, times alpha: itself where it is so, else a copy in memory, or in more
// of it.
func line(memory *[vectorStack]float64, x []float64, n, step int, alpha float64) []float64 {
	if step == 1 && alpha == 1 {
		return x[:n]
	}
	to := atLeastOf(memory, n)
	for i := range to {
		to[i] = alpha * x[i*step]
	}
	return to
}

// atLeastOf is n elements of memory, or where they are too many of more.
func atLeastOf(memory *[vectorStack]float64, n int) []float64 {
	if n > len(memory) {
		return make([]float64, n)
	}
	return memory[:n]
}

// vectors are for the copies and sums of one call.
var vectors = sync.Pool{New: func() any { return new([2][vectorStack]float64) }}

// Dgemv is y = alpha*a*x + beta*y.
func (r tiledBLAS) Dgemv(t blas.Transpose, m, n int, alpha float64, a []float64, lda int, x []float64, incX int, beta float64, y []float64, incY int) {
	columns, rows := n, m // of x, of y
	if t != blas.NoTrans {
		columns, rows = m, n
	}
	if m*n < leastForRows || !isTranspose(t) || alpha == 0 || incX <= 0 || incY <= 0 || !fits(m, n, lda, a) || len(x) < 1+(columns-1)*incX || len(y) < 1+(rows-1)*incY {
		r.Implementation.Dgemv(t, m, n, alpha, a, lda, x, incX, beta, y, incY)
		return
	}
	memory := vectors.Get().(*[2][vectorStack]float64)
	defer vectors.Put(memory)
	if t == blas.NoTrans {
		sums := atLeastOf(&memory[1], m)
		x = line(&memory[0], x, n, incX, 1)
		to, from := strided{unsafe.Pointer(&sums[0]), 0, double}, strided{unsafe.Pointer(&x[0]), 0, double}
		vectorProduct[float64]{tiles64, dot64, to, from, stridedIn(blas.Trans, a, lda), n, m}.compute()
		addScaled(alpha, sums, beta, y, incY)
		return
	}
	r.timesRow(m, n, a, lda, line(&memory[0], x, m, incX, alpha), beta, y, incY, &memory[1])
	dense.Worked(m * n)
}

// addScaled is y = alpha*x + beta*y.
func addScaled(alpha float64, x []float64, beta float64, y []float64, incY int) {
	for i, v := range x {
		if at := &y[i*incY]; beta == 0 {
			*at = alpha * v
		} else {
			*at = beta**at + alpha*v
		}
	}
}

// byRows has so many rows of n elements worked on, by several processors where they are many.
func byRows(m, n int, do func(lo, hi int)) {
	if m*n < 2*pieceWork {
		do(0, m)
		return
	}
	each := max(pieceWork/n, 1)
	workers.Do((m+each-1)/each, func(piece int) { do(piece*each, min((piece+1)*each, m)) }, poll)
}

// timesRow is Dgemv of a transposed, with x that is scaled already.
func (r tiledBLAS) timesRow(m, n int, a []float64, lda int, x []float64, beta float64, y []float64, incY int, memory *[vectorStack]float64) {
	sums := y
	if incY == 1 {
		scaleRows(1, n, beta, y, n)
	} else {
		sums = atLeastOf(memory, n)
		clear(sums)
	}
	steps := m
	if m*n*double > nearBytes {
		steps = 16 // rows that are read from left to right
	}
	do := func(lo, hi int) {
		p := vector.Product{Step: double, Down: lda * double}
		for i := 0; i < m; i += steps {
			p.K = min(steps, m-i)
			p.A, p.B, p.C = unsafe.Pointer(&x[i]), unsafe.Pointer(&a[i*lda+lo]), unsafe.Pointer(&sums[lo])
			tiles64.AddRow(&p, hi-lo)
		}
	}
	if m*n < 2*pieceWork {
		do(0, n)
	} else {
		each := roundUp(max(pieceWork/m, 1), 64)
		workers.Do((n+each-1)/each, func(piece int) { do(piece*each, min((piece+1)*each, n)) }, poll)
	}
	if incY != 1 {
		addScaled(1, sums, beta, y, incY)
	}
}

// Dger is a += alpha*x*yᵀ.
func (r tiledBLAS) Dger(m, n int, alpha float64, x []float64, incX int, y []float64, incY int, a []float64, lda int) {
	if m*n < 64 || alpha == 0 || incX <= 0 || incY <= 0 || !fits(m, n, lda, a) || len(x) < 1+(m-1)*incX || len(y) < 1+(n-1)*incY {
		r.Implementation.Dger(m, n, alpha, x, incX, y, incY, a, lda)
		return
	}
	memory := vectors.Get().(*[2][vectorStack]float64)
	defer vectors.Put(memory)
	x, y = line(&memory[0], x, m, incX, alpha), line(&memory[1], y, n, incY, 1)
	byRows(m, n, func(lo, hi int) {
		p := vector.Product{K: 1, Row: double, Across: lda * double}
		for j := 0; j < n; j += tiles64.Columns {
			p.B = unsafe.Pointer(&y[j])
			for i := lo; i < hi; i += tiles64.Rows {
				p.A, p.C = unsafe.Pointer(&x[i]), unsafe.Pointer(&a[i*lda+j])
				tiles64.Add(&p, min(tiles64.Rows, hi-i), min(tiles64.Columns, n-j))
			}
		}
	})
	dense.Worked(m * n)
}
