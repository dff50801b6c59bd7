package arrays

import (
	"fmt"
	"math"
	"slices"

	"github.com/arrayrepl/arrayrepl/internal/fourier"
	"github.com/arrayrepl/arrayrepl/internal/workers"
)

// Fourier transforms go along the axes that [Axis] names, or the last (of those that end in 2 the last two, of those
// that end in N all). [Length] cuts them or fills them up with zeros before, [Scaled] divides. Any length is fast.
// Results of float32 are complex64, computed in complex128.

// FFT returns the discrete Fourier transform of x along an axis: X[k] = Σ x[j]·exp(-2πi·jk/n).
func FFT(x ArrayLike, opts ...FFTOption) *Array { return call(Routines{}.FFT("fft", opts...), x) }

// IFFT returns the inverse of [FFT].
func IFFT(x ArrayLike, opts ...FFTOption) *Array { return call(Routines{}.FFT("ifft", opts...), x) }

// RFFT returns the n/2+1 frequencies from 0 up of the transform of real numbers; the others are their conjugates.
func RFFT(x ArrayLike, opts ...FFTOption) *Array { return call(Routines{}.FFT("rfft", opts...), x) }

// IRFFT returns the inverse of [RFFT]. Without [Length] it is of even length, 2(m-1) for m frequencies.
func IRFFT(x ArrayLike, opts ...FFTOption) *Array { return call(Routines{}.FFT("irfft", opts...), x) }

// HFFT returns the real transform of numbers of which the half is given whose conjugates are the rest.
func HFFT(x ArrayLike, opts ...FFTOption) *Array { return call(Routines{}.FFT("hfft", opts...), x) }

// IHFFT returns the inverse of [HFFT].
func IHFFT(x ArrayLike, opts ...FFTOption) *Array { return call(Routines{}.FFT("ihfft", opts...), x) }

// FFT2 returns the transform of x along the last two axes.
func FFT2(x ArrayLike, opts ...FFTOption) *Array { return call(Routines{}.FFT("fft2", opts...), x) }

// IFFT2 returns the inverse of [FFT2].
func IFFT2(x ArrayLike, opts ...FFTOption) *Array { return call(Routines{}.FFT("ifft2", opts...), x) }

// RFFT2 is [RFFT] along the last axis and [FFT] along the one before.
func RFFT2(x ArrayLike, opts ...FFTOption) *Array { return call(Routines{}.FFT("rfft2", opts...), x) }

// IRFFT2 returns the inverse of [RFFT2].
func IRFFT2(x ArrayLike, opts ...FFTOption) *Array { return call(Routines{}.FFT("irfft2", opts...), x) }

// FFTN returns the transform of x along all axes, or those that are named.
func FFTN(x ArrayLike, opts ...FFTOption) *Array { return call(Routines{}.FFT("fftn", opts...), x) }

// IFFTN returns the inverse of [FFTN].
func IFFTN(x ArrayLike, opts ...FFTOption) *Array { return call(Routines{}.FFT("ifftn", opts...), x) }

// RFFTN is [RFFT] along the last axis and [FFT] along the others.
func RFFTN(x ArrayLike, opts ...FFTOption) *Array { return call(Routines{}.FFT("rfftn", opts...), x) }

// IRFFTN returns the inverse of [RFFTN].
func IRFFTN(x ArrayLike, opts ...FFTOption) *Array { return call(Routines{}.FFT("irfftn", opts...), x) }

// Length sets along how many elements a Fourier transform goes, one number for each of its axes: longer axes are cut,
// shorter ones end in zeros. For those that give real numbers it is the length of the result.
func Length(n ...int) FFTOption {
	return reduceOption(func(o *reduceOptions) { o.lengths = append(o.lengths, n...) })
}

// Scaled sets which direction of a Fourier transform divides by the number of elements: "backward" the inverse, as
// without it, "forward" the other, "ortho" both by the root.
func Scaled(direction string) FFTOption {
	return reduceOption(func(o *reduceOptions) { o.scaled = direction })
}

// fftKind is what a transform does to its last axis; the others are always complex.
type fftKind uint8

const (
	fftComplex fftKind = iota
	fftFromReal
	fftToReal
)

