package learn

import (
	"github.com/arrayrepl/arrayrepl/arrays"
	np "github.com/arrayrepl/arrayrepl/lazy"
	"github.com/arrayrepl/arrayrepl/offload"
)

// LinearRegression predicts a number as a sum of the features times coefficients, and an intercept, such that the
// squares of the errors for the samples that it was fitted on add up to the least: ordinary least squares. Where
// several coefficients do, they are those of the least length.
type LinearRegression struct{ model }

// linear is a LinearRegression as a value of the graph: coefficients (features) and an intercept (1).
type linear struct {
	through         bool // through the origin
	coef, intercept *np.Array
}

// Arrays is for calls on the CPU.
func (l *linear) Arrays() []*np.Array { return []*np.Array{l.coef, l.intercept} }

// A LinearOption is a setting of [NewLinearRegression].
type LinearOption func(*linear)

// ThroughOrigin leaves the intercept out: it is 0.
func ThroughOrigin() LinearOption { return func(l *linear) { l.through = true } }

// NewLinearRegression returns a model that is not fitted.
func NewLinearRegression(options ...LinearOption) *LinearRegression {
	m := &linear{}
	for _, o := range options {
		o(m)
	}
	text := "LinearRegression()"
	if m.through {
		text = "LinearRegression(through origin)"
	}
	return &LinearRegression{construct("LinearRegression", text, m)}
}

// fitLinear solves for deviations from the means, by singular values, as scikit-learn does.
func fitLinear(m *linear, x, y *arrays.Array) *linear {
	finite("LinearRegression.Fit", x)
	finiteTargets("LinearRegression.Fit", y)
	meanX, meanY := arrays.New(arrays.Float64, x.Shape()[1]), arrays.New(arrays.Float64)
	if !m.through {
		meanX, meanY = x.Mean(arrays.Axis(0)), y.Mean()
		if least := x.Min(arrays.Axis(0)); x.Len() > 0 {
			// a rounded mean of equal numbers would leave deviations, which have a coefficient that means nothing
			meanX = arrays.Where(least.Equal(x.Max(arrays.Axis(0))), least, meanX)
		}
	}
	coef, _, _, _ := arrays.LstSq(x.Sub(meanX), y.Sub(meanY))
	intercept := meanY.Sub(arrays.MatMul(meanX, coef))
	return &linear{m.through, np.FromArray(coef), np.FromArray(intercept.Reshape(1))}
}

func predictLinear(m *linear, x *arrays.Array) *arrays.Array {
	finite("LinearRegression.Predict", x)
	return arrays.MatMul(x, m.coef.Array()).Add(m.intercept.Array())
}

var (
	linearFit = offload.Annotation{Name: "LinearRegression.fit", Whole: true, CPU: fitLinear,
		Args: []offload.Param{{Type: Models, Mutable: true}, {Type: np.Rows}, {Type: np.Rows}}}
	linearPredict = offload.Annotation{Name: "LinearRegression.predict", Args: uses, CPU: predictLinear}
)

// Fit finds the coefficients for samples, (n, features), and their targets y, (n). It returns l. It panics with
// *arrays.Error when the shapes do not fit or targets are not real numbers. NaN and infinities are found when it runs,
// an *arrays.Error that says which column has them.
func (l *LinearRegression) Fit(x, y any) *LinearRegression {
	a, targets := l.matrix("Fit", x), l.targets("Fit", y)
	if targets.Len() != a.Len() {
		l.fail("Fit", [][]int{a.Shape(), targets.Shape()}, "there are %d samples and %d targets; each sample has one", a.Len(), targets.Len())
	}
	l.change(linearFit, l.training("Fit", a), targets)
	return l
}

// targets returns real numbers, one for each sample, as float64.
func (m *model) targets(op string, y any) *np.Array {
	a := m.array(op, y)
	if d := a.DType(); !d.IsNumber() || d.IsComplex() || a.NDim() != 1 {
		m.fail(op, [][]int{a.Shape()}, "the targets are of %v and have the shape %v; they must be real numbers, one for each sample", d, a.Shape())
	}
	return a.AsType(np.Float64)
}

// Predict returns the predictions for samples, (n, features): (n). It panics with *arrays.Error when l is not fitted or
// x has another number of features; NaN and infinities are errors when it runs. It runs on the CPU.
func (l *LinearRegression) Predict(x any) *np.Array {
	a := l.asked("Predict", x, l.features, "features")
	return l.call(linearPredict, np.Float64, []int{a.Len()}, a)
}

// Score returns the coefficient of determination of the predictions for samples, (n, features), with targets y, (n):
// 0-d, 1 - (sum of squared errors) / (sum of squared deviations of y from its mean).
func (l *LinearRegression) Score(x, y any) *np.Array {
	got, want := l.Predict(x), l.targets("Score", y)
	if want.Len() != got.Len() {
		l.fail("Score", [][]int{got.Shape(), want.Shape()}, "there are %d samples and %d targets; each sample has one", got.Len(), want.Len())
	}
	squares := func(a *np.Array) *np.Array { return a.Mul(a).Sum() }
	return np.Sub(1, squares(want.Sub(got)).Div(squares(want.Sub(want.Mean()))))
}

// Coef returns the coefficients, (features).
func (l *LinearRegression) Coef() *np.Array {
	return attribute(&l.model, "coef_", np.Float64, []int{l.features}, func(v *linear) *np.Array { return v.coef })
}

// Intercept returns the intercept: 0-d.
func (l *LinearRegression) Intercept() *np.Array {
	return attribute(&l.model, "intercept_", np.Float64, []int{1}, func(v *linear) *np.Array { return v.intercept }).At(0)
}
