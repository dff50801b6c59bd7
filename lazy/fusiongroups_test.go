package lazy

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/arrayrepl/arrayrepl/arrays"
)

// TestSharedWorkIsOneKernel: two results that share most of their operations are one step, which stores nothing else.
func TestSharedWorkIsOneKernel(t *testing.T) {
	x := FromArray(arrays.Linspace(0.5, 2, 100))
	y := x.Log().Add(1)
	z := y.Sqrt()
	call, put := x.Mul(z).Sub(y), y.Mul(z).Add(x)
	e := Explain(call, put)
	if len(e.Steps) != 1 || e.Steps[0].Writes != 2*800 || len(e.Steps[0].Ops) != 7 {
		t.Errorf("%v", e)
	}
	Eval(call, put)
	xs, cs, ps := x.Float64s(), call.Float64s(), put.Float64s()
	for i, x := range arrays.Linspace(0.5, 2, 100).Float64s() {
		y := arrays.FromSlice([]float64{x}).Log().Float64s()[0] + 1
		z := math.Sqrt(y)
		if want := float64(x*z) - y; cs[i] != want {
			t.Fatalf("call[%d] = %v, not %v", i, cs[i], want)
		}
		if want := float64(y*z) + xs[i]; ps[i] != want {
			t.Fatalf("put[%d] = %v, not %v", i, ps[i], want)
		}
	}
}

// TestCutIsInOrder evaluates several arrays of random graphs at once, in which elementwise work is shared, and waits
// for maxima of itself. Every group must come after those that it reads, store what others read, and the values must be
// those of eager arrays: all operations are exact, whatever their order.
func TestCutIsInOrder(t *testing.T) {
	several := 0
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 7))
		start := arrays.Arange(24).Reshape(4, 6).AsType(arrays.Float64)
		eager, lazy := []*arrays.Array{start}, []*Array{FromArray(start)}
		for range 5 + r.IntN(40) {
			i, k := r.IntN(len(eager)), r.IntN(len(eager))
			if r.IntN(3) > 0 { // mostly what is new, so that graphs are deep
				i = len(eager) - 1 - r.IntN(min(4, len(eager)))
			}
			a, b, x, y := eager[i], eager[k], lazy[i], lazy[k]
			switch r.IntN(8) {
			case 0:
				if a.NDim() < 2 {
					continue
				}
				a, x = a.Max(arrays.Axis(1), arrays.KeepDims()), x.Max(arrays.Axis(1), arrays.KeepDims())
			case 1:
				a, x = a.Max(), x.Max()
			case 2:
				a, x = a.Neg(), x.Neg()
			case 3:
				a, x = a.Abs(), x.Abs()
			case 4:
				a, x = arrays.Minimum(a, b), Minimum(x, y)
			case 5:
				a, x = arrays.Where(a.Greater(b), a, 3), Where(x.Gt(y), x, 3)
			default:
				a, x = arrays.Maximum(a, b), Maximum(x, y)
			}
			eager, lazy = append(eager, a), append(lazy, x)
		}
		var targets []*node
		var asked []int
		for range 1 + r.IntN(4) {
			i := len(lazy) - 1 - r.IntN(min(12, len(lazy)-1))
			asked = append(asked, i)
			targets = append(targets, lazy[i].view().node)
		}
		there := map[*node]bool{}
		for _, g := range cut(targets, pending(targets)) {
			in := map[*node]bool{}
			for _, n := range g.nodes {
				in[n] = true
			}
			for _, n := range g.nodes {
				for _, a := range n.args {
					if !a.node.leaf() && !in[a.node] && !there[a.node] {
						t.Fatalf("seed %d: %s reads %s, which no group before it stores", seed, g.name(), a.node)
					}
				}
			}
			for _, n := range g.outs {
				if there[n] || !in[n] {
					t.Fatalf("seed %d: %s is stored by two groups, or by one that does not make it", seed, n)
				}
				there[n] = true
			}
			if len(g.outs) > 1 {
				several++
			}
			if g.root != g.nodes[0] || !slices.Contains(g.outs, g.root) {
				t.Fatalf("seed %d: the root of %s", seed, g.name())
			}
		}
		var xs []*Array
		for _, i := range asked {
			xs = append(xs, lazy[i])
		}
		Eval(xs...)
		for _, i := range asked {
			got, want := lazy[i].Array().Float64s(), eager[i].Float64s()
			if !slices.Equal(got, want) {
				t.Fatalf("seed %d, value %d: %v, not %v", seed, i, got, want)
			}
		}
	}
	if several < 50 {
		t.Errorf("%d groups store several results: the graphs try too little", several)
	}
}
