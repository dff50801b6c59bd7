package arrays

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/arrayrepl/arrayrepl/internal/workers"
)

// mixed returns n elements of dtype d, NaNs and equal ones among them.
func mixed(d DType, n int, r *rand.Rand) *Array {
	values := make([]float64, n)
	spread := []float64{3, 100, 1e9}[r.IntN(3)]
	for i := range values {
		values[i] = math.Floor(r.NormFloat64() * spread)
		if d.IsInexact() || d.IsTime() {
			switch r.IntN(40) {
			case 0:
				values[i] = math.NaN()
			case 1:
				values[i] = math.Inf(1)
			case 2:
				values[i] = math.Copysign(0, -1)
			}
		}
	}
	if d.IsTime() {
		return Where(IsNaN(values), math.MinInt64, FromSlice(values).AsType(Int64)).AsType(d)
	}
	if d.IsString() {
		return FromSlice(values).AsType(Int64).AsType(d)
	}
	return FromSlice(values).AsType(d)
}

var sortable = []DType{Bool, Int8, Int16, Int32, Int64, Uint8, Uint16, Uint32, Uint64, Float16, Float32, Float64, Complex64, Complex128, DateTime(Second), TimeDelta(Day), Str(5)}

// TestPartition: of each dtype the elements at the places are those of Sort, none before is larger and none behind
// smaller, and none is lost; ArgPartition has the places of the same elements, each once. Threads change nothing.
func TestPartition(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, d := range sortable {
		for _, n := range []int{1, 2, 7, 33, 100, 1000, 5000, 150_000} {
			if n > 5000 && d != Float64 && d != Int16 {
				continue
			}
			x := mixed(d, n, r)
			sorted := Sort(x)
			for _, k := range []any{0, n / 2, -1, []int{n / 3}, []int{n - 1, n / 4, 0, n / 4, -(n + 1) / 2}, []int{}} {
				name := fmt.Sprintf("%v, %d elements, places %v", d, n, k)
				got, places := Partition(x, k), ArgPartition(x, k)
				ks, _ := placesOf(k)
				from := 0
				for _, at := range append(placesIn(ks, n), n) {
					if !sameBits(Sort(got.At(S(from, at))), sorted.At(S(from, at))) {
						t.Fatalf("%s: what is before place %d is not what Sort brings there", name, at)
					}
					if at < n && !sameBits(got.At(at), sorted.At(at)) {
						t.Fatalf("%s: place %d has %v, want %v", name, at, got.At(at), sorted.At(at))
					}
					from = at
				}
				if d.Kind() != KindComplex && n > fewElements && !sameBits(Sort(x.At(places)), Sort(got)) {
					t.Fatalf("%s: ArgPartition has other elements", name)
				}
				if !ArrayEqual(Sort(places), Arange(n)) {
					t.Fatalf("%s: ArgPartition has not each place once", name)
				}
				for i, at := range placesIn(ks, n) {
					if v := x.At(places).At(at); !v.Eq(sorted.At(at)).Bool() && !IsNaN(v).Bool() {
						t.Fatalf("%s: ArgPartition has %v at place %d, want %v", name, v, i, sorted.At(at))
					}
				}
				workers.SetCount(7)
				again, placesAgain := Partition(x, k), ArgPartition(x, k)
				workers.SetCount(0)
				if !bytes.Equal(again.data, got.data) || !ArrayEqual(placesAgain, places) {
					t.Fatalf("%s: not the same on 7 threads", name)
				}
			}
		}
	}
}

// sameBits reports whether elements are the same, zeros with their sign.
func sameBits(x, y *Array) bool {
	return x.dtype == y.dtype && bytes.Equal(x.Copy().data, y.Copy().data)
}

// TestPartitionAlongAxes: each line is partitioned by itself.
func TestPartitionAlongAxes(t *testing.T) {
	x := mixed(Float64, 60*50*4, rand.New(rand.NewPCG(3, 4))).Reshape(60, 50, 4)
	for axis := range 3 {
		k := x.Shape()[axis] / 3
		got, places := Partition(x, k, axis), ArgPartition(x, k, axis)
		if want := Take(Sort(x, axis), k, axis); !sameBits(Take(got, k, axis), want) {
			t.Errorf("axis %d: not the elements of Sort", axis)
		}
		if !sameBits(Sort(TakeAlongAxis(x, places, axis), axis), Sort(x, axis)) {
			t.Errorf("axis %d: places of other elements", axis)
		}
	}
}

func TestPartitionErrors(t *testing.T) {
	for want, f := range map[string]func(){
		"partition: there is no place 4 along axis 0 of shape (4,); places go from -4 to 3":                func() { Partition(Arange(4), 4) },
		"argpartition: there is no place -5 along axis 0 of shape (4,); places go from -4 to 3":            func() { ArgPartition(Arange(4), []int{0, -5}) },
		"partition: there is no place 0 along axis 0 of shape (0,); it has no elements; check Size before": func() { Partition(Zeros(0), 0) },
		"partition: a float64 is not a place; give an int or an []int":                                     func() { Partition(Arange(4), 1.5) },
		"partition: a 0-d array has no axis to go along; reshape it to (1,) first":                         func() { Partition(3, 0) },
	} {
		if err := caught(f); err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}
