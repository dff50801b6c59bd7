package arrays_test

import (
	"fmt"
	"math"

	np "github.com/arrayrepl/arrayrepl/arrays"
)

func ExampleCholesky() {
	l := np.Cholesky([][]float64{{4, 2}, {2, 5}})
	fmt.Println(l)
	fmt.Println(np.MatMul(l, l.T()))
	// Output:
	// [[2. 0.]
	//  [1. 2.]]
	// [[4. 2.]
	//  [2. 5.]]
}

func ExampleCond() {
	fmt.Println(np.Cond(np.Diag([]float64{8, 4, 2})).Round(6))
	fmt.Println(np.Cond([][]float64{{1, 2}, {3, 4}}, 1).Round(6))      // by sums of columns
	fmt.Println(np.Cond([][]float64{{1, 1}, {1, 1 + 1e-12}}).Gt(1e12)) // nearly singular
	// Output:
	// 4.0
	// 21.0
	// True
}

func ExampleCross() {
	fmt.Println(np.Cross([]int{1, 0, 0}, []int{0, 1, 0}))
	fmt.Println(np.Cross(np.Eye(3), []float64{0, 0, 1})) // each row
	// Output:
	// [0 0 1]
	// [[ 0. -1.  0.]
	//  [ 1.  0.  0.]
	//  [ 0.  0.  0.]]
}

func ExampleDet() {
	fmt.Println(np.Det([][]float64{{1, 2}, {3, 4}}).Round(6))
	fmt.Println(np.Det([][][]float64{{{2, 0}, {0, 3}}, {{1, 2}, {2, 4}}}).Round(6)) // of each matrix
	// Output:
	// -2.0
	// [6. 0.]
}

func ExampleDot() {
	fmt.Println(np.Dot([]int{1, 2, 3}, []int{4, 5, 6}))
	fmt.Println(np.Dot([][]int{{1, 2}, {3, 4}}, []int{1, 1}))
	// Output:
	// 32
	// [3 7]
}

func ExampleEig() {
	a := np.From2D([][]float64{{0, -1}, {1, 0}}) // a quarter of a turn
	values, vectors := np.Eig(a)
	fmt.Println(values.Abs().Round(6), values.Imag().Abs().Round(6))
	fmt.Println(np.AllClose(np.MatMul(a, vectors), vectors.Mul(values))) // vectors are the columns
	// Output:
	// [1. 1.] [1. 1.]
	// true
}

func ExampleEigValsH() {
	fmt.Println(np.EigValsH([][]float64{{2, 1}, {1, 2}}).Round(6))
	fmt.Println(np.EigValsH([][]float64{{2, 99}, {1, 2}}).Round(6)) // the lower triangle is read
	// Output:
	// [1. 3.]
	// [1. 3.]
}

func ExampleExpm() {
	turn := np.From2D([][]float64{{0, -1}, {1, 0}}).Mul(math.Pi / 6)
	fmt.Println(np.Expm(turn).Round(6)) // a rotation by 30 degrees
	fmt.Println(np.Exp(turn).Round(6))  // of each element
	// Output:
	// [[ 0.866025 -0.5     ]
	//  [ 0.5       0.866025]]
	// [[1.       0.592385]
	//  [1.688092 1.      ]]
}

func ExampleInner() {
	a := np.From2D([][]int{{1, 2}, {3, 4}})
	fmt.Println(np.Inner(a, a)) // every row with every row
	fmt.Println(np.Inner(a, []int{1, 10}))
	// Output:
	// [[ 5 11]
	//  [11 25]]
	// [21 43]
}

func ExampleInv() {
	a := np.From2D([][]float64{{2, 1}, {1, 1}})
	fmt.Println(np.Inv(a).Round(6))
	fmt.Println(np.AllClose(np.MatMul(a, np.Inv(a)), np.Eye(2)))
	// Output:
	// [[ 1. -1.]
	//  [-1.  2.]]
	// true
}

func ExampleKron() {
	fmt.Println(np.Kron([][]int{{1, 0}, {2, 3}}, []int{1, 10}))
	// Output:
	// [[ 1 10  0  0]
	//  [ 2 20  3 30]]
}

// The line nearest to four points.
func ExampleLstSq() {
	t := np.Arange(4.0)
	a := np.Stack(1, t, np.Ones(4))
	x, residuals, rank, _ := np.LstSq(a, []float64{-1, 0.2, 0.9, 2.1})
	fmt.Println(x.Round(6), residuals.Round(6), rank) // slope, height; what is left; columns that count
	// Output: [ 1.   -0.95] [0.05] 2
}

func ExampleMatMul() {
	a := np.From2D([][]int{{1, 2}, {3, 4}})
	fmt.Println(np.MatMul(a, a))
	fmt.Println(np.MatMul(a, []int{1, 10}), np.MatMul([]int{1, 10}, a)) // a column; a row
	fmt.Println(np.MatMul(np.Ones(5, 2, 3), np.Ones(3, 4)).Shape())     // stacks broadcast
	// Output:
	// [[ 7 10]
	//  [15 22]]
	// [21 43] [31 42]
	// [5 2 4]
}

func ExampleMatrixNorm() {
	a := np.From2D([][]float64{{1, -2}, {3, 4}})
	fmt.Println(np.MatrixNorm(a, 1), np.MatrixNorm(a, math.Inf(1))) // the largest column, the largest row
	fmt.Println(np.MatrixNorm(a, "fro").Square().Round(6))
	// Output:
	// 6.0 7.0
	// 30.0
}

func ExampleMatrixPower() {
	step := np.From2D([][]int{{1, 1}, {1, 0}})
	fmt.Println(np.MatrixPower(step, 10))                                 // Fibonacci's numbers 11, 10 and 9
	fmt.Println(np.MatrixPower([][]float64{{2, 1}, {1, 1}}, -2).Round(6)) // of the inverse
	// Output:
	// [[89 55]
	//  [55 34]]
	// [[ 2. -3.]
	//  [-3.  5.]]
}

func ExampleMatrixRank() {
	fmt.Println(np.MatrixRank([][]float64{{1, 2}, {2, 4}}), np.MatrixRank(np.Eye(3)))
	fmt.Println(np.MatrixRank(np.Diag([]float64{1, 1e-6}), 1e-3)) // what counts as zero
	// Output:
	// 1 3
	// 1
}
