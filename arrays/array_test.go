package arrays

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

// randomView returns a view of a fresh array after a few random steps, of up to four axes.
func randomView(r *rand.Rand, dtype DType) *Array {
	shape := make([]int, r.IntN(4))
	for i := range shape {
		shape[i] = r.IntN(5)
	}
	a := Arange(sizeOf(shape)).Sub(7).AsType(dtype).Reshape(shape...)
	for range r.IntN(4) {
		switch n := a.NDim(); {
		case n == 0 || r.IntN(4) == 0:
			a = a.At(NewAxis, Dots)
		case r.IntN(2) == 0:
			a = a.T(r.Perm(n))
		default:
			idx := slices.Repeat([]any{All}, n)
			idx[r.IntN(n)] = S(End, End, []int{-1, 2, -2, 1}[r.IntN(4)])
			a = a.At(idx...)
		}
	}
	return a
}

// walk returns the elements by index arithmetic alone.
func walk(a *Array) []float64 {
	l := a.Layout()
	out := make([]float64, l.Size())
	for i := range out {
		at, rest := l.Offset, i
		for axis := l.NDim() - 1; axis >= 0; axis-- {
			at += rest % l.Shape[axis] * l.Strides[axis]
			rest /= l.Shape[axis]
		}
		out[i] = a.float64At(at)
	}
	return out
}

func TestViewsReadTheirElements(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 400 {
		a := randomView(r, DType(r.IntN(numDTypes)))
		want := walk(a)
		if got := a.AsType(Float64).Float64s(); !slices.Equal(got, want) {
			t.Fatalf("%v of %v: got %v, want %v", a.layout, a.dtype, got, want)
		}
		if got := a.Copy(); !slices.Equal(walk(got), want) || !got.layout.IsContiguous() {
			t.Fatalf("Copy of %v: got %v, want %v", a.layout, got, want)
		}
		if got := a.Reshape(-1).Reshape(a.Shape()...); a.Size() > 0 && (!slices.Equal(walk(got), want) || !slices.Equal(got.Shape(), a.Shape())) {
			t.Fatalf("reshape round trip of %v: got %v, want %v", a.layout, got, want)
		}
		if got := a.T().T(); !slices.Equal(walk(got), want) {
			t.Fatalf("T().T() of %v: got %v, want %v", a.layout, got, want)
		}
		if got := FromBytes(a.dtype, a.Shape(), slices.Clone(a.Bytes())); !slices.Equal(walk(got), want) {
			t.Fatalf("Bytes of %v: got %v, want %v", a.layout, got, want)
		}
	}
}

// Broadcasting laws: the order of operands does not matter to the shape, and an operand stretched beforehand gives the
// same.
func TestBroadcastingLaws(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	met := 0
	for range 600 {
		a, b := randomView(r, Float64), randomView(r, Int64)
		shape, err := BroadcastShapes(a.Shape(), b.Shape())
		back, errBack := BroadcastShapes(b.Shape(), a.Shape())
		if (err == nil) != (errBack == nil) || !slices.Equal(shape, back) {
			t.Fatalf("%v and %v broadcast to %v, the other way to %v", a.Shape(), b.Shape(), shape, back)
		}
		if err != nil {
			if caught(func() { a.Add(b) }) == nil {
				t.Fatalf("%v + %v: no error", a.Shape(), b.Shape())
			}
			continue
		}
		met++
		la, _ := a.layout.BroadcastTo(shape)
		lb, _ := b.layout.BroadcastTo(shape)
		x, y := walk(a.View(la)), walk(b.View(lb))
		for i := range x {
			x[i] += y[i]
		}
		if got := a.Add(b); !slices.Equal(got.Shape(), shape) || !slices.Equal(got.Float64s(), x) {
			t.Fatalf("%v + %v: got %v, want %v", a.layout, b.layout, got.Float64s(), x)
		}
	}
	if met < 50 {
		t.Fatalf("only %d pairs broadcast: the test says little", met)
	}
}

func TestViewsShareMemory(t *testing.T) {
	raw := make([]byte, 6*8)
	a := FromBytes(Int64, []int{2, 3}, raw)
	view := a.T().At(S(End, End, -1), 1) // elements (1,2), (1,1), (1,0)
	raw[5*8] = 42                        // element (1,2), little-endian
	if got := view.Int64s(); !slices.Equal(got, []int64{42, 0, 0}) {
		t.Errorf("the view reads %v after a write to the storage", got)
	}
	if &a.Bytes()[0] != &raw[0] {
		t.Error("Bytes of a contiguous array is a copy")
	}
	if &a.At(1).Bytes()[0] != &raw[24] {
		t.Error("Bytes of a contiguous view does not begin at its first element")
	}
	if c := a.Copy(); &c.Bytes()[0] == &raw[0] {
		t.Error("Copy shares memory")
	}
}

