package arrays

import (
	"errors"
	"runtime"

	"github.com/arrayrepl/arrayrepl/internal/budget"
)

// Try calls f and returns what operations in it panic with, as an error: the *[Error] of arrays, memory that is
// refused, and errors of the packages that stand on arrays, as of a device that is not there or a launch that cannot be
// made. Other panics go on, and so do those of Go's runtime. Of placeholders of package lazy it sees what f itself
// evaluates.
func Try(f func()) (err error) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case budget.Refused:
			err = r.Err
		case error:
			if of := runtime.Error(nil); errors.As(r, &of) {
				panic(r)
			}
			err = r
		default:
			panic(r)
		}
	}()
	f()
	return nil
}

// TrySolve is [Solve], but what is wrong with the operands, as a singular matrix, it returns: errors.Is(err,
// ErrSingular).
func TrySolve(a, b ArrayLike) (x *Array, err error) {
	defer catch(&err)
	return Solve(a, b), nil
}

// TryInv is [Inv] with an error.
func TryInv(x ArrayLike) (inverse *Array, err error) {
	defer catch(&err)
	return Inv(x), nil
}

// TryCholesky is [Cholesky] with an error.
func TryCholesky(x ArrayLike) (lower *Array, err error) {
	defer catch(&err)
	return Cholesky(x), nil
}

// TryPInv is [PInv] with an error.
func TryPInv(x ArrayLike, rcond ...float64) (inverse *Array, err error) {
	defer catch(&err)
	return PInv(x, rcond...), nil
}

// TryExpm is [Expm] with an error.
func TryExpm(x ArrayLike) (exponential *Array, err error) {
	defer catch(&err)
	return Expm(x), nil
}

// TrySVD is [SVD] with an error: errors.Is(err, ErrNotConverged).
func TrySVD(x ArrayLike) (u, s, vh *Array, err error) {
	defer catch(&err)
	u, s, vh = SVD(x)
	return u, s, vh, nil
}

// TrySVDThin is [SVDThin] with an error.
func TrySVDThin(x ArrayLike) (u, s, vh *Array, err error) {
	defer catch(&err)
	u, s, vh = SVDThin(x)
	return u, s, vh, nil
}

// TryEigH is [EigH] with an error.
func TryEigH(x ArrayLike) (values, vectors *Array, err error) {
	defer catch(&err)
	values, vectors = EigH(x)
	return values, vectors, nil
}

// TryEig is [Eig] with an error.
func TryEig(x ArrayLike) (values, vectors *Array, err error) {
	defer catch(&err)
	values, vectors = Eig(x)
	return values, vectors, nil
}

// TryLstSq is [LstSq] with an error.
func TryLstSq(a, b ArrayLike, rcond ...float64) (x, residuals, rank, values *Array, err error) {
	defer catch(&err)
	x, residuals, rank, values = LstSq(a, b, rcond...)
	return x, residuals, rank, values, nil
}

// TryEigVals is [EigVals] with an error: errors.Is(err, ErrNotConverged).
func TryEigVals(x ArrayLike) (values *Array, err error) {
	defer catch(&err)
	return EigVals(x), nil
}

// TryEigValsH is [EigValsH] with an error.
func TryEigValsH(x ArrayLike) (values *Array, err error) {
	defer catch(&err)
	return EigValsH(x), nil
}

// TrySVDVals is [SVDVals] with an error.
func TrySVDVals(x ArrayLike) (values *Array, err error) {
	defer catch(&err)
	return SVDVals(x), nil
}

// TryRoots is [Roots] with an error.
func TryRoots(p ArrayLike) (roots *Array, err error) {
	defer catch(&err)
	return Roots(p), nil
}

// TryPoly is [Poly] with an error.
func TryPoly(roots ArrayLike) (p *Array, err error) {
	defer catch(&err)
	return Poly(roots), nil
}

// TryPolyFit is [PolyFit] with an error.
func TryPolyFit(x, y ArrayLike, degree int) (p *Array, err error) {
	defer catch(&err)
	return PolyFit(x, y, degree), nil
}

// TryTensorInv is [TensorInv] with an error.
func TryTensorInv(x ArrayLike, axes ...int) (inverse *Array, err error) {
	defer catch(&err)
	return TensorInv(x, axes...), nil
}

// TryTensorSolve is [TensorSolve] with an error.
func TryTensorSolve(a, b ArrayLike) (x *Array, err error) {
	defer catch(&err)
	return TensorSolve(a, b), nil
}

// TryMatrixPower is [MatrixPower] with an error: powers below 0 are of the inverse.
func TryMatrixPower(x ArrayLike, n int) (power *Array, err error) {
	defer catch(&err)
	return MatrixPower(x, n), nil
}

// TryMatrixRank is [MatrixRank] with an error.
func TryMatrixRank(x ArrayLike, rtol ...float64) (rank *Array, err error) {
	defer catch(&err)
	return MatrixRank(x, rtol...), nil
}

// TryMatrixNorm is [MatrixNorm] with an error.
func TryMatrixNorm(x ArrayLike, ord any) (norm *Array, err error) {
	defer catch(&err)
	return MatrixNorm(x, ord), nil
}

// TryCond is [Cond] with an error.
func TryCond(x ArrayLike, ord ...any) (number *Array, err error) {
	defer catch(&err)
	return Cond(x, ord...), nil
}

// catch makes an error of the package, or of memory that is refused, the result; other panics go on.
func catch(err *error) {
	switch r := recover().(type) {
	case nil:
	case *Error:
		*err = r
	case budget.Refused:
		*err = r.Err
	default:
		panic(r)
	}
}
