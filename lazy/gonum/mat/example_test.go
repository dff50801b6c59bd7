package mat_test

import (
	"errors"
	"fmt"

	gonum "gonum.org/v1/gonum/mat"

	"github.com/arrayrepl/arrayrepl/lazy/gonum/mat"
)

func ExampleNewDense() {
	a := mat.NewDense(2, 2, []float64{1, 2, 3, 4})
	fmt.Println(a, a.At(1, 0))
	// Output:
	// [[1. 2.]
	//  [3. 4.]] 3
}

func ExampleDense_Mul() {
	a := mat.NewDense(2, 2, []float64{1, 2, 3, 4})
	var c mat.Dense
	c.Mul(a, a.T())
	fmt.Println(&c)
	// Output:
	// [[ 5. 11.]
	//  [11. 25.]]
}

func ExampleDense_Inverse() {
	var c mat.Dense
	err := c.Inverse(mat.NewDense(2, 2, []float64{1, 2, 2, 4}))
	var condition gonum.Condition
	fmt.Println(err, errors.As(err, &condition))
	// Output: matrix singular or near-singular with condition number +Inf true
}

func ExampleDense_Solve() {
	var x mat.Dense
	err := x.Solve(mat.NewDense(2, 2, []float64{2, 0, 0, 4}), mat.NewDense(2, 1, []float64{1, 1}))
	fmt.Println(&x, err)
	// Output:
	// [[0.5 ]
	//  [0.25]] <nil>
}

func ExampleDet() {
	fmt.Printf("%.1f\n", mat.Det(mat.NewDense(2, 2, []float64{2, 0, 0, 4})))
	// Output: 8.0
}

func ExampleSum() {
	fmt.Println(mat.Sum(mat.NewDense(2, 2, []float64{1, 2, 3, 4})))
	// Output: 10
}

func ExampleMax() {
	fmt.Println(mat.Max(mat.NewDense(2, 2, []float64{1, 2, 3, 4})))
	// Output: 4
}

func ExampleMin() {
	fmt.Println(mat.Min(mat.NewDense(2, 2, []float64{1, 2, 3, 4})))
	// Output: 1
}
