package lazy

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/arrayrepl/arrayrepl/arrays"
)

// assignment is a way to assign v to the three elements of e, or of l.
type assignment struct {
	name string
	set  func(e *arrays.Array, l *Array, v any)
}

var (
	allTrue, allPlaces = []bool{true, true, true}, []int{0, 1, 2}

	assignments = []assignment{
		{"eager", func(e *arrays.Array, l *Array, v any) { e.Set(v) }},
		{"eager, slice", func(e *arrays.Array, l *Array, v any) { e.Set(v, S(0, 3)) }},
		{"eager, mask", func(e *arrays.Array, l *Array, v any) { e.Set(v, allTrue) }},
		{"eager, index array", func(e *arrays.Array, l *Array, v any) { e.Set(v, allPlaces) }},
		{"eager, through a view", func(e *arrays.Array, l *Array, v any) { e.At(S(0, 3)).Set(v) }},
		{"lazy", func(e *arrays.Array, l *Array, v any) { l.Set(v) }},
		{"lazy, slice", func(e *arrays.Array, l *Array, v any) { l.Set(v, S(0, 3)) }},
		{"lazy, mask", func(e *arrays.Array, l *Array, v any) { l.Set(v, FromSlice(allTrue)) }},
		{"lazy, index array", func(e *arrays.Array, l *Array, v any) { l.Set(v, allPlaces) }},
		{"lazy, through a view", func(e *arrays.Array, l *Array, v any) { l.At(S(0, 3)).Set(v) }},
	}

	// computed are those of an array that is not evaluated yet.
	computed = []assignment{
		{"lazy, computed", func(e *arrays.Array, l *Array, v any) { l.Set(Zeros(3).Add(v)) }},
		{"lazy, computed, slice", func(e *arrays.Array, l *Array, v any) { l.Set(Zeros(3).Add(v), S(0, 3)) }},
		{"lazy, computed, mask", func(e *arrays.Array, l *Array, v any) { l.Set(Zeros(3).Add(v), FromSlice(allTrue)) }},
		{"eager, an array", func(e *arrays.Array, l *Array, v any) { e.Set(arrays.Zeros(3).Add(v)) }},
	}

	// oneByOne are those of a number.
	oneByOne = []assignment{
		{"eager, one place", func(e *arrays.Array, l *Array, v any) { e.Set(v, 0); e.Set(v, 1); e.Set(v, 2) }},
		{"lazy, one place", func(e *arrays.Array, l *Array, v any) { l.Set(v, 0); l.Set(v, 1); l.Set(v, 2) }},
	}
)

// TestAssignmentsThatLose: what elements cannot hold is an error on every path, and the array is as before; what they
// can hold is there as in NumPy 2.4, x = np.arange(3, dtype=d); x[...] = v.
func TestAssignmentsThatLose(t *testing.T) {
	const refused = "refused"
	nan := math.NaN()
	for _, c := range []struct {
		v    any
		d    arrays.DType
		want string
	}{
		{0.5, Uint8, "[0 0 0]"}, {0.5, Int64, "[0 0 0]"}, {0.5, Float32, "[0.5 0.5 0.5]"},
		{nan, Uint8, refused}, {nan, Int64, refused}, {nan, Float32, "[nan nan nan]"},
		{math.Inf(-1), Int32, refused}, {math.Inf(-1), Float16, "[-inf -inf -inf]"},
		{1e300, Uint8, refused}, {1e300, Int64, refused}, {1e300, Uint64, refused},
		{0x1p63, Int64, refused}, {0x1p63, Uint64, "[9223372036854775808 9223372036854775808 9223372036854775808]"},
		{255.9, Uint8, "[255 255 255]"}, {255.9, Int8, refused}, {-0.9, Uint8, "[0 0 0]"}, {-1.0, Uint8, refused},
		{-1, Uint8, refused}, {-1, Int8, "[-1 -1 -1]"}, {300, Uint8, refused}, {300, Int16, "[300 300 300]"},
		{2i, Uint8, refused}, {2i, Float32, refused}, {2i, Complex64, "[0.+2.j 0.+2.j 0.+2.j]"},
		{[]int{1, 300, 2}, Uint8, refused}, {[]int{1, 300, 2}, Float32, "[  1. 300.   2.]"},
		{[]float64{1.7, nan, 3}, Uint8, refused}, {[]float64{1.7, nan, 3}, Int64, refused}, {[]float64{1.7, 2, 3}, Int64, "[1 2 3]"},
		{[]complex128{1, 2, 3}, Float64, refused},
		{5.5, arrays.DateTime(Day), refused}, {[]float64{1, 2, 3}, arrays.TimeDelta(Hour), refused}, {5, arrays.DateTime(Day), "['1970-01-06' '1970-01-06' '1970-01-06']"},
	} {
		ways := assignments
		switch c.v.(type) {
		case float64, complex128:
			ways = append(append(ways[:len(ways):len(ways)], computed...), oneByOne...)
		case []float64, []complex128:
			ways = append(ways[:len(ways):len(ways)], computed...)
		case int:
			ways = append(ways[:len(ways):len(ways)], oneByOne...)
		}
		for _, way := range ways {
			t.Run(fmt.Sprintf("%v into %v, %s", c.v, c.d, way.name), func(t *testing.T) {
				e, l := arrays.Arange(3).AsType(c.d), Arange(3).AsType(c.d)
				before := e.String()
				var failed any
				func() {
					defer func() { failed = recover() }()
					way.set(e, l, c.v)
				}()
				got := e.String()
				if way.name[0] == 'l' {
					got = l.String()
				}
				if c.want == refused {
					assert.IsType(t, &Error{}, failed)
					assert.Equal(t, before, got)
				} else {
					assert.Nil(t, failed)
					assert.Equal(t, c.want, got)
				}
			})
		}
	}
}

