package lazy

import (
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/internal/testsize"
)

// withRules evaluates with the given rules alone.
func withRules(t *testing.T, only []rule, f func()) {
	t.Helper()
	was := active
	defer func() { active = was }()
	active = newRuleSet(only)
	f()
}

// edges are the numbers of a dtype at which rules go wrong: zeros of both signs, ends, infinities, NaN.
func edges(d DType) *arrays.Array {
	v := []float64{0, 1, 2, 3, -1, -5, 100, 127}
	switch {
	case d.IsFloat():
		v = append(v, math.Copysign(0, -1), 0.5, -0.1, math.NaN(), math.Inf(1), math.Inf(-1), math.SmallestNonzeroFloat32, 65504, 1<<24+1)
	case d.IsBool():
		v = []float64{0, 1, 1, 0, 1, 0, 0, 1}
	}
	a := arrays.FromSlice(v).AsType(d)
	if d.IsInt() {
		least, most := arrays.IInfo(d).Min, arrays.IInfo(d).Max
		ends := arrays.New(d, 4)
		ends.Set(least, 0)
		ends.Set(most, 1)
		ends.Set(least, 2)
		ends.Set(1, 3)
		a = arrays.Concat(0, a, ends)
	}
	return a
}

// sameElements reports whether two arrays have the same dtype, shape and bits, but for those of NaN.
func sameElements(a, b *arrays.Array) bool {
	if a.DType() != b.DType() || !slices.Equal(a.Shape(), b.Shape()) {
		return false
	}
	if a.DType().IsFloat() {
		x, y := a.Float64s(), b.Float64s() // which are the float32s and float16s, exactly
		for i := range x {
			if math.Float64bits(x[i]) != math.Float64bits(y[i]) && (x[i] == x[i] || y[i] == y[i]) {
				return false
			}
		}
		return true
	}
	return slices.Equal(a.Strings(), b.Strings())
}

var (
	allInts   = []DType{Int8, Int16, Int32, Int64, Uint8, Uint16, Uint32, Uint64}
	allFloats = []DType{Float16, Float32, Float64}
	signed    = []DType{Int8, Int16, Int32, Int64, Float16, Float32, Float64}
	bools     = []DType{Bool}
	allKinds  = slices.Concat(bools, allInts, allFloats)
	exact     = slices.Concat(bools, allInts)
)

// like is v as an array without axes of x's dtype.
func like(x *Array, v any) *Array { return Scalar(v).AsType(x.DType()) }

