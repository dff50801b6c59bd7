package arrays

import (
	"fmt"
	"math"
	"math/cmplx"
	"slices"
	"strings"
	"testing"
)

// complexTolerance is how far complex results may be from NumPy's, as a part of their absolute value.
var complexTolerance = map[DType]float64{Complex64: 1e-6, Complex128: 4e-15}

// near reports how got differs from want by more than the last digits of its dtype.
func near(got *Array, want goldenValue, tolerance float64) error {
	w := want.array()
	if !w.dtype.IsComplex() || got.dtype != w.dtype {
		return compare(got, want, tolerance)
	}
	if !slices.Equal(got.Shape(), want.S) {
		return fmt.Errorf("got shape %v, NumPy gives %v", got.Shape(), want.S)
	}
	g, v := got.Complex128s(), w.Complex128s()
	for i := range g {
		if cmplx.IsNaN(g[i]) && cmplx.IsNaN(v[i]) || g[i] == v[i] {
			continue
		}
		if d := cmplx.Abs(g[i] - v[i]); !(d <= complexTolerance[w.dtype]*cmplx.Abs(v[i])) {
			return fmt.Errorf("element %d is %v, NumPy gives %v", i, g[i], v[i])
		}
	}
	return nil
}

type dtypeGolden struct {
	Inputs map[string]goldenValue
	Cases  []struct {
		Op    string
		Args  []string
		Error bool
		Out   goldenValue
	}
	Promotions []struct {
		Op   string
		Rows map[string][]string
	}
	Casts []struct {
		In, To string
		Out    goldenValue
	}
	Reductions []struct {
		Op, In string
		Axis   *int
		Error  bool
		Out    goldenValue
	}
}

func TestEveryDTypeAsNumPy(t *testing.T) {
	var golden dtypeGolden
	readGolden(t, "dtypes.json", &golden)
	ops := map[string]Ufunc{}
	for u := range Ufunc(NumUfuncs) {
		ops[u.String()] = u
	}
	// float16 results are float32 ones, rounded; NumPy's float32 functions are within some units of the last place.
	loose := map[string]float64{"power": 4, "minimum": 0.5, "maximum": 0.5, "fmin": 0.5, "fmax": 0.5}
	for _, op := range strings.Fields("exp exp2 expm1 log log2 log10 log1p sin cos tan arcsin arccos arctan sinh cosh tanh arcsinh arccosh arctanh cbrt arctan2 hypot logaddexp deg2rad rad2deg angle") {
		loose[op] = 4
	}
	seen := map[string]bool{}
	for _, c := range golden.Cases {
		var args []any
		for _, a := range c.Args {
			args = append(args, golden.Inputs[a].array())
		}
		seen[c.Op] = true
		var got *Array
		err := caught(func() { got = Apply(ops[c.Op], args...) })
		switch {
		case c.Error && err == nil:
			t.Errorf("%s%v: NumPy refuses, we give %v", c.Op, c.Args, got)
		case !c.Error && err != nil:
			t.Errorf("%s%v: %v", c.Op, c.Args, err)
		case !c.Error:
			if err := near(got, c.Out, loose[c.Op]); err != nil {
				t.Errorf("%s%v: %v", c.Op, c.Args, err)
			}
		}
	}
	for u := range Ufunc(NumUfuncs) {
		name := u.String()
		if ours := name == "erf" || name == "erfc" || name == "gamma" || name == "lgamma" || name == "sinc" || name == "where"; !ours && !seen[name] {
			t.Errorf("the golden file does not cover %s", name)
		}
	}
}

// TestPromotionAsNumPy: the dtype that every operation gives for every pair of dtypes, and for Go numbers.
func TestPromotionAsNumPy(t *testing.T) {
	var golden dtypeGolden
	readGolden(t, "dtypes.json", &golden)
	checked := 0
	for _, p := range golden.Promotions {
		var u Ufunc
		for u.String() != p.Op {
			u++
		}
		for a := range DType(numDTypes) {
			for k, want := range p.Rows[a.String()] {
				second := Operand{DType: DType(k)}
				if k >= numDTypes {
					second = Operand{DType: [...]DType{Int64, Float64, Complex128}[k-numDTypes], Weak: true}
				}
				_, out, err := u.Resolve(Operand{DType: a}, second)
				got := ""
				if err == nil {
					got = out.String()
				}
				if got != want {
					t.Errorf("%s of %v and %v (weak %v): got %q, NumPy gives %q: %v", p.Op, a, second.DType, second.Weak, got, want, err)
				}
				checked++
			}
		}
	}
	if checked < 29*14*17 {
		t.Errorf("only %d results were checked", checked)
	}
}

