package arrays

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// sparsely returns the elements of a in every second place of memory, which the ways for small arrays do not take.
func sparsely(a *Array) *Array {
	wide := New(a.DType(), a.Size(), 2)
	column := wide.At(All, 0)
	column.Set(a)
	return column
}

// someNumbers returns n elements of d: small whole numbers, and for floats NaN and infinities now and then.
func someNumbers(rng *rand.Rand, d DType, n int) *Array {
	a := New(Float64, n)
	for i := range n {
		v := float64(rng.IntN(9) - 3)
		if d.IsUnsigned() || d == Bool {
			v = math.Abs(v)
		}
		if d.IsInexact() {
			v += rng.Float64()
			if k := rng.IntN(60); k < 3 {
				v = []float64{math.NaN(), math.Inf(1), math.Copysign(0, -1)}[k]
			}
		}
		a.Set(v, i)
	}
	return a.AsType(d)
}

// numberDTypes are the dtypes of numbers.
func numberDTypes() (ds []DType) {
	for d := range DType(numDTypes) {
		if d.IsNumber() {
			ds = append(ds, d)
		}
	}
	return ds
}

// outcome is what f returns, or the text of what it panics with.
func outcome(f func() *Array) (a *Array, fault string) {
	defer func() {
		if r := recover(); r != nil {
			fault = fmt.Sprint(r)
		}
	}()
	return f(), ""
}

// equalBits reports whether two arrays have one dtype, shape and bits.
func equalBits(a, b *Array) bool {
	return a.DType() == b.DType() && fmt.Sprint(a.Shape()) == fmt.Sprint(b.Shape()) && bytes.Equal(a.Copy().Bytes(), b.Copy().Bytes())
}

// TestReductionsOfFew compares reductions of few elements with those of the same elements far from each other.
func TestReductionsOfFew(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, d := range numberDTypes() {
		for r := range Reduction(NumReductions) {
			for _, n := range []int{1, 2, 7, 8, 9, 10, 64, 100, foldBlock - 1, foldBlock, foldBlock + 1} {
				x := someNumbers(rng, d, n)
				got, want := Reduce(r, x), Reduce(r, sparsely(x))
				if !equalBits(got, want) {
					t.Errorf("%v of %d %v: %v, want %v", r, n, d, got, want)
				}
				if view := x.At(From(n / 2)); !equalBits(Reduce(r, view), Reduce(r, sparsely(view))) {
					t.Errorf("%v of a view of %v: %v", r, d, Reduce(r, view))
				}
			}
		}
	}
}

// TestGoNumbersBesideFew compares operations of a few elements and a Go number with those of elements far from each
// other.
func TestGoNumbersBesideFew(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	numbers := []any{2, -1, 0, 3.5, 200, -200, 1 << 40, 1<<53 + 1, 1e300, math.NaN(), int64(3), uint8(7), float32(0.1), true, 2 + 1i}
	for _, d := range numberDTypes() {
		x := someNumbers(rng, d, 10)
		for u := range Ufunc(NumUfuncs) {
			if u.NIn() != 2 {
				continue
			}
			for _, v := range numbers {
				for _, first := range []bool{true, false} {
					call := func(x *Array) (*Array, string) {
						return outcome(func() *Array {
							if first {
								return Apply(u, x, v)
							}
							return Apply(u, v, x)
						})
					}
					got, fault := call(x)
					want, wantFault := call(sparsely(x))
					if fault != wantFault || fault == "" && !equalBits(got, want) {
						t.Errorf("%v of %v and %v (%T): %v %s, want %v %s", u, x, v, v, got, fault, want, wantFault)
					}
				}
			}
		}
	}
}

