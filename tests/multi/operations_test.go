package multi_test

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/internal/testsize"
	"github.com/arrayrepl/arrayrepl/lazy"
	"github.com/arrayrepl/arrayrepl/offload"
)

// pair is one array twice: as lazy computes it on the devices in use, and as package arrays does. loose is whether it
// comes of sums or products of floats, whose order lazy chooses: it has the bits then that lazy gives it on the host.
type pair struct {
	lazy  *lazy.Array
	eager *arrays.Array
	loose bool
}

func both(a *arrays.Array) pair { return pair{lazy: lazy.FromArray(a), eager: a.Copy()} }

func (p pair) shape() []int { return p.eager.Shape() }

func (p pair) axes() int { return len(p.shape()) }

func (p pair) floats() bool { return !p.eager.DType().IsInt() && !p.eager.DType().IsBool() }

func (p pair) copied() pair { return p.do("Copy") }

// at is the view of both that idx selects.
func (p pair) at(idx ...any) pair { return p.do("At", idx...) }

// do calls the method of that name of both.
func (p pair) do(method string, args ...any) pair {
	return twice(func(x any) reflect.Value { return reflect.ValueOf(x).MethodByName(method) }, nil, nil, p, args...)
}

// call calls a function of lazy and the same one of arrays; pairs among the arguments are given as each has them.
func call(ofLazy, ofEager any, args ...any) pair {
	return twice(nil, ofLazy, ofEager, pair{}, args...)
}

// refused is what package arrays says of operands that do not suit an operation.
type refused struct{ error }

// suits reports whether package arrays does what f asks for.
func suits(f func()) (ok bool) {
	defer func() {
		if failed := recover(); failed != nil {
			if _, is := failed.(refused); !is {
				panic(failed)
			}
		}
	}()
	f()
	return true
}

func twice(method func(x any) reflect.Value, ofLazy, ofEager any, p pair, args ...any) pair {
	out := pair{loose: p.loose}
	l, e := reflect.ValueOf(ofLazy), reflect.ValueOf(ofEager)
	if method != nil {
		l, e = method(p.lazy), method(p.eager)
	}
	as := func(f reflect.Value, of func(pair) any) []reflect.Value {
		in := make([]reflect.Value, len(args))
		for i, a := range args {
			if q, is := a.(pair); is {
				out.loose = out.loose || q.loose
				a = of(q)
			}
			if in[i] = reflect.ValueOf(a); a == nil {
				in[i] = reflect.Zero(f.Type().In(min(i, f.Type().NumIn()-1)))
			}
		}
		return f.Call(in)
	}
	var made []reflect.Value
	if err := arrays.Try(func() { made = as(e, func(q pair) any { return q.eager }) }); err != nil { // it is not tried of lazy
		panic(refused{err})
	}
	if len(made) > 0 {
		out.eager = made[0].Interface().(*arrays.Array)
	}
	err := arrays.Try(func() { made = as(l, func(q pair) any { return q.lazy }) })
	if err != nil {
		panic(fmt.Sprintf("lazy refuses what package arrays does not: %v", err))
	}
	if len(made) > 0 {
		out.lazy = made[0].Interface().(*lazy.Array)
	}
	return out
}

// oneOf is one of xs.
func oneOf[T any](r *rand.Rand, xs ...T) T { return xs[r.IntN(len(xs))] }

// some is an axis of x.
func some(r *rand.Rand, x pair) int { return r.IntN(x.axes()) }

// view is a random view of x, with steps, reversed, of fewer axes, or of another view.
func view(r *rand.Rand, x pair) pair {
	for range 1 + r.IntN(2) {
		idx := make([]any, x.axes())
		left := x.axes()
		for a, n := range x.shape() {
			lo := r.IntN(max(n/3, 1))
			hi := n - r.IntN(max(n/3, 1))
			switch k := r.IntN(9); {
			case k < 2:
				idx[a] = arrays.S(arrays.End, -n-1, -1)
			case k < 4:
				idx[a] = arrays.S(lo, hi, 1+r.IntN(3))
			case k == 4 && left > 1:
				idx[a] = lo
				left--
			default:
				idx[a] = arrays.S(lo, hi)
			}
		}
		x = x.at(idx...)
		if r.IntN(5) == 0 && x.axes() > 1 {
			x = x.do("T")
		}
	}
	return x
}

// places are random indices of an axis, some of them twice.
func places(r *rand.Rand, axis, n int) *arrays.Array {
	out := make([]int64, n)
	for i := range out {
		out[i] = int64(r.IntN(axis))
	}
	return arrays.FromSlice(out)
}

