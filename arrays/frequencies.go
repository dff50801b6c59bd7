package arrays

//mirror:copy

import "fmt"

// FFTFreq returns the frequencies of [FFT] for n elements that are d apart: 0, 1, ... up to the half, then the negative ones, over n·d.
func FFTFreq(n int, d float64) *Array {
	needCount("fftfreq", n)
	return Concat(0, Arange((n+1)/2), Arange(-(n/2), 0)).Div(float64(n) * d)
}

// RFFTFreq returns the frequencies of [RFFT] for n elements that are d apart.
func RFFTFreq(n int, d float64) *Array {
	needCount("rfftfreq", n)
	return Arange(n/2 + 1).Div(float64(n) * d)
}

func needCount(op string, n int) {
	if n < 1 {
		check(op, &Error{Msg: fmt.Sprintf("%d elements have no frequencies; use 1 or more", n)})
	}
}

// FFTShift moves frequency 0 to the middle, along all axes or those that are named.
func FFTShift(x any, axes ...int) *Array { return shiftHalf(x, axes, false) }

// IFFTShift is the inverse of [FFTShift].
func IFFTShift(x any, axes ...int) *Array { return shiftHalf(x, axes, true) }

func shiftHalf(x any, axes []int, back bool) *Array {
	a := must("fftshift", x)
	if len(axes) == 0 {
		for k := range a.NDim() {
			axes = append(axes, k)
		}
	}
	for _, k := range axes {
		if k < -a.NDim() || k >= a.NDim() {
			check("fftshift", &Error{Shapes: [][]int{a.Shape()}, Msg: fmt.Sprintf("axis %d is out of bounds for shape %v", k, a.Shape())})
		}
		by := a.Shape()[(k+a.NDim())%a.NDim()] / 2
		if back {
			by = -by
		}
		a = Roll(a, by, k)
	}
	return a
}
