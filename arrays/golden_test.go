package arrays

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// The golden files hold what NumPy gives; tests/golden/make_arrays.py writes them and each names the NumPy version.

// goldenValue is an array as the golden files write it; b is the elements' bytes.
type goldenValue struct {
	D string
	S []int
	B []byte
}

// goldenArg is an input's name or a Go number.
type goldenArg struct {
	Name  string
	Int   *int
	Float *float64
}

func (g *goldenArg) UnmarshalJSON(b []byte) error {
	if b[0] == '"' {
		return json.Unmarshal(b, &g.Name)
	}
	type plain goldenArg
	return json.Unmarshal(b, (*plain)(g))
}

func (g goldenArg) value(inputs map[string]goldenValue) any {
	switch {
	case g.Int != nil:
		return *g.Int
	case g.Float != nil:
		return *g.Float
	}
	return inputs[g.Name].array()
}

func (g goldenArg) String() string {
	if g.Name != "" {
		return g.Name
	}
	return fmt.Sprint(g.value(nil))
}

func dtypeNamed(name string) DType {
	for d := range DType(numDTypes) {
		if d.String() == name {
			return d
		}
	}
	if name = strings.TrimPrefix(name, "<"); name[0] == 'U' {
		n, _ := strconv.Atoi(name[1:])
		return Str(n)
	}
	for u := range Unit(numUnits) {
		for _, d := range []DType{DateTime(u), TimeDelta(u)} {
			if d.String() == name {
				return d
			}
		}
	}
	panic("golden file has unknown dtype " + name)
}

func (g goldenValue) array() *Array {
	return FromBytes(dtypeNamed(g.D), g.S, slices.Clone(g.B))
}

// readGolden decodes a golden file into v and checks that NumPy wrote it.
func readGolden(t *testing.T, name string, v any) {
	t.Helper()
	raw, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	var head struct{ Numpy string }
	if err := json.Unmarshal(raw, &head); err != nil || !strings.HasPrefix(head.Numpy, "2.") {
		t.Fatalf("%s: NumPy version %q, error %v", name, head.Numpy, err)
	}
	if err := json.Unmarshal(raw, v); err != nil {
		t.Fatal(err)
	}
}

// caught returns the *Error that f panics with, or nil. Other panics go on.
func caught(f func()) (err *Error) {
	defer func() {
		if r := recover(); r != nil {
			typed, ok := r.(*Error)
			if !ok {
				panic(r)
			}
			err = typed
		}
	}()
	f()
	return nil
}

// ulps is the distance of two floats in units of the last place of their dtype; 0 for two NaNs, huge when one is NaN.
func ulps(a, b float64, dtype DType) float64 {
	switch {
	case math.IsNaN(a) && math.IsNaN(b):
		return 0
	case math.IsNaN(a) || math.IsNaN(b):
		return math.Inf(1)
	}
	order := func(bits int64) float64 { // integers in the order of the floats
		if bits < 0 {
			bits = math.MinInt64 - bits
		}
		return float64(bits)
	}
	if dtype == Float16 {
		return math.Abs(order(int64(int16(halfOf(a)))<<48)-order(int64(int16(halfOf(b)))<<48)) / (1 << 48)
	}
	if dtype == Float32 {
		return math.Abs(order(int64(int32(math.Float32bits(float32(a))))<<32)-order(int64(int32(math.Float32bits(float32(b))))<<32)) / (1 << 32)
	}
	return math.Abs(order(int64(math.Float64bits(a))) - order(int64(math.Float64bits(b))))
}

// compare reports how got differs from want: dtype, shape, and elements by more than tolerance ulps.
func compare(got *Array, want goldenValue, tolerance float64) error {
	if got.DType().String() != want.D || !slices.Equal(got.Shape(), want.S) {
		return fmt.Errorf("got %v %v, NumPy gives %s %v", got.DType(), got.Shape(), want.D, want.S)
	}
	w := want.array()
	if tolerance == 0 && !w.DType().IsFloat() && !slices.Equal(got.Bytes(), w.Bytes()) {
		return fmt.Errorf("got %v, NumPy gives %v", got, w)
	}
	if !w.DType().IsFloat() && tolerance == 0 {
		return nil
	}
	g, v := got.Float64s(), w.Float64s()
	for i := range g {
		signs := math.Signbit(g[i]) != math.Signbit(v[i]) && !math.IsNaN(v[i]) && tolerance == 0
		if d := ulps(g[i], v[i], w.DType()); d > tolerance || signs {
			return fmt.Errorf("element %d is %v, NumPy gives %v (%v ulp)", i, g[i], v[i], d)
		}
	}
	return nil
}