func TestArraysOfManyAxes(t *testing.T) {
	shape := slices.Repeat([]int{1}, MaxDims)
	shape[3], shape[30] = 2, 3
	a := Arange(6).Reshape(shape...)
	if got := a.T().Add(a.T()).Sum(Axis(1)); got.NDim() != MaxDims-1 || !slices.Equal(got.Int64s(), []int64{6, 24}) {
		t.Errorf("got %v %v", got.Shape(), got.Int64s())
	}
	if err := caught(func() { a.At(NewAxis, Dots) }); err == nil {
		t.Errorf("an index may make %d axes", MaxDims+1)
	}
}

// Chunks end where blocks do: lengths around blockLen, with operands that stream differently.
func TestBlocksAgreeWithWholes(t *testing.T) {
	for _, n := range []int{0, 1, blockLen - 1, blockLen, blockLen + 1, 3*blockLen + 5} {
		x := Arange(n)
		got := Where(x.Gt(10), x.At(S(End, End, -1)).Mul(2), 0.5).Float64s()
		for i, v := range got {
			want := 0.5
			if i > 10 {
				want = float64(2 * (n - 1 - i))
			}
			if v != want {
				t.Fatalf("n %d: element %d is %v, want %v", n, i, v, want)
			}
		}
		if len(got) != n {
			t.Fatalf("got %d elements, want %d", len(got), n)
		}
	}
}

func TestOperandsOfEveryGoType(t *testing.T) {
	type celsius float32
	for _, c := range []struct {
		v    any
		want DType
		weak bool
		item any
	}{
		{3, Int64, true, int64(3)},
		{uint8(200), Int64, true, int64(200)},
		{uint64(math.MaxUint64), Uint64, true, uint64(math.MaxUint64)},
		{complex64(1i), Complex64, true, complex64(1i)},
		{2 + 1i, Complex128, true, 2 + 1i},
		{"né", Str(2), false, "né"},
		{time.Minute, TimeDelta(Nanosecond), false, time.Minute},
		{time.Date(2020, 2, 29, 12, 0, 0, 7, time.UTC), DateTime(Nanosecond), false, time.Date(2020, 2, 29, 12, 0, 0, 7, time.UTC)},
		{[]uint8{7}, Uint8, false, uint8(7)},
		{[]int32{-7}, Int32, false, int32(-7)},
		{[]complex64{2}, Complex64, false, complex64(2)},
		{[]string{"a"}, Str(1), false, "a"},
		{[]time.Duration{time.Hour}, TimeDelta(Nanosecond), false, time.Hour},
		{[]time.Month{time.May}, Int64, false, int64(5)},
		{2.5, Float64, true, 2.5},
		{float32(2.5), Float32, true, float32(2.5)},
		{celsius(1), Float32, true, float32(1)},
		{true, Bool, false, true},
		{[]int{7}, Int64, false, int64(7)},
		{[1][1]bool{{true}}, Bool, false, true},
		{[]float32{1}, Float32, false, float32(1)},
		{Scalar(4), Int64, false, int64(4)},
	} {
		a, weak, err := AsArray(c.v)
		if err != nil || a.DType() != c.want || weak != c.weak || a.Item() != c.item {
			t.Errorf("AsArray(%T %v) = %v %v, weak %v, error %v", c.v, c.v, a.DType(), a, weak, err)
		}
	}
	for _, v := range []any{nil, []any{1}, struct{}{}, []struct{}{{}}, map[int]int{}} {
		if a, _, err := AsArray(v); err == nil {
			t.Errorf("AsArray(%T) = %v, want an error", v, a)
		}
	}
	nested := FromSlice([][]float64{{1, 2, 3}, {4, 5, 6}})
	if got := nested.T().Float64s(); !slices.Equal(got, []float64{1, 4, 2, 5, 3, 6}) || nested.NDim() != 2 {
		t.Errorf("nested slices: %v", nested)
	}
}