// TestOneElement compares what names an element with a slice of one element, for all dtypes and indices in bounds and
// out of them.
func TestOneElement(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for _, d := range numberDTypes() {
		for _, x := range []*Array{someNumbers(rng, d, 24).Reshape(4, 6), sparsely(someNumbers(rng, d, 24)).Reshape(4, 6).T(), BroadcastTo(someNumbers(rng, d, 6), 3, 6).Copy()} {
			rows, columns := x.Shape()[0], x.Shape()[1]
			for i := -rows - 1; i <= rows; i++ {
				for j := -columns - 1; j <= columns; j++ {
					got, fault := outcome(func() *Array { return x.At(i, j) })
					if in := i >= -rows && i < rows && j >= -columns && j < columns; !in {
						if fault == "" {
							t.Fatalf("At(%d, %d) of shape %v gave %v", i, j, x.Shape(), got)
						}
						continue
					}
					row, column := (i+rows)%rows, (j+columns)%columns
					want := x.At(S(row, row+1), S(column, column+1)).Copy().Reshape()
					if !equalBits(got, want) {
						t.Fatalf("At(%d, %d) of %v: %v, want %v", i, j, x, got, want)
					}
					if !d.IsComplex() {
						if v := x.Float64(i, j); math.Float64bits(v) != math.Float64bits(want.AsType(Float64).Float64()) {
							t.Fatalf("Float64(%d, %d) of %v: %v, want %v", i, j, x, v, want)
						}
					}
					for _, v := range []any{2, -3, 0.7, true, 1 << 40, math.NaN()} {
						y, z := x.Copy(), x.Copy()
						_, fault := outcome(func() *Array { y.Set(v, i, j); return nil })
						_, wantFault := outcome(func() *Array { z.Set(v, S(row, row+1), S(column, column+1)); return nil })
						if fault != wantFault || !equalBits(y, z) {
							t.Fatalf("Set(%v, %d, %d) of %v: %v %s, want %v %s", v, i, j, x, y, fault, z, wantFault)
						}
					}
				}
			}
		}
	}
	stretched := BroadcastTo(Zeros(3), 2, 3)
	if _, fault := outcome(func() *Array { stretched.Set(1, 0, 0); return nil }); fault == "" {
		t.Error("an element that stands for several was set")
	}
}

// TestSmallTakesOneAllocation holds operations on ten elements to one piece of memory, and reading and writing an
// element to none.
func TestSmallTakesOneAllocation(t *testing.T) {
	x, y, k := DefaultRNG(1).Random(10), DefaultRNG(2).Random(10), Arange(10)
	f := x.AsType(Float32)
	for _, c := range []struct {
		name string
		most float64
		f    func()
	}{
		{"x + y", 1, func() { x.Add(y) }},
		{"x * 2", 1, func() { x.Mul(2) }},
		{"x > 0.5", 1, func() { Greater(x, 0.5) }},
		{"float32 * 2", 1, func() { f.Mul(2) }},
		{"int64 * 2", 1, func() { k.Mul(2) }},
		{"sqrt", 1, func() { x.Sqrt() }},
		{"sum", 1, func() { x.Sum() }},
		{"sum of float32", 1, func() { f.Sum() }},
		{"mean of int64", 1, func() { k.Mean() }},
		{"argmax", 1, func() { x.ArgMax() }},
		{"x[3]", 1, func() { x.At(3) }},
		{"astype", 1, func() { x.AsType(Float32) }},
		{"copy", 1, func() { x.Copy() }},
		{"float64", 0, func() { x.Float64(3) }},
		{"set", 0, func() { x.Set(1.5, 3) }},
	} {
		if got := testing.AllocsPerRun(100, c.f); got > c.most {
			t.Errorf("%s took %v allocations, want %v", c.name, got, c.most)
		}
	}
}

// TestIntoKeepsWhatFails: a negative exponent is found among the elements, when some powers could be written already.
func TestIntoKeepsWhatFails(t *testing.T) {
	z := FromSlice([]int{7, 8, 9})
	_, fault := outcome(func() *Array { return Into(z).Pow(FromSlice([]int{2, 2, 2}), FromSlice([]int{1, 3, -1})) })
	if want := FromSlice([]int{7, 8, 9}); fault == "" || !equalBits(z, want) {
		t.Errorf("%s; z is %v", fault, z)
	}
}