// ffts are the transforms, by NumPy's names.
var ffts = map[string]struct {
	kind    fftKind
	inverse bool
	axes    int // how many without names, 0 for all
}{
	"fft": {fftComplex, false, 1}, "ifft": {fftComplex, true, 1}, "fft2": {fftComplex, false, 2}, "ifft2": {fftComplex, true, 2}, "fftn": {fftComplex, false, 0}, "ifftn": {fftComplex, true, 0},
	"rfft": {fftFromReal, false, 1}, "irfft": {fftToReal, true, 1}, "rfft2": {fftFromReal, false, 2}, "irfft2": {fftToReal, true, 2}, "rfftn": {fftFromReal, false, 0}, "irfftn": {fftToReal, true, 0},
	"hfft": {fftToReal, false, 1}, "ihfft": {fftFromReal, true, 1},
}

// fftStage is one axis of a transform.
type fftStage struct {
	axis, n int
}

// FFT is the routine of the transform of one of NumPy's names.
func (Routines) FFT(name string, opts ...FFTOption) Routine {
	f := ffts[name]
	o, wrong := readOptions(opts)
	// stages are the axes in the order of NumPy's list, the one with the real numbers last.
	stages := func(shape []int) (out []fftStage, err error) {
		if wrong != nil {
			return nil, wrong
		}
		if o.keep || o.ddof != 0 {
			return nil, &Error{Shapes: [][]int{shape}, Msg: "KeepDims and DDof are for reductions; leave them out"}
		}
		axes := slices.Clone(o.axes)
		switch {
		case o.some:
		case f.axes == 0 && o.lengths != nil:
			for k := range o.lengths {
				axes = append(axes, k-len(o.lengths))
			}
		case f.axes == 0:
			for k := range shape {
				axes = append(axes, k)
			}
		default:
			for k := range f.axes {
				axes = append(axes, k-f.axes)
			}
		}
		if f.axes == 1 && len(axes) != 1 {
			return nil, &Error{Shapes: [][]int{shape}, Msg: fmt.Sprintf("%d axes are named; it goes along one, FFTN along several", len(axes))}
		}
		if o.lengths != nil && len(o.lengths) != len(axes) {
			return nil, &Error{Shapes: [][]int{shape}, Msg: fmt.Sprintf("%d lengths are given for %d axes", len(o.lengths), len(axes))}
		}
		if len(axes) == 0 && f.kind != fftComplex {
			return nil, &Error{Shapes: [][]int{shape}, Msg: "it takes an axis to go along"}
		}
		for i, axis := range axes {
			k, err := normalAxis(axis, shape)
			if err != nil {
				return nil, err
			}
			n := shape[k]
			last := i == len(axes)-1
			switch {
			case o.lengths != nil:
				n = o.lengths[i]
			case last && f.kind == fftToReal:
				n = 2 * (n - 1)
			}
			if n < 1 {
				return nil, &Error{Shapes: [][]int{shape}, Msg: fmt.Sprintf("%d elements along axis %d cannot be transformed; it takes 1 or more", n, k)}
			}
			out = append(out, fftStage{k, n})
		}
		return out, nil
	}
	return Routine{
		Name: name, Plain: len(opts) == 0,
		Resolve: func(in []Spec) (Spec, error) {
			d := in[0].DType
			if !d.IsNumber() {
				return Spec{}, refuse(d)
			}
			if d.IsComplex() && f.kind == fftFromReal {
				return Spec{}, &Error{Msg: fmt.Sprintf("it takes real numbers, not %v; use FFT, or take Real first", d)}
			}
			if !slices.Contains([]string{"", "backward", "forward", "ortho"}, o.scaled) {
				return Spec{}, &Error{Msg: fmt.Sprintf("there is no scaling %.60q; use \"backward\", \"forward\" or \"ortho\"", o.scaled)}
			}
			list, err := stages(in[0].Shape)
			if err != nil {
				return Spec{}, err
			}
			shape := slices.Clone(in[0].Shape)
			if len(list) > 0 && f.kind == fftFromReal { // the first to be transformed: an axis may be named again
				last := list[len(list)-1]
				shape[last.axis], list = last.n/2+1, list[:len(list)-1]
			}
			for _, s := range list {
				shape[s.axis] = s.n
			}
			out := Complex128
			if d == Float16 || d == Float32 || d == Complex64 {
				out = Complex64
			}
			if f.kind == fftToReal {
				out = realOf(out)
			}
			return Spec{DType: out, Shape: shape}, checkShape(shape)
		},
		Run: func(out *Array, in []*Array) {
			a := in[0]
			list, _ := stages(a.layout.Shape)
			if len(list) == 0 {
				out.Set(a)
				return
			}
			last := len(list) - 1
			order := slices.Clone(list) // the axis of the real numbers is where they are
			if f.kind == fftFromReal {
				slices.Reverse(order)
			}
			for i, s := range order {
				kind := fftComplex
				if s == list[last] && (f.kind == fftFromReal && i == 0 || f.kind == fftToReal && i == last) {
					kind = f.kind
				}
				var dst *Array
				if i == last && (out.dtype == Complex128 || out.dtype == Float64) {
					dst = out
				}
				a = alongAxis(dst, a, s, kind, f.inverse, o.scaled)
			}
			if a != out {
				out.Set(a)
			}
		},
	}
}

