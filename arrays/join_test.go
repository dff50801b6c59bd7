package arrays

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/internal/testsize"
)

// TestJoinedViews joins parts that are contiguous, strided, stretched and of other dtypes, long enough for several
// pieces, and compares each element with the one it came from.
func TestJoinedViews(t *testing.T) {
	base := Arange(40*900).Reshape(40, 900)
	whole := base.AsType(Float64)
	parts := map[string][]*Array{
		"contiguous": {whole, whole.Add(0.5), whole},
		"strided":    {whole.At(All, S(0, End, 1)).Flip(1), whole.Flip(0), whole},
		"transposed": {Arange(40*900).Reshape(900, 40).T().AsType(Float64), Arange(40*900).Reshape(900, 40).T()},
		"dtypes":     {whole, base, base.AsType(Float32), base.Gt(100)},
		"stretched":  {BroadcastTo(Arange(900), 40, 900), whole, BroadcastTo(7, 40, 900)},
		"empty":      {whole.At(S(0, 0)), whole},
	}
	for name, in := range parts {
		for axis := range 2 {
			if name == "empty" && axis == 1 {
				continue
			}
			t.Run(fmt.Sprint(name, axis), func(t *testing.T) {
				args := make([]any, len(in))
				for i, a := range in {
					args[i] = a
				}
				got, at := Concat(axis, args...), 0
				for i, a := range in {
					n := a.Shape()[axis]
					part := got.At(S(at, at+n))
					if axis == 1 {
						part = got.At(All, S(at, at+n))
					}
					if !ArrayEqual(part, a.AsType(got.DType())) {
						t.Errorf("part %d differs", i)
					}
					at += n
				}
				if name == "empty" {
					return
				}
				stacked := Stack(axis, args...)
				for i, a := range in {
					part := stacked.At(i)
					if axis == 1 {
						part = stacked.At(All, i)
					}
					if !ArrayEqual(part, a.AsType(stacked.DType())) {
						t.Errorf("stacked part %d differs", i)
					}
				}
			})
		}
	}
}

// TestTakenFromViews takes from lines with strides, by indices that count from the end, in several pieces.
func TestTakenFromViews(t *testing.T) {
	testsize.InTurn(t, 0)
	const n = 3000
	at := DefaultRNG(1).Integers(-n, n, 20000)
	places := Data[int64](at)
	for _, d := range []DType{Bool, Int16, Float32, Float64, Complex128, Str(3)} {
		for name, x := range map[string]*Array{"whole": Arange(n), "every second": Arange(2*n + 5).At(S(5, End, 2)), "reversed": Arange(n).Flip()} {
			x := x.AsType(d)
			if name == "every second" {
				x = Concat(0, x, x).At(S(0, End, 2))
			}
			got, want := Take(x, at), New(d, len(places))
			for i, p := range places {
				want.Set(x.At(int(p)), i)
			}
			if !ArrayEqual(got, want) {
				t.Errorf("%v, %s: differs", d, name)
			}
		}
	}
}

// TestListsOfArrays: a []*Array stands for its arrays wherever any number of arrays is taken.
func TestListsOfArrays(t *testing.T) {
	a, b := Arange(3), Arange(3).Add(10)
	list := []*Array{a, b}
	for name, f := range map[string]func(xs ...any) string{
		"Concat":          func(xs ...any) string { return Concat(0, xs...).String() },
		"Stack":           func(xs ...any) string { return Stack(-1, xs...).String() },
		"VStack":          func(xs ...any) string { return VStack(xs...).String() },
		"HStack":          func(xs ...any) string { return HStack(xs...).String() },
		"DStack":          func(xs ...any) string { return DStack(xs...).String() },
		"ColumnStack":     func(xs ...any) string { return ColumnStack(xs...).String() },
		"Meshgrid":        func(xs ...any) string { return fmt.Sprint(Meshgrid(xs...)) },
		"BroadcastArrays": func(xs ...any) string { return fmt.Sprint(BroadcastArrays(xs...)) },
		"LexSort":         func(xs ...any) string { return LexSort(xs...).String() },
		"MultiDot":        func(xs ...any) string { return MultiDot(xs...).String() },
		"Choose":          func(xs ...any) string { return Choose([]int{0, 1, 0}, xs...).String() },
		"Einsum":          func(xs ...any) string { return Einsum("i,i->i", xs...).String() },
		"Out.Concat":      func(xs ...any) string { return Into(New(Int64, 6)).Concat(0, xs...).String() },
		"Out.Stack":       func(xs ...any) string { return Into(New(Int64, 2, 3)).Stack(0, xs...).String() },
	} {
		require.Equal(t, f(a, b), f(list), name)
	}
}
