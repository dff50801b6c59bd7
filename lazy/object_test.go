package lazy

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/offload"
)

// line is a model: y = slope x + start. Its arrays are 1-d, of one element.
type line struct {
	degree       int
	slope, start *Array
}

func (l *line) Arrays() []*Array { return []*Array{l.slope, l.start} }

// wholeLines is the split type of lines: never cut.
type wholeLines struct{ offload.SplitType }

func (wholeLines) Name() string { return "lines" }

var fitted offload.SplitType = wholeLines{offload.Broadcast}

// lineCalls has the calls of a model whose functions are annotated for the CPU, for devices, or for both.
type lineCalls struct {
	ran                     []string
	make                    func(args ...any) *Object
	fit                     func(args ...any) *Object
	fitPredict, predict, at func(args ...any) *Array
}

func newLineCalls(cpu, gpu bool) *lineCalls {
	c := new(lineCalls)
	var pieces sync.Mutex // of one call run side by side
	note := func(s string) { pieces.Lock(); c.ran = append(c.ran, s); pieces.Unlock() }
	only := func(a offload.Annotation) offload.Annotation {
		if !cpu {
			a.CPU = nil
		}
		if !gpu {
			a.GPU = nil
		}
		return a
	}
	newLine := func(degree int) *line { note("new"); return &line{degree: degree} }
	c.make = AnnotateObject(only(offload.Annotation{Name: "line", Alloc: true, Ret: fitted, CPU: newLine, GPU: newLine}))
	onCPU := func(l *line, x, y []float64) *line {
		slope := (y[1] - y[0]) / (x[1] - x[0])
		return &line{l.degree, FromSlice([]float64{slope}), FromSlice([]float64{y[0] - slope*x[0]})}
	}
	onDevice := func(l *line, x, y *Array) *line {
		slope := y.At(S(1, 2)).Sub(y.At(S(0, 1))).Div(x.At(S(1, 2)).Sub(x.At(S(0, 1))))
		return &line{l.degree, slope, y.At(S(0, 1)).Sub(slope.Mul(x.At(S(0, 1))))}
	}
	values := func(l *line, x []float64) []float64 {
		out := make([]float64, len(x))
		slope, start := l.slope.Array().Float64(), l.start.Array().Float64()
		for i := range x {
			out[i] = slope*x[i] + start
		}
		return out
	}
	args := []offload.Param{{Type: fitted, Mutable: true}, {Type: Rows}, {Type: Rows}}
	c.fit = AnnotateObject(only(offload.Annotation{Name: "fit", Args: args, Ret: fitted, Whole: true,
		CPU: func(l *line, x, y []float64) *line { note("fit cpu"); return onCPU(l, x, y) },
		GPU: func(l *line, x, y *Array) *line { note("fit gpu"); return onDevice(l, x, y) }}))
	c.fitPredict = Annotate(only(offload.Annotation{Name: "fit_predict", Args: args, Ret: Rows, Whole: true,
		CPU: func(l *line, x, y []float64) ([]float64, *line) {
			note("fit_predict cpu")
			l = onCPU(l, x, y)
			return values(l, x), l
		},
		GPU: func(l *line, x, y *Array) (*Array, *line) {
			note("fit_predict gpu")
			l = onDevice(l, x, y)
			return x.Mul(l.slope).Add(l.start), l
		}}))
	c.predict = Annotate(only(offload.Annotation{Name: "predict", Args: offload.Types(fitted, Rows), Ret: Rows,
		CPU: func(l *line, x []float64) []float64 { note(fmt.Sprint("predict cpu ", len(x))); return values(l, x) },
		GPU: func(l *line, x *Array) *Array { note("predict gpu"); return x.Mul(l.slope).Add(l.start) }}))
	c.at = Annotate(offload.Annotation{Name: "at", Args: offload.Types(fitted, Rows), Ret: Rows,
		CPU: func(l *line, x []float64) []float64 { note(fmt.Sprint("at cpu ", len(x))); return values(l, x) }})
	return c
}

// TestObjects: a model is a node of the graph; it is fitted where its functions can run, before or in the evaluation
// that needs it, and who was given it before it was fitted again has it as it was.
func TestObjects(t *testing.T) {
	for _, c := range []struct {
		name     string
		cpu, gpu bool
		ran      string
	}{
		{"CPU", true, false, "[new fit cpu predict cpu 3 fit cpu predict cpu 3 at cpu 3]"},
		{"device", false, true, "[new fit gpu predict gpu fit gpu predict gpu at cpu 3]"},
		{"both", true, true, "[new fit gpu predict gpu fit gpu predict gpu at cpu 3]"},
	} {
		l := newLineCalls(c.cpu, c.gpu)
		x, y := FromSlice([]float64{0, 1, 2}), FromSlice([]float64{1, 3, 5}).Add(0)
		m := l.make(1)
		if l.fit(m, x, y) != m {
			t.Errorf("%s: fit did not return the model that it changed", c.name)
		}
		first := l.predict(m, x.Mul(10))
		if got := fmt.Sprint(Explain(first).Calls); !c.gpu && got != "[line add fit multiply predict]" {
			t.Errorf("%s: the calls are %s", c.name, got)
		}
		l.fit(m, x, x)
		second, third := l.predict(m, x), l.at(m, x.Add(1))
		if c.cpu && !c.gpu && len(l.ran) > 0 {
			t.Errorf("%s: %v ran before anything was shown", c.name, l.ran)
		}
		if got := fmt.Sprint(first, second, third); got != "[ 1. 21. 41.] [0. 1. 2.] [1. 2. 3.]" {
			t.Errorf("%s: %s", c.name, got)
		}
		if got := fmt.Sprint(l.ran); got != c.ran {
			t.Errorf("%s: ran %s, want %s", c.name, got, c.ran)
		}
		if v := m.Value().(*line); v.degree != 1 || v.slope.Float64() != 1 {
			t.Errorf("%s: the model is %v", c.name, v)
		}
	}
}

