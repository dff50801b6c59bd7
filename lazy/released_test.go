package lazy

import (
	"fmt"
	"math/rand/v2"
	goruntime "runtime"
	"slices"
	"testing"
	"weak"

	"github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/internal/testsize"
	"github.com/arrayrepl/arrayrepl/offload"
)

// An array that has been computed keeps nothing alive of what it was computed from.
func TestComputedArraysKeepNoOperands(t *testing.T) {
	type computed struct {
		name string
		held *Array
		gone weak.Pointer[node]
	}
	var all []computed
	for _, size := range []int{3, 10_000} { // without a cleanup, and with one
		for name, op := range map[string]func(x, y *Array) *Array{
			"one operand":    func(x, _ *Array) *Array { return x.Sqrt() },
			"two operands":   func(x, y *Array) *Array { return x.Add(y) },
			"three operands": func(x, y *Array) *Array { return Where(x.Gt(y), x, y) },
			"reduction":      func(x, _ *Array) *Array { return x.Max() },
			"library":        func(x, y *Array) *Array { return Concat(0, x, y) },
			"assignment":     func(x, y *Array) *Array { y.Set(x.At(S(0, 2)), S(1, 3)); return y },
		} {
			held, gone := func() (*Array, weak.Pointer[node]) {
				x, y := FromSlice(make([]float64, size)), FromSlice(make([]float64, size)).Copy()
				w := weak.Make(x.view().node)
				out := op(x, y)
				Eval(out)
				return out, w
			}()
			all = append(all, computed{fmt.Sprintf("%s of %d elements", name, size), held, gone})
		}
	}
	for range 3 {
		offload.Collect()
	}
	for _, c := range all {
		if c.gone.Value() != nil {
			t.Errorf("%s: an operand is alive", c.name)
		}
		goruntime.KeepAlive(c.held)
	}
}

// Values between that nobody holds are not kept, those that somebody holds are, and all have the values of eager
// arrays.
func TestDroppedValuesBetween(t *testing.T) {
	const rows, columns = 25, 40
	temporary := 0
	for seed := range uint64(30) {
		if !testsize.Part(int(seed), 3) {
			continue
		}
		r := rand.New(rand.NewPCG(seed, 3))
		vals := make([]float64, rows*columns)
		for i := range vals {
			vals[i] = float64(r.IntN(2000))/8 - 100
		}
		eager := []*arrays.Array{arrays.FromSlice(vals, rows, columns)}
		lazy := []*Array{FromArray(eager[0])}
		for step := range 60 {
			i, j := r.IntN(len(eager)), r.IntN(len(eager))
			var e *arrays.Array
			var l *Array
			switch r.IntN(6) {
			case 0:
				e, l = eager[i].Add(eager[j]).Mul(0.5), lazy[i].Add(lazy[j]).Mul(0.5)
			case 1:
				e, l = eager[i].Sub(eager[j].Max(arrays.Axis(0))), lazy[i].Sub(lazy[j].Max(arrays.Axis(0)))
			case 2:
				e, l = eager[i].Flip(1).Copy(), lazy[i].Flip(1).Copy()
			case 3:
				e, l = arrays.Sort(eager[i]), Sort(lazy[i])
			case 4:
				e, l = eager[i].Copy(), lazy[i].Copy()
				e.Set(eager[j].At(arrays.S(0, 5)), arrays.S(3, 8))
				l.Set(lazy[j].At(S(0, 5)), S(3, 8))
			case 5:
				e, l = eager[i].Abs().Sqrt(), lazy[i].Abs().Sqrt()
			}
			eager, lazy = append(eager, e), append(lazy, l)
			if len(eager) > 6 { // a cell lets go of one
				k := r.IntN(len(eager) - 1)
				eager, lazy = slices.Delete(eager, k, k+1), slices.Delete(lazy, k, k+1)
			}
			if step%20 == 19 {
				for _, s := range Explain(lazy[len(lazy)-1]).Steps { // which looks what is held
					if !s.Kept {
						temporary++
					}
				}
				for k := range slices.Backward(lazy) {
					if !arrays.ArrayEqual(lazy[k].Array(), eager[k]) {
						t.Fatalf("seed %d, step %d: array %d differs", seed, step, k)
					}
				}
			}
		}
	}
	if temporary < 7 {
		t.Errorf("%d values between were known to be held by nobody; the test is of those", temporary)
	}
}
