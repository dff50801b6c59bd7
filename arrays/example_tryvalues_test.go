package arrays_test

import (
	"errors"
	"fmt"
	"math"

	np "github.com/arrayrepl/arrayrepl/arrays"
)

// notFinite is a matrix of which no iteration converges.
var notFinite = [][]float64{{1, math.NaN()}, {0, 1}}

func ExampleTryEigVals() {
	_, err := np.TryEigVals(notFinite)
	fmt.Println(errors.Is(err, np.ErrNotConverged))
	// Output: true
}

func ExampleTryEigValsH() {
	values, err := np.TryEigValsH([][]float64{{0, 2}, {2, 0}})
	fmt.Println(values.Round(6), err)
	// Output: [-2.  2.] <nil>
}

func ExampleTrySVDVals() {
	_, err := np.TrySVDVals(notFinite)
	fmt.Println(errors.Is(err, np.ErrNotConverged))
	// Output: true
}

func ExampleTryRoots() {
	_, err := np.TryRoots([]float64{1, math.NaN(), 2})
	fmt.Println(errors.Is(err, np.ErrNotConverged))
	// Output: true
}

func ExampleTryPoly() {
	p, err := np.TryPoly([][]float64{{2, 0}, {0, 3}}) // (x-2)(x-3)
	fmt.Println(p.Round(6), err)
	// Output: [ 1. -5.  6.] <nil>
}

func ExampleTryPolyFit() {
	line, err := np.TryPolyFit([]float64{0, 1, 2}, []float64{1, 3, 5}, 1)
	fmt.Println(line.Round(6), err)
	_, err = np.TryPolyFit([]float64{0, math.Inf(1), 2}, []float64{1, 3, 5}, 1)
	fmt.Println(errors.Is(err, np.ErrNotConverged))
	// Output:
	// [2. 1.] <nil>
	// true
}

func ExampleTryTensorInv() {
	_, err := np.TryTensorInv(np.Zeros(2, 2), 1)
	fmt.Println(errors.Is(err, np.ErrSingular))
	// Output: true
}

func ExampleTryTensorSolve() {
	_, err := np.TryTensorSolve(np.Zeros(2, 2), []float64{1, 2})
	fmt.Println(errors.Is(err, np.ErrSingular))
	// Output: true
}

func ExampleTryMatrixPower() {
	_, err := np.TryMatrixPower([][]float64{{1, 2}, {2, 4}}, -1)
	fmt.Println(errors.Is(err, np.ErrSingular))
	// Output: true
}

func ExampleTryMatrixRank() {
	rank, err := np.TryMatrixRank([][]float64{{1, 2}, {2, 4}})
	fmt.Println(rank, err)
	// Output: 1 <nil>
}

func ExampleTryMatrixNorm() {
	_, err := np.TryMatrixNorm(notFinite, "nuc") // the sum of the singular values
	fmt.Println(errors.Is(err, np.ErrNotConverged))
	// Output: true
}

func ExampleTryCond() {
	_, err := np.TryCond(notFinite)
	fmt.Println(errors.Is(err, np.ErrNotConverged))
	// Output: true
}
