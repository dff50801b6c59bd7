package learn

import (
	np "github.com/arrayrepl/arrayrepl/lazy"
	"github.com/arrayrepl/arrayrepl/offload"
)

// StandardScaler gives each feature a mean of 0 and a standard deviation of 1: z = (x - mean) / scale. A feature that
// is constant, but for rounding, keeps a scale of 1. As in scikit-learn NaN stays NaN, and means and deviations are
// those of the other samples.
type StandardScaler struct{ model }

// scaler is a StandardScaler as a value of the graph, of three arrays (features).
type scaler struct{ mean, variance, scale *np.Array }

// Arrays is for calls on the CPU.
func (s *scaler) Arrays() []*np.Array { return []*np.Array{s.mean, s.variance, s.scale} }

// NewStandardScaler returns a scaler that is not fitted.
func NewStandardScaler() *StandardScaler {
	return &StandardScaler{construct("StandardScaler", "StandardScaler()", &scaler{})}
}

// fitScaler finds constant features as scikit-learn does, by what rounding leaves of a variance.
func fitScaler(_ *scaler, x *np.Array) *scaler {
	const eps = 0x1p-52
	there := np.IsNaN(x).LogicalNot()
	n := there.Sum(np.Axis(0)).AsType(np.Float64)
	s := &scaler{mean: np.Where(there, x, 0).Sum(np.Axis(0)).Div(n)}
	deviation := np.Where(there, x.Sub(s.mean), 0)
	s.variance = deviation.Mul(deviation).Sum(np.Axis(0)).Div(n)
	error1, error2 := s.variance.Mul(n).Mul(eps), s.mean.Mul(n).Mul(eps)
	constant := s.variance.LessEqual(error1.Add(error2.Mul(error2)))
	s.scale = np.Where(constant, 1, s.variance.Sqrt())
	return s
}

func scale(s *scaler, x *np.Array) *np.Array { return x.Sub(s.mean).Div(s.scale) }

var (
	scalerFit          = offload.Annotation{Name: "StandardScaler.fit", Args: fits, Whole: true, GPU: fitScaler}
	scalerTransform    = offload.Annotation{Name: "StandardScaler.transform", Args: uses, GPU: scale}
	scalerFitTransform = offload.Annotation{Name: "StandardScaler.fit_transform", Args: fits, Whole: true,
		GPU: func(s *scaler, x *np.Array) (*np.Array, *scaler) { s = fitScaler(s, x); return scale(s, x), s }}
	scalerInverse = offload.Annotation{Name: "StandardScaler.inverse_transform", Args: uses,
		GPU: func(s *scaler, z *np.Array) *np.Array { return z.Mul(s.scale).Add(s.mean) }}
)

// Fit computes means and scales of the samples, (n, features), and returns s. It panics with *arrays.Error when x is
// not a matrix of real numbers.
func (s *StandardScaler) Fit(x any) *StandardScaler {
	s.change(scalerFit, s.training("Fit", x))
	return s
}

// FitTransform is [StandardScaler.Fit] and [StandardScaler.Transform] of the same samples.
func (s *StandardScaler) FitTransform(x any) *np.Array {
	a := s.training("FitTransform", x)
	return s.call(scalerFitTransform, np.Float64, a.Shape(), a)
}

// Transform returns samples, (n, features), as the scaler has them. It panics with *arrays.Error when s is not fitted
// or x has another number of features.
func (s *StandardScaler) Transform(x any) *np.Array {
	a := s.asked("Transform", x, s.features, "features")
	return s.call(scalerTransform, np.Float64, a.Shape(), a)
}

// InverseTransform returns what Transform made z of.
func (s *StandardScaler) InverseTransform(z any) *np.Array {
	a := s.asked("InverseTransform", z, s.features, "features")
	return s.call(scalerInverse, np.Float64, a.Shape(), a)
}

// Mean returns the means, (features).
func (s *StandardScaler) Mean() *np.Array {
	return attribute(&s.model, "mean_", np.Float64, []int{s.features}, func(v *scaler) *np.Array { return v.mean })
}

// Var returns the variances, (features).
func (s *StandardScaler) Var() *np.Array {
	return attribute(&s.model, "var_", np.Float64, []int{s.features}, func(v *scaler) *np.Array { return v.variance })
}

// Scale returns what is divided by, (features).
func (s *StandardScaler) Scale() *np.Array {
	return attribute(&s.model, "scale_", np.Float64, []int{s.features}, func(v *scaler) *np.Array { return v.scale })
}