func TestCastsAsNumPy(t *testing.T) {
	var golden dtypeGolden
	readGolden(t, "dtypes.json", &golden)
	for _, c := range golden.Casts {
		a := golden.Inputs[c.In].array()
		got := a.AsType(dtypeNamed(c.To))
		if err := near(got, c.Out, 0); err != nil {
			t.Errorf("%s as %s: %v", c.In, c.To, err)
		}
		if strided := FromBytes(a.dtype, a.Shape(), slices.Clone(a.Bytes())).At(S(End, End, -1)).AsType(got.dtype).At(S(End, End, -1)); !slices.Equal(strided.Bytes(), got.Bytes()) {
			t.Errorf("%s as %s backwards: %v", c.In, c.To, strided)
		}
	}
}

func TestEveryDTypeReducesAsNumPy(t *testing.T) {
	var golden dtypeGolden
	readGolden(t, "dtypes.json", &golden)
	for _, c := range golden.Reductions {
		a := golden.Inputs[c.In].array()
		var axis []int
		if c.Axis != nil {
			axis = []int{*c.Axis}
		}
		reduce := func(f func(any, ...ReduceOption) *Array) *Array {
			if axis == nil {
				return f(a)
			}
			return f(a, Axis(axis...))
		}
		do := map[string]func() *Array{
			"sum": func() *Array { return reduce(Sum) }, "prod": func() *Array { return reduce(Prod) }, "mean": func() *Array { return reduce(Mean) },
			"max": func() *Array { return reduce(Max) }, "min": func() *Array { return reduce(Min) }, "argmax": func() *Array { return reduce(ArgMax) },
			"argmin": func() *Array { return reduce(ArgMin) }, "all": func() *Array { return reduce(AllTrue) }, "any": func() *Array { return reduce(AnyTrue) },
			"var": func() *Array { return reduce(Var) }, "std": func() *Array { return reduce(Std) }, "ptp": func() *Array { return reduce(Ptp) },
			"count_nonzero": func() *Array { return reduce(CountNonZero) }, "median": func() *Array { return Median(a, anys(axis)...) },
			"cumsum": func() *Array { return CumSum(a, axis) }, "cumprod": func() *Array { return CumProd(a, axis) },
			"sort": func() *Array { return Sort(a, axis) }, "argsort": func() *Array { return ArgSort(a, axis) }, "unique": func() *Array { return Unique(a) },
			"matmul": func() *Array { return MatMul(a, a.T()) }, "searchsorted": func() *Array { return SearchSorted(Sort(a.Reshape(-1)), a) },
		}[c.Op]
		tolerance := map[string]float64{"var": 8, "std": 8, "mean": 1, "prod": 1, "cumprod": 2, "cumsum": 2, "matmul": 2}[c.Op]
		var got *Array
		err := caught(func() { got = do() })
		switch {
		case c.Error && err == nil:
			t.Errorf("%s(%s, %v): NumPy refuses, we give %v", c.Op, c.In, axis, got)
		case !c.Error && err != nil:
			t.Errorf("%s(%s, %v): %v", c.Op, c.In, axis, err)
		case !c.Error:
			if err := near(got, c.Out, tolerance); err != nil {
				t.Errorf("%s(%s, %v): %v", c.Op, c.In, axis, err)
			}
		}
	}
}

// TestMixedSignsCompareExactly: NumPy's own loops for int64 with uint64; float64, the common dtype, would call these
// equal.
func TestMixedSignsCompareExactly(t *testing.T) {
	x, y := FromSlice([]int64{math.MaxInt64, -1, 5, math.MinInt64}), FromSlice([]uint64{1 << 63, math.MaxUint64, 5, 0})
	for _, c := range []struct {
		got  *Array
		want string
	}{
		{x.Eq(y), "[False False  True False]"}, {x.Ne(y), "[ True  True False  True]"}, {x.Lt(y), "[ True  True False  True]"}, {x.Le(y), "[ True  True  True  True]"},
		{y.Lt(x), "[False False False False]"}, {y.Ge(x), "[ True  True  True  True]"}, {y.Gt(x), "[ True  True False  True]"}, {y.Gt(-1), "[ True  True  True  True]"},
		{y.Eq(uint64(math.MaxUint64)), "[False  True False False]"},
	} {
		if c.got.String() != c.want {
			t.Errorf("got %v, want %s", c.got, c.want)
		}
	}
}

// TestHalves: every float16 is its own rounding, and what lies between two goes to the nearer, halfway to the even one.
func TestHalves(t *testing.T) {
	for h := range half(0x7c00) {
		v, next := float64(h.float()), float64((h + 1).float())
		middle := (v + next) / 2
		even := h + h&1
		if h == 0x7bff {
			next, middle = math.Inf(1), 65520
		}
		if halfOf(v) != h || halfOf(-v) != h|0x8000 || halfOf(middle) != even || halfOf(math.Nextafter(middle, 0)) != h || halfOf(math.Nextafter(middle, next)) != h+1 {
			t.Fatalf("%#x = %v: rounds to %#x, the middle %v to %#x", h, v, halfOf(v), middle, halfOf(middle))
		}
	}
	if !math.IsNaN(float64(halfOf(math.NaN()).float())) || !math.IsInf(float64(halfOf(-1e300).float()), -1) {
		t.Error("NaN or -Inf")
	}
}
