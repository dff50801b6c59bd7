package lazy

import (
	"fmt"
	"testing"

	"github.com/arrayrepl/arrayrepl/offload/trace"
)

// TestStencilThroughViews is the five-point stencil as Legate's paper writes it: views of one grid are made once, and
// each turn assigns to the inner one. With a border of ones around zeros, plain loops give the same numbers.
func TestStencilThroughViews(t *testing.T) {
	const n, turns = 6, 5
	grid := Zeros(n, n)
	for _, side := range [][]any{{0}, {-1}, {All, 0}, {All, -1}} {
		grid.Set(1, side...)
	}
	inner := S(1, n-1)
	center, north, south := grid.At(inner, inner), grid.At(S(0, n-2), inner), grid.At(S(2, n), inner)
	west, east := grid.At(inner, S(0, n-2)), grid.At(inner, S(2, n))
	want := [n][n]float64{}
	for i := range n {
		want[0][i], want[n-1][i], want[i][0], want[i][n-1] = 1, 1, 1, 1
	}
	before := Stats().Launches
	for range turns {
		center.Set(center.Add(north).Add(east).Add(west).Add(south).Mul(0.2))
		old := want
		for i := 1; i < n-1; i++ {
			for j := 1; j < n-1; j++ {
				want[i][j] = (old[i][j] + old[i-1][j] + old[i][j+1] + old[i][j-1] + old[i+1][j]) * 0.2
			}
		}
	}
	if got := Stats().Launches - before; got != 0 {
		t.Errorf("%d kernels ran before anything was displayed", got)
	}
	got := grid.Float64s()
	for i := range n {
		for j := range n {
			if got[i*n+j] != want[i][j] {
				t.Fatalf("grid[%d][%d] = %v, loops give %v", i, j, got[i*n+j], want[i][j])
			}
		}
	}
	if k := Stats().Launches - before; k != turns+4 {
		t.Errorf("%d launches, want one for each of %d assignments", k, turns+4)
	}
}

// TestOrderOfTheProgram: what was computed before an assignment does not see it, though it is evaluated after.
func TestOrderOfTheProgram(t *testing.T) {
	x := Arange(4)
	y, keep, view := x.Add(10), x.Copy(), x.At(From(2))
	x.Set(-1, 3)
	z := x.Mul(2)
	view.Set(7, 0)
	view.AsType(Int64).Set(99, All) // a conversion is a copy, also to the same dtype
	if got := fmt.Sprint(y, keep, z, x, view); got != "[10 11 12 13] [0 1 2 3] [ 0  2  4 -2] [ 0  1  7 -1] [ 7 -1]" {
		t.Error(got)
	}
}

// TestAssignmentsInPlace: a chain of assignments to rows copies the array once, and numbers assigned one by one are one
// task.
func TestAssignmentsInPlace(t *testing.T) {
	const n = 64
	copies := func() (bytes int64) {
		for _, e := range trace.Last().Events() {
			if e.Kind == trace.CopyPeer {
				bytes += e.Bytes
			}
		}
		return bytes
	}
	m := Zeros(n, n).Add(1)
	Eval(m)
	for i := range n {
		m.Set(Arange(n).Add(i), i)
	}
	Eval(m)
	if got := copies(); got != 8*n*n {
		t.Errorf("%d bytes were copied on the device for %d assignments, want %d", got, n, 8*n*n)
	}
	if got, want := m.Sum().Item(), float64(n*n*(n-1)); got != want {
		t.Errorf("sum %v, want %v", got, want)
	}
	x := Zeros(1000)
	before := Stats().CPUTasks
	for i := range 1000 {
		x.Set(i*i, i)
	}
	if got := x.Sum().Item(); got != 332833500.0 {
		t.Errorf("sum of squares %v", got)
	}
	if k := Stats().CPUTasks - before; k != 1 {
		t.Errorf("%d tasks for 1,000 numbers, want 1", k)
	}
}

// TestMaskedAssignmentIsOneKernel: x[mask] = number evaluates nothing and fuses.
func TestMaskedAssignmentIsOneKernel(t *testing.T) {
	x := FromSlice([]float64{1, -2, 3, -4})
	before := Stats()
	y := x.Mul(3)
	y.Set(0, y.Lt(0))
	y = y.Add(1)
	if s := Stats(); s.Runs != before.Runs {
		t.Error("the mask was evaluated")
	}
	if got := fmt.Sprint(y); got != "[ 4.  1. 10.  1.]" {
		t.Error(got)
	}
	if k := Stats().Launches - before.Launches; k != 1 {
		t.Errorf("%d launches, want 1", k)
	}
}

// TestAssignedNumbersFit: a Go int that the array cannot hold is refused at once, with a place, a mask and none.
func TestAssignedNumbersFit(t *testing.T) {
	for name, f := range map[string]func(a *Array){
		"place":  func(a *Array) { a.Set(256, 0) },
		"all":    func(a *Array) { a.Set(-1) },
		"mask":   func(a *Array) { a.Set(256, a.Gt(1)) },
		"list":   func(a *Array) { a.Set(256, []int{0}) },
		"add at": func(a *Array) { a.AddAt(256, 0) },
	} {
		func() {
			defer func() {
				if e, ok := recover().(*Error); !ok || e.Op != "set" && e.Op != "add_at" {
					t.Errorf("%s: %v", name, e)
				}
			}()
			f(FromSlice([]uint8{1, 2}))
		}()
	}
}