// ints are numbers from 0 to n-1 made of x.
func ints(x pair, n int) pair {
	if x.eager.DType().IsComplex() {
		x = x.do("Real")
	}
	if !x.floats() {
		return x.do("AsType", arrays.Int64).do("Abs").do("Mod", n)
	}
	return x.do("AsType", arrays.Float64).do("Mul", 50).do("Clip", -1e6, 1e6).do("AsType", arrays.Int64).do("Abs").do("Mod", n)
}

// operation is something a random program does to an array x and another y. It returns the results, of which there are
// none where it does not suit them; what package arrays refuses does not either.
type operation struct {
	name string
	do   func(r *rand.Rand, x, y pair) []pair
}

// sameShape is whether elements of x and y go together without broadcasting.
func sameShape(x, y pair) bool { return slices.Equal(x.shape(), y.shape()) }

var operations = slices.Concat(elementwiseOperations, changes, movements, reductions, kernelOperations)

var elementwiseOperations = []operation{
	{"view", func(r *rand.Rand, x, _ pair) []pair { return []pair{view(r, x).do("Mul", 2)} }},
	{"kept view", func(r *rand.Rand, x, _ pair) []pair { return []pair{view(r, x)} }},
	{"function", func(r *rand.Rand, x, _ pair) []pair {
		return []pair{x.do(oneOf(r, "Abs", "Neg", "Square", "Sin", "Floor", "Sign", "Rint", "Tanh", "LogicalNot", "Conj", "Real"))}
	}},
	{"root", func(_ *rand.Rand, x, _ pair) []pair { return []pair{x.do("Abs").do("Sqrt")} }},
	{"operator", func(r *rand.Rand, x, y pair) []pair {
		return []pair{x.do(oneOf(r, "Add", "Sub", "Mul", "Less", "GreaterEqual", "NotEqual", "LogicalAnd"), y)}
	}},
	{"extremum", func(r *rand.Rand, x, y pair) []pair {
		if r.IntN(2) == 0 {
			return []pair{call(lazy.Minimum, arrays.Minimum, x, y)}
		}
		return []pair{call(lazy.Maximum, arrays.Maximum, x, y)}
	}},
	{"quotient", func(_ *rand.Rand, x, y pair) []pair { return []pair{x.do("Div", y.do("Abs").do("Add", 1))} }},
	{"broadcast row", func(_ *rand.Rand, x, _ pair) []pair { return []pair{x.do("Sub", x.at(0))} }},
	{"broadcast column", func(r *rand.Rand, x, _ pair) []pair {
		a := some(r, x)
		return []pair{x.do("Add", x.do("Max", arrays.Axis(a), arrays.KeepDims()))}
	}},
	{"where", func(_ *rand.Rand, x, y pair) []pair {
		return []pair{call(lazy.Where, arrays.Where, x.do("Greater", 0), x, y)}
	}},
	{"clip", func(_ *rand.Rand, x, _ pair) []pair { return []pair{x.do("Clip", -1, 30)} }},
	{"another dtype", func(r *rand.Rand, x, _ pair) []pair {
		if r.IntN(2) == 0 {
			d := oneOf(r, arrays.Uint8, arrays.Int16, arrays.Int32, arrays.Int64, arrays.Uint32, arrays.Bool)
			return []pair{ints(x, 100).do("AsType", d)}
		}
		return []pair{x.do("AsType", oneOf(r, arrays.Float32, arrays.Float64, arrays.Complex128, arrays.Complex64))}
	}},
	{"stencil", func(_ *rand.Rand, x, _ pair) []pair {
		s := x.shape()
		if x.axes() != 2 || s[0] < 5 || s[1] < 5 {
			return nil
		}
		mid := arrays.S(1, -1)
		return []pair{x.at(mid, mid).do("Add", x.at(arrays.S(0, -2), mid)).do("Add", x.at(arrays.S(2, s[0]), mid)).
			do("Add", x.at(mid, arrays.S(0, -2))).do("Sub", x.at(mid, arrays.S(2, s[1])))}
	}},
	{"differences", func(r *rand.Rand, x, _ pair) []pair {
		return []pair{call(lazy.Diff, arrays.Diff, x, arrays.Axis(some(r, x)))}
	}},
}

