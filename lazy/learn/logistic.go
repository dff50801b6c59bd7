package learn

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/optimize"

	"github.com/arrayrepl/arrayrepl/arrays"
	np "github.com/arrayrepl/arrayrepl/lazy"
	"github.com/arrayrepl/arrayrepl/offload"
)

// LogisticRegression predicts classes: the probability of each is the softmax of sums of the features times
// coefficients, and an intercept; of two classes, that of the second is the logistic function of one such sum. The
// coefficients minimise C times the sum of the samples' -log(probability of their class), plus half the sum of the
// squared coefficients, intercepts aside, as scikit-learn's do with its defaults.
type LogisticRegression struct {
	model
	classes *np.Array // known once it is fitted
}

// logistic is a LogisticRegression as a value of the graph: coefficients (rows, features) and intercepts (rows), a row
// for each class, or one for two classes.
type logistic struct {
	c               float64
	steps           int
	classes         *np.Array
	coef, intercept *np.Array
}

// Arrays is for calls on the CPU.
func (l *logistic) Arrays() []*np.Array { return []*np.Array{l.classes, l.coef, l.intercept} }

// A LogisticOption is a setting of [NewLogisticRegression].
type LogisticOption func(*logistic)

// Inverse is C, the inverse of the strength of the penalty for large coefficients; 1 without it.
func Inverse(c float64) LogisticOption { return func(l *logistic) { l.c = c } }

// NewLogisticRegression returns a model that is not fitted.
func NewLogisticRegression(options ...LogisticOption) *LogisticRegression {
	m := &logistic{c: 1, steps: 10_000}
	for _, o := range options {
		o(m)
	}
	out := &LogisticRegression{model: construct("LogisticRegression", fmt.Sprintf("LogisticRegression(C=%v)", m.c), m)}
	if !(m.c > 0) || math.IsInf(m.c, 0) {
		out.fail("New", nil, "C is %v; it must be a positive number", m.c)
	}
	return out
}

// scores returns rows sums for each sample.
func scores(v, x []float64, n, d, rows int, into []float64) {
	for i := range n {
		for k := range rows {
			w := v[k*(d+1) : (k+1)*(d+1)]
			s := w[d]
			for j, f := range x[i*d : (i+1)*d] {
				s += w[j] * f
			}
			into[i*rows+k] = s
		}
	}
}

// fitLogistic minimises by limited memory BFGS (Nocedal, 1980), from zeros on. class numbers the classes.
func fitLogistic(m *logistic, x, class *arrays.Array) *logistic {
	const op = "LogisticRegression.Fit"
	finite(op, x)
	n, d, classes := x.Shape()[0], x.Shape()[1], m.classes.Len()
	rows := classes
	if classes == 2 {
		rows = 1
	}
	samples, of := arrays.Data[float64](x), class.Ints()
	sums := make([]float64, n*rows)
	scale := 1 / (m.c * float64(n)) // of the whole, so that the size of a step does not depend on n
	// value returns what is minimised, and adds up its gradient.
	value := func(v, gradient []float64) float64 {
		arrays.Wiring{}.Poll()
		scores(v, samples, n, d, rows, sums)
		total := 0.0
		clear(gradient)
		for i := range n {
			s := sums[i*rows : (i+1)*rows]
			loss := 0.0
			if rows == 1 {
				z := s[0]
				if of[i] == 0 {
					z = -z
				}
				loss = math.Log1p(math.Exp(-math.Abs(z))) + math.Max(-z, 0)
				s[0] = 1/(1+math.Exp(-s[0])) - float64(of[i])
			} else {
				own := s[of[i]] // softmax changes s
				loss = softmax(s) - own
				s[of[i]]--
			}
			total += loss
			if gradient == nil {
				continue
			}
			for k, e := range s {
				g := gradient[k*(d+1) : (k+1)*(d+1)]
				for j, f := range samples[i*d : (i+1)*d] {
					g[j] += e * f
				}
				g[d] += e
			}
		}
		total /= float64(n)
		for at := range v {
			if gradient != nil {
				gradient[at] /= float64(n)
			}
			if at%(d+1) == d {
				continue // intercepts have no penalty
			}
			total += scale * v[at] * v[at] / 2
			if gradient != nil {
				gradient[at] += scale * v[at]
			}
		}
		return total
	}
	problem := optimize.Problem{
		Func: func(v []float64) float64 { return value(v, nil) },
		Grad: func(into, v []float64) { value(v, into) },
	}
	const small = 1e-9
	result, err := optimize.Minimize(problem, make([]float64, rows*(d+1)), &optimize.Settings{GradientThreshold: small, MajorIterations: m.steps,
		Converger: optimize.NeverTerminate{}}, &optimize.LBFGS{})
	if result == nil {
		panic(&arrays.Error{Op: op, Msg: fmt.Sprintf("it cannot be fitted: %v", err), Err: err})
	}
	// A line search may end at the last digit of the function, before the gradient is as small as asked for.
	gradient := make([]float64, len(result.X))
	value(result.X, gradient)
	for _, g := range gradient {
		if !(math.Abs(g) < 1e-6) {
			panic(&arrays.Error{Op: op, Msg: fmt.Sprintf("it has not converged in %d steps; features of one size make it converge sooner: see NewStandardScaler", result.MajorIterations)})
		}
	}
	v := arrays.FromSlice(result.X, rows, d+1)
	return &logistic{m.c, m.steps, m.classes, np.FromArray(v.At(arrays.All, arrays.To(d)).Copy()), np.FromArray(v.At(arrays.All, d).Copy())}
}

