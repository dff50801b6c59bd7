package arrays_test

import (
	"errors"
	"fmt"
	"log"
	"math"
	"os"
	"path/filepath"

	np "github.com/arrayrepl/arrayrepl/arrays"
)

func Example() {
	x := np.Linspace(0, 1, 5)
	y := x.Mul(2).Sub(1).Pow(2) // (2x-1)^2
	fmt.Println(y)
	fmt.Println(y.Mean(), y.ArgMax())
	// Output:
	// [1.   0.25 0.   0.25 1.  ]
	// 0.5 0
}

func ExampleArray_At() {
	m := np.Arange(12).Reshape(3, 4)
	fmt.Println(m.At(-1))
	fmt.Println(m.At(np.All, np.S(0, np.End, 2)))
	fmt.Println(m.At(np.From(1), np.To(2)).T())
	// Output:
	// [ 8  9 10 11]
	// [[ 0  2]
	//  [ 4  6]
	//  [ 8 10]]
	// [[4 8]
	//  [5 9]]
}

func ExampleS() {
	x := np.Arange(6)
	fmt.Println(x.At(np.S(1, 5)), x.At(np.S(np.End, np.End, -1)), x.At(np.S(-2, np.End)))
	// Output: [1 2 3 4] [5 4 3 2 1 0] [4 5]
}

// The sum of a column and a row is a table.
func ExampleAdd() {
	column := np.Arange(3).At(np.All, np.NewAxis)
	fmt.Println(np.Add(column, []int{10, 20}))
	// Output:
	// [[10 20]
	//  [11 21]
	//  [12 22]]
}

func ExampleWhere() {
	x := np.FromSlice([]float64{-2, 0.5, 3})
	fmt.Println(np.Where(x.Gt(0), x.Sqrt(), 0))
	// Output: [0.         0.70710678 1.73205081]
}

func ExampleArray_Sum() {
	m := np.FromSlice([][]int{{1, 2, 3}, {4, 5, 6}})
	fmt.Println(m.Sum(), m.Sum(np.Axis(0)), m.Sum(np.Axis(1)))
	fmt.Println(m.Sub(m.Mean(np.Axis(1), np.KeepDims())))
	// Output:
	// 21 [5 7 9] [ 6 15]
	// [[-1.  0.  1.]
	//  [-1.  0.  1.]]
}

func ExampleArray_Reshape() {
	fmt.Println(np.Arange(6).Reshape(2, -1))
	// Output:
	// [[0 1 2]
	//  [3 4 5]]
}

func ExampleArange() {
	fmt.Println(np.Arange(4), np.Arange(1, 2, 0.25), np.Arange(5, 0, -2))
	// Output: [0 1 2 3] [1.   1.25 1.5  1.75] [5 3 1]
}

func ExampleFromSlice() {
	fmt.Println(np.FromSlice([]bool{true, false}), np.FromSlice([]float32{1, 2, 3, 4}, 2, 2).DType())
	// Output: [ True False] float32
}

func ExampleArray_AsType() {
	x := np.FromSlice([]float64{-1.7, 0, 2.9})
	fmt.Println(x.AsType(np.Int64), x.AsType(np.Bool))
	// Output: [-1  0  2] [ True False  True]
}

func ExampleArray_String() {
	fmt.Println(np.Arange(3000).Div(3).Reshape(1000, 3))
	// Output:
	// [[0.00000000e+00 3.33333333e-01 6.66666667e-01]
	//  [1.00000000e+00 1.33333333e+00 1.66666667e+00]
	//  [2.00000000e+00 2.33333333e+00 2.66666667e+00]
	//  ...
	//  [9.97000000e+02 9.97333333e+02 9.97666667e+02]
	//  [9.98000000e+02 9.98333333e+02 9.98666667e+02]
	//  [9.99000000e+02 9.99333333e+02 9.99666667e+02]]
}

func ExampleLoadCSV() {
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "trees.csv")
	if err := os.WriteFile(path, []byte("kind,height,girth\noak,21.5,3.25\nash,30,\n"), 0o600); err != nil {
		log.Fatal(err)
	}
	fmt.Println(np.Must(np.LoadCSV(path, np.Columns("girth", "height"))))
	// Output:
	// [[ 3.25 21.5 ]
	//  [  nan 30.  ]]
}

// Operations panic with *Error, which a Go program can recover.
func ExampleError() {
	defer func() {
		var err *np.Error
		if e, ok := recover().(error); ok && errors.As(e, &err) {
			fmt.Println(err.Op, err.Shapes)
		}
	}()
	np.Zeros(3, 4).Add(np.Ones(5))
	// Output: add [[3 4] [5]]
}

