package arrays

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"
)

// goldenIndex decodes the golden file's index values: an int, [lo, hi, step] with null for open, "new",
// "..." or {"a": array}.
func goldenIndex(t *testing.T, raw []json.RawMessage) []any {
	var out []any
	for _, r := range raw {
		switch r[0] {
		case '"':
			out = append(out, map[string]any{`"new"`: NewAxis, `"..."`: Dots}[string(r)])
		case '[':
			var parts []*int
			if err := json.Unmarshal(r, &parts); err != nil {
				t.Fatal(err)
			}
			bound := func(i, open int) int {
				if i >= len(parts) || parts[i] == nil {
					return open
				}
				return *parts[i]
			}
			step := bound(2, 1)
			if len(parts) == 1 { // slice(stop) in Python
				out = append(out, To(*parts[0]))
				continue
			}
			out = append(out, S(bound(0, End), bound(1, End), step))
		case '{':
			var v struct{ A goldenValue }
			if err := json.Unmarshal(r, &v); err != nil {
				t.Fatal(err)
			}
			out = append(out, v.A.array())
		default:
			var i int
			if err := json.Unmarshal(r, &i); err != nil {
				t.Fatal(err)
			}
			out = append(out, i)
		}
	}
	return out
}

func TestShapesAsNumPy(t *testing.T) {
	var golden struct {
		Index []struct {
			Shape []int
			Idx   []json.RawMessage
			S     []int
			V     []int64
			Error bool
		}
		Reshape []struct {
			Base   []int
			View   string
			Shape  []int
			S      []int
			V      []int64
			Shares bool
			Error  bool
		}
		Broadcast []struct {
			Shapes [][]int
			S      []int
			V      []int64
			Error  bool
		}
	}
	readGolden(t, "shapes.json", &golden)
	judge := func(name string, got *Array, err *Error, shape []int, values []int64, refused bool) {
		t.Helper()
		switch {
		case refused && err == nil:
			t.Errorf("%s: NumPy refuses, we give shape %v", name, got.Shape())
		case !refused && err != nil:
			t.Errorf("%s: %v", name, err)
		case !refused && (!slices.Equal(got.Shape(), shape) || !slices.Equal(got.Int64s(), values)):
			t.Errorf("%s: got %v %v, NumPy gives %v %v", name, got.Shape(), got.Int64s(), shape, values)
		}
	}
	ramp := func(shape []int) *Array { return Arange(sizeOf(shape)).Reshape(shape...) }

	for _, c := range golden.Index {
		idx := goldenIndex(t, c.Idx)
		var got *Array
		err := caught(func() { got = ramp(c.Shape).At(idx...) })
		judge(fmt.Sprintf("%v.At(%v)", c.Shape, idx), got, err, c.S, c.V, c.Error)
	}

	views := map[string]func(*Array) *Array{
		"":     func(a *Array) *Array { return a },
		"T":    func(a *Array) *Array { return a.T() },
		"even": func(a *Array) *Array { return a.At(S(0, End, 2)) },
		"back": func(a *Array) *Array { return a.At(S(End, End, -1), S(End, End, -1)) },
		"swap": func(a *Array) *Array { return a.T(1, 0, 2) },
		"wide": func(a *Array) *Array {
			l, _ := a.Layout().BroadcastTo([]int{4, 3})
			return a.View(l)
		},
	}
	for _, c := range golden.Reshape {
		base := ramp(c.Base)
		a := views[c.View](base)
		name := fmt.Sprintf("%v %s.Reshape(%v)", c.Base, c.View, c.Shape)
		var got *Array
		err := caught(func() { got = a.Reshape(c.Shape...) })
		judge(name, got, err, c.S, c.V, c.Error)
		if _, ok, err := a.Layout().Reshape(c.Shape...); err == nil && ok != c.Shares {
			t.Errorf("%s: without a copy: %v, NumPy: %v", name, ok, c.Shares)
		}
		if err == nil && got.Size() > 0 {
			if shares := &got.data[0] == &base.data[0]; shares != c.Shares {
				t.Errorf("%s: shares memory: %v, NumPy: %v", name, shares, c.Shares)
			}
		}
	}

	for _, c := range golden.Broadcast {
		var sum *Array
		err := caught(func() {
			scale := 1
			for i, s := range c.Shapes {
				if i == 0 {
					sum = ramp(s)
				} else {
					sum = sum.Add(ramp(s).Mul(scale))
				}
				scale *= 10
			}
		})
		judge(fmt.Sprint(c.Shapes), sum, err, c.S, c.V, c.Error)
		if shape, err := BroadcastShapes(c.Shapes...); (err != nil) != c.Error || err == nil && !slices.Equal(shape, c.S) {
			t.Errorf("BroadcastShapes(%v) = %v, %v; NumPy gives %v", c.Shapes, shape, err, c.S)
		}
	}
}

