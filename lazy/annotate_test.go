package lazy

import (
	"fmt"
	"math"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/offload"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"
)

var generic = offload.Generic("A")

// hypot is a Go function that knows nothing of arrays, and hypotArrays what it does with kernels.
func hypot(x, y []float64) []float64 {
	out := make([]float64, len(x))
	for i := range x {
		out[i] = math.Hypot(x[i], y[i])
	}
	return out
}

func TestAnnotatedGoFunction(t *testing.T) {
	var calls atomic.Int64
	f := Annotate(offload.Annotation{Name: "hypot", Args: offload.Types(generic, generic), Ret: generic,
		CPU: func(x, y []float64) []float64 { calls.Add(1); return hypot(x, y) }})
	const n = 100_000
	x, y := Arange(n).AsType(Float64), Arange(n).AsType(Float64).Mul(0.5)
	z := f(x, y)
	if calls.Load() != 0 || fmt.Sprint(z.Shape(), z.DType()) != "[100000] float64" {
		t.Fatalf("%d calls before anything was shown; shape %v of %v", calls.Load(), z.Shape(), z.DType())
	}
	got := z.Add(1).Float64s()
	if c := calls.Load(); c != (n+pieceElements-1)/pieceElements {
		t.Errorf("%d calls, want one for each piece of %d", c, pieceElements)
	}
	for i := range got {
		if want := math.Hypot(float64(i), float64(i)*0.5) + 1; got[i] != want {
			t.Fatalf("element %d is %v, want %v", i, got[i], want)
		}
	}
}

// TestPipeline: calls whose split types unify take each piece through all of them; others break the pipeline.
func TestPipeline(t *testing.T) {
	var log []string // pieces of one goroutine: the arrays are so small that there is one
	step := func(name string, whole bool) func(args ...any) *Array {
		return Annotate(offload.Annotation{Name: name, Args: offload.Types(generic), Ret: generic, Whole: whole,
			CPU: func(x []float64) []float64 {
				log = append(log, fmt.Sprint(name, len(x)))
				out := make([]float64, len(x))
				for i := range x {
					out[i] = x[i] + 1
				}
				return out
			}})
	}
	a, b, whole := step("a", false), step("b", false), step("w", true)
	x := Zeros(100).Add(0)
	before := Stats()
	if got := b(a(x)).Sum().Item(); got != 200.0 {
		t.Errorf("the sum is %v, want 200", got)
	}
	if s := Stats(); s.CPUTasks != before.CPUTasks+1 {
		t.Errorf("%d tasks, want one for the pipeline", s.CPUTasks-before.CPUTasks)
	}
	log = nil
	before = Stats()
	if got := b(whole(a(x))).Sum().Item(); got != 300.0 {
		t.Errorf("the sum is %v, want 300", got)
	}
	if s := Stats(); s.CPUTasks != before.CPUTasks+3 || fmt.Sprint(log) != "[a100 w100 b100]" {
		t.Errorf("%d tasks, calls %v: want three, as the call that is not split breaks the pipeline", s.CPUTasks-before.CPUTasks, log)
	}
	shared := a(x) // needed twice: it must be merged
	if got := b(shared).Add(shared).Sum().Item(); got != 300.0 {
		t.Errorf("the sum is %v, want 300", got)
	}
}

func TestAnnotatedCombined(t *testing.T) {
	sum := Annotate(offload.Annotation{Name: "sum", Args: offload.Types(generic),
		Ret: offload.Combined("sum", func(a, b any) any { return a.(int64) + b.(int64) }),
		CPU: func(x []int64) (s int64) {
			for _, v := range x {
				s += v
			}
			return s
		}})
	if got := sum(Arange(1_000_000)); fmt.Sprint(got.Shape(), got.DType(), got.Item()) != "[] int64 499999500000" {
		t.Errorf("%v %v %v", got.Shape(), got.DType(), got.Item())
	}
}

func TestAnnotatedMutable(t *testing.T) {
	scale := Annotate(offload.Annotation{Name: "scale", Args: []offload.Param{{Type: generic, Mutable: true}},
		CPU: func(x []float64, by float64) {
			for i := range x {
				x[i] *= by
			}
		}})
	x := FromSlice([]float64{1, 2, 3})
	before, view := x.Add(0), x.At(S(1, 3))
	if y := scale(x, 10); y != x {
		t.Error("the call did not return the array")
	}
	if got := fmt.Sprint(x, before, view, x.Add(1)); got != "[10. 20. 30.] [1. 2. 3.] [20. 30.] [11. 21. 31.]" {
		t.Errorf("got %s: readers before the call must not see it, views and readers after it must", got)
	}
	scale(x.At(S(0, 2)), 0.5)
	if got := fmt.Sprint(x); got != "[ 5. 10. 30.]" {
		t.Errorf("through a view: %s", got)
	}
	large := Ones(300_000)
	scale(large, 3)
	if got := large.Sum().Item(); got != 900_000.0 {
		t.Errorf("in pieces: the sum is %v, want 900000", got)
	}
}