// Resolve says what an operation will give before it is computed.
func ExampleUfunc_Resolve() {
	compute, out, err := np.OpLess.Resolve(np.Operand{DType: np.Float32}, np.Operand{DType: np.Float64, Weak: true})
	fmt.Println(compute, out, err)
	// Output: float32 bool <nil>
}

func ExampleDateTime() {
	d := np.FromSlice([]string{"2024-02-28", "2024-03-01", "2024-01-15"}).AsType(np.DateTime(np.Day))
	fmt.Println(d.Sort())
	fmt.Println(d.Sub(d.Min()))
	fmt.Println(d.Add(1))
	fmt.Println(d.AsType(np.DateTime(np.Month)))
	// Output:
	// ['2024-01-15' '2024-02-28' '2024-03-01']
	// [44 46  0]
	// ['2024-02-29' '2024-03-02' '2024-01-16']
	// ['2024-02' '2024-03' '2024-01']
}

func ExampleData() {
	pixels := np.FromSlice([][]uint8{{0, 100}, {200, 250}})
	fmt.Println(pixels.Add(10)) // wraps, as uint8 does
	fmt.Println(np.Data[uint8](pixels.T()))
	// Output:
	// [[ 10 110]
	//  [210   4]]
	// [0 200 100 250]
}

func ExampleArray_Values() {
	sum := 0.0
	for i, v := range np.FromSlice([]float32{0.5, 1.5, 2.5}).Values() {
		sum += float64(i) * v
	}
	fmt.Println(sum)
	// Output: 6.5
}

func ExampleSetPrintOptions() {
	x := np.Linspace(0, 1, 4).Mul(1e-3)
	fmt.Println(x)
	np.SetPrintOptions(np.Precision(4), np.Suppress(true))
	fmt.Println(x)
	np.SetPrintOptions() // as at first
	// Output:
	// [0.         0.00033333 0.00066667 0.001     ]
	// [0.     0.0003 0.0007 0.001 ]
}

func ExampleConj() {
	z := np.FromSlice([]complex128{3 + 4i, -1i})
	fmt.Println(np.Conj(z), z.Abs(), np.Real(z), np.Imag(z), np.Angle(1i))
	// Output: [3.-4.j 0.+1.j] [5. 1.] [3. 0.] [ 4. -1.] 1.5707963267948966
}

func ExampleStr() {
	names := np.FromSlice([]string{"Ada", "Grace", "Alan"})
	fmt.Println(names.DType(), names.AsType(np.Str(2)), names.Gt("B"))
	// Output: <U5 ['Ad' 'Gr' 'Al'] [False  True False]
}

func ExampleSolve() {
	a := np.From2D([][]float64{{2, 1}, {1, 3}})
	x := np.Solve(a, []float64{3, 5})
	fmt.Println(x, np.MatMul(a, x))
	_, err := np.TrySolve(np.Ones(2, 2), []float64{1, 2})
	fmt.Println(err)
	// Output:
	// [0.8 1.4] [3. 5.]
	// solve: the matrix is singular: it has no inverse; LstSq and PInv take such matrices
}

func ExampleSVD() {
	_, s, _ := np.SVD(np.From2D([][]float64{{3, 0}, {0, -4}, {0, 0}}))
	fmt.Println(s)
	// Output: [4. 3.]
}

func ExampleEigH() {
	values, vectors := np.EigH(np.From2D([][]float64{{2, 1}, {1, 2}}))
	fmt.Println(values, vectors.Abs().Round(4).At(0))
	// Output: [1. 3.] [0.7071 0.7071]
}

func ExampleEigVals() {
	values := np.EigVals(np.FromSlice([]complex128{3i, 1, 0, 2}).Reshape(2, 2))
	fmt.Println(values.Abs())
	// Output: [3. 2.]
}

func ExampleMax() {
	x := np.From2D([][]float64{{1, 5}, {4, 2}})
	fmt.Println(np.Max(x), np.Max(x, np.Axis(0)), np.Min(x, np.Axis(1), np.KeepDims()).Shape())
	// Output: 5.0 [4. 5.] [2 1]
}

func ExampleCumSum() {
	x := np.From2D([][]float64{{1, 2}, {3, 4}})
	fmt.Println(np.CumSum(x), np.CumSum(x, 1).At(1))
	// Output: [ 1.  3.  6. 10.] [3. 7.]
}

func ExampleEinsum() {
	x := np.Arange(6).Reshape(2, 3)
	fmt.Println(np.Einsum("ij->j", x), np.Einsum("ij,ij->i", x, x))
	// Output: [3 5 7] [ 5 50]
}

func ExampleRFFT() {
	x := np.Arange(8.0).Mul(2 * math.Pi * 3 / 8).Cos() // 3 turns in 8 points
	fmt.Println(np.RFFT(x).Abs().Round(6), np.RFFTFreq(8, 1).At(3))
	// Output: [0. 0. 0. 4. 0.] 0.375
}