// ruleCases has programs for each rule, and those that look like its, for which it must not be used (not).
var ruleCases = map[string][]struct {
	on  []DType
	of  func(x, y *Array) *Array
	not bool
}{
	"operation on numbers": {
		{on: allFloats, of: func(x, y *Array) *Array { return x.Mul(like(x, 3).Add(like(x, 4)).Sqrt()) }},
		{on: allInts, of: func(x, y *Array) *Array { return x.Add(like(x, 100).Mul(like(x, 77))) }}, // overflows
		{on: allFloats, of: func(x, y *Array) *Array { return x.Add(like(x, -2.5).Mul(like(x, 3)).AsType(Int8)) }},
		{on: allFloats, of: func(x, y *Array) *Array { return x.Mul(Ones(1).AsType(x.DType()).Add(like(x, 1))) }, not: true},
	},
	"negative of a negative": {
		{on: slices.Concat(signed, allInts), of: func(x, y *Array) *Array { return x.Neg().Neg() }},
		{on: signed, of: func(x, y *Array) *Array { return x.Mul(y).Neg().Neg().Add(y) }},
	},
	"inverse of an inverse": {{on: exact, of: func(x, y *Array) *Array { return x.Invert().Invert() }}},
	"not of a not": {
		{on: bools, of: func(x, y *Array) *Array { return LogicalNot(LogicalNot(x)) }},
		{on: allInts, of: func(x, y *Array) *Array { return LogicalNot(LogicalNot(x)) }, not: true}, // 5 becomes true
	},
	"not of a comparison": {
		{on: allKinds, of: func(x, y *Array) *Array { return LogicalNot(x.Eq(y)) }},
		{on: allKinds, of: func(x, y *Array) *Array { return LogicalNot(x.Ne(y)) }},
		{on: allInts, of: func(x, y *Array) *Array { return LogicalNot(x.Lt(y)) }},
		{on: allInts, of: func(x, y *Array) *Array { return LogicalNot(x.Ge(y)) }},
		{on: allInts, of: func(x, y *Array) *Array { return LogicalNot(x.Gt(y)) }},
		{on: allInts, of: func(x, y *Array) *Array { return LogicalNot(x.Le(y)) }},
		{on: allFloats, of: func(x, y *Array) *Array { return LogicalNot(x.Lt(y)) }, not: true}, // NaN
		{on: allFloats, of: func(x, y *Array) *Array { return LogicalNot(x.Ge(y)) }, not: true},
	},
	"absolute of an absolute": {{on: slices.Concat(signed, allInts), of: func(x, y *Array) *Array { return x.Abs().Abs() }}},
	"absolute of a negative": {
		{on: signed, of: func(x, y *Array) *Array { return x.Neg().Abs() }},
		{on: []DType{Uint8, Uint16, Uint32, Uint64}, of: func(x, y *Array) *Array { return x.Neg().Abs() }, not: true},
	},
	"with itself": {
		{on: exact, of: func(x, y *Array) *Array { return Minimum(x, x) }},
		{on: exact, of: func(x, y *Array) *Array { return BitOr(x, x) }},
		{on: exact, of: func(x, y *Array) *Array { return BitAnd(x, x) }},
		{on: exact, of: func(x, y *Array) *Array { return BitXor(x, x) }, not: true},
		{on: exact, of: func(x, y *Array) *Array { return Maximum(x, x.At(S(End, -x.Len()-1, -1))) }, not: true},
	},
	"choice that is known": {
		{on: allKinds, of: func(x, y *Array) *Array { return Where(true, x, y) }},
		{on: allKinds, of: func(x, y *Array) *Array { return Where(false, x, y) }},
		{on: []DType{Int8}, of: func(x, y *Array) *Array { return Where(true, x, y.AsType(Int32)) }, not: true},
	},
	"choice between equals": {{on: allKinds, of: func(x, y *Array) *Array { return Where(x.Gt(y), y, y) }}},
	"choice by a not":       {{on: allKinds, of: func(x, y *Array) *Array { return Where(LogicalNot(x.AsType(Bool)), x, y) }}},
	"copy":                  {{on: allKinds, of: func(x, y *Array) *Array { z := Maximum(x, y); z.Set(x); return z }}},
	"conversion and back": {
		{on: []DType{Bool, Int8, Uint8, Int16, Uint16, Int32}, of: func(x, y *Array) *Array { return x.AsType(Int64).AsType(x.DType()) }},
		{on: []DType{Bool, Int8, Uint8, Int16, Uint16, Int32, Uint32}, of: func(x, y *Array) *Array { return x.AsType(Float64).AsType(x.DType()) }},
		{on: []DType{Int64, Uint64}, of: func(x, y *Array) *Array { return x.AsType(Float64).AsType(x.DType()) }, not: true},
		{on: []DType{Int16, Int32}, of: func(x, y *Array) *Array { return x.AsType(Int8).AsType(x.DType()) }, not: true},
		{on: allFloats, of: func(x, y *Array) *Array { return x.AsType(Float64).AsType(Float16).AsType(x.DType()) }, not: true},
	},
	"conversion of a conversion": {
		{on: []DType{Bool, Int8, Uint8, Int16, Uint16, Int32}, of: func(x, y *Array) *Array { return x.AsType(Int64).AsType(Float32) }},
		{on: []DType{Uint8, Uint16, Uint32}, of: func(x, y *Array) *Array { return x.AsType(Uint64).AsType(Float32) }},
		{on: []DType{Int32, Uint32, Int16}, of: func(x, y *Array) *Array { return x.AsType(Float64).AsType(Float32) }},
		{on: []DType{Int16, Int32, Uint32}, of: func(x, y *Array) *Array { return x.AsType(Int64).AsType(Int8) }},
		{on: []DType{Int16, Int32, Uint32}, of: func(x, y *Array) *Array { return x.AsType(Int64).AsType(Bool) }},
		// cut otherwise
		{on: []DType{Int16, Uint32}, of: func(x, y *Array) *Array { return x.AsType(Float64).AsType(Int8) }, not: true},
		{on: []DType{Float32}, of: func(x, y *Array) *Array { return x.AsType(Float64).AsType(Int64) }, not: true},
	},
	"assigned over": {
		{on: allKinds, of: func(x, y *Array) *Array {
			z := x.Copy()
			z.Set(y.At(S(0, 4)), S(1, 5))
			z.Set(x.At(S(2, 6)), S(1, 5))
			return z
		}},
		{on: allKinds, of: func(x, y *Array) *Array {
			z := x.Copy()
			z.Set(y.At(S(0, 4)), S(1, 5))
			z.Set(x.At(S(2, 7)), S(1, 6))
			return z
		}, not: true},
	},
	"same reduction": {
		{on: allFloats, of: func(x, y *Array) *Array { return x.Mul(3).Max().Sub(x.Mul(3).Max()) }},
		{on: allInts, of: func(x, y *Array) *Array { return x.Mul(3).Sum().Add(x.Mul(3).Sum()) }},
		{on: allKinds, of: func(x, y *Array) *Array {
			m := x.At(S(0, 6)).Reshape(2, 3)
			return Where(m.Gt(m.Max(Axis(0))), m.Max(Axis(0), KeepDims()), m)
		}},
		{on: allInts, of: func(x, y *Array) *Array { return x.Mul(3).Sum().Sub(x.Mul(5).Sum()) }, not: true},
		{on: allInts, of: func(x, y *Array) *Array { return x.Mul(3).Sum().Add(x.Mul(3).Max()) }, not: true},
		{on: allInts, of: func(x, y *Array) *Array {
			m := x.At(S(0, 6)).Reshape(2, 3)
			return m.Add(1).Sum(Axis(0)).Sum().Add(m.Add(1).Sum(Axis(1)).Sum())
		}, not: true},
	},
}

