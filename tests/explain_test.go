package tests

import (
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/lazy"
	"github.com/arrayrepl/arrayrepl/offload"
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

// Where an annotated function runs, and what it was compared with, is said for the device as for the CPU, where it is
// operations among others by then.
func TestExplainComparesPlaces(t *testing.T) {
	testdevices.Use(t)
	lazy.Use("sim:v100")
	f := lazy.Annotate(offload.Annotation{
		Name: "twice", Args: offload.Types(offload.WithTransfer(lazy.Rows, offload.Linear{A: 1})), Ret: lazy.Rows,
		Cost: offload.LinearCompute(2, 0, 0, 14), // of log2 of the elements: the device is better from 2^14 on
		CPU:  func(x *arrays.Array) *arrays.Array { return x.Mul(2) },
		GPU:  func(x *lazy.Array) *lazy.Array { return x.Add(x) },
	})
	for elements, gpu := range map[int]bool{1 << 10: false, 1 << 14: true, 1 << 16: true} {
		e := lazy.Explain(f(lazy.FromArray(arrays.Arange(elements))).Sub(1))
		require.Len(t, e.Placed, 1)
		p := e.Placed[0]
		require.Equal(t, "twice", p.Function)
		require.Equal(t, gpu, p.GPU)
		require.Len(t, p.Candidates, 2)
		require.False(t, p.Candidates[0].GPU)
		require.True(t, p.Candidates[1].GPU)
		log2 := math.Log2(float64(elements))
		require.Equal(t, []float64{2 * log2, 14 + log2}, []float64{p.Candidates[0].Compute + p.Candidates[0].Transfer, p.Candidates[1].Compute + p.Candidates[1].Transfer})
		require.Contains(t, e.String(), "twice runs on the "+map[bool]string{true: "device", false: "CPU"}[gpu])
	}
}
