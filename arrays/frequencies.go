package arrays

import "fmt"

// FFTFreq returns the frequencies of [FFT] for n elements that are d apart: 0, 1, ... up to the half, then the negative
// ones, over n·d.
//
//mirror:copy
func FFTFreq(n int, d float64) *Array {
	needCount("fftfreq", n)
	return Concat(0, Arange((n+1)/2), Arange(-(n/2), 0)).Div(float64(n) * d)
}

// RFFTFreq returns the frequencies of [RFFT] for n elements that are d apart.
//
//mirror:copy
func RFFTFreq(n int, d float64) *Array {
	needCount("rfftfreq", n)
	return Arange(n/2 + 1).Div(float64(n) * d)
}

//mirror:copy
func needCount(op string, n int) {
	if n < 1 {
		check(op, &Error{Msg: fmt.Sprintf("%d elements have no frequencies; use 1 or more", n)})
	}
}

// FFTShift moves frequency 0 to the middle, along all axes or those that are named.
//
//mirror:copy
func FFTShift(x ArrayLike, axes ...AxisOption) *Array {
	return shiftHalf("fftshift", x, axesFrom("fftshift", axes), false)
}

// IFFTShift is the inverse of [FFTShift].
//
//mirror:copy
func IFFTShift(x ArrayLike, axes ...AxisOption) *Array {
	return shiftHalf("ifftshift", x, axesFrom("ifftshift", axes), true)
}

//mirror:copy
func shiftHalf(op string, x any, axes []int, back bool) *Array {
	a := must(op, x)
	if len(axes) == 0 {
		for k := range a.NDim() {
			axes = append(axes, k)
		}
	}
	for _, k := range axes {
		by := a.Shape()[axisFor(op, a, k)] / 2
		if back {
			by = -by
		}
		a = Roll(a, by, k)
	}
	return a
}
