package arrays

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// TestPicksAndMasks: what indices and masks select, of every size of element and over several pieces of work, is what a
// loop over the elements selects; of copies that are not one after the other in memory too.
func TestPicksAndMasks(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{1, 7, share, 3*share + 5} {
		mask, index := make([]bool, n), make([]int, n/2+1)
		for i := range mask {
			mask[i] = r.IntN(3) == 0
		}
		for i := range index {
			index[i] = r.IntN(2*n) - n
		}
		for _, d := range []DType{Bool, Int8, Int16, Float32, Int64, Complex128, Str(3)} {
			x := Arange(n).Mod(97).AsType(d)
			strided := Stack(1, x, x).At(All, 1)
			var kept, taken []any
			for i, m := range mask {
				if m {
					kept = append(kept, x.At(i).Item())
				}
			}
			for _, i := range index {
				taken = append(taken, x.At(i).Item())
			}
			for name, a := range map[string]*Array{"contiguous": x, "strided": strided} {
				what := fmt.Sprintf("%d %v, %s", n, d, name)
				selects(t, what+", mask", a.At(mask), kept)
				selects(t, what+", mask array", a.At(FromSlice(mask)), kept)
				selects(t, what+", indices", a.At(index), taken)
				selects(t, what+", int32 indices", Take(a, FromSlice(index).AsType(Int32)), taken)
			}
		}
	}
	if m := Arange(12).Reshape(3, 4); !ArrayEqual(m.At(m.Mod(5).Eq(0)), []int{0, 5, 10}) || !ArrayEqual(m.T().At(m.T().Gt(8)), []int{9, 10, 11}) {
		t.Error("masks of two axes")
	}
}

func selects(t *testing.T, what string, got *Array, want []any) {
	t.Helper()
	if got.Size() != len(want) {
		t.Fatalf("%s: %d elements, want %d", what, got.Size(), len(want))
	}
	for i, w := range want {
		if g := got.At(i).Item(); g != w {
			t.Fatalf("%s: element %d is %v, want %v", what, i, g, w)
		}
	}
}

// TestFirstIndexOutOfBounds: the error names the first, in whichever piece of the work others are.
func TestFirstIndexOutOfBounds(t *testing.T) {
	index := Zeros(4 * share).AsType(Int64)
	x := Arange(10)
	for _, at := range []int{3*share + 1, share, 17} {
		index.Set(-at, at)
		err := func() (err error) {
			defer func() { err, _ = recover().(error) }()
			x.At(index)
			return nil
		}()
		var e *Error
		if want := fmt.Sprintf("index %d is out of bounds for axis 0 with size 10", -at); !errors.As(err, &e) || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
}

// TestDistinctInts: Unique of ints is what sorting them with their places gives, near each other or far apart, at both
// ends of the type.
func TestDistinctInts(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, d := range []DType{Int8, Int16, Int32, Int64, Uint8, Uint16, Uint32, Uint64} {
		for _, n := range []int{0, 1, 2, 1000} {
			for _, bits := range []int{3, 8, 11, 64} {
				values := make([]int64, n)
				for i := range values {
					values[i] = int64(r.Uint64()) >> (64 - bits)
				}
				x := FromSlice(values).AsType(d)
				want, _, _ := unique(x, nil) // by sorting places
				if got := Unique(x); !ArrayEqual(got, want) || got.DType() != d {
					t.Errorf("%d of %v, %d bits: %v, want %v", n, d, bits, got, want)
				}
				if y := Stack(1, x, x).At(All, 0); !ArrayEqual(Unique(y), Unique(x)) {
					t.Errorf("%v: strided", d)
				}
			}
		}
	}
}