// usedFor returns the names of the rules by which xs are computed.
func usedFor(t *testing.T, xs ...*Array) map[string]bool {
	t.Helper()
	if err := lock(t.Context()); err != nil {
		t.Fatal(err)
	}
	defer unlock()
	s, err := plan(runtime(), xs, false, 0)
	if err != nil {
		t.Fatal(err)
	}
	used := map[string]bool{}
	for _, name := range s.rewritten {
		used[name] = true
	}
	for _, g := range s.groups {
		for _, n := range g.nodes {
			for _, name := range n.rewritten {
				used[name] = true
			}
		}
	}
	return used
}

// TestExplainNamesRules: at the step that a rule changed, or, where nothing is left to do for what is shown, above all.
func TestExplainNamesRules(t *testing.T) {
	x := FromSlice([]float64{1, 2, 3})
	for _, c := range []struct {
		of   *Array
		want string
	}{
		{x.Neg().Neg().Sqrt(), "rewritten by: negative of a negative\n"},
		{Where(LogicalNot(x.Eq(2)), x, 0), "rewritten by: not of a comparison\n"},
		{x.Sub(x.Mean()).Div(x.Sub(x.Mean()).Max()), "rewritten by: same reduction\n"},
		{x.Mean(Axis(0)).Add(x.Std(Axis(0))), "rewritten by: same reduction\n"}, // Std needs the mean too
	} {
		if got := Explain(c.of).String(); strings.Count(got, c.want) != 1 {
			t.Errorf("%q is not in, or more than once:\n%s", c.want, got)
		}
	}
	e := Explain(x.Neg().Neg(), x.Sqrt())
	if got := e.String(); !strings.Contains(got, "What is shown was rewritten by: negative of a negative.") || len(e.Steps) != 1 {
		t.Errorf("%s", got)
	}
}

// TestReplacedArraysAreKept: what several variables compute alike is computed once and kept for each of them.
func TestReplacedArraysAreKept(t *testing.T) {
	x := FromSlice([]float64{1, 2, 3})
	launches := func(f func()) int64 {
		before := Stats().Launches
		f()
		return Stats().Launches - before
	}
	one := launches(func() { Eval(x.Sqrt().Sum()) })
	a, b := x.Sqrt().Sum(), x.Sqrt().Sum()
	if n := launches(func() { Eval(a.Add(b)) }); n != one+1 {
		t.Errorf("%d launches; one sum takes %d, and the addition 1", n, one)
	}
	if n := launches(func() { Eval(a, b) }); n != 0 || a.Float64() != b.Float64() {
		t.Errorf("%v and %v take another %d launches", a, b, n)
	}
	z := x.Mul(2)
	y := z.Neg().Neg()
	if n := launches(func() { Eval(y) }); n != 1 {
		t.Errorf("%d launches for one product", n)
	}
	if n := launches(func() { Eval(z) }); n != 0 || !slices.Equal(z.Float64s(), []float64{2, 4, 6}) || !slices.Equal(y.Float64s(), z.Float64s()) {
		t.Errorf("%v and %v, %d launches more", y, z, n)
	}
}

// TestRules: each rule is used where it should be and nowhere else, and what it makes has the elements that the same
// program has without rules.
func TestRules(t *testing.T) {
	for _, r := range rules {
		cases := ruleCases[r.name]
		if cases == nil {
			t.Errorf("there is no case for %q", r.name)
		}
		for i, c := range cases {
			for _, d := range c.on {
				run := func(rules []rule) (got *arrays.Array, used bool) {
					withRules(t, rules, func() {
						x := edges(d)
						y := x.At(arrays.S(arrays.End, -x.Size()-1, -1)).Copy()
						z := c.of(FromArray(x), FromArray(y))
						used = usedFor(t, z)[r.name]
						got = z.Array()
					})
					return got, used
				}
				want, _ := run(nil)
				got, used := run(slices.DeleteFunc(slices.Clone(rules), func(other rule) bool { return other.name != r.name }))
				if used == c.not {
					t.Errorf("%s, case %d of %v: used: %v", r.name, i, d, used)
				}
				if !sameElements(got, want) {
					t.Errorf("%s, case %d of %v: %v, without rules %v", r.name, i, d, got, want)
				}
				if got, _ := run(rules); !sameElements(got, want) {
					t.Errorf("%s with all others, case %d of %v: %v, without rules %v", r.name, i, d, got, want)
				}
			}
		}
	}
}

