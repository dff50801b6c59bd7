package tests

import (
	"strings"
	"testing"

	"github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/lazy"
	"github.com/arrayrepl/arrayrepl/offload/trace"
	"github.com/arrayrepl/arrayrepl/tests/internal/testdevices"
)

// What is explained is what then happens: as many tasks of the same names and places, with the same operations.
func TestExplainSaysWhatHappens(t *testing.T) {
	rt := testdevices.Use(t)
	lazy.Use("sim:v100")
	x := lazy.Linspace(0, 1, 1000)
	lazy.Eval(x)
	before := rt.Stats()
	y := x.Mul(3).Sin()
	z := y.Sum().Add(y.ArgMax())
	e := lazy.Explain(z)
	text := e.String()
	if before != rt.Stats() {
		t.Error("explaining did something")
	}
	z.Array()
	g := trace.Last().Graph()
	if len(g.Tasks) != len(e.Steps) {
		t.Fatalf("%d steps were explained, there were %d tasks:\n%s", len(e.Steps), len(g.Tasks), text)
	}
	for i, task := range g.Tasks {
		s := e.Steps[i]
		where := s.Where
		if where == "the CPU" {
			where = "host"
		}
		if s.Name != task.Name || where != task.Device || len(s.Ops) != len(task.Ops) {
			t.Errorf("step %d: %+v, but there was %+v", i+1, s, task)
		}
		if (s.Where == "the CPU") != (e.Source(i+1) == "") {
			t.Errorf("step %d has kernels %q", i+1, e.Source(i+1))
		}
	}
	for _, want := range []string{"multiply+sin", "in one kernel", "there is no kernel for argmax of float64", "which its reduction ends", "reads 8 kB, of which 8 kB are copied to the host first; writes 8 B", "reads 16 B, of which 8 B are copied to the device first"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in:\n%s", want, text)
		}
	}
	if got := lazy.Explain(z).String(); got != "Nothing is left to compute." {
		t.Error(got)
	}
}

// What the device does not have is counted, once.
func TestExplainCountsCopies(t *testing.T) {
	testdevices.Use(t)
	lazy.Use("sim:v100")
	x := lazy.FromArray(arrays.Ones(1000))
	e := lazy.Explain(x.Add(1).Sum(), x.Mul(2))
	var copied int64
	for _, s := range e.Steps {
		copied += s.Copied
	}
	if len(e.Steps) != 2 || copied != 8000 {
		t.Errorf("copied %d:\n%s", copied, e)
	}
	lazy.Eval(x.Add(1)) // now both have x
	if e := lazy.Explain(x.Mul(2)); e.Steps[0].Copied != 0 {
		t.Errorf("copied again:\n%s", e)
	}
}
