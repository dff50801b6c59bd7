package lazy

import (
	"context"
	"errors"
	"fmt"
	"math"
	goruntime "runtime"
	"strings"
	"testing"

	"github.com/arrayrepl/arrayrepl/kernel/display"
	"github.com/arrayrepl/arrayrepl/offload/trace"
)

// TestNothingRunsBeforeDisplay: a graph of 1,000 operations launches no kernel; displaying it twice evaluates once.
func TestNothingRunsBeforeDisplay(t *testing.T) {
	x := Linspace(0, 1, 1000)
	before := Stats()
	y := x
	for range 1000 {
		y = y.Mul(1.0001).Add(0.5).Sqrt()
	}
	if s := Stats(); s.Launches != before.Launches || s.CPUTasks != before.CPUTasks {
		t.Fatalf("building launched %d kernels and %d CPU tasks", s.Launches-before.Launches, s.CPUTasks-before.CPUTasks)
	}
	first := y.String()
	once := Stats()
	if once.Runs != before.Runs+1 || once.Launches == before.Launches {
		t.Errorf("displaying made %d runs and %d launches", once.Runs-before.Runs, once.Launches-before.Launches)
	}
	if again := y.String(); again != first {
		t.Errorf("displayed again: %s, first %s", again, first)
	}
	_ = y.MIMEBundle()
	if s := Stats(); s.Runs != once.Runs || s.Launches != once.Launches {
		t.Error("displaying again evaluated again")
	}
	want := 0.0
	for range 1000 {
		want = math.Sqrt(want*1.0001 + 0.5)
	}
	if got := y.Float64(0); math.Abs(got-want) > 1e-12 {
		t.Errorf("y[0] = %v, plain Go gives %v", got, want)
	}
}

// TestFusion: what can be one kernel is one.
func TestFusion(t *testing.T) {
	x, y := FromSlice([]float64{1, 2, 3, 4}), FromSlice([]float64{5, 6, 7, 8})
	for _, c := range []struct {
		name     string
		of       func() *Array
		launches int64
	}{
		{"elementwise chain", func() *Array { return x.Mul(2).Add(y).Sqrt().Exp() }, 1},
		{"reduction at the end", func() *Array { return x.Mul(y).Sum() }, 1},
		{"shared part used by one group", func() *Array { z := x.Mul(y); return z.Add(z.Sin()) }, 1},
		{"reduction in the middle", func() *Array { return x.Sub(x.Mean()) }, 2},
		{"nothing to do", func() *Array { return x }, 0},
		{"a view", func() *Array { return x.At(S(1, 3)) }, 0},
	} {
		before := Stats().Launches
		Eval(c.of())
		if n := Stats().Launches - before; n != c.launches {
			t.Errorf("%s: %d launches, want %d", c.name, n, c.launches)
		}
	}
}

// TestChangingNumbersCompileOnce: a loop over one expression with other numbers and other lengths finds its kernel.
func TestChangingNumbersCompileOnce(t *testing.T) {
	compiled := func(f func() *Array) (n int) {
		Eval(f())
		for _, e := range trace.Last().Events() {
			if strings.HasPrefix(e.Name, "compile") {
				n++
			}
		}
		return n
	}
	step := func(i int) func() *Array {
		return func() *Array { return Arange(10 + i).AsType(Float64).Mul(0.5 + float64(i)).Sub(i).Cos().Sum() }
	}
	compiled(step(0))
	for i := 1; i < 5; i++ {
		if n := compiled(step(i)); n != 0 {
			t.Errorf("turn %d compiled %d kernels", i, n)
		}
	}
}

// TestSmallViewIsGatheredOnce: displaying a small part of a large array twice gathers it once.
func TestSmallViewIsGatheredOnce(t *testing.T) {
	q := Linspace(0, 1, 1<<18).Add(1)
	Eval(q)
	v := q.At(S(0, 3))
	first := v.String()
	before := Stats()
	if again := v.String(); again != first {
		t.Errorf("displayed again: %s, first %s", again, first)
	}
	if s := Stats(); s.Launches != before.Launches || s.BytesOut != before.BytesOut {
		t.Errorf("displaying again launched %d kernels and copied %d bytes", s.Launches-before.Launches, s.BytesOut-before.BytesOut)
	}
}