// TestRulesOnRandomGraphs: random programs of all dtypes, of constants at which rules begin, views, assignments and
// reductions, have the same elements with all rules and without any, whatever is asked for, in one evaluation or one by
// one.
func TestRulesOnRandomGraphs(t *testing.T) {
	testsize.InTurn(t, 1)
	used := map[string]bool{}
	for seed := range uint64(400) {
		var want []*arrays.Array
		for _, set := range [][]rule{nil, rules} {
			withRules(t, set, func() {
				r := rand.New(rand.NewPCG(seed, 3))
				xs := randomGraph(r)
				asked := xs[len(xs)-1-r.IntN(4):]
				if r.IntN(2) == 0 {
					for _, x := range asked {
						x.Array()
					}
				}
				maps.Copy(used, usedFor(t, xs...))
				Eval(xs...)
				for i, x := range xs {
					if set == nil {
						want = append(want, x.Array().Copy())
					} else if got := x.Array(); !sameElements(got, want[i]) {
						t.Fatalf("seed %d: value %d is\n%v\nwithout rules\n%v", seed, i, got, want[i])
					}
				}
			})
		}
	}
	for _, r := range rules {
		if !used[r.name] {
			t.Errorf("no graph had a use of %q", r.name)
		}
	}
}

// randomGraph returns what a random program computes.
func randomGraph(r *rand.Rand) (xs []*Array) {
	for range 3 {
		x := edges(allKinds[r.IntN(len(allKinds))])
		xs = append(xs, FromArray(x.At(arrays.S(0, 8)).Reshape(2, 4).Copy()))
	}
	xs = append(xs, Scalar(3).AsType(allKinds[r.IntN(len(allKinds))]), Scalar(r.IntN(2) == 0))
	numbers := []any{0, 1, -1, 2, 0.0, 1.0, math.Copysign(0, -1), true, false}
	for range 30 {
		pick := func() *Array { return xs[max(len(xs)-1-r.IntN(8), r.IntN(len(xs)))] }
		x, y := pick(), pick()
		var other any = y
		switch r.IntN(4) {
		case 0:
			other = numbers[r.IntN(len(numbers))]
		case 1:
			other = Scalar(numbers[r.IntN(len(numbers))]).AsType(x.DType())
		case 2:
			other = x
		}
		ops := []Ufunc{arrays.OpNeg, arrays.OpNeg, arrays.OpInvert, arrays.OpLogicalNot, arrays.OpLogicalNot, arrays.OpAbs, arrays.OpMul,
			arrays.OpMul, arrays.OpDiv, arrays.OpFloorDiv, arrays.OpAdd, arrays.OpAdd, arrays.OpSub, arrays.OpBitAnd, arrays.OpBitOr, arrays.OpBitXor,
			arrays.OpLeftShift, arrays.OpMinimum, arrays.OpEqual, arrays.OpLess, arrays.OpWhere, arrays.OpWhere}
		func() {
			defer func() { _ = recover() }() // what the dtypes do not have
			var z *Array
			switch k := r.IntN(10); k {
			case 0, 1:
				z = x.AsType(allKinds[r.IntN(len(allKinds))])
			case 2:
				z = x.Max()
			case 3:
				z = Where(r.IntN(2) == 0, x, other)
			case 4:
				z = x.Abs()
				z.Set(other)
				z = z.Neg()
			case 5:
				if x.NDim() < 2 {
					return
				}
				x.Set(other, r.IntN(2))
				z = x.At(r.IntN(2))
			default:
				u := ops[r.IntN(len(ops))]
				args := []any{x, other}[:min(u.NIn(), 2)]
				if u.NIn() == 3 {
					args = []any{pick(), x, other}
				}
				z = Apply(u, args...)
			}
			if z.Size() <= 64 {
				xs = append(xs, z)
			}
		}()
		if r.IntN(3) == 0 { // once more, so that there are pairs
			if last := xs[len(xs)-1]; !last.DType().IsBool() && !last.DType().IsUnsigned() {
				xs = append(xs, last.Neg())
			}
		}
	}
	return xs
}
