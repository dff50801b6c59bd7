package arrays

import (
	"encoding/json"
	"fmt"
	"math"
	"math/cmplx"
	"slices"
	"strings"
	"testing"
)

// routineArg is an input's name, a number or a list of ints.
type routineArg struct {
	Name  string
	Int   *int
	Float *float64
	Ints  []int
}

func (g *routineArg) UnmarshalJSON(b []byte) error {
	if b[0] == '"' {
		return json.Unmarshal(b, &g.Name)
	}
	type plain routineArg
	return json.Unmarshal(b, (*plain)(g))
}

func one(a *Array) []*Array    { return []*Array{a} }
func two(a, b *Array) []*Array { return []*Array{a, b} }
func ints(args []any) (out []int) {
	for _, a := range args {
		out = append(out, a.(int))
	}
	return out
}

// anys are axes as options.
func anys(axes []int) (out []ReduceOption) {
	for _, axis := range axes {
		out = append(out, axis)
	}
	return out
}

// optionsOf are arguments as options of a type that is any.
func optionsOf[T any](args []any) (out []T) {
	for _, arg := range args {
		out = append(out, arg.(T))
	}
	return out
}

// numPyRoutines calls ours by the names of the golden file.
var numPyRoutines = map[string]func(x []any) []*Array{
	"sort":               func(x []any) []*Array { return one(Sort(x[0], ints(x[1:]))) },
	"argsort":            func(x []any) []*Array { return one(ArgSort(x[0], ints(x[1:]))) },
	"cumsum":             func(x []any) []*Array { return one(CumSum(x[0], ints(x[1:]))) },
	"cumprod":            func(x []any) []*Array { return one(CumProd(x[0], ints(x[1:]))) },
	"cummax":             func(x []any) []*Array { return one(CumMax(x[0], ints(x[1:]))) },
	"cummin":             func(x []any) []*Array { return one(CumMin(x[0], ints(x[1:]))) },
	"diff":               func(x []any) []*Array { return one(Diff(x[0], ints(x[1:]))) },
	"searchsorted_left":  func(x []any) []*Array { return one(SearchSorted(x[0], x[1])) },
	"searchsorted_right": func(x []any) []*Array { return one(SearchSortedRight(x[0], x[1])) },
	"concat":             func(x []any) []*Array { return one(Concat(x[0].(int), x[1:]...)) },
	"stack":              func(x []any) []*Array { return one(Stack(x[0].(int), x[1:]...)) },
	"vstack":             func(x []any) []*Array { return one(VStack(x...)) },
	"hstack":             func(x []any) []*Array { return one(HStack(x...)) },
	"matmul":             func(x []any) []*Array { return one(MatMul(x[0], x[1])) },
	"matmul_t":           func(x []any) []*Array { return one(MatMul(x[0], x[1].(*Array).SwapAxes(-1, -2))) },
	"dot":                func(x []any) []*Array { return one(Dot(x[0], x[1])) },
	"outer":              func(x []any) []*Array { return one(Outer(x[0], x[1])) },
	"flip":               func(x []any) []*Array { return one(Flip(x[0], ints(x[1:]))) },
	"roll":               func(x []any) []*Array { return one(Roll(x[0], x[1].(int), ints(x[2:]))) },
	"repeat":             func(x []any) []*Array { return one(Repeat(x[0], x[1], ints(x[2:]))) },
	"tile":               func(x []any) []*Array { return one(Tile(x[0], ints(x[1:])...)) },
	"median":             func(x []any) []*Array { return one(Median(x[0], optionsOf[ReduceOption](x[1:])...)) },
	"quantile":           func(x []any) []*Array { return one(Quantile(x[0], x[1], optionsOf[QuantileOption](x[2:])...)) },
	"var":                func(x []any) []*Array { return one(Var(x[0], Axis(ints(x[1:])...))) },
	"std":                func(x []any) []*Array { return one(Std(x[0], Axis(ints(x[1:])...), DDof(1))) },
	"ptp":                func(x []any) []*Array { return one(Ptp(x[0], Axis(ints(x[1:])...))) },
	"count_nonzero":      func(x []any) []*Array { return one(CountNonZero(x[0], Axis(ints(x[1:])...))) },
	"nansum":             func(x []any) []*Array { return one(NanSum(x[0], Axis(ints(x[1:])...))) },
	"nanmean":            func(x []any) []*Array { return one(NanMean(x[0], Axis(ints(x[1:])...))) },
	"nanmax":             func(x []any) []*Array { return one(NanMax(x[0], Axis(ints(x[1:])...))) },
	"nanmin":             func(x []any) []*Array { return one(NanMin(x[0], Axis(ints(x[1:])...))) },
	"nanvar":             func(x []any) []*Array { return one(NanVar(x[0], Axis(ints(x[1:])...))) },
	"nanstd":             func(x []any) []*Array { return one(NanStd(x[0], Axis(ints(x[1:])...))) },
	"gradient":           func(x []any) []*Array { return one(Gradient(x[0], x[1], optionsOf[GradientOption](x[2:])...)) },
	"trapezoid":          func(x []any) []*Array { return one(Trapezoid(x[0], x[1], ints(x[2:]))) },
	"norm":               func(x []any) []*Array { return one(Norm(x[0], ints(x[1:]))) },
	"take":               func(x []any) []*Array { return one(Take(x[0], x[1], ints(x[2:]))) },
	"moveaxis":           func(x []any) []*Array { return one(x[0].(*Array).MoveAxis(x[1].(int), x[2].(int))) },
	"swapaxes":           func(x []any) []*Array { return one(x[0].(*Array).SwapAxes(x[1].(int), x[2].(int))) },
	"expand":             func(x []any) []*Array { return one(x[0].(*Array).ExpandDims(x[1].(int))) },
	"squeeze":            func(x []any) []*Array { return one(x[0].(*Array).At(NewAxis, All, NewAxis).Squeeze()) },
	"trace":              func(x []any) []*Array { return one(Trace(x[0], ints(x[1:]))) },
	"diagonal":           func(x []any) []*Array { return one(x[0].(*Array).Diagonal(x[1].(int))) },
	"tril":               func(x []any) []*Array { return one(Tril(x[0], x[1].(int))) },
	"triu":               func(x []any) []*Array { return one(Triu(x[0], x[1].(int))) },
	"pad":                func(x []any) []*Array { return one(Pad(x[0], x[1].([]int), x[2].([]int), x[3])) },
	"padedge":            func(x []any) []*Array { return one(Pad(x[0], x[1].([]int), x[2].([]int), PadEdge)) },
	"padreflect":         func(x []any) []*Array { return one(Pad(x[0], x[1].([]int), x[2].([]int), PadReflect)) },
	"padsymmetric":       func(x []any) []*Array { return one(Pad(x[0], x[1].([]int), x[2].([]int), PadSymmetric)) },
	"padwrap":            func(x []any) []*Array { return one(Pad(x[0], x[1].([]int), x[2].([]int), PadWrap)) },
	"eye":                func(x []any) []*Array { return one(Eye(x[0].(int), ints(x[1:])...)) },
	"diag":               func(x []any) []*Array { return one(Diag(x[0])) },
	"logspace":           func(x []any) []*Array { return one(Logspace(x[0].(float64), x[1].(float64), x[2].(int))) },
	"meshgrid":           func(x []any) []*Array { return Meshgrid(x...) },
	"split":              func(x []any) []*Array { return Split(x[0], ints(x[2:]), x[1]) },
	"array_split":        func(x []any) []*Array { return ArraySplit(x[0], x[1].(int), x[2].(int)) },
	"round":              func(x []any) []*Array { return one(Round(x[0], x[1].(int))) },
	"clip":               func(x []any) []*Array { return one(Clip(x[0], x[1], x[2])) },
	"isclose":            func(x []any) []*Array { return one(IsClose(x[0], x[1])) },
	"cov":                func(x []any) []*Array { return one(Cov(x[0])) },
	"corrcoef":           func(x []any) []*Array { return one(CorrCoef(x[0])) },
	"average":            func(x []any) []*Array { return one(Average(x[0], x[1])) },
	"polyval":            func(x []any) []*Array { return one(PolyVal([]float64{1.5, -2, 0.25}, x[0])) },
	"unique":             func(x []any) []*Array { return one(Unique(x[0])) },
	"unique_counts":      func(x []any) []*Array { return two(UniqueCounts(x[0])) },
	"unique_inverse":     func(x []any) []*Array { return two(UniqueInverse(x[0])) },
	"union":              func(x []any) []*Array { return one(Union(x[0], x[1])) },
	"intersect":          func(x []any) []*Array { return one(Intersect(x[0], x[1])) },
	"setdiff":            func(x []any) []*Array { return one(SetDiff(x[0], x[1])) },
	"isin":               func(x []any) []*Array { return one(IsIn(x[0], x[1])) },
	"bincount":           func(x []any) []*Array { return one(BinCount(x[0])) },
	"histogram":          func(x []any) []*Array { return two(Histogram(x[0], x[1], limitsOf(x[2:])...)) },
	"nan_to_num":         func(x []any) []*Array { return one(NanToNum(x[0])) },
	"heaviside":          func(x []any) []*Array { return one(Heaviside(x[0], 0.5)) },
	"nanprod":            func(x []any) []*Array { return one(NanProd(x[0], Axis(ints(x[1:])...))) },
	"nancumsum":          func(x []any) []*Array { return one(NanCumSum(x[0], ints(x[1:]))) },
	"nancumprod":         func(x []any) []*Array { return one(NanCumProd(x[0], ints(x[1:]))) },
	"nanargmax":          func(x []any) []*Array { return one(NanArgMax(x[0], Axis(ints(x[1:])...))) },
	"nanargmin":          func(x []any) []*Array { return one(NanArgMin(x[0], Axis(ints(x[1:])...))) },
	"nanquantile":        func(x []any) []*Array { return one(NanQuantile(x[0], x[1], optionsOf[QuantileOption](x[2:])...)) },
	"nanmedian":          func(x []any) []*Array { return one(NanMedian(x[0], optionsOf[ReduceOption](x[1:])...)) },
	"unstack":            func(x []any) []*Array { return Unstack(x[0]) },
	"unwrap":             func(x []any) []*Array { return one(Unwrap(x[0], ints(x[1:]))) },
	"take_along_axis":    func(x []any) []*Array { return one(TakeAlongAxis(x[0], x[1], ints(x[2:]))) },
	"broadcast_arrays":   func(x []any) []*Array { return BroadcastArrays(x...) },
	"rot90":              func(x []any) []*Array { return one(Rot90(x[0], ints(x[1:])...)) },
	"geomspace":          func(x []any) []*Array { return one(Geomspace(x[0].(float64), x[1].(float64), x[2].(int))) },
	"select": func(x []any) []*Array {
		a := x[0].(*Array)
		return one(Select([]any{a.Lt(0), a.Gt(3)}, []any{a.Neg(), a.Mul(2)}, 1.0))
	},
	"digitize":  func(x []any) []*Array { return one(Digitize(x[0], x[1])) },
	"append":    func(x []any) []*Array { return one(Append(x[0], x[1])) },
	"setxor":    func(x []any) []*Array { return one(SetXor(x[0], x[1])) },
	"correlate": func(x []any) []*Array { return one(Correlate(x[0], x[1])) },
	"hanning":   func(x []any) []*Array { return one(Hanning(x[0].(int))) },
	"hamming":   func(x []any) []*Array { return one(Hamming(x[0].(int))) },
	"blackman":  func(x []any) []*Array { return one(Blackman(x[0].(int))) },
	"polyfit":   func(x []any) []*Array { return one(PolyFit(x[0], x[1], x[2].(int))) },
	"vander":    func(x []any) []*Array { return one(Vander(x[0], ints(x[1:])...)) },
	"polyadd":   func(x []any) []*Array { return one(PolyAdd(x[0], x[1])) },
	"polymul":   func(x []any) []*Array { return one(PolyMul(x[0], x[1])) },
	"polyder":   func(x []any) []*Array { return one(PolyDer(x[0])) },
	"polyint":   func(x []any) []*Array { return one(PolyInt(x[0])) },
	"nextafter": func(x []any) []*Array { return one(NextAfter(x[0], x[1])) },
	"unique_all": func(x []any) []*Array {
		v, i, j, c := UniqueAll(x[0])
		return []*Array{v, i, j, c}
	},
	"interp":   func(x []any) []*Array { return one(Interp(x[0], Arange(5.0).Sub(2), x[1].(*Array).At(To(5)))) },
	"convolve": func(x []any) []*Array { return one(Convolve(x[0], x[1])) },
}

