package arrays_test

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	np "github.com/arrayrepl/arrayrepl/arrays"
)

func ExampleTrySolve() {
	_, err := np.TrySolve([][]float64{{1, 2}, {2, 4}}, []float64{1, 2})
	fmt.Println(errors.Is(err, np.ErrSingular))
	x, err := np.TrySolve([][]float64{{2, 0}, {0, 4}}, []float64{1, 2})
	fmt.Println(x, err)
	// Output:
	// true
	// [0.5 0.5] <nil>
}

func ExampleTryInv() {
	_, err := np.TryInv([][]float64{{1, 2, 3}, {4, 5, 6}})
	fmt.Println(err)
	_, err = np.TryInv(np.Zeros(2, 2))
	fmt.Println(errors.Is(err, np.ErrSingular))
	// Output:
	// inv: a matrix of shape (2,3) is not square; its last two axes must be equal
	// true
}

func ExampleTryPInv() {
	inverse, err := np.TryPInv([][]float64{{2, 0}, {0, 0}}) // singular matrices have one
	fmt.Println(inverse.Round(6), err)
	_, err = np.TryPInv([]float64{1, 2})
	fmt.Println(err)
	// Output:
	// [[0.5 0. ]
	//  [0.  0. ]] <nil>
	// pinv: shape (2,) is not a matrix; it takes 2 axes or more
}

func ExampleTryCholesky() {
	_, err := np.TryCholesky([][]float64{{1, 2}, {2, 1}}) // its eigenvalues are 3 and -1
	fmt.Println(err)
	lower, err := np.TryCholesky([][]float64{{4, 2}, {2, 5}})
	fmt.Println(lower, err)
	// Output:
	// cholesky: the matrix is not positive definite; check that it is symmetric and its eigenvalues are above 0
	// [[2. 0.]
	//  [1. 2.]] <nil>
}

func ExampleTrySVD() {
	_, _, _, err := np.TrySVD([][]float64{{1, math.NaN()}, {0, 1}})
	fmt.Println(errors.Is(err, np.ErrNotConverged))
	_, s, _, err := np.TrySVD([][]float64{{0, 3}, {4, 0}})
	fmt.Println(s.Round(6), err)
	// Output:
	// true
	// [4. 3.] <nil>
}

func ExampleTrySVDThin() {
	u, _, _, err := np.TrySVDThin(np.Ones(5, 2))
	fmt.Println(u.Shape(), err)
	_, _, _, err = np.TrySVDThin([][]float64{{math.Inf(1), 0}, {0, 1}})
	fmt.Println(err)
	// Output:
	// [5 2] <nil>
	// svd: the matrix did not converge; check it for NaN and infinity
}

func ExampleTryEig() {
	values, _, err := np.TryEig([][]float64{{0, -1}, {1, 0}}) // a quarter turn
	fmt.Println(values.Imag().Abs().Round(6), err)
	_, _, err = np.TryEig([]float64{1, 2})
	fmt.Println(err)
	// Output:
	// [1. 1.] <nil>
	// eig: shape (2,) is not a matrix; it takes 2 axes or more
}

func ExampleTryEigH() {
	values, _, err := np.TryEigH([][]float64{{0, 2}, {2, 0}})
	fmt.Println(values.Round(6), err)
	_, _, err = np.TryEigH([][]float64{{math.NaN(), 0}, {0, 1}})
	fmt.Println(err) // NumPy gives NaN
	// Output:
	// [-2.  2.] <nil>
	// eigh: the matrix did not converge; check it for NaN and infinity
}

func ExampleTryExpm() {
	turn, err := np.TryExpm([][]float64{{0, -math.Pi}, {math.Pi, 0}}) // half a turn
	fmt.Println(turn.Diagonal().Round(6), err)
	_, err = np.TryExpm(np.Zeros(2, 3))
	fmt.Println(err)
	// Output:
	// [-1. -1.] <nil>
	// expm: a matrix of shape (2,3) is not square; its last two axes must be equal
}

func ExampleTryLstSq() {
	// The line through the points (0, 1), (1, 3), (2, 5).
	a := np.Vander([]float64{0, 1, 2}, 2)
	line, _, rank, _, err := np.TryLstSq(a, []float64{1, 3, 5})
	fmt.Println(line.Round(6), rank, err)
	_, _, _, _, err = np.TryLstSq(a, []float64{1, 3})
	fmt.Println(err)
	// Output:
	// [2. 1.] 2 <nil>
	// lstsq: shapes (3,2) and (2,) do not go together: 3 rows on the left, 2 on the right
}

func ExampleTry() {
	err := np.Try(func() { np.Ones(2).Add(np.Ones(3)) })
	fmt.Println(err != nil)
	// Output: true
}

func ExampleFromMatrix() {
	m := mat.NewDense(2, 2, []float64{1, 2, 3, 4})
	fmt.Println(np.FromMatrix(m.T()))
	fmt.Println(np.Add(m, 1).Sum())
	// Output:
	// [[1. 3.]
	//  [2. 4.]]
	// 14.0
}