// softmax makes s probabilities, and returns the logarithm of the sum that they were divided by.
func softmax(s []float64) float64 {
	most := math.Inf(-1)
	for _, v := range s {
		most = math.Max(most, v)
	}
	sum := 0.0
	for k, v := range s {
		s[k] = math.Exp(v - most)
		sum += s[k]
	}
	for k := range s {
		s[k] /= sum
	}
	return most + math.Log(sum)
}

// probabilities are those of each class, (n, classes).
func probabilities(m *logistic, x *arrays.Array) *arrays.Array {
	finite("LogisticRegression.Predict", x)
	s := arrays.MatMul(x, m.coef.Array().T()).Add(m.intercept.Array())
	n, classes := x.Shape()[0], m.classes.Len()
	out := make([]float64, n*classes)
	for i := range n {
		p := out[i*classes : (i+1)*classes]
		if classes == 2 {
			z := s.Float64(i, 0)
			p[0], p[1] = 1/(1+math.Exp(z)), 1/(1+math.Exp(-z))
			continue
		}
		for k := range p {
			p[k] = s.Float64(i, k)
		}
		softmax(p)
	}
	return arrays.FromSlice(out, n, classes)
}

func predictLogistic(m *logistic, x *arrays.Array) *arrays.Array {
	return m.classes.Array().At(arrays.ArgMax(probabilities(m, x), arrays.Axis(1)))
}

var (
	logisticFit = offload.Annotation{Name: "LogisticRegression.fit", Whole: true,
		Args: []offload.Param{{Type: Models, Mutable: true}, {Type: np.Rows}, {Type: np.Rows}, {Type: offload.Broadcast}},
		CPU: func(m *logistic, x, class, classes *arrays.Array) *logistic {
			return fitLogistic(&logistic{c: m.c, steps: m.steps, classes: np.FromArray(classes)}, x, class)
		}}
	logisticPredict       = offload.Annotation{Name: "LogisticRegression.predict", Args: uses, CPU: predictLogistic}
	logisticProbabilities = offload.Annotation{Name: "LogisticRegression.predict_proba", Args: uses, CPU: probabilities}
)

// Fit finds the coefficients for samples, (n, features), and their classes y, (n): numbers or text, which it evaluates.
// It returns l. It panics with *arrays.Error when the shapes do not fit, a class is NaN, or there is one class alone.
// NaN and infinities are found when it runs, an *arrays.Error that says which column has them.
func (l *LogisticRegression) Fit(x, y any) *LogisticRegression {
	a, classOf := l.matrix("Fit", x), l.array("Fit", y)
	if classOf.NDim() != 1 || classOf.Len() != a.Len() {
		l.fail("Fit", [][]int{a.Shape(), classOf.Shape()}, "there are %d samples, and classes of the shape %v; each sample has one", a.Len(), classOf.Shape())
	}
	if classOf.DType().IsInexact() && np.IsNaN(classOf).AnyTrue().Bool() {
		l.fail("Fit", nil, "a class is NaN; each sample has one: leave the others out")
	}
	classes, class := arrays.UniqueInverse(classOf.Array())
	if classes.Len() < 2 {
		l.fail("Fit", nil, "all samples are of one class, %v; there must be two or more", classes)
	}
	l.classes = np.FromArray(classes)
	l.change(logisticFit, l.training("Fit", a), np.FromArray(class), l.classes)
	return l
}

// Predict returns the most probable classes of samples, (n, features): (n). It panics with *arrays.Error when l is not
// fitted or x has another number of features; NaN and infinities are errors when it runs. It runs on the CPU.
func (l *LogisticRegression) Predict(x any) *np.Array {
	a := l.asked("Predict", x, l.features, "features")
	return l.call(logisticPredict, l.classes.DType(), []int{a.Len()}, a)
}

// PredictProba returns the probabilities of the classes, in the order of [LogisticRegression.Classes]: (n, classes).
func (l *LogisticRegression) PredictProba(x any) *np.Array {
	a := l.asked("PredictProba", x, l.features, "features")
	return l.call(logisticProbabilities, np.Float64, []int{a.Len(), l.classes.Len()}, a)
}

// Score returns the share of samples, (n, features), whose classes are predicted to be y, (n): 0-d.
func (l *LogisticRegression) Score(x, y any) *np.Array {
	return l.rightly(l.Predict(x), y)
}

// Classes returns the classes in ascending order.
func (l *LogisticRegression) Classes() *np.Array {
	l.seen("Classes")
	return l.classes
}

// rows is how many rows of coefficients there are.
func (l *LogisticRegression) rows(op string) int {
	l.seen(op)
	if n := l.classes.Len(); n > 2 {
		return n
	}
	return 1
}

// Coef returns the coefficients: (classes, features), of two classes (1, features), those of the second.
func (l *LogisticRegression) Coef() *np.Array {
	return attribute(&l.model, "coef_", np.Float64, []int{l.rows("Coef"), l.features}, func(v *logistic) *np.Array { return v.coef })
}

// Intercept returns the intercepts: (classes), of two classes (1).
func (l *LogisticRegression) Intercept() *np.Array {
	return attribute(&l.model, "intercept_", np.Float64, []int{l.rows("Intercept")}, func(v *logistic) *np.Array { return v.intercept })
}
