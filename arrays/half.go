package arrays

import "math"

// half is the storage of an IEEE 754 binary16 number. Go has no arithmetic on it.
type half uint16

// float returns the number, exactly; a NaN becomes quiet, as in processors.
func (h half) float() float32 {
	sign, exp, frac := uint32(h>>15), uint32(h>>10&0x1f), uint32(h&0x3ff)
	switch {
	case exp == 0x1f && frac != 0:
		return math.Float32frombits(sign<<31 | 0x1ff<<22 | frac<<13)
	case exp == 0x1f:
		return math.Float32frombits(sign<<31 | 0xff<<23)
	case exp == 0:
		v := float32(frac) * 0x1p-24
		if sign == 1 {
			v = -v
		}
		return v
	}
	return math.Float32frombits(sign<<31 | (exp+112)<<23 | frac<<13)
}

// halfOf rounds v to the nearest half, halfway cases to the even one. It takes float64, of which float32 is a part, so
// that nothing is rounded twice.
func halfOf(v float64) half {
	bits := math.Float64bits(v)
	sign, exp, frac := half(bits>>63)<<15, int(bits>>52&0x7ff)-1023, bits&(1<<52-1)
	switch {
	case exp == 1024 && frac != 0:
		return sign | 0x7e00 | half(frac>>42) // NaN, with what fits of its payload
	case exp > 15:
		return sign | 0x7c00
	case exp < -25:
		return sign
	}
	// The significand as an integer of which drop bits go, and the exponent field in front of what stays.
	drop, base := 42, half(exp+15)<<10
	if exp < -14 {
		frac |= 1 << 52
		drop, base = 42-14-exp, 0
	}
	kept := half(frac >> drop)
	rest, middle := frac&(1<<drop-1), uint64(1)<<(drop-1)
	out := base + kept
	if rest > middle || rest == middle && out&1 == 1 {
		out++ // a carry into the exponent is right: the next power of two, or infinity
	}
	return sign | out
}

// halfLoop computes on halves with the loop for float32: the inputs are widened, and a result of the same dtype is
// rounded.
func halfLoop(l loop, nin int, gives DType) loop {
	size, out := Float16.Size(), gives.Size()
	return func(dst, a, b, _ []byte) {
		room := blockRooms.Get().(*blockRoom)
		wide := func(i int, halves []byte) []byte {
			w := bytesOf(room[i][:])[:2*len(halves)]
			casts[Float16][Float32](w, halves, 0, 1)
			return w
		}
		for n := len(a) / size; n > 0; {
			m := min(n, blockLen)
			x := wide(0, a[:m*size])
			a = a[m*size:]
			var y []byte
			if nin > 1 {
				y, b = wide(1, b[:m*size]), b[m*size:]
			}
			if gives == Float16 {
				z := bytesOf(room[2][:])[:4*m]
				l(z, x, y, nil)
				casts[Float32][Float16](dst[:m*out], z, 0, 1)
			} else {
				l(dst[:m*out], x, y, nil)
			}
			dst, n = dst[m*out:], n-m
		}
		blockRooms.Put(room)
	}
}

// widenHalves and narrowToHalves are conversions, which calls for each element would make slower.

func widenHalves(dst, src []byte, at, stride int) {
	d, s := elements[float32](dst), elements[half](src)
	for i := range d {
		d[i] = s[at].float()
		at += stride
	}
}

func narrowToHalves[S float](dst, src []byte, at, stride int) {
	d, s := elements[half](dst), elements[S](src)
	for i := range d {
		d[i] = halfOf(float64(s[at]))
		at += stride
	}
}