// NEP 50's own examples, and the table's symmetry.
func TestPromotion(t *testing.T) {
	for a := range DType(numDTypes) {
		for b := range DType(numDTypes) {
			if Promote(a, b) != Promote(b, a) || Promote(a, a) != a {
				t.Errorf("Promote(%v, %v) = %v, the other way %v", a, b, Promote(a, b), Promote(b, a))
			}
		}
	}
	f32, ints := New(Float32, 2), New(Int64, 2)
	for _, c := range []struct {
		got  *Array
		want DType
	}{
		{f32.Add(0.5), Float32}, {f32.Add(3), Float32}, {f32.Add(Scalar(3.0)), Float64}, {f32.Add(ints), Float64},
		{ints.Add(0.5), Float64}, {ints.Div(2), Float64}, {f32.Div(2), Float32}, {New(Bool, 2).Add(1), Int64},
		{New(Bool, 2).Sqrt(), Float16}, {ints.Gt(0.5), Bool}, {Add(1, 2.5), Float64}, {Add(true, true), Bool},
		{Pow(true, true), Int8}, {New(Uint8, 2).Add(200), Uint8}, {f32.Add(1i), Complex64}, {ints.Mul(1i), Complex128}, {New(Uint64, 1).Add(ints.At(S(0, 1))), Float64},
	} {
		if c.got.DType() != c.want {
			t.Errorf("got %v, want %v", c.got.DType(), c.want)
		}
	}
}

// Reshaping to any shape of as many elements and back gives the elements in the same order, as a view where they lie in
// order.
func TestReshapeRoundTrips(t *testing.T) {
	a := Arange(360).Reshape(5, 6, 12)
	for _, view := range []*Array{a, a.T(), a.T(2, 0, 1), a.At(S(End, End, -1)), a.At(All, S(1, End, 2)), a.At(All, All, 3), a.At(S(0, 0))} {
		n := view.Size()
		want := view.Copy().Int64s()
		for _, shape := range [][]int{{n}, {1, n, 1}, {max(n/6, 1), -1}, {2, -1}, {-1, 5}} {
			if n == 0 && slices.Contains(shape, -1) {
				continue // the one size that is left open could be any
			}
			there := view.Reshape(shape...)
			back := there.Reshape(view.Shape()...)
			if got := there.Copy().Int64s(); !slices.Equal(got, want) {
				t.Errorf("%v of strides %v as %v: %v", view.Shape(), view.Layout().Strides, shape, got)
			}
			if got := back.Copy().Int64s(); !slices.Equal(got, want) || !slices.Equal(back.Shape(), view.Shape()) {
				t.Errorf("%v of strides %v by %v and back: %v of shape %v", view.Shape(), view.Layout().Strides, shape, got, back.Shape())
			}
			if n > 0 && view.Layout().IsContiguous() && &there.Bytes()[0] != &view.Bytes()[0] {
				t.Errorf("%v as %v is a copy", view.Shape(), shape)
			}
		}
	}
}

// TestOneAsInt: an int or uint64 of one element is the number, or an error where there is none.
func TestOneAsInt(t *testing.T) {
	fits := func(f func()) bool { return Try(f) == nil }
	for _, c := range []struct {
		x        *Array
		int      int
		uint     uint64
		isInt    bool
		isUint64 bool
	}{
		{FromSlice([]float64{-2.9}), -2, 0, true, false},
		{FromSlice([]float64{-0.5}), 0, 0, true, true},
		{FromSlice([]float64{math.NaN()}), 0, 0, false, false},
		{FromSlice([]float32{float32(math.Inf(1))}), 0, 0, false, false},
		{FromSlice([]float64{-1 << 63}), math.MinInt64, 0, true, false},
		{FromSlice([]float64{1 << 63}), 0, 1 << 63, false, true},
		{FromSlice([]float64{1 << 64}), 0, 0, false, false},
		{FromSlice([]float64{7.5}).AsType(Float16), 7, 7, true, true},
		{FromSlice([]uint64{math.MaxUint64}), 0, math.MaxUint64, false, true},
		{FromSlice([]uint64{1<<63 - 1}), math.MaxInt64, math.MaxInt64, true, true},
		{FromSlice([]int64{-1}), -1, math.MaxUint64, true, true}, // as Go converts it
		{FromSlice([]bool{true}), 1, 1, true, true},
		{FromSlice([]string{"12"}), 12, 12, true, true},
		{FromSlice([]complex128{1}), 0, 0, false, false},
		{FromSlice([]int{1, 2}), 0, 0, false, false},
	} {
		var i int
		var u uint64
		assert.Equal(t, c.isInt, fits(func() { i = c.x.Int() }), "%v", c.x)
		assert.Equal(t, c.isUint64, fits(func() { u = c.x.Uint64() }), "%v", c.x)
		assert.Equal(t, c.int, i, "%v", c.x)
		assert.Equal(t, c.uint, u, "%v", c.x)
	}
}