// TestPartsThatLose: what is put among elements has the rules of what is assigned to them.
func TestPartsThatLose(t *testing.T) {
	bytes := func() *Array { return Arange(3).AsType(Uint8) }
	for name, do := range map[string]func(){
		"insert":             func() { Insert(bytes(), 0, 300) },
		"insert NaN":         func() { Insert(bytes(), 0, math.NaN()) },
		"insert complex":     func() { Insert(Zeros(3), 0, 1i) },
		"pad":                func() { Pad(bytes(), []int{1}, []int{1}, 300) },
		"pad values":         func() { Pad(bytes(), []int{1}, []int{1}, PadValues(-1)) },
		"piecewise":          func() { Piecewise(bytes(), []any{bytes().Gt(1)}, 256) },
		"full_like":          func() { FullLike(bytes(), -1) },
		"full_like NaN":      func() { FullLike(bytes(), math.NaN()) },
		"put_along_axis":     func() { PutAlongAxis(bytes(), []int{0}, 1e9) },
		"add_at floats":      func() { bytes().AddAt(0.5, 0) },
		"update floats":      func() { x := bytes(); x.Update(x.At(S(0, 2)).Mul(1.5), S(0, 2)) },
		"update a quotient":  func() { x := Arange(3); x.Update(x.Div(2)) },
		"update complex":     func() { x := Zeros(3); x.Update(x.Mul(1i)) },
		"update by an int64": func() { x := bytes(); x.Update(x.Add(Arange(3))) },
	} {
		t.Run(name, func(t *testing.T) { assert.PanicsWithError(t, message(do), do) })
	}
	x := bytes()
	x.Update(x.At(S(1, 3)).Add(200), S(1, 3)) // a Go number is weak: the result is uint8
	assert.Equal(t, "[  0 201 202]", x.String())
	y := Ones(3).AsType(Float32)
	y.Update(y.Mul(Full(0.5, 3))) // float64 into float32 is of the same kind
	assert.Equal(t, "[0.5 0.5 0.5]", y.String())
}

// message is what do panics with, an *Error.
func message(do func()) (msg string) {
	defer func() {
		if e, ok := recover().(*Error); ok {
			msg = e.Error()
		}
	}()
	do()
	return ""
}

// TestAsTypeConvertsWhatSetRefuses: a conversion that is asked for is not an assignment; it is the same on the host as
// in arrays.
func TestAsTypeConvertsWhatSetRefuses(t *testing.T) {
	values := []any{
		[]float64{math.NaN(), math.Inf(1), -1e300, 300.7, -1.5},
		[]complex128{complex(1.5, 2), complex(-300, math.NaN())},
		[]int64{-1, 1 << 40},
	}
	for _, v := range values {
		for _, d := range []arrays.DType{Int8, Uint16, Int64, Float32, Bool} {
			e := must("array", v).Array()
			want := e.AsType(d).String()
			assert.Equal(t, want, FromArray(e).AsType(d).String(), "%v as %v", v, d)
			assert.Equal(t, want, FromArray(e).Flip().Flip().AsType(d).String(), "a view of %v as %v", v, d)
		}
	}
}