// TestObjectIsPassedWhole: the rows of a call are cut, and its model is not.
func TestObjectIsPassedWhole(t *testing.T) {
	l := newLineCalls(true, false)
	x := Arange(3*pieceElements + 5).AsType(Float64)
	two := FromSlice([]float64{0, 1})
	m := l.fit(l.make(1), two, two.Mul(2))
	if got := l.predict(m, l.predict(m, x)).Float64(3*pieceElements + 4); got != 4*(3*pieceElements+4) {
		t.Errorf("the last element is %v", got)
	}
	pieces := 0
	for _, s := range l.ran {
		if strings.HasPrefix(s, "predict cpu") {
			pieces++
		}
	}
	if pieces != 8 {
		t.Errorf("%d calls, want two for each of four pieces", pieces)
	}
}

// TestCallOfTwoResults: an array and a changed model are made by one call, whichever of them is asked for, and when.
func TestCallOfTwoResults(t *testing.T) {
	for _, where := range []string{"cpu", "gpu"} {
		for _, order := range []string{"array first", "model first", "together"} {
			l := newLineCalls(where == "cpu", where == "gpu")
			x, y := FromSlice([]float64{0, 1, 2}), FromSlice([]float64{1, 3, 5})
			m := l.make(1)
			a := l.fitPredict(m, x, y)
			b := l.predict(m, x.Add(1))
			if got := fmt.Sprint(Explain(a, b).Calls); where == "cpu" && got != "[line fit_predict add predict]" {
				t.Errorf("%s: the calls are %s", order, got)
			}
			switch order {
			case "array first":
				Eval(a)
			case "model first":
				Eval(b)
			default:
				Eval(a, b)
			}
			if got := fmt.Sprint(a, b); got != "[1. 3. 5.] [3. 5. 7.]" {
				t.Errorf("%s, %s: %s", where, order, got)
			}
			if got := strings.Count(fmt.Sprint(l.ran), "fit_predict"); got != 1 {
				t.Errorf("%s, %s: %v", where, order, l.ran)
			}
		}
	}
}

func TestObjectErrors(t *testing.T) {
	l := newLineCalls(true, false)
	text := AnnotateObject(offload.Annotation{Name: "text", Ret: fitted, CPU: func() string { return "no line" }})
	boom := AnnotateObject(offload.Annotation{Name: "boom", Ret: fitted, CPU: func() *line { panic("boom") }})
	x := Ones(3)
	for _, c := range []struct {
		name string
		call func()
		want []string
	}{
		{"another type", func() { l.predict(text(), x) }, []string{"predict", "argument 1", "string", "*lazy.line"}},
		{"changes no placeholder", func() { l.fit(&line{}, x, x) }, []string{"fit", "argument 1", "*lazy.line", "*np.Object"}},
		{"panics", func() { boom().Value() }, []string{"boom"}},
		{"two results", func() {
			AnnotateObject(offload.Annotation{Name: "two", CPU: func() (*line, *line) { return nil, nil }})
		}, []string{"two", "2 results"}},
		{"no new value", func() {
			Annotate(offload.Annotation{Name: "fit", Args: []offload.Param{{Type: fitted, Mutable: true}}, CPU: func(l *line) *arrays.Array { return nil }})
		}, []string{"fit", "1 results", "argument 1"}},
		{"two types", func() {
			AnnotateObject(offload.Annotation{Name: "types", Args: []offload.Param{{Type: fitted, Mutable: true}}, CPU: func(l *line) *line { return l }, GPU: func(l *line) string { return "" }})
		}, []string{"types", "*lazy.line", "string"}},
	} {
		func() {
			defer func() {
				msg := fmt.Sprint(recover())
				for _, w := range c.want {
					if !strings.Contains(msg, w) {
						t.Errorf("%s: the message %q does not name %q", c.name, msg, w)
					}
				}
			}()
			c.call()
			t.Errorf("%s: no panic", c.name)
		}()
	}
	if got := l.predict(l.fit(l.make(1), FromSlice([]float64{0, 1}), FromSlice([]float64{0, 1})), x).Float64(0); got != 1 {
		t.Errorf("afterwards: %v", got)
	}
}
