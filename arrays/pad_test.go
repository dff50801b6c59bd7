package arrays

import (
	"strings"
	"testing"
)

func TestPadErrors(t *testing.T) {
	for want, f := range map[string]func(){
		"the widths [1 2 3] do not fit shape (2,2)":       func() { Pad(Ones(2, 2), []int{1, 2, 3}, []int{0}, 0) },
		"the widths [-1 -1] do not fit shape (2,2)":       func() { Pad(Ones(2, 2), []int{-1}, []int{0}, PadWrap) },
		"axis 1 of shape (2,0) has nothing to continue":   func() { Pad(Ones(2, 0), []int{0}, []int{0, 1}, PadReflect) },
		"there is no PadMode 9; there are PadConstant, P": func() { Pad(Ones(2), []int{1}, []int{0}, PadMode(9)) },
	} {
		if err := caught(f); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	// as NumPy's: an axis that is not continued may be empty
	if got := Pad(Ones(2, 0), []int{1, 0}, []int{2, 0}, PadEdge); got.Len() != 5 || got.Size() != 0 {
		t.Errorf("shape %v", got.Shape())
	}
}

// TestPadAsNumPy: what numpy.pad of NumPy 2.3.5 gives for v = [1,3,8], m = [[1.,5],[7,2]] and u = uint8([3,250]), with
// the arguments that are the name.
func TestPadAsNumPy(t *testing.T) {
	v, m := []int{1, 3, 8}, Stack(0, []float64{1, 5}, []float64{7, 2})
	w := func(n ...int) []int { return n }
	for name, tt := range map[string]struct{ got, want any }{
		"v, (2,3), linear_ramp, end_values=(-2,5)":        {Pad(v, w(2), w(3), PadRamp(-2, 5)), []int{-2, -1, 1, 3, 8, 7, 6, 5}},
		"v/2, 2, linear_ramp":                             {Pad([]float64{.5, 1.5, 4}, w(2), w(2), PadLinearRamp), []float64{0, .25, .5, 1.5, 4, 2, 0}},
		"v, 2, mean, stat_length=2":                       {Pad(v, w(2), w(2), PadWithin(PadMean, 2)), []int{2, 2, 1, 3, 8, 6, 6}},
		"v, (1,2), maximum":                               {Pad(v, w(1), w(2), PadMaximum), []int{8, 1, 3, 8, 8, 8}},
		"v, (1,2), minimum, stat_length=(1,1)":            {Pad(v, w(1), w(2), PadWithin(PadMinimum, 1, 1)), []int{1, 1, 3, 8, 8, 8}},
		"v, 1, median":                                    {Pad(v, w(1), w(1), PadMedian), []int{3, 1, 3, 8, 3}},
		"v, (4,3), reflect, odd":                          {Pad(v, w(4), w(3), PadOdd(PadReflect)), []int{-13, -11, -6, -1, 1, 3, 8, 13, 15, 17}},
		"v, (4,3), symmetric, odd":                        {Pad(v, w(4), w(3), PadOdd(PadSymmetric)), []int{-6, -6, -1, 1, 1, 3, 8, 8, 13, 15}},
		"u, 2, reflect, odd":                              {Pad([]uint8{3, 250}, w(2), w(2), PadOdd(PadReflect)), []uint8{21, 12, 3, 250, 241, 232}},
		"v, 1, constant":                                  {Pad(v, w(1), w(1), PadConstant), []int{0, 1, 3, 8, 0}},
		"m, ((1,0),(0,2)), mean":                          {Pad(m, w(1, 0), w(0, 2), PadMean), Stack(0, []float64{4, 3.5, 3.75, 3.75}, []float64{1, 5, 3, 3}, []float64{7, 2, 4.5, 4.5})},
		"m, 1, constant_values=((1,2),(3,4))":             {Pad(m, w(1), w(1), PadValues(1, 2, 3, 4)), Stack(0, []float64{3, 1, 1, 4}, []float64{3, 1, 5, 4}, []float64{3, 7, 2, 4}, []float64{3, 2, 2, 4})},
		"m, ((1,0),(2,1)), end_values=((0,0),(-1,9))":     {Pad(m, w(1, 2), w(0, 1), PadRamp(0, 0, -1, 9)), Stack(0, []float64{-1, -.5, 0, 0, 9}, []float64{-1, 0, 1, 5, 9}, []float64{-1, 3, 7, 2, 9})},
		"[5], 2, reflect, odd":                            {Pad([]int{5}, w(2), w(2), PadOdd(PadReflect)), []int{5, 5, 5, 5, 5}},
		"zeros((0,2)), ((1,1),(0,0)), constant_values=7.": {Pad(Zeros(0, 2), w(1, 0), w(1, 0), PadValues(7)), Full(7., 2, 2)},
	} {
		if got, want := must("got", tt.got), must("want", tt.want); !ArrayEqual(got, want) || got.DType() != want.DType() {
			t.Errorf("%s: %v %v, want %v", name, got.DType(), got, want)
		}
	}
	for want, f := range map[string]func(){
		"pad: PadOdd is for PadReflect and PadSymmetric alone":                                                                    func() { Pad(v, w(1), w(1), PadOdd(PadWrap)) },
		"pad: PadWithin is for PadMaximum, PadMean, PadMedian and PadMinimum alone":                                               func() { Pad(v, w(1), w(1), PadWithin(PadEdge, 2)) },
		"pad: PadWithin of [0] elements has nothing to pad with; give 1 or more":                                                  func() { Pad(v, w(1), w(1), PadWithin(PadMean, 0)) },
		"pad: 3 numbers are given for the sides of shape (3,); give one for all, two for before and behind, or two for each axis": func() { Pad(v, w(1), w(1), PadValues(1, 2, 3)) },
	} {
		if err := caught(f); err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}