// TestIntermediatesAreFreed: a long chain of reductions and differences in one evaluation needs memory for a few arrays
// of 8 MB, not for all; those that are still held stay.
func TestIntermediatesAreFreed(t *testing.T) {
	const n, turns = 1 << 20, 40
	g := Linspace(0, 1, n)
	var held *Array
	for i := range turns {
		g = g.Sub(g.Mean()).Add(1)
		if i == turns/2 {
			held = g
		}
	}
	live := Stats().LiveBytes
	Eval(g)
	if got := Stats().LiveBytes - live; got > 8*8*n {
		t.Errorf("%d bytes are live after the evaluation, of values of %d bytes", got, 8*n)
	}
	before := Stats().Launches
	Eval(held)
	if k := Stats().Launches - before; k != 0 {
		t.Errorf("a value that is still held was computed again, by %d kernels", k)
	}
	if m := g.Mean().Float64(); math.Abs(m-1) > 1e-12 {
		t.Errorf("the mean is %v, want 1", m)
	}
}

// TestTemporariesCanBeMadeAgain: a value that was freed after use is computed again when another array needs it.
func TestTemporariesCanBeMadeAgain(t *testing.T) {
	x := FromSlice(make([]float64, 1<<21)).Add(1)
	shared := x.Sub(x.Mean()) // used by two groups each time
	a, b := shared.Sum().Add(shared.Max()), shared.Add(2).Mean()
	shared, x = nil, nil
	for range 3 {
		goruntime.GC()
	}
	Eval(a)
	if got := b.Float64(); got != 2 {
		t.Errorf("got %v, want 2", got)
	}
}

func TestTooLargeToShow(t *testing.T) {
	for _, x := range []*Array{Zeros(1 << 42), Arange(1 << 50), Arange(1 << 50).Add(1)} {
		_, err := display.Of(x)
		var typed *Error
		if !errors.As(err, &typed) || !strings.Contains(err.Error(), "TB") {
			t.Errorf("showing %v elements: %v; want an error that names the size", x.Size(), err)
		}
	}
	for _, x := range []*Array{Zeros(1 << 42), Arange(1 << 42).Pow(2)} { // made on the host though nothing is shown
		func() {
			defer func() {
				if _, typed := recover().(*Error); !typed {
					t.Errorf("Eval of %d elements did not refuse", x.Size())
				}
			}()
			Eval(x)
		}()
	}
	if got := fmt.Sprint(Arange(1 << 40).At(S(5, 8))); got != "[5 6 7]" {
		t.Errorf("a small part of it: %s", got)
	}
}

// TestDropped: results that nobody asks for are not computed.
func TestDropped(t *testing.T) {
	x := FromSlice([]float64{1, 2, 3})
	_ = x.Exp().Sum()
	before := Stats().Launches
	Eval(x.Add(1))
	if n := Stats().Launches - before; n != 1 {
		t.Errorf("%d launches, want 1", n)
	}
}

func TestErrorsAtTheCall(t *testing.T) {
	for _, c := range []struct {
		name string
		call func()
		want []string
	}{
		{"shapes", func() { Zeros(3, 4).Add(Zeros(5)) }, []string{"(3,4)", "(5,)", "add"}},
		{"axis", func() { Zeros(3, 4).Sum(Axis(2)) }, []string{"sum", "2"}},
		{"index", func() { Zeros(3).At(7) }, []string{"7", "3"}},
		{"nil", func() { var a *Array; Add(a, 1) }, []string{"nil"}},
		{"dtype", func() { Full(true, 3).Sub(Full(true, 3)) }, []string{"bool"}},
		{"size", func() { Zeros(6).Reshape(4, -1) }, []string{"(6,)", "4"}},
		{"device", func() { Use("sim:v900") }, []string{"sim:v900", "host"}},
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

// TestInterrupted: a cancelled cell leaves placeholders that can be computed later.
func TestInterrupted(t *testing.T) {
	rt := runtime()
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	rt.Context = func() context.Context { return ctx }
	x := FromSlice([]float64{1, 4, 9}).Sqrt().Add(1)
	func() {
		defer func() {
			if err, _ := recover().(error); !errors.Is(err, context.Canceled) {
				t.Errorf("panic %v, want the context's error", err)
			}
		}()
		Eval(x)
	}()
	rt.Context = nil
	if got := fmt.Sprint(x); got != "[2. 3. 4.]" {
		t.Errorf("computed later: %s", got)
	}
}
