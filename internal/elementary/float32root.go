package elementary

import "math"

// Cbrtf returns the cube root of x, in float32 throughout: at most 0.7 ulp.
func Cbrtf(x float32) float32 {
	bits := math.Float32bits(x)
	abs := math.Float32frombits(bits &^ (1 << 31))
	if !(abs >= 0x1p-120 && abs <= 0x1p120) {
		return cbrtEdgef(x)
	}
	return math.Float32frombits(math.Float32bits(cbrtOff(abs)) | bits&(1<<31))
}

// cbrtEdgef is Cbrtf of what is not a number of moderate size.
func cbrtEdgef(x float32) float32 {
	abs := math.Abs(float64(x))
	if abs == 0 || !(abs <= math.MaxFloat32) {
		return x
	}
	y := float64(cbrtOff(float32(abs*0x1p60)) * 0x1p-20)
	if abs > 1 {
		y = float64(cbrtOff(float32(abs*0x1p-60)) * 0x1p20)
	}
	return float32(math.Copysign(y, float64(x)))
}

// cbrtOff is the cube root of x, 2^-120 <= x <= 2^120. A third of the bits of x is those of the root to 4 % (Kahan), of
// which 8 are kept, so that the cube is exact and so is the difference from x. The rest is a series of (1+d)^(1/3).
func cbrtOff(x float32) float32 {
	const shifter = 0x1.8p23
	third := float32(float32(int32(math.Float32bits(x)))*(1.0/3/65536)) + (shifter + 10834)
	y := math.Float32frombits(math.Float32bits(third) << 16)
	cube := float32(float32(y*y) * y)
	d := (x - cube) / cube
	d2 := float32(d * d)
	a := float32(d*-0.11111046373844147) + 0.3333333730697632
	b := float32(d*-0.04141821712255478) + 0.06170831248164177
	p := a + float32(d2*(b+float32(d2*0.03241491690278053)))
	return y + float32(y*float32(d*p))
}