// TestAnnotatedForDevices: the variant for devices is fused with what is around it; costs decide between the two.
func TestAnnotatedForDevices(t *testing.T) {
	cpu := 0
	ann := offload.Annotation{Name: "double", Args: offload.Types(generic), Ret: generic, Whole: true,
		CPU: func(x []float64) []float64 { cpu++; return hypot(x, x) },
		GPU: func(x *Array) *Array { return x.Mul(2) }}
	x := FromSlice(make([]float64, 1<<10)).Add(3)
	before := Stats()
	if got := Annotate(ann)(x).Add(1).Float64(5); got != 7 || cpu != 0 {
		t.Errorf("element 5 is %v after %d calls on the CPU", got, cpu)
	}
	if s := Stats(); s.Launches != before.Launches+1 {
		t.Errorf("%d kernels, want one", s.Launches-before.Launches)
	}
	ann.Cost = offload.LinearCompute(2, 0, 0, 14) // of the paper's truncated SVD
	ann.Args = offload.Types(offload.WithTransfer(Rows, offload.Linear{A: 1}))
	ann.Ret = ann.Args[0].Type
	f := Annotate(ann)
	for _, c := range []struct {
		n   int
		cpu bool
	}{{1 << 10, true}, {1<<14 - 1, true}, {1 << 14, false}, {1 << 16, false}} {
		cpu = 0
		Eval(f(FromSlice(make([]float64, c.n))))
		if (cpu == 1) != c.cpu {
			t.Errorf("%d elements: %d calls on the CPU", c.n, cpu)
		}
	}
}

func TestAnnotatedAlloc(t *testing.T) {
	where := ""
	alloc := Annotate(offload.Annotation{Name: "empty", Alloc: true, Whole: true, Ret: generic,
		Result: func([]arrays.Spec) (arrays.Spec, error) { return arrays.Spec{DType: Float64, Shape: []int{50}}, nil },
		CPU:    func() []float64 { where = "cpu"; return make([]float64, 50) },
		GPU:    func() *Array { where = "device"; return Zeros(50) }})
	onHost := Annotate(offload.Annotation{Name: "host", Args: offload.Types(generic), Ret: generic, CPU: func(x []float64) []float64 { return x }})
	Eval(alloc().Add(1))
	if where != "device" {
		t.Errorf("an array that a kernel uses first was made on the %s", where)
	}
	Eval(onHost(alloc()))
	if where != "cpu" {
		t.Errorf("an array that the CPU uses first was made on the %s", where)
	}
}