// changes assign to arrays.
var changes = []operation{
	{"assignment to a view", func(r *rand.Rand, x, y pair) []pair {
		g := x.copied()
		for range 1 + r.IntN(2) {
			v := view(r, g)
			if v.axes() == 0 || v.eager.Size() == 0 {
				return nil
			}
			switch r.IntN(6) {
			case 0: // of the same memory, turned round
				v.lazy.Set(v.lazy.At(arrays.S(arrays.End, -v.shape()[0]-1, -1)))
				v.eager.Set(v.eager.At(arrays.S(arrays.End, -v.shape()[0]-1, -1)).Copy())
			case 1: // a number
				v.do("Set", 3)
			case 2: // what is broadcast
				v.do("Set", v.at(0).do("Abs").copied())
			case 3: // a part of another array
				if w := view(r, y); sameShape(w, v) && w.eager.DType() == v.eager.DType() {
					v.do("Set", w)
					g.loose = g.loose || w.loose
				}
			default:
				v.do("Set", v.do("Abs").do("Add", v))
			}
			if r.IntN(3) == 0 {
				lazy.Eval(g.lazy)
			}
		}
		return []pair{g}
	}},
	{"one element after the other", func(r *rand.Rand, x, _ pair) []pair {
		g := x.copied()
		flat := g.do("Reshape", -1)
		for i := range 1 + r.IntN(6) {
			flat.do("Set", i+1, r.IntN(x.eager.Size()))
		}
		return []pair{g, flat.do("Mul", 2)}
	}},
	{"assignment to a mask", func(r *rand.Rand, x, _ pair) []pair {
		if x.loose {
			return nil
		}
		g := x.copied()
		m := x.do("Greater", 0)
		if r.IntN(2) == 0 {
			g.do("Set", 7, m)
		} else {
			g.do("Set", x.at(m).do("Add", x.at(m)), m)
		}
		return []pair{g}
	}},
	{"update", func(r *rand.Rand, x, _ pair) []pair {
		g := x.copied()
		v := view(r, g)
		v.do("Update", v.do("Mul", 2))
		older := g.do("Add", g)
		v.do("Update", v.do("Sub", v.do("Abs")))
		return []pair{g, older}
	}},
	{"into", func(r *rand.Rand, x, y pair) []pair {
		if !sameShape(x, y) || x.eager.DType() != y.eager.DType() {
			return nil
		}
		z := x.copied()
		arrays.Into(z.eager).Add(z.eager, y.eager)
		lazy.Into(z.lazy).Add(z.lazy, y.lazy)
		z.loose = z.loose || y.loose
		return []pair{z}
	}},
	{"indices for an assignment", func(r *rand.Rand, x, _ pair) []pair {
		g := x.copied()
		v := g
		if lo := r.IntN(x.shape()[0] - 1); r.IntN(3) == 0 { // rows of it
			v = g.at(arrays.S(lo, x.shape()[0]))
		}
		rows := v.shape()[0]
		at := places(r, rows, 1+r.IntN(2*rows))
		if r.IntN(2) == 0 {
			at = at.Sub(rows)
		}
		if r.IntN(3) == 0 {
			v.do("Set", 7, at)
		} else if r.IntN(2) == 0 {
			v.do("Set", x.at(arrays.S(0, 1)).do("Add", x.at(arrays.S(0, 1))), at)
		} else {
			v.do("Set", v.at(at).do("Abs").do("Add", v.at(at)), at)
		}
		return []pair{g}
	}},
	{"several indices", func(r *rand.Rand, x, _ pair) []pair {
		g := x.copied()
		v := g
		if r.IntN(4) == 0 {
			v = view(r, g)
		}
		if v.axes() < 2 || v.eager.Size() == 0 {
			return nil
		}
		rows, columns, n := v.shape()[0], v.shape()[1], 1+r.IntN(80)
		idx := []any{places(r, rows, n), places(r, columns, n)}
		switch r.IntN(6) {
		case 0:
			idx[0] = r.IntN(rows)
		case 1:
			idx[1] = places(r, columns, n).Sub(columns)
		case 2: // some rows
			idx = []any{places(r, 2, rows).AsType(arrays.Bool)}
		case 3:
			idx = []any{places(r, rows, n).Reshape(n, 1), places(r, columns, 1+r.IntN(5))}
		case 4:
			idx = []any{places(r, 2, rows*columns).Reshape(rows, columns).AsType(arrays.Bool)}
		}
		method := oneOf(r, "Set", "AddAt")
		switch r.IntN(3) {
		case 0:
			v.do(method, append([]any{3}, idx...)...)
		case 1:
			v.do(method, append([]any{v.at(idx...).do("Abs").do("Add", v.at(idx...))}, idx...)...)
		default: // what is broadcast along the first axis of what is picked
			v.do(method, append([]any{v.at(idx...).at(arrays.S(0, 1)).copied()}, idx...)...)
		}
		return []pair{g, g.do("Abs")}
	}},
	{"a box after the other", func(r *rand.Rand, x, y pair) []pair {
		g := x.copied()
		for range 2 + r.IntN(3) {
			idx := make([]any, g.axes())
			for a, n := range g.shape() {
				lo := r.IntN(n)
				idx[a] = arrays.S(lo, lo+1+r.IntN(n-lo))
			}
			v := g.at(idx...)
			if r.IntN(3) == 0 {
				v.do("Set", r.IntN(9))
				continue
			}
			v.do("Set", x.at(idx...).do("Abs").do("Add", v.do("Flip")))
			if r.IntN(3) == 0 {
				lazy.Eval(g.lazy)
			}
		}
		return []pair{g, g.do("Reshape", -1).do("Abs")}
	}},
	{"add at", func(r *rand.Rand, x, _ pair) []pair {
		g := x.copied()
		v := g
		if r.IntN(2) == 0 {
			v = view(r, g)
		}
		if v.axes() == 0 || v.shape()[0] == 0 {
			return nil
		}
		at := places(r, v.shape()[0], 1+r.IntN(3*v.shape()[0]))
		switch r.IntN(3) {
		case 0:
			v.do("AddAt", 1, at)
		case 1:
			v.do("AddAt", v.at(places(r, v.shape()[0], at.Size())).do("Add", v.at(at)), at)
		default:
			v.do("AddAt", v.at(0).copied(), at)
		}
		return []pair{g}
	}},
	{"histogram", func(r *rand.Rand, x, _ pair) []pair {
		if x.loose {
			return nil
		}
		n := 5 + r.IntN(60)
		h := both(arrays.New(oneOf(r, arrays.Int64, arrays.Float64, arrays.Float32, arrays.Int32), n))
		h.do("AddAt", 1, ints(x, n))
		return []pair{h}
	}},
}

