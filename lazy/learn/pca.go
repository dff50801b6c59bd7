package learn

import (
	"fmt"

	np "github.com/arrayrepl/arrayrepl/lazy"
	"github.com/arrayrepl/arrayrepl/offload"
)

// PCA finds the k directions in which samples vary most: the eigenvectors of their covariances, each with its largest
// coordinate positive.
type PCA struct {
	model
	k int
}

// pca is a PCA as a value of the graph: mean (features), components (k, features), and (k) of the others.
type pca struct {
	k                                   int
	mean, components, variances, ratios *np.Array
	singular                            *np.Array
}

// Arrays is for calls on the CPU.
func (p *pca) Arrays() []*np.Array {
	return []*np.Array{p.mean, p.components, p.variances, p.ratios, p.singular}
}

// NewPCA returns a model of k components that is not fitted.
func NewPCA(k int) *PCA {
	p := &PCA{construct("PCA", fmt.Sprintf("PCA(k=%d)", k), &pca{k: k}), k}
	if k < 1 {
		p.fail("New", nil, "k is %d; at least one component is needed", k)
	}
	return p
}

// fitPCA takes the way that scikit-learn takes: the covariances where there are ten samples or more for each of a
// thousand features at most, else the singular values, which lose no digits to a square.
func fitPCA(p *pca, x *np.Array) *pca {
	finiteHere("PCA.Fit", x)
	n, d := x.Shape()[0], x.Shape()[1]
	out := &pca{k: p.k, mean: x.Mean(np.Axis(0))}
	centred := x.Sub(out.mean)
	var vectors, squares *np.Array // rows, largest first
	if d <= 1000 && n >= 10*d {
		values, v := np.EigH(np.MatMul(centred.T(), centred))
		down := np.S(np.End, -d-1, -1)
		vectors, squares = v.T().At(down), np.Maximum(values.At(down), 0)
	} else {
		_, s, vh := np.SVDThin(centred)
		vectors, squares = vh, s.Mul(s)
	}
	first := np.S(0, p.k)
	out.components = turned(vectors.At(first))
	out.variances = squares.At(first).Div(max(n-1, 1))
	out.ratios = squares.At(first).Div(squares.Sum())
	out.singular = squares.At(first).Sqrt()
	return out
}

// turned returns vectors, (k, d), each with its sign such that the coordinate farthest from 0 is positive.
func turned(v *np.Array) *np.Array {
	most, least := v.Max(np.Axis(1), np.KeepDims()), v.Min(np.Axis(1), np.KeepDims())
	return np.Where(most.GreaterEqual(least.Neg()), v, v.Neg())
}

func project(p *pca, x *np.Array) *np.Array { return np.MatMul(x.Sub(p.mean), p.components.T()) }

var (
	pcaFit          = offload.Annotation{Name: "PCA.fit", Args: fits, Whole: true, GPU: fitPCA}
	pcaTransform    = offload.Annotation{Name: "PCA.transform", Args: uses, GPU: project}
	pcaFitTransform = offload.Annotation{Name: "PCA.fit_transform", Args: fits, Whole: true,
		GPU: func(p *pca, x *np.Array) (*np.Array, *pca) { p = fitPCA(p, x); return project(p, x), p }}
	pcaInverse = offload.Annotation{Name: "PCA.inverse_transform", Args: uses,
		GPU: func(p *pca, z *np.Array) *np.Array { return np.MatMul(z, p.components).Add(p.mean) }}
)

// Fit computes the components of samples, (n, features), and returns p. It panics with *arrays.Error when x is not a
// matrix of real numbers, or has fewer rows or columns than there are components.
func (p *PCA) Fit(x any) *PCA {
	p.change(pcaFit, p.decomposed("Fit", x, p.k))
	return p
}

// FitTransform is [PCA.Fit] and [PCA.Transform] of the same samples.
func (p *PCA) FitTransform(x any) *np.Array {
	a := p.decomposed("FitTransform", x, p.k)
	return p.call(pcaFitTransform, np.Float64, []int{a.Len(), p.k}, a)
}

// Transform returns the coordinates of samples, (n, features), along the components: (n, k). It panics with
// *arrays.Error when p is not fitted or x has another number of features.
func (p *PCA) Transform(x any) *np.Array {
	a := p.asked("Transform", x, p.features, "features")
	return p.call(pcaTransform, np.Float64, []int{a.Len(), p.k}, a)
}

// InverseTransform returns the samples, (n, features), that have the coordinates z, (n, k), and none along other
// directions.
func (p *PCA) InverseTransform(z any) *np.Array {
	a := p.asked("InverseTransform", z, p.k, "coordinates")
	return p.call(pcaInverse, np.Float64, []int{a.Len(), p.features}, a)
}

// Components returns the directions, (k, features), of unit length.
func (p *PCA) Components() *np.Array {
	return attribute(&p.model, "components_", np.Float64, []int{p.k, p.features}, func(v *pca) *np.Array { return v.components })
}

// ExplainedVariance returns the variance along each component, (k), over n-1.
func (p *PCA) ExplainedVariance() *np.Array {
	return attribute(&p.model, "explained_variance_", np.Float64, []int{p.k}, func(v *pca) *np.Array { return v.variances })
}

// ExplainedVarianceRatio returns the shares that the components have in the variance of all features, (k).
func (p *PCA) ExplainedVarianceRatio() *np.Array {
	return attribute(&p.model, "explained_variance_ratio_", np.Float64, []int{p.k}, func(v *pca) *np.Array { return v.ratios })
}

// SingularValues returns the lengths of the coordinates of all samples along each component, (k).
func (p *PCA) SingularValues() *np.Array {
	return attribute(&p.model, "singular_values_", np.Float64, []int{p.k}, func(v *pca) *np.Array { return v.singular })
}

// Mean returns the means of the features, (features).
func (p *PCA) Mean() *np.Array {
	return attribute(&p.model, "mean_", np.Float64, []int{p.features}, func(v *pca) *np.Array { return v.mean })
}