func TestUfuncsAsNumPy(t *testing.T) {
	ops := map[string]Ufunc{}
	for u := range Ufunc(NumUfuncs) {
		ops[u.String()] = u
	}
	// Go's, ours and NumPy's functions are each within about 1 ulp of the true value, NumPy's float32 ones within 2;
	// the C library's gamma functions and NumPy's hyperbolic ones within some more. Which zero is the smaller is open:
	// NumPy gives the first or the second, depending on the processor.
	tolerance := map[string]float64{"minimum": 0.5, "maximum": 0.5, "fmin": 0.5, "fmax": 0.5, "rad2deg": 1, "deg2rad": 1, "exp": 2, "log": 2, "sin": 2, "cos": 2, "power": 2,
		"gamma": 16, "lgamma": 16, "sinc": 1000} // NumPy multiplies by a rounded pi first
	seen := map[Ufunc]bool{}
	for _, file := range []string{"ufuncs.json", "functions.json"} {
		var golden struct {
			Inputs map[string]goldenValue
			Cases  []struct {
				Op    string
				Args  []goldenArg
				Error bool
				Out   goldenValue
			}
		}
		readGolden(t, file, &golden)
		for _, c := range golden.Cases {
			u := ops[c.Op]
			seen[u] = true
			tol, ok := tolerance[c.Op]
			if !ok && file == "functions.json" {
				tol = 4
			}
			var args []any
			for _, a := range c.Args {
				args = append(args, a.value(golden.Inputs))
			}
			var got *Array
			err := caught(func() { got = Apply(u, args...) })
			switch {
			case c.Error && err == nil:
				t.Errorf("%s%v: NumPy refuses, we give %v", c.Op, c.Args, got)
			case !c.Error && err != nil:
				t.Errorf("%s%v: %v", c.Op, c.Args, err)
			case !c.Error:
				if err := compare(got, c.Out, tol); err != nil {
					t.Errorf("%s%v: %v", c.Op, c.Args, err)
				}
			}
		}
	}
	if len(seen) != NumUfuncs-4 { // real, imag, conjugate and angle are in dtypes.json
		t.Errorf("the golden files cover %d of %d operations", len(seen), NumUfuncs)
	}
}

func TestReductionsAsNumPy(t *testing.T) {
	var golden struct {
		Inputs map[string]goldenValue
		Cases  []struct {
			Op    string
			In    string
			Axis  *[]int
			Keep  bool
			Error bool
			Out   goldenValue
		}
	}
	readGolden(t, "reductions.json", &golden)
	ops := map[string]Reduction{}
	for r := range Reduction(NumReductions) {
		ops[r.String()] = r
	}
	for _, c := range golden.Cases {
		axis := "all"
		var opts []ReduceOption
		if c.Axis != nil {
			opts, axis = append(opts, Axis(*c.Axis...)), fmt.Sprint(*c.Axis)
		}
		if c.Keep {
			opts = append(opts, KeepDims())
		}
		name := fmt.Sprintf("%s(%s, axis %s, keep %v)", c.Op, c.In, axis, c.Keep)
		a := golden.Inputs[c.In].array()
		if c.In == "transposed" { // the same elements as a view
			a = golden.Inputs["float64"].array().T(2, 0, 1)
		}
		if c.In == "scalar" && c.Axis != nil {
			c.Error = true // NumPy lets some reductions of a 0-d array name axis 0; it has none
		}
		var got *Array
		err := caught(func() { got = Reduce(ops[c.Op], a, opts...) })
		switch {
		case c.Error && err == nil:
			t.Errorf("%s: NumPy refuses, we give %v", name, got)
		case !c.Error && err != nil:
			t.Errorf("%s: %v", name, err)
		case !c.Error:
			if err := compare(got, c.Out, 0); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}

func TestCreationAsNumPy(t *testing.T) {
	var golden struct {
		Cases []struct {
			Op   string
			Args []goldenArg
			Out  goldenValue
		}
	}
	readGolden(t, "creation.json", &golden)
	for _, c := range golden.Cases {
		var args []any
		for _, a := range c.Args {
			args = append(args, a.value(nil))
		}
		var got *Array
		if c.Op == "arange" {
			got = Arange(args...)
		} else {
			got = Linspace(args[0].(float64), args[1].(float64), args[2].(int))
		}
		if err := compare(got, c.Out, 0); err != nil {
			t.Errorf("%s%v: %v", c.Op, c.Args, err)
		}
	}
}

func TestPrintsAsNumPy(t *testing.T) {
	var golden struct {
		Cases []struct {
			In   *goldenValue
			Ramp struct {
				S     []int
				D     string
				Scale float64
			}
			Str   string
			Repr  *string
			Width int // numpy.printoptions(linewidth=...), 0 for NumPy's own

			Options struct {
				Precision, Threshold, EdgeItems, LineWidth *int
				Suppress                                   bool
			}
		}
	}
	readGolden(t, "printing.json", &golden)
	defer SetPrintOptions()
	for _, c := range golden.Cases {
		SetPrintOptions()
		if c.Width > 0 {
			SetPrintOptions(LineWidth(c.Width))
		}
		for value, option := range map[*int]func(int) PrintOption{c.Options.Precision: Precision, c.Options.Threshold: Threshold, c.Options.EdgeItems: EdgeItems, c.Options.LineWidth: LineWidth} {
			if value != nil {
				SetPrintOptions(option(*value))
			}
		}
		if c.Options.Suppress {
			SetPrintOptions(Suppress(true))
		}
		var a *Array
		if c.In != nil {
			a = c.In.array()
		} else {
			a = Arange(sizeOf(c.Ramp.S)).Mul(c.Ramp.Scale).AsType(dtypeNamed(c.Ramp.D)).Reshape(c.Ramp.S...)
		}
		if got := a.String(); got != c.Str {
			t.Errorf("String of %v %v:\n%s\nNumPy prints:\n%s", a.dtype, a.Shape(), got, c.Str)
		}
		if got := a.GoString(); c.Repr != nil && got != *c.Repr {
			t.Errorf("GoString of %v %v:\n%s\nNumPy prints:\n%s", a.dtype, a.Shape(), got, *c.Repr)
		}
	}
}
