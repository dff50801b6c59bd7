package arrays

// TrySolve is [Solve], but what is wrong with the operands, as a singular matrix, it returns: errors.Is(err,
// ErrSingular).
func TrySolve(a, b any) (x *Array, err error) {
	defer catch(&err)
	return Solve(a, b), nil
}

// TryInv is [Inv] with an error.
func TryInv(x any) (inverse *Array, err error) {
	defer catch(&err)
	return Inv(x), nil
}

// TryCholesky is [Cholesky] with an error.
func TryCholesky(x any) (lower *Array, err error) {
	defer catch(&err)
	return Cholesky(x), nil
}

// TryPInv is [PInv] with an error.
func TryPInv(x any, rcond ...float64) (inverse *Array, err error) {
	defer catch(&err)
	return PInv(x, rcond...), nil
}

// TryExpm is [Expm] with an error.
func TryExpm(x any) (exponential *Array, err error) {
	defer catch(&err)
	return Expm(x), nil
}

// TrySVD is [SVD] with an error: errors.Is(err, ErrNotConverged).
func TrySVD(x any) (u, s, vh *Array, err error) {
	defer catch(&err)
	u, s, vh = SVD(x)
	return u, s, vh, nil
}

// TrySVDThin is [SVDThin] with an error.
func TrySVDThin(x any) (u, s, vh *Array, err error) {
	defer catch(&err)
	u, s, vh = SVDThin(x)
	return u, s, vh, nil
}

// TryEigH is [EigH] with an error.
func TryEigH(x any) (values, vectors *Array, err error) {
	defer catch(&err)
	values, vectors = EigH(x)
	return values, vectors, nil
}

// TryEig is [Eig] with an error.
func TryEig(x any) (values, vectors *Array, err error) {
	defer catch(&err)
	values, vectors = Eig(x)
	return values, vectors, nil
}

// TryLstSq is [LstSq] with an error.
func TryLstSq(a, b any, rcond ...float64) (x, residuals, rank, values *Array, err error) {
	defer catch(&err)
	x, residuals, rank, values = LstSq(a, b, rcond...)
	return x, residuals, rank, values, nil
}

// catch makes an *Error that was panicked with the result; other panics go on.
func catch(err *error) {
	switch r := recover().(type) {
	case nil:
	case *Error:
		*err = r
	default:
		panic(r)
	}
}