// Messages are read by people: the whole line is the contract.
func TestErrorsNameWhatWasWrong(t *testing.T) {
	m := Zeros(3, 4)
	for _, c := range []struct {
		do   func()
		want string
	}{
		{func() { m.Add(Zeros(5)) }, "add: shapes (3,4) and (5,) do not broadcast: axis 1 has 4 and 5; sizes must be equal or 1, so reshape one or add an axis with At(All, NewAxis)"},
		{func() { m.At(3) }, "index: index 3 is out of bounds for axis 0 with size 3"},
		{func() { m.At(0, All, 1) }, "index: 3 indices are too many for shape (3,4), which has 2 axes"},
		{func() { m.At(1.5) }, "index: a float64 cannot index axis 0; use an int, an array of ints or bools, S(lo, hi), From(lo), To(hi), All, NewAxis or Dots"},
		{func() { m.At(All, S(0, 1, 0)) }, "index: the slice along axis 1 has step 0; a step is positive or negative"},
		{func() { m.Sum(Axis(2)) }, "sum: axis 2 is out of bounds for shape (3,4); axes go from -2 to 1"},
		{func() { m.Sum(Axis(0, -2)) }, "sum: axis 0 is named twice; name each axis once"},
		{func() { Max(Zeros(0, 4)) }, "max: shape (0,4) has no elements to choose from along the reduced axes; check Size before"},
		{func() { m.ArgMax(Axis(0, 1)) }, "argmax: 2 axes are named; an index is along one axis, or none named for the flattened array"},
		{func() { m.Reshape(5, -1) }, "reshape: shape (3,4) has 12 elements, which do not fit shape (5,-1); the sizes must multiply to 12 (one may be -1)"},
		{func() { m.T(0, 0) }, "transpose: axis 0 is named twice; name each axis once"},
		{func() { Full(true, 2).Sub(true) }, "subtract: bools have no such operation; use NotEqual for exclusive or, or convert with AsType(Int64)"},
		{func() { Arange(3).Pow(-1) }, "power: an int64 to a negative power is a fraction; make the base a float with AsType(Float64)"},
		{func() { m.Add("x") }, "add: float64 and <U1 have no common dtype; convert one of them with AsType"},
		{func() { m.Add((*Array)(nil)) }, "add: an operand is a nil *Array; was it never assigned?"},
		{func() { m.Bools() }, "values: a float64 array does not give bool values without loss; convert it first: AsType(Bool) or a comparison"},
		{func() { m.Item() }, "item: shape (3,4) has 12 elements, not one; pick one with At or a reduction"},
		{func() { Scalar(1).Len() }, "len: a 0-d array has no length; Size counts its one element"},
		{func() { Zeros(2, -1) }, "new: shape (2,-1) has a negative size along axis 1"},
		{func() { BroadcastTo(1, 0, -2) }, "broadcast_to: shape (0,-2) has a negative size along axis 1"},
		{func() { Full(m, 4) }, "full: shape (3,4) does not broadcast to (4,); sizes, aligned at the last axis, must be equal or 1"},
		{func() { Vander([]int{1, 2}, -1) }, "vander: -1 columns cannot be made; n is 0 or more"},
		{func() { Zeros(1<<40, 1<<40) }, "new: shape (1099511627776,1099511627776) has too many elements for this machine's memory"},
		{func() { Zeros(make([]int, 33)...) }, "new: 33 axes are too many; an array has at most 32"},
		{func() { Arange(0, 5, 0) }, "arange: the step is 0; use a positive or negative step"},
		{func() { Linspace(0, 1, -1) }, "linspace: -1 values cannot be made; num is 0 or more"},
		{func() { FromSlice([][]float64{{1, 2}, {3}}) }, "fromslice: rows differ in length: one has 1 elements, the first has 2"},
		{func() { FromSlice([]any{"a"}) }, "fromslice: a []any has elements of type any; an array holds numbers, bools, strings, times or durations"},
		{func() { FromSlice(3) }, "fromslice: an int is not a slice; use []float64, []int, []bool, []string or another slice of numbers, nested for more axes"},
		{func() { From2D([]int{1}) }, "from2d: a []int has 1 axis; a matrix is a slice of slices"},
		{func() { New(Uint8, 2).Add(300) }, "add: 300 does not fit uint8 (0 to 255); convert the array first, as with AsType(Int64)"},
		{func() { New(Complex64, 2).Floor() }, "floor: there is no such operation on complex64; take Real, Imag or Abs first"},
		{func() { m.BitAnd(1) }, "bitwise_and: float64 has no bits to work on; convert with AsType(Int64), or compare first"},
		{func() { FromSlice([]int{1, 300}).Uint8s() }, "values: element 1 is 300, which no uint8 holds (0 to 255); AsType(Uint8) would cut it"},
		{func() { New(Complex64, 2).Float64s() }, "values: a complex64 array does not give float64 values without loss; convert it first: AsType(Float64) or a comparison"},
		{func() { Data[int32](m) }, "data: a float64 array does not hold int32; convert it first: AsType(Int32)"},
		{func() { FromSlice([]string{"1", "x"}).AsType(Int64) }, "astype: the text \"x\" is not a valid int64"},
		{func() { FromSlice([]string{"300"}).AsType(Uint8) }, "astype: the text \"300\" is out of the range of uint8"},
		{func() { FromSlice([]string{"2021-02-29"}).AsType(DateTime(Day)) }, "astype: \"2021-02-29\" is not a date; dates are written as 2006-01-02 or 2006-01-02T15:04:05"},
		{func() { New(DateTime(Day), 1).Add(New(DateTime(Day), 1)) }, "add: there is no such operation on datetime64[D] and datetime64[D]; dates subtract to spans, spans add to dates and scale by numbers; AsType(Int64) counts the unit"},
		{func() { New(TimeDelta(Month), 1).Add(New(TimeDelta(Day), 1)) }, "add: spans of Month and of Day have no common dtype: a Month has no fixed length"},
		{func() { New(Str(2), 1).Sum() }, "sum: there is no such operation on <U2; strings compare and sort; read numbers from them with AsType(Float64)"},
		{func() { New(DateTime(Second), 1).AsType(Complex64) }, "astype: datetime64[s] does not convert to complex64"},
		{func() { FromBytes(Float64, []int{2}, make([]byte, 8)) }, "frombytes: 8 bytes are given; shape (2,) of float64 needs 16"},
		{func() { FromBytes(Float64, []int{1}, make([]byte, 16)[1:9]) }, "frombytes: the bytes begin at an address that is not a multiple of 8; copy them to a fresh slice first"},
		{func() { m.View(Layout{Shape: []int{13}, Strides: []int{1}}) }, "view: the layout reaches from element 0 to 12 of a storage of 12 elements; make it from the array's own Layout"},
		{func() { Apply(OpNotEqual, m) }, "not_equal: 1 operands are given; it takes 2"},
		{func() { Apply(OpNeg, m, m) }, "negative: 2 operands are given; it takes 1"},
		{func() { m.Float64(1) }, "index: 1 indices are given for shape (3,4); one element takes 2"},
	} {
		err := caught(c.do)
		if err == nil {
			t.Errorf("no panic; want %q", c.want)
		} else if err.Error() != c.want {
			t.Errorf("got  %q\nwant %q", err.Error(), c.want)
		}
	}
	err := caught(func() { m.Add(Zeros(5)) })
	if err.Op != "add" || len(err.Shapes) != 2 || !slices.Equal(err.Shapes[1], []int{5}) {
		t.Errorf("fields of a broadcast error: %+v", err)
	}
}