// mostElements bounds arrays of random programs, which would grow without end.
const mostElements = 30_000

// operate runs a random program of operations, and returns what it made and the names of how. between is called now and
// then: it may change what computes.
func operate(seed uint64, between func()) (out []pair, how []string) {
	r := rand.New(rand.NewPCG(seed, 10))
	rows, cols := 8+r.IntN(60), 8+r.IntN(200)
	all := float64(rows * cols)
	depth := 2 + r.IntN(5)
	xs := []pair{
		both(arrays.Arange(all).Mul(0.37).Sin().Reshape(rows, cols)),
		both(arrays.Arange(all).Mul(0.11).Cos().AsType(arrays.Float32).Reshape(rows, cols)),
		both(arrays.Arange(all).Mul(0.7).Sin()),
		both(arrays.Arange(all).AsType(arrays.Int64).Mod(97).Reshape(rows, cols)),
		both(arrays.Arange(all*float64(depth)).Mul(0.3).Sin().Reshape(depth, rows, cols).AsType(oneOf(r, arrays.Float64, arrays.Float32))),
		both(arrays.Arange(all).Mod(50).AsType(oneOf(r, arrays.Uint8, arrays.Int32, arrays.Int16, arrays.Uint32)).Reshape(cols, rows)),
		both(arrays.Arange(float64(cols)).Mul(0.9).Cos()),
	}
	given := len(xs)
	for len(how) < 14 {
		x, y := xs[r.IntN(len(xs))], xs[r.IntN(len(xs))]
		if x.axes() == 0 || x.eager.Size() < 4 || x.shape()[0] < 2 {
			how = append(how, "")
			continue
		}
		op := operations[r.IntN(len(operations))]
		var made []pair
		if !suits(func() { made = op.do(r, x, y) }) {
			made = nil
		}
		note := ""
		for _, p := range made {
			if p.eager.Size() > mostElements {
				continue
			}
			xs = append(xs, p)
			note += fmt.Sprintf("%s %v %v of %v %v; ", op.name, p.shape(), p.eager.DType(), x.shape(), x.eager.DType())
		}
		how = append(how, note)
		if len(made) > 0 && r.IntN(4) == 0 {
			lazy.Eval(made[0].lazy)
		}
		if len(xs) > given+4 && r.IntN(8) == 0 { // nobody needs it any more
			xs = slices.Delete(xs, given, given+1)
		}
		if r.IntN(6) == 0 {
			between()
		}
	}
	out = xs[given:]
	lazies := make([]*lazy.Array, len(out))
	for i, p := range out {
		lazies[i] = p.lazy
	}
	lazy.Eval(lazies...)
	return out, how
}

