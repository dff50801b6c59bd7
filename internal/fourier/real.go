package fourier

import "sync"

// Real is a transform of n real numbers to the first n/2+1 of their frequencies, of which the others are the
// conjugates, and back.
type Real struct {
	n        int
	whole    *Plan // odd lengths
	half     *Plan // even ones: pairs of numbers are complex ones
	twiddles []complex128
}

var reals = struct {
	sync.Mutex
	of *Real // the last
}{}

// NewReal returns the transform of length n, which is 1 or more.
func NewReal(n int) *Real {
	reals.Lock()
	r := reals.of
	reals.Unlock()
	if r != nil && r.n == n {
		return r
	}
	r = &Real{n: n}
	if n%2 == 1 {
		r.whole = New(n)
	} else {
		r.half = New(n / 2)
		r.twiddles = make([]complex128, n/4+1)
		for k := range r.twiddles {
			r.twiddles[k] = root(k, n)
		}
	}
	reals.Lock()
	reals.of = r
	reals.Unlock()
	return r
}

// Forward sets dst, n/2+1 long, to the transform of src. It calls poll as [Plan.TransformPolled] does.
func (r *Real) Forward(dst []complex128, src []float64, poll func()) {
	if r.whole != nil {
		x := make([]complex128, r.n)
		for i, v := range src {
			x[i] = complex(v, 0)
		}
		r.whole.transform(x, poll)
		copy(dst, x)
		return
	}
	h := r.n / 2
	z := dst[:h]
	for i := range z {
		z[i] = complex(src[2*i], src[2*i+1])
	}
	r.half.transform(z, poll)
	first := z[0]
	dst[0], dst[h] = complex(real(first)+imag(first), 0), complex(real(first)-imag(first), 0)
	for k := 1; 2*k <= h; k++ {
		a, b := z[k], conj(z[h-k])
		even := complex(0.5*(real(a)+real(b)), 0.5*(imag(a)+imag(b)))
		odd := times(turned(complex(0.5*(real(a)-real(b)), 0.5*(imag(a)-imag(b)))), r.twiddles[k])
		dst[k], dst[h-k] = even+odd, conj(even-odd)
	}
}

// Inverse sets dst to n times the numbers whose transform is src, n/2+1 long. The imaginary parts of the first, and of
// the last where n is even, do not count.
func (r *Real) Inverse(dst []float64, src []complex128, poll func()) {
	if r.whole != nil {
		x := make([]complex128, r.n)
		x[0] = complex(0, real(src[0]))
		for k := 1; k <= r.n/2; k++ {
			x[k] = complex(imag(src[k]), real(src[k])) // exchanged parts: the inverse transform
			x[r.n-k] = complex(-imag(src[k]), real(src[k]))
		}
		r.whole.transform(x, poll)
		for i, v := range x {
			dst[i] = imag(v)
		}
		return
	}
	h := r.n / 2
	z := make([]complex128, h)
	at := func(k int) complex128 {
		if k == 0 || k == h {
			return complex(real(src[k]), 0)
		}
		return src[k]
	}
	for k := 0; 2*k <= h; k++ {
		a, b := at(k), conj(at(h-k))
		even, odd := a+b, times(a-b, conj(r.twiddles[k]))
		odd = complex(-imag(odd), real(odd)) // i times
		v := even + odd
		if k < h {
			z[k] = complex(imag(v), real(v))
		}
		if k > 0 {
			v = conj(even - odd)
			z[h-k] = complex(imag(v), real(v))
		}
	}
	r.half.transform(z, poll)
	for i, v := range z {
		dst[2*i], dst[2*i+1] = imag(v), real(v)
	}
}