// FuzzLayoutIndex indexes layouts with arbitrary values: an error or a view inside the storage, never a crash, and the
// elements are those that a walk over Python's rule for slices finds.
func FuzzLayoutIndex(f *testing.F) {
	f.Add(uint8(5), uint8(3), 1, 4, 2, 0, uint8(0))
	f.Add(uint8(7), uint8(0), End, End, -1, -1, uint8(1))
	f.Add(uint8(1), uint8(1), -End-1, End, -End-1, End, uint8(2))
	f.Fuzz(func(t *testing.T, n, m uint8, lo, hi, step, i int, form uint8) {
		base := Contiguous(int(n), int(m))
		forms := [][]any{{S(lo, hi, step)}, {S(lo, hi, step), i}, {i, S(lo, hi, step)}, {Dots, S(lo, hi, step), NewAxis}, {AxisIndex(form), i}, {i, i, i}}
		idx := forms[int(form)%len(forms)]
		l, err := base.Index(idx...)
		if err != nil {
			return
		}
		if first, last := l.bounds(); first < 0 || last > base.Size() {
			t.Fatalf("%v.Index(%v) reaches %d to %d", base.Shape, idx, first, last)
		}
		if len(idx) != 1 {
			return
		}
		inside := func(v, open int) int {
			if v == End {
				return open
			}
			if v < 0 {
				v += int(n)
			}
			return v
		}
		var want []int
		if step > 0 {
			for p := range int(n) {
				if a, b := max(inside(lo, 0), 0), inside(hi, End); p >= a && p < b && (p-a)%step == 0 {
					want = append(want, p)
				}
			}
		} else {
			for p := int(n) - 1; p >= 0; p-- {
				if a, b := min(inside(lo, End), int(n)-1), inside(hi, -1); p <= a && p > b && (a-p)%step == 0 {
					want = append(want, p)
				}
			}
		}
		if l.Shape[0] != len(want) {
			t.Fatalf("%d elements with %v: got %d, want %v", n, idx, l.Shape[0], want)
		}
		for k, p := range want {
			if l.Size() > 0 && l.Offset+k*l.Strides[0] != p*int(m) {
				t.Fatalf("%d elements with %v: element %d is at %d, want %d", n, idx, k, l.Offset+k*l.Strides[0], p*int(m))
			}
		}
	})
}

