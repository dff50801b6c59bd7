package arrays_test

import (
	"fmt"
	"math"

	np "github.com/arrayrepl/arrayrepl/arrays"
)

func ExampleQR() {
	x := np.From2D([][]float64{{3, 1}, {4, 2}, {0, 2}})
	q, r := np.QR(x)
	fmt.Println(q.Shape(), r.Abs().Round(6)) // signs are a matter of choice
	fmt.Println(np.AllClose(q.MatMul(r), x), np.AllClose(q.T().MatMul(q), np.Eye(2)))
	// Output:
	// [3 2] [[5.       2.2     ]
	//  [0.       2.039608]]
	// true true
}

func ExampleQRComplete() {
	x := np.From2D([][]float64{{3, 1}, {4, 2}, {0, 2}})
	q, r := np.QRComplete(x)
	fmt.Println(q.Shape(), r.Shape(), r.At(2).Round(6).Abs())
	// Output: [3 3] [3 2] [0. 0.]
}

func ExamplePInv() {
	x := np.From2D([][]float64{{1, 1}, {1, 1}}) // has no inverse
	fmt.Println(np.PInv(x).Round(6))
	fmt.Println(np.PInv(np.Ones(4, 2)).Shape())
	// Output:
	// [[0.25 0.25]
	//  [0.25 0.25]]
	// [2 4]
}

func ExampleSLogDet() {
	x := np.Eye(400).Mul(-0.1) // a determinant of 1e-400, which float64 does not have
	sign, logdet := np.SLogDet(x)
	fmt.Println(np.Det(x), sign, logdet.Div(math.Log(10)).Round(6))
	// Output: 0.0 1.0 -400.0
}

func ExampleSVDVals() {
	fmt.Println(np.SVDVals([][]float64{{0, 3}, {-4, 0}, {0, 0}}).Round(6))
	// Output: [4. 3.]
}

func ExampleSVDThin() {
	x := np.Outer([]float64{1, 2, 2}, []float64{3, 4}) // a matrix of rank 1
	u, s, vh := np.SVDThin(x)
	fmt.Println(u.Shape(), vh.Shape(), s.Round(6))
	fmt.Println(np.AllClose(u.Mul(s).MatMul(vh), x))
	// Output:
	// [3 2] [2 2] [15.  0.]
	// true
}
