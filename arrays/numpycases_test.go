package arrays

import (
	"math"
	"testing"
)

// What NumPy 2.3.5 gives for each expression, which is in the comment beside it.
func TestCasesOfNumPy(t *testing.T) {
	inf := math.Inf(1)
	x := Arange(1, 5).Reshape(2, 2)
	for name, tt := range map[string]struct {
		got  *Array
		want any
	}{
		"average([[1,2],[3,4]], weights=[1,3], axis=0)":            {Average(x, []int{1, 3}, Axis(0)), []float64{2.5, 3.5}},
		"average([[1,2],[3,4]], weights=[1,3], axis=1)":            {Average(x, []int{1, 3}, Axis(1)), []float64{1.75, 3.75}},
		"average(arange(6).reshape(3,2), weights=[1,2,3], axis=0)": {Average(Arange(6).Reshape(3, 2), []int{1, 2, 3}, Axis(0)), []float64{16. / 6, 22. / 6}},
		"average([[1,2],[3,4]], weights=[[1,3],[0,4]], axis=0)":    {Average(x, Stack(0, []int{1, 3}, []int{0, 4}), Axis(0)), []float64{1, 22. / 7}},
		"average([[1,2],[3,4]], weights=[[1,3],[0,4]])":            {Average(x, Stack(0, []int{1, 3}, []int{0, 4})), 23. / 8},
		"interp([0.5,1,1.5], [0,1,1,2], [0,1,5,7])":                {Interp([]float64{0.5, 1, 1.5}, []int{0, 1, 1, 2}, []int{0, 1, 5, 7}), []float64{0.5, 5, 6}},
		"interp([-1,0,2,3], [0,2], [4,6])":                         {Interp([]int{-1, 0, 2, 3}, []int{0, 2}, []int{4, 6}), []float64{4, 4, 6, 6}},
		"interp([0.5], [0,1], [inf,inf])":                          {Interp([]float64{0.5}, []int{0, 1}, []float64{inf, inf}), []float64{inf}},
		"intersect1d([1,2,2], [2.,3.])":                            {Intersect([]int{1, 2, 2}, []float64{2, 3}), []float64{2}},
		"zeros_like(['a','bc'])":                                   {ZerosLike([]string{"a", "bc"}), []string{"", ""}},
		"broadcast_arrays(['a','b'], [[1],[2]])[0]":                {BroadcastArrays([]string{"a", "b"}, Arange(1, 3).Reshape(2, 1))[0].Reshape(-1), []string{"a", "b", "a", "b"}},
		"broadcast_arrays(['a','b'], [[1],[2]])[1]":                {BroadcastArrays([]string{"a", "b"}, Arange(1, 3).Reshape(2, 1))[1].Reshape(-1), []int{1, 1, 2, 2}},
	} {
		if want := must("want", tt.want); !ArrayEqual(tt.got, want) || tt.got.DType() != want.DType() && !tt.got.DType().IsString() {
			t.Errorf("%s: %v %v, want %v", name, tt.got.DType(), tt.got, want)
		}
	}
	for name, f := range map[string]func(){
		"average([[1,2],[3,4]], weights=[1,3])":           func() { Average(x, []int{1, 3}) },
		"average([[1,2],[3,4]], weights=[1,2,3], axis=0)": func() { Average(x, []int{1, 2, 3}, Axis(0)) },
	} {
		func() {
			defer func() {
				if _, ok := recover().(*Error); !ok {
					t.Errorf("%s: no error", name)
				}
			}()
			f()
		}()
	}
}
