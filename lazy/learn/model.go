package learn

import (
	"fmt"

	"github.com/arrayrepl/arrayrepl/arrays"
	np "github.com/arrayrepl/arrayrepl/lazy"
	"github.com/arrayrepl/arrayrepl/offload"
	"github.com/arrayrepl/arrayrepl/offload/host"
)

// Models is the split type of models: Go values without elements that could be cut, so that every piece of a call gets
// all of one.
var Models offload.SplitType = models{}

type models struct{}

func (models) Name() string                      { return "models" }
func (models) Elements(any) (int, bool)          { return 0, false }
func (models) Split(v any, _, _ int) (any, bool) { return v, true }
func (models) TransferCost(int) (float64, bool)  { return 0, true }

func (models) Merge(pieces []any) (any, error) {
	if len(pieces) != 1 {
		return nil, fmt.Errorf("%d models cannot be merged to one", len(pieces))
	}
	return pieces[0], nil
}

// How calls are annotated: one makes a model, one changes it by what it sees, all at once, and one uses it, row by row.
var (
	fits = []offload.Param{{Type: Models, Mutable: true}, {Type: movable}}
	uses = offload.Types(Models, movable)
)

// movable are rows that cost nothing to move, beside what is done with them.
var movable = offload.WithTransfer(np.Rows, offload.Linear{})

// elsewhere is the cost of calls whose CPU function is the better algorithm for processors, and whose other one is for
// devices: that runs where the device in use is not the CPU itself.
type elsewhere struct{}

func (elsewhere) Cost(_ int, gpu bool) float64 {
	if gpu == (np.Device() == host.ID) {
		return 1
	}
	return 0
}

// clustering returns the two annotations of fitting a model that gives every sample a label: one is the model, one has
// the labels too.
func clustering[M any](name string, cpu func(M, *arrays.Array) M, gpu func(M, *np.Array) M, labels func(M) *np.Array) (fit, fitPredict offload.Annotation) {
	fit = offload.Annotation{Name: name + ".fit", Args: fits, Whole: true, Cost: elsewhere{}, CPU: cpu, GPU: gpu}
	fitPredict = fit
	fitPredict.Name = name + ".fit_predict"
	fitPredict.CPU = func(m M, x *arrays.Array) (*arrays.Array, M) { m = cpu(m, x); return labels(m).Array(), m }
	fitPredict.GPU = func(m M, x *np.Array) (*np.Array, M) { m = gpu(m, x); return labels(m), m }
	return fit, fitPredict
}

// model is what all models have.
type model struct {
	name              string // as people know it: "PCA(k=2)"
	object            *np.Object
	samples, features int // that it was fitted on; 0 before
}

// construct returns a model that is not fitted: v, once it is needed.
func construct[M any](name, text string, v M) model {
	create := func() M { return v }
	return model{name: text, object: np.AnnotateObject(offload.Annotation{Name: name, Alloc: true, Ret: Models, CPU: create, GPU: create})()}
}

// String says what the model is and on how much it was fitted. It evaluates nothing.
func (m *model) String() string {
	if m.features == 0 {
		return m.name + ": not fitted"
	}
	return fmt.Sprintf("%s: fitted on %d×%d", m.name, m.samples, m.features)
}

func (m *model) fail(op string, shapes [][]int, format string, args ...any) {
	panic(&arrays.Error{Op: m.name + "." + op, Shapes: shapes, Msg: fmt.Sprintf(format, args...)})
}

// matrix returns x as floats, samples by features.
func (m *model) matrix(op string, x any) *np.Array {
	a := m.array(op, x)
	switch d := a.DType(); {
	case d.IsComplex() || !d.IsNumber():
		m.fail(op, nil, "the samples are of %v; they must be real numbers", d)
	case a.NDim() != 2:
		m.fail(op, [][]int{a.Shape()}, "the samples have the shape %v; they must be a matrix of samples by features: Reshape(-1, 1) makes one of a single feature", a.Shape())
	case a.Shape()[0] == 0 || a.Shape()[1] == 0:
		m.fail(op, [][]int{a.Shape()}, "the samples have the shape %v; at least one sample and one feature are needed", a.Shape())
	case d != np.Float64:
		a = a.AsType(np.Float64)
	}
	return a
}

func (m *model) array(op string, x any) *np.Array {
	if a, ok := x.(*np.Array); ok && a != nil {
		return a
	}
	a, _, err := arrays.AsArray(x)
	if err != nil {
		m.fail(op, nil, "%v", err)
	}
	return np.FromArray(a)
}

// training notes the shape of what the model is fitted on.
func (m *model) training(op string, x any) *np.Array {
	a := m.matrix(op, x)
	m.samples, m.features = a.Shape()[0], a.Shape()[1]
	return a
}

// decomposed is training of a model with k components, of which there are as many at most as samples, and as features.
func (m *model) decomposed(op string, x any, k int) *np.Array {
	a := m.matrix(op, x)
	if s := a.Shape(); k > min(s[0], s[1]) {
		m.fail(op, [][]int{s}, "%d samples of %d features have %d components at most, k is %d", s[0], s[1], min(s[0], s[1]), k)
	}
	return m.training(op, a)
}

// seen reports an error if the model is not fitted.
func (m *model) seen(op string) {
	if m.features == 0 {
		m.fail(op, nil, "the model is not fitted; call Fit first")
	}
}

// asked returns the samples that a fitted model is asked about, which have width columns.
func (m *model) asked(op string, x any, width int, of string) *np.Array {
	m.seen(op)
	a := m.matrix(op, x)
	if a.Shape()[1] != width {
		m.fail(op, [][]int{a.Shape(), {m.samples, m.features}}, "the samples have the shape %v; the model was fitted on %d×%d and takes %d %s", a.Shape(), m.samples, m.features, width, of)
	}
	return a
}

// rightly returns the share of predicted classes that are y.
func (m *model) rightly(got *np.Array, y any) *np.Array {
	want := m.array("Score", y)
	if want.NDim() != 1 || want.Len() != got.Len() {
		m.fail("Score", [][]int{got.Shape(), want.Shape()}, "there are %d samples, and classes of the shape %v; each sample has one", got.Len(), want.Shape())
	}
	return got.Equal(want).Mean()
}

// call calls an annotation whose result is known.
func (m *model) call(a offload.Annotation, dtype np.DType, shape []int, args ...any) *np.Array {
	a.Ret, a.Result = np.Rows, arrays.Spec{DType: dtype, Shape: shape}
	return np.Annotate(a)(append([]any{m.object}, args...)...)
}

// change calls an annotation that fits the model.
func (m *model) change(a offload.Annotation, args ...any) {
	a.Ret = Models
	np.AnnotateObject(a)(append([]any{m.object}, args...)...)
}

// attribute returns an array that a fitted model has.
func attribute[M any](m *model, name string, dtype np.DType, shape []int, get func(M) *np.Array) *np.Array {
	m.seen(name)
	return m.call(offload.Annotation{Name: name, Args: offload.Types(Models), Whole: true,
		CPU: func(v M) *arrays.Array { return get(v).Array() },
		GPU: get,
	}, dtype, shape)
}