// TestIndexArraysAsNumPy: what arrays of ints and masks select, and what assigning and adding through them leaves.
func TestIndexArraysAsNumPy(t *testing.T) {
	var golden struct {
		Cases []struct {
			Shape      []int
			Idx        []json.RawMessage
			S          []int
			V          []int64
			Error      bool
			Value      *goldenValue
			Refused    bool
			Set, Added []int64
		}
	}
	readGolden(t, "indexing.json", &golden)
	for i, c := range golden.Cases {
		name := fmt.Sprint("case ", i, ": ", c.Shape, " ", string(slices.Concat(asBytes(c.Idx)...)))
		fresh := func() *Array { return Arange(Contiguous(c.Shape...).Size()).Reshape(c.Shape...) }
		idx := goldenIndex(t, c.Idx)
		a := fresh()
		var got *Array
		if err := caught(func() { got = a.At(idx...) }); err != nil || c.Error {
			if (err != nil) != c.Error {
				t.Errorf("%s: error %v, NumPy's %v", name, err, c.Error)
			}
			continue
		}
		if !slices.Equal(got.Shape(), c.S) || !slices.Equal(got.Int64s(), c.V) {
			t.Errorf("%s: got %v %v, NumPy %v %v", name, got.Shape(), got.Int64s(), c.S, c.V)
		}
		if shape, err := (Rules{}).IndexShape(c.Shape, idx...); err != nil || !slices.Equal(shape, c.S) {
			t.Errorf("%s: IndexShape gives %v, %v", name, shape, err)
		}
		if c.Value == nil {
			continue
		}
		v := c.Value.array()
		if err := caught(func() { a.Set(v, idx...) }); (err != nil) != c.Refused {
			t.Errorf("%s: assigning: error %v, NumPy's %v", name, err, c.Refused)
			continue
		}
		if want := c.Set; !c.Refused && !slices.Equal(a.Int64s(), want) {
			t.Errorf("%s: assigned %v, NumPy %v", name, a.Int64s(), want)
		}
		if c.Refused && !slices.Equal(a.Int64s(), fresh().Int64s()) {
			t.Errorf("%s: the refused assignment changed the array", name)
		}
		if c.Added != nil {
			a = fresh()
			if a.AddAt(v.AsType(Int64), idx...); !slices.Equal(a.Int64s(), c.Added) {
				t.Errorf("%s: added %v, NumPy %v", name, a.Int64s(), c.Added)
			}
		}
	}
}