// TestRoutinesAsNumPy: inputs are multiples of 1/8, so that most results are exact in any order of additions.
func TestRoutinesAsNumPy(t *testing.T) {
	tolerance := map[string]float64{"matmul": 4, "matmul_t": 4, "var": 4, "std": 4, "nanvar": 4, "nanstd": 4, "nanmean": 2, "gradient": 2, "norm": 2,
		"quantile": 1, "median": 1, "cov": 8, "corrcoef": 16, "average": 2, "polyval": 2, "interp": 2, "logspace": 2, "trapezoid": 2, "cumprod": 2,
		"nanprod": 2, "nancumprod": 2, "nanquantile": 16, // of float32, in which NumPy interpolates
		"nanmedian": 2, "unwrap": 8, "geomspace": 4, "hanning": 4, "hamming": 4, "blackman": 8, "polyfit": 400, "vander": 4, "polymul": 2}
	asNumPy(t, "routines.json", numPyRoutines, tolerance)
}

// asNumPy runs the cases of a golden file.
func asNumPy(t *testing.T, file string, routines map[string]func(x []any) []*Array, tolerance map[string]float64) {
	var golden struct {
		Inputs map[string]goldenValue
		Cases  []struct {
			Op    string
			Args  []routineArg
			Error bool
			Outs  []goldenValue
		}
	}
	readGolden(t, file, &golden)
	seen := map[string]bool{}
	for _, c := range golden.Cases {
		var args []any
		var names []string
		for _, a := range c.Args {
			var v any
			switch {
			case a.Name != "":
				v = golden.Inputs[a.Name].array()
				names = append(names, a.Name)
			case a.Int != nil:
				v = *a.Int
			case a.Float != nil:
				v = *a.Float
			default:
				v = a.Ints
			}
			if a.Name == "" {
				names = append(names, fmt.Sprint(v))
			}
			args = append(args, v)
		}
		name := c.Op + "(" + strings.Join(names, ", ") + ")"
		seen[c.Op] = true
		var got []*Array
		err := caught(func() { got = routines[c.Op](args) })
		if err != nil || c.Error {
			if (err != nil) != c.Error && !slices.Contains(differentErrors, name) {
				t.Errorf("%s: error %v, NumPy refuses: %v", name, err, c.Error)
			}
			continue
		}
		if len(got) != len(c.Outs) {
			t.Errorf("%s: %d results, NumPy gives %d", name, len(got), len(c.Outs))
			continue
		}
		for i := range got {
			if err := compareNear(got[i], c.Outs[i], tolerance[c.Op]); err != nil {
				t.Errorf("%s, result %d: %v", name, i, err)
			}
		}
	}
	if len(seen) != len(routines) {
		t.Errorf("%s covers %d of %d routines", file, len(seen), len(routines))
	}
}