// alongAxis transforms the lines of a along one axis into dst, which it makes where it is nil.
func alongAxis(dst, a *Array, s fftStage, kind fftKind, inverse bool, scaled string) *Array {
	gives, takes := s.n, min(s.n, a.layout.Shape[s.axis])
	dtype, reads := Complex128, Complex128
	switch kind {
	case fftFromReal:
		gives, reads = s.n/2+1, Float64
	case fftToReal:
		dtype, takes = Float64, min(s.n/2+1, a.layout.Shape[s.axis])
	}
	if dst == nil {
		shape := slices.Clone(a.layout.Shape)
		shape[s.axis] = gives
		dst = newUnset(dtype, shape)
	}
	if dst.Size() == 0 {
		return dst
	}
	scale := 1.0
	switch {
	case scaled == "ortho":
		scale = 1 / math.Sqrt(float64(s.n))
	case (scaled == "forward") != inverse:
		scale = 1 / float64(s.n)
	}
	from, to := without(a.layout, s.axis), without(dst.layout, s.axis)
	lines := from.Size()
	each := max(1, 1<<14/s.n) // lines of a piece
	stride, step := a.layout.Strides[s.axis], dst.layout.Strides[s.axis]
	plan, real := (*fourier.Plan)(nil), (*fourier.Real)(nil)
	if kind == fftComplex {
		plan = fourier.New(s.n)
	} else {
		real = fourier.NewReal(s.n)
	}
	none := func() {}
	work := func(piece int, polling func()) {
		lo, hi := piece*each, min((piece+1)*each, lines)
		starts, ends := newWalk(from), newWalk(to)
		starts.seek(from.Offset, lo)
		ends.seek(to.Offset, lo)
		var freq []complex128
		var plain []float64
		inPlace := kind == fftComplex && step == 1
		if !inPlace {
			freq = make([]complex128, max(s.n, gives))
		}
		if kind != fftComplex {
			plain = make([]float64, s.n)
		}
		for range hi - lo {
			if inPlace {
				freq = elements[complex128](dst.data)[ends.at:][:gives]
			}
			line := &Array{a.dtype, Layout{[]int{takes}, []int{stride}, starts.at}, a.data}
			in := newStream(line, reads)
			switch kind {
			case fftComplex:
				in.read(bytesOf(freq[:takes]))
				clear(freq[takes:])
				if inverse {
					exchange(freq)
				}
				plan.TransformPolled(freq, polling)
				if inverse {
					exchange(freq)
				}
			case fftFromReal:
				in.read(bytesOf(plain[:takes]))
				clear(plain[takes:])
				real.Forward(freq[:gives], plain, polling)
				if inverse { // of real numbers the inverse transform is the conjugate
					conjugate(freq)
				}
			case fftToReal:
				in.read(bytesOf(freq[:takes]))
				clear(freq[takes:])
				if !inverse {
					conjugate(freq)
				}
				real.Inverse(plain, freq[:s.n/2+1], polling)
			}
			if kind == fftToReal {
				out := elements[float64](dst.data)
				for i, v := range plain {
					out[ends.at+i*step] = v * scale
				}
			} else {
				out := elements[complex128](dst.data)[ends.at:]
				if !inPlace || scale != 1 {
					for i, v := range freq[:gives] {
						out[i*step] = scaledBy(v, scale)
					}
				}
			}
			starts.advance(1)
			ends.advance(1)
		}
	}
	if pieces := (lines + each - 1) / each; pieces > 1 {
		workers.Do(pieces, func(i int) { work(i, none) }, poll)
	} else {
		work(0, poll) // a single long transform divides itself
	}
	return dst
}

func scaledBy(v complex128, scale float64) complex128 {
	if scale == 1 {
		return v
	}
	return complex(real(v)*scale, imag(v)*scale)
}

// exchange swaps real and imaginary parts: between two of them a transform is the inverse one.
func exchange(x []complex128) {
	for i, v := range x {
		x[i] = complex(imag(v), real(v))
	}
}

func conjugate(x []complex128) {
	for i, v := range x {
		x[i] = complex(real(v), -imag(v))
	}
}
