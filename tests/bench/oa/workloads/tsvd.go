package workloads

import (
	"github.com/arrayrepl/arrayrepl/arrays"
	np "github.com/arrayrepl/arrayrepl/lazy"
	"github.com/arrayrepl/arrayrepl/offload"
)

// Blob returns n points of d features around one centre, as the paper's truncated SVD has them: each feature of the centre
// lies in [-10, 10], the points have a standard deviation of 1. The numbers are those of
// NumPy's default_rng, not of scikit-learn's make_blobs, which the authors call.
func Blob(seed, n, d int) *np.Array {
	r := arrays.DefaultRNG(seed)
	centre := r.Uniform(-10, 10, d)
	return np.FromArray(r.Normal(0, 1, n, d).Add(centre))
}

// TSVD returns the two largest singular values of a matrix, the smaller first: on the CPU by one function of package arrays, on
// a device by one fused kernel that makes the matrix of the columns' products. What it costs, in a unit of its own, are the
// paper's figures: 2x on the CPU, 14 on the device and x to move the points, of x = log2(points). So it runs on the CPU up
// to 2^14 points, and from there on the device.
var TSVD = np.Annotate(offload.Annotation{
	Name:   "tsvd",
	Args:   offload.Types(offload.WithTransfer(np.Rows, offload.Linear{A: 1})),
	Ret:    np.Rows,
	Result: arrays.Spec{DType: np.Float64, Shape: []int{2}},
	Whole:  true,
	Cost:   offload.LinearCompute(2, 0, 0, 14),

	CPU: func(x *arrays.Array) *arrays.Array {
		return arrays.SVDVals(x).At(arrays.S(1, arrays.End, -1))
	},
	GPU: func(x *np.Array) *np.Array {
		products := x.At(np.All, np.All, np.NewAxis).Mul(x.At(np.All, np.NewAxis, np.All)).Sum(np.Axis(0))
		return np.EigValsH(products).At(np.S(-2, np.End)).Sqrt()
	},
})