// differentErrors are calls that NumPy answers and we refuse, or the other way round.
var differentErrors = []string{
	"median(none, 0)",                                                  // NumPy warns and gives NaN
	"argsort(s, -1)", "argsort(s, 0)", "cumsum(s, -1)", "cumsum(s, 0)", // a 0-d array has no axis
}

// compareNear is compare, but near zero, where sums of inputs up to 20 cancel, an absolute difference of 4e-15 is none:
// that is one rounding of such an input, and processors that fuse multiplications with additions round elsewhere.
func compareNear(got *Array, want goldenValue, tolerance float64) error {
	near := tolerance
	if got.DType().IsComplex() {
		near = 0
	}
	err := compare(got, want, near)
	if err == nil || tolerance == 0 || !slices.Equal(got.Shape(), want.S) || got.DType().String() != want.D {
		return err
	}
	if got.DType().IsComplex() {
		w := want.array().Complex128s()
		for i, g := range got.Complex128s() {
			if d := cmplx.Abs(g - w[i]); !(d <= 4e-15+tolerance*0x1p-53*cmplx.Abs(w[i]) || g == w[i]) {
				return fmt.Errorf("element %d is %v, NumPy gives %v", i, g, w[i])
			}
		}
		return nil
	}
	w := want.array().Float64s()
	for i, g := range got.Float64s() {
		if d := math.Abs(g - w[i]); !(d <= 4e-15 || ulps(g, w[i], got.DType()) <= tolerance) {
			return err
		}
	}
	return nil
}