func asBytes(raw []json.RawMessage) (out [][]byte) {
	for _, r := range raw {
		out = append(out, r, []byte(" "))
	}
	return out
}

// TestSetThroughViews: assignments reach the storage that views share, in the order of the statements, and read
// overlapping values before they write.
func TestSetThroughViews(t *testing.T) {
	a := Arange(6)
	v := a.At(S(End, End, -2)) // 5 3 1
	v.Set([]int{50, 30, 10})
	a.At(S(2, 5)).Set(7, 0)
	if got := fmt.Sprint(a, v); got != "[ 0 10  7 30  4 50] [50 30 10]" {
		t.Error(got)
	}
	b := Arange(8)
	b.Set(b.At(To(-1)), From(1)) // memory overlaps
	b.Set(b.At(S(End, End, -1)), All)
	if got := fmt.Sprint(b); got != "[6 5 4 3 2 1 0 0]" {
		t.Error(got)
	}
	m := Zeros(3, 4)
	m.T().Set(Arange(3), 1)
	m.Set(9, m.Gt(1))
	if got := fmt.Sprint(m); got != "[[0. 0. 0. 0.]\n [0. 1. 0. 0.]\n [0. 9. 0. 0.]]" {
		t.Error(got)
	}
	l, _ := Zeros(3).Layout().BroadcastTo([]int{2, 3})
	if err := caught(func() { Zeros(3).View(l).Set(1, 0, 0) }); err == nil {
		t.Error("a stretched array was written to")
	}
}

// TestSingleMasks: a 0-d array of a bool is a mask of a new axis of one element. Expected: NumPy 2.3's
// x[np.array(True)] and so on.
func TestSingleMasks(t *testing.T) {
	x, yes, no := Arange(6).Reshape(2, 3), Scalar(true), Scalar(false)
	for _, c := range []struct {
		got  *Array
		want string
	}{
		{x.At(yes), "(1,2,3) [0 1 2 3 4 5]"}, {x.At(no), "(0,2,3) []"}, {x.At(yes, 1), "(1,3) [3 4 5]"}, {x.At(All, yes), "(2,1,3) [0 1 2 3 4 5]"}, {x.At(Dots, yes), "(2,3,1) [0 1 2 3 4 5]"},
		{x.At([]int{0, 1}, yes), "(2,3) [0 1 2 3 4 5]"}, {x.At(no, []int{0}), "(0,3) []"}, {x.At(yes, All, []int{0, 2}), "(2,2) [0 3 2 5]"}, {x.At(NewAxis, yes), "(1,1,2,3) [0 1 2 3 4 5]"},
		{Scalar(5).At(yes), "(1,) [5]"}, {Scalar(5).At(no), "(0,) []"},
	} {
		if got := fmt.Sprint(shapeString(c.got.Shape()), " ", c.got.Int64s()); got != c.want {
			t.Errorf("%s, NumPy gives %s", got, c.want)
		}
	}
	x.Set(7, no)
	x.Set([]int{9}, yes, 1, 2)
	if got := fmt.Sprint(x.Int64s()); got != "[0 1 2 3 4 9]" {
		t.Error(got)
	}
}