// TestOperationsOnDevices: what random programs make has the bits that package arrays gives it, whatever
// devices, policy, tiles, trigger and memory there are, and where these change while a program runs: nested views with
// steps, assignments through them, broadcasts, reductions, gathers, assignments and additions at indices, scans, sorts,
// joins, products, and kernels of cells over views. What comes of sums of floats has the bits that it has on the host.
func TestOperationsOnDevices(t *testing.T) {
	rt := use(t)
	defer func() {
		rt.SetMemLimit(0)
		offload.Preset("default")
		offload.MinTile(0)
		lazy.Fuse(true)
	}()
	for seed := range seeds(testsize.Seeds("tests/multi.TestOperationsOnDevices")) {
		tryOperations(t, rt, seed)
	}
}

func tryOperations(t *testing.T, rt *offload.Runtime, seed uint64) {
	t.Helper()
	bytes := func(p pair) []byte { return p.lazy.Copy().Array().Bytes() }
	r := rand.New(rand.NewPCG(seed, 4))
	fuse := seed%3 > 0
	lazy.Use("host")
	offload.SetTrigger(offload.OnDisplay)
	lazy.Fuse(fuse)
	rt.SetMemLimit(0)
	onHost, _ := operate(seed, func() {})
	for range 2 {
		how := ""
		between := func() {
			how += setting(r) + "; "
			rt.SetMemLimit(oneOf[int64](r, 0, 0, 150_000))
			offload.SetTrigger(oneOf(r, offload.OnDisplay, offload.OnDisplay, offload.Eager, offload.Trigger{Tasks: 3}))
		}
		between()
		fixed := r.IntN(2) == 0
		got, names := operate(seed, func() {
			if !fixed {
				between()
			}
		})
		require.Len(t, got, len(onHost))
		for i, p := range got {
			says := fmt.Sprintf("seed %d, %s: result %d of %q", seed, how, i, names)
			require.Equal(t, p.eager.DType(), p.lazy.DType(), says)
			require.Equal(t, p.shape(), p.lazy.Shape(), says)
			require.True(t, slices.Equal(bytes(onHost[i]), bytes(p)), "as on the host: %s", says)
			if !p.loose {
				require.True(t, slices.Equal(p.eager.Copy().Bytes(), bytes(p)), "as package arrays: %s", says)
			}
		}
	}
}

// setting chooses devices, a policy and how large tiles are, and says which.
func setting(r *rand.Rand) string {
	lazy.Use(machines[r.IntN(len(machines))]...)
	names := append(offload.Policies(), "random")
	name := names[r.IntN(len(names))]
	if name == "exhaustive" && r.IntN(4) > 0 { // it takes longer than all else
		name = "min-max-transfer-time"
	}
	if name == "random" {
		offload.Policy(func(c offload.Candidates) int { return c.Devices[r.IntN(len(c.Devices))] })
	} else {
		offload.Policy(name)
	}
	least, most, form := []int64{16, 1000, 20_000}[r.IntN(3)], []int{0, 0, 3, 20}[r.IntN(4)], []offload.TileForm{offload.Slabs, offload.Balanced}[r.IntN(2)]
	offload.MinTile(least)
	offload.MaxTiles(most)
	offload.SetTiles(form)
	whole := r.IntN(5) == 0
	offload.WholeArrays(whole)
	return fmt.Sprintf("%s, %s, tiles of %d, at most %d, form %d, whole %v", lazy.Device(), name, least, most, form, whole)
}

// machines are the devices of random programs.
var machines = [][]string{
	{"sim:v100x8#2"}, {"sim:v100x8#0", "sim:v100x8#5"}, {"sim:a100x8#1", "sim:a100x8#4", "sim:a100x8#6"},
	{"sim:v100x8#4", "sim:v100x8#5", "sim:v100x8#6", "sim:v100x8#7"}, {"sim:v100x8"}, {"sim:a100x8"},
	{"sim:tiny", "sim:v100x8#2", "sim:v100x8#5"}, {"sim:dgx1v"}, {"sim:l4x8#0", "sim:l4x8#3", "sim:l4x8#4"}, {"sim:h100x8#1", "sim:h100x8#7"},
}
