package arrays

import (
	"fmt"
	"testing"
)

// numPyFFT calls ours by NumPy's names.
var numPyFFT = map[string]func(x any, opts ...FFTOption) *Array{
	"fft": FFT, "ifft": IFFT, "rfft": RFFT, "irfft": IRFFT, "hfft": HFFT, "ihfft": IHFFT, "fft2": FFT2, "ifft2": IFFT2, "rfft2": RFFT2, "irfft2": IRFFT2,
	"fftn": FFTN, "ifftn": IFFTN, "rfftn": RFFTN, "irfftn": IRFFTN,
}

// TestFFTAsNumPy: to 1e-12 of the largest element, 1e-5 in single precision, in which NumPy computes and we do not.
func TestFFTAsNumPy(t *testing.T) {
	var golden struct {
		Inputs map[string]goldenValue
		Cases  []struct {
			Op, In, Norm string
			N, Axis      []int
			Error        bool
			Out          goldenValue
		}
		Helpers []struct {
			Op, In string
			N      int
			D      float64
			Axis   []int
			Out    goldenValue
		}
	}
	readGolden(t, "fft.json", &golden)
	seen := map[string]bool{}
	for _, c := range golden.Cases {
		seen[c.Op] = true
		name := fmt.Sprintf("%s(%s, length %v, axis %v, %q)", c.Op, c.In, c.N, c.Axis, c.Norm)
		var opts []FFTOption
		if len(c.N) > 0 {
			opts = append(opts, Length(c.N...))
		}
		if len(c.Axis) > 0 {
			opts = append(opts, Axis(c.Axis...))
		}
		if c.Norm != "" {
			opts = append(opts, Scaled(c.Norm))
		}
		var got *Array
		err := caught(func() { got = numPyFFT[c.Op](golden.Inputs[c.In].array(), opts...) })
		if err != nil || c.Error {
			if (err != nil) != c.Error {
				t.Errorf("%s: error %v, NumPy refuses: %v", name, err, c.Error)
			}
			continue
		}
		want := c.Out.array()
		if got.DType() != want.DType() || fmt.Sprint(got.Shape()) != fmt.Sprint(want.Shape()) {
			t.Errorf("%s: %v of shape %v, NumPy gives %v of shape %v", name, got.DType(), got.Shape(), want.DType(), want.Shape())
			continue
		}
		if err := closeTo(name, got, want, got.DType()); err != nil {
			t.Error(err)
		}
	}
	if len(seen) != len(numPyFFT) || len(ffts) != len(numPyFFT) {
		t.Errorf("the golden file covers %d of %d transforms", len(seen), len(ffts))
	}
	for _, h := range golden.Helpers {
		var got *Array
		switch h.Op {
		case "fftfreq":
			got = FFTFreq(h.N, h.D)
		case "rfftfreq":
			got = RFFTFreq(h.N, h.D)
		case "fftshift":
			got = FFTShift(golden.Inputs[h.In].array(), h.Axis)
		case "ifftshift":
			got = IFFTShift(golden.Inputs[h.In].array(), h.Axis)
		}
		if err := compare(got, h.Out, 1); err != nil {
			t.Errorf("%s(%s, %d, %v, %v): %v", h.Op, h.In, h.N, h.D, h.Axis, err)
		}
	}
}

// TestFFTRoundTrip: long and odd lengths, where lines are shared out and transforms are cut in two, come back.
func TestFFTRoundTrip(t *testing.T) {
	for _, shape := range [][]int{{40009}, {1 << 15}, {300, 200}, {7, 5003}, {64, 3, 100}} {
		x := DefaultRNG(1).Normal(0, 1, shape...)
		if err := closeTo("fft", IFFT(FFT(x)).Real(), x, Float64); err != nil {
			t.Errorf("%v: %v", shape, err)
		}
		if err := closeTo("fftn", IFFTN(FFTN(x)).Real(), x, Float64); err != nil {
			t.Errorf("%v: %v", shape, err)
		}
		n := shape[len(shape)-1]
		if err := closeTo("rfft", IRFFT(RFFT(x), Length(n)), x, Float64); err != nil {
			t.Errorf("%v: %v", shape, err)
		}
		if err := closeTo("rfft and fft", RFFT(x), FFT(x).At(Dots, To(n/2+1)), Float64); err != nil {
			t.Errorf("%v: %v", shape, err)
		}
	}
	if err := caught(func() { Sum(Ones(3), Length(3)) }); err == nil {
		t.Error("Sum takes a Length")
	}
}

// An axis that is named twice is transformed twice, as numpy.fft.rfftn does: the numbers are its.
func TestFFTAlongAnAxisTwice(t *testing.T) {
	x := FromSlice([]float64{1, 2, 4, 8, 16, 32}, 2, 3)
	want := FromSlice([]complex128{
		5 + 1.7320508075688772i, 9.5 + 0.8660254037844386i, 6.5 - 2.598076211353316i,
		40 + 13.856406460551018i, 76 + 6.928203230275509i, 52 - 20.784609690826528i,
	}, 2, 3)
	if got := RFFT2(x, Axis(1, 1)); !AllClose(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}
