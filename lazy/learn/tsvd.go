package learn

import (
	"fmt"

	"github.com/arrayrepl/arrayrepl/arrays"
	np "github.com/arrayrepl/arrayrepl/lazy"
	"github.com/arrayrepl/arrayrepl/offload"
	"github.com/arrayrepl/arrayrepl/offload/host"
)

// TruncatedSVD has the k largest singular values of a matrix and their vectors. Samples are not centred: that is [PCA].
type TruncatedSVD struct {
	model
	k int
}

// tsvd is a TruncatedSVD as a value of the graph: components (k, features), and (k) of the others.
type tsvd struct {
	k                                       int
	components, singular, variances, ratios *np.Array
}

// Arrays is for calls on the CPU.
func (t *tsvd) Arrays() []*np.Array {
	return []*np.Array{t.components, t.singular, t.variances, t.ratios}
}

// NewTruncatedSVD returns a model of k components that is not fitted.
func NewTruncatedSVD(k int) *TruncatedSVD {
	t := &TruncatedSVD{construct("TruncatedSVD", fmt.Sprintf("TruncatedSVD(k=%d)", k), &tsvd{k: k}), k}
	if k < 1 {
		t.fail("New", nil, "k is %d; at least one component is needed", k)
	}
	return t
}

// decompose is for processors. The right singular vectors of a matrix that is no wider than high are the eigenvectors
// of its columns' products, as in ARPACK, which scikit-learn calls; those of a wide one would be many.
func decompose(t *tsvd, x *arrays.Array) (*arrays.Array, *tsvd) {
	finite("TruncatedSVD.Fit", x)
	var s, v *arrays.Array
	if shape := x.Shape(); shape[0] < shape[1] {
		_, values, vh := arrays.SVDThin(x)
		s, v = values.At(arrays.S(0, t.k)), vh.At(arrays.S(0, t.k))
	} else {
		values, vectors := arrays.EigH(arrays.MatMul(x.T(), x))
		last := arrays.S(arrays.End, -t.k-1, -1)
		s, v = arrays.Maximum(values.At(last), 0).Sqrt(), vectors.T().At(last)
	}
	most, least := v.Max(arrays.Axis(1), arrays.KeepDims()), v.Min(arrays.Axis(1), arrays.KeepDims())
	v = arrays.Where(most.GreaterEqual(least.Neg()), v, v.Neg())
	z := arrays.MatMul(x, v.T())
	variances := z.Var(arrays.Axis(0))
	return z, &tsvd{t.k, np.FromArray(v), np.FromArray(s.Copy()), np.FromArray(variances),
		np.FromArray(variances.Div(x.Var(arrays.Axis(0)).Sum()))}
}

// decomposeByKernels is for devices: one kernel makes the products.
func decomposeByKernels(t *tsvd, x *np.Array) (*np.Array, *tsvd) {
	finiteHere("TruncatedSVD.Fit", x)
	out := &tsvd{k: t.k}
	if shape := x.Shape(); shape[0] < shape[1] {
		_, values, vh := np.SVDThin(x)
		out.singular, out.components = values.At(np.S(0, t.k)), turned(vh.At(np.S(0, t.k)))
	} else {
		var products *np.Array
		if np.Device() == host.ID { // which has vector loops for that
			products = np.MatMul(x.T(), x)
		} else {
			products = x.At(np.All, np.All, np.NewAxis).Mul(x.At(np.All, np.NewAxis, np.All)).Sum(np.Axis(0))
		}
		values, vectors := np.EigH(products)
		last := np.S(np.End, -t.k-1, -1)
		out.singular, out.components = np.Maximum(values.At(last), 0).Sqrt(), turned(vectors.T().At(last))
	}
	z := np.MatMul(x, out.components.T())
	out.variances = z.Var(np.Axis(0))
	out.ratios = out.variances.Div(x.Var(np.Axis(0)).Sum())
	return z, out
}

// The costs are the figures of the paper, in a unit of its own: 2x on the CPU, 14 on the device and x to move the
// samples, of x = log2(samples). So samples are decomposed on the CPU while there are fewer than 2^14, and from there
// on on the device.
var (
	tsvdCost = offload.LinearCompute(2, 0, 0, 14)
	tsvdFits = []offload.Param{{Type: Models, Mutable: true}, {Type: offload.WithTransfer(np.Rows, offload.Linear{A: 1})}}

	tsvdFit = offload.Annotation{Name: "TruncatedSVD.fit", Args: tsvdFits, Whole: true, Cost: tsvdCost,
		CPU: func(t *tsvd, x *arrays.Array) *tsvd { _, t = decompose(t, x); return t },
		GPU: func(t *tsvd, x *np.Array) *tsvd { _, t = decomposeByKernels(t, x); return t }}
	tsvdFitTransform = offload.Annotation{Name: "TruncatedSVD.fit_transform", Args: tsvdFits, Whole: true, Cost: tsvdCost,
		CPU: decompose, GPU: decomposeByKernels}
	tsvdTransform = offload.Annotation{Name: "TruncatedSVD.transform", Args: uses,
		CPU: func(t *tsvd, x *arrays.Array) *arrays.Array { return arrays.MatMul(x, t.components.Array().T()) },
		GPU: func(t *tsvd, x *np.Array) *np.Array { return np.MatMul(x, t.components.T()) }}
)

// Fit decomposes samples, (n, features), and returns t. It panics with *arrays.Error when x is not a matrix of real
// numbers, or has fewer rows or columns than there are components.
func (t *TruncatedSVD) Fit(x any) *TruncatedSVD {
	t.change(tsvdFit, t.decomposed("Fit", x, t.k))
	return t
}

// FitTransform is [TruncatedSVD.Fit] and [TruncatedSVD.Transform] of the same samples.
func (t *TruncatedSVD) FitTransform(x any) *np.Array {
	a := t.decomposed("FitTransform", x, t.k)
	return t.call(tsvdFitTransform, np.Float64, []int{a.Len(), t.k}, a)
}

// Transform returns the coordinates of samples, (n, features), along the components: (n, k). It panics with
// *arrays.Error when t is not fitted or x has another number of features.
func (t *TruncatedSVD) Transform(x any) *np.Array {
	a := t.asked("Transform", x, t.features, "features")
	return t.call(tsvdTransform, np.Float64, []int{a.Len(), t.k}, a)
}

// Components returns the right singular vectors, (k, features), each with its largest coordinate positive.
func (t *TruncatedSVD) Components() *np.Array {
	return attribute(&t.model, "components_", np.Float64, []int{t.k, t.features}, func(v *tsvd) *np.Array { return v.components })
}

// SingularValues returns the largest singular values, (k), in descending order.
func (t *TruncatedSVD) SingularValues() *np.Array {
	return attribute(&t.model, "singular_values_", np.Float64, []int{t.k}, func(v *tsvd) *np.Array { return v.singular })
}

// ExplainedVariance returns the variances of the coordinates of the samples, (k), over n.
func (t *TruncatedSVD) ExplainedVariance() *np.Array {
	return attribute(&t.model, "explained_variance_", np.Float64, []int{t.k}, func(v *tsvd) *np.Array { return v.variances })
}

// ExplainedVarianceRatio returns the shares that those have in the variance of all features, (k).
func (t *TruncatedSVD) ExplainedVarianceRatio() *np.Array {
	return attribute(&t.model, "explained_variance_ratio_", np.Float64, []int{t.k}, func(v *tsvd) *np.Array { return v.ratios })
}