func TestAnnotationErrors(t *testing.T) {
	two := offload.Annotation{Name: "two", Args: offload.Types(generic, generic), Ret: generic, CPU: hypot}
	boom := offload.Annotation{Name: "boom", Args: offload.Types(generic), Ret: generic, CPU: func(x []float64) []float64 { panic("boom") }}
	scaled := offload.Annotation{Name: "scaled", Args: offload.Types(generic, offload.Broadcast), Ret: generic, CPU: func(x []float64, k float64) []float64 { return x }}
	short := offload.Annotation{Name: "short", Args: offload.Types(generic), Ret: generic, CPU: func(x []float64) []float64 { return x[1:] }}
	for _, c := range []struct {
		name string
		call func()
		want []string
	}{
		{"lengths", func() { Annotate(two)(Zeros(5), Zeros(4)) }, []string{"two", "5 rows", "4 rows"}},
		{"number of arguments", func() { Annotate(two)(Zeros(5)) }, []string{"2 arguments, not 1"}},
		{"no function", func() { Annotate(offload.Annotation{Name: "none"}) }, []string{"none", "CPU or GPU"}},
		{"variadic", func() { Annotate(offload.Annotation{CPU: func(x ...float64) {}}) }, []string{"wrap it"}},
		{"loses digits", func() {
			Eval(Annotate(offload.Annotation{Name: "ints", Args: offload.Types(generic), Ret: generic, CPU: func(x []int) []int { return x }})(Ones(3)))
		}, []string{"[]int", "float64", "AsType"}},
		{"panics", func() { Eval(Annotate(boom)(Ones(100_000))) }, []string{"boom: the function panicked: boom"}},
		{"a text for a number", func() { Eval(Annotate(scaled)(Ones(3), "a")) }, []string{"scaled: argument 2", "one float64", "dtype <U1"}},
		{"GPU returns nothing", func() { Eval(Annotate(onGPU("none", func(x *Array) *Array { return nil }))(Ones(3))) }, []string{"none: the GPU function returned a nil *np.Array"}},
		{"GPU returns another shape", func() { Eval(Annotate(onGPU("sum", func(x *Array) *Array { return x.Sum() }))(Ones(3))) },
			[]string{"sum: the GPU function returned shape (); its annotation promises (3,)"}},
		{"a result that is none", func() {
			Annotate(offload.Annotation{Name: "odd", Result: 5, CPU: func(x []float64) []float64 { return x }})
		}, []string{"odd", "Result is an int", "arrays.Spec"}},
		{"another length", func() { Eval(Annotate(short)(Ones(10))) }, []string{"short", "(9,)", "(10,)"}},
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
}

// onGPU annotates a function for devices alone.
func onGPU(name string, f func(x *Array) *Array) offload.Annotation {
	return offload.Annotation{Name: name, Args: offload.Types(generic), Ret: generic, GPU: f}
}

// A panic while places are decided, here of an array that is none, leaves the next evaluation free to go on.
func TestAPanicWhileDecidingHoldsNobodyUp(t *testing.T) {
	deviceVariants.Store(true)
	func() {
		defer func() {
			if recover() == nil {
				t.Error("a nil array was evaluated")
			}
		}()
		Eval((*Array)(nil))
	}()
	if got := Arange(3).Sum().Item(); got != int64(3) {
		t.Errorf("the sum is %v", got)
	}
}

// TestAnnotatedFunctionThatEvaluates: it would wait for the evaluation that waits for it, on its own goroutine or, in
// pieces, on others. It gets an error, and later evaluations work.
func TestAnnotatedFunctionThatEvaluates(t *testing.T) {
	other := Arange(4).AsType(Float64)
	for _, n := range []int{4, 4 * pieceElements} {
		f := Annotate(offload.Annotation{Name: "greedy", Args: offload.Types(generic), Ret: generic,
			CPU: func(x []float64) []float64 { return append(x[:len(x):len(x)], other.Add(1).Float64s()...)[:len(x)] }})
		func() {
			defer func() {
				if r := recover(); !strings.Contains(fmt.Sprint(r), "asks for elements of a lazy array while it runs") {
					t.Errorf("%d elements: %v", n, r)
				}
			}()
			Eval(f(Arange(n).AsType(Float64)))
		}()
	}
	if got := other.Add(1).Float64s(); got[3] != 4 {
		t.Error(got)
	}
}

// TestAnnotatedFunctionThatEvaluatesElsewhere: a goroutine that it starts and waits for is not to wait either, and one
// that outlives it evaluates as any other.
func TestAnnotatedFunctionThatEvaluatesElsewhere(t *testing.T) {
	other := Arange(4).AsType(Float64)
	sum := func() (err error) {
		defer func() {
			if r := recover(); r != nil {
				err = fmt.Errorf("%v", r)
			}
		}()
		_ = other.Add(1).Float64s()
		return nil
	}
	ended, late := make(chan struct{}), make(chan error, 1)
	for _, n := range []int{4, 4 * pieceElements} {
		f := Annotate(offload.Annotation{Name: "greedy", Args: offload.Types(generic), Ret: generic,
			CPU: func(x []float64) []float64 {
				var g errgroup.Group
				g.Go(sum)
				g.Go(func() error {
					var deeper errgroup.Group
					deeper.Go(sum)
					return deeper.Wait()
				})
				if err := g.Wait(); err != nil {
					panic(err)
				}
				return x
			}})
		assert.PanicsWithError(t, "greedy: the function panicked: "+errWithin.Error(), func() { Eval(f(Arange(n).AsType(Float64))) }, "%d elements", n)
	}
	f := Annotate(offload.Annotation{Name: "leaves", Args: offload.Types(generic), Ret: generic, Whole: true,
		CPU: func(x []float64) []float64 {
			go func() { <-ended; late <- sum() }()
			return x
		}})
	Eval(f(Arange(4).AsType(Float64)))
	close(ended)
	require.NoError(t, <-late)
}

// TestAnnotatedFunctionThatAsksTheRuntime: it would wait for the run that calls it. It gets an error, and later
// evaluations work.
func TestAnnotatedFunctionThatAsksTheRuntime(t *testing.T) {
	for name, ask := range map[string]func(){
		"Device": func() { Device() },
		"Stats":  func() { Stats() },
		"Use":    func() { Use("host") },
		"limit":  func() { Runtime().SetMemLimit(0) },
	} {
		f := Annotate(offload.Annotation{Name: "curious", Args: offload.Types(generic), Ret: generic, Whole: true,
			CPU: func(x []float64) []float64 { ask(); return x }})
		func() {
			defer func() {
				if r := recover(); !strings.Contains(fmt.Sprint(r), "in the cell, before or after") {
					t.Errorf("%s: %v", name, r)
				}
			}()
			Eval(f(Arange(4).AsType(Float64)))
		}()
	}
	if got := Arange(3).Sum().Item(); got != int64(3) {
		t.Errorf("the sum is %v", got)
	}
}
