package operators

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/interp"
	"github.com/arrayrepl/arrayrepl/interp/ixgo"
	"github.com/arrayrepl/arrayrepl/interp/symbols"
	"github.com/arrayrepl/arrayrepl/interp/yaegi"
	"github.com/arrayrepl/arrayrepl/tests/internal/testdevices"
)

// TestAnnotatedFunctionOfACellPanics: the error names the function, and the trace has its line, however its result is
// asked for.
func TestAnnotatedFunctionOfACellPanics(t *testing.T) {
	s := arraySession(t)
	if _, err := run(s, 1, "func late(x []float64) []float64 {\n\treturn x[len(x):len(x)+9]\n}\n"+
		"latest := np.Annotate(offload.Annotation{Name: `latest`, Args: offload.Types(np.Rows), Ret: np.Rows, CPU: late})\n"+
		"model := np.AnnotateObject(offload.Annotation{Name: `model`, Args: offload.Types(np.Rows), Whole: true, Ret: np.Rows,\n"+
		"\tCPU: func(x []float64) map[int]int { panic(`no model`) }})"); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		src, want string
		line      int // of cell 1
	}{
		{"latest(np.Ones(3)).Float64s()", "latest: the function panicked: runtime error: slice bounds out of range [:12] with capacity 3", 2},
		{"latest(np.Ones(3))", "latest: the function panicked: runtime error: slice bounds out of range [:12] with capacity 3", 2},
		{"model(np.Ones(3))", "model: the function panicked: no model", 6},
	} {
		_, err := run(s, 2, c.src)
		var e *interp.Error
		if !errors.As(err, &e) {
			t.Errorf("%s: no error (%v)", c.src, err)
			continue
		}
		if e.Message != c.want {
			t.Errorf("%s:\n\t%s\n\twant %s", c.src, e.Message, c.want)
		}
		if len(e.Trace) != 2 || e.Trace[0].Cell != 1 || e.Trace[0].Line != c.line || e.Trace[1].Cell != 2 {
			t.Errorf("%s: trace %v, want line %d of cell 1 and then cell 2", c.src, e.Trace, c.line)
		}
	}
}

// TestAnnotatedFunctionOfACellEvaluatesElsewhere: on a goroutine that it starts and waits for. That would wait for
// ever: it gets an error. Another goroutine of the cell evaluates at the same time, and is only to wait.
func TestAnnotatedFunctionOfACellEvaluatesElsewhere(t *testing.T) {
	for name, engine := range map[string]func() interp.Engine{"ixgo": ixgo.New, "yaegi": yaegi.New} {
		t.Run(name, func(t *testing.T) {
			testdevices.Use(t)
			symbols.Register()
			s, err := interp.New(interp.Options{Engine: engine(), Packages: symbols.Packages(), Docs: symbols.Docs(), Arrays: symbols.Arrays()})
			require.NoError(t, err)
			t.Cleanup(s.Close)
			_, err = run(s, 1, `import "sync"
started, beside, done := make(chan bool, 1), make(chan any, 1), make(chan bool)
func total() (out any) {
	defer func() {
		if p := recover(); p != nil {
			out = p
		}
	}()
	return np.Ones(4).Sum().Item()
}
func greedy(x []float64) []float64 {
	var wg sync.WaitGroup
	var got any
	wg.Add(1)
	go func() { defer wg.Done(); got = total() }()
	started <- true
	wg.Wait()
	panic(got)
}
go func() { <-started; beside <- total(); close(done) }()
f := np.Annotate(offload.Annotation{Name: "greedy", Args: offload.Types(np.Rows), Ret: np.Rows, CPU: greedy})
np.Eval(f(np.Ones(3)))`)
			require.ErrorContains(t, err, "asks for elements of a lazy array while it runs")
			out, err := run(s, 2, "<-done\n<-beside")
			require.NoError(t, err)
			assert.Equal(t, "4", out)
		})
	}
}
