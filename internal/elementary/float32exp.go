package elementary

import "math"

// The functions of this file and of float32log.go and float32arc.go are float64 inside, to about 2^-33, which float32
// does not show: at most 0.5 ulp and 2^-8. With 29 bits to spare no sum and no product needs a pair, and series are
// half as long.

// expm1Short is exp(r) - 1 for |r| <= log(2)/2.
func expm1Short(r float64) float64 {
	r2 := float64(r * r)
	a := math.FMA(r, 0.16666666719028936, 0.5000000047146057)
	b := math.FMA(r, 0.00833329846980059, 0.04166635277111221)
	c := math.FMA(r, 0.00019899285575896282, 0.0013941118895837)
	return math.FMA(r2, math.FMA(r2, math.FMA(r2, c, b), a), r)
}

// Exp2f returns 2 to the power x, in float32 throughout: at most 0.9 ulp, of which a quarter is the product t and half
// the last sum; what the first one rounds is kept.
func Exp2f(x float32) float32 {
	if x > 130 {
		x = 130 // too large for a float32, as what is below -152 is too small
	}
	if x < -152 {
		x = -152
	}
	kf, k := nearestf(x)
	f := x - kf
	f2 := float32(f * f)
	a := float32(f*0.05550359562039375) + 0.24022647738456726
	b := float32(f*0.0013390971580520272) + 0.009618500247597694
	p := a + float32(f2*(b+float32(f2*0.00015328922017943114)))
	t := float32(f * 0.6931471824645996)
	sum := 1 + t
	return scalef(sum+((t-(sum-1))+float32(f2*p)), k)
}

// exp2Short is 2^x for |x| <= 1000, to 2^-28.
func exp2Short(x float64) float64 {
	kf, k := nearest(x)
	f := x - kf
	f2 := float64(f * f)
	a := math.FMA(f, 0.2402264794509557, 0.6931472028949721)
	b := math.FMA(f, 0.009618433833960988, 0.05550332422709207)
	c := math.FMA(f, 0.00015354287687024506, 0.0013398887791638957)
	p := math.FMA(f2, math.FMA(f2, c, b), a)
	power := pow2(k)
	return math.FMA(power, float64(f*p), power)
}

// Expm1f returns e^x - 1, accurate near zero.
func Expm1f(x float32) float32 {
	w := float64(x)
	if w > 90 {
		w = 90
	}
	if w < -40 {
		w = -40
	}
	kf, k := nearest(float64(w * math.Log2E))
	power := pow2(k)
	y := math.FMA(power, expm1Short(math.FMA(kf, -math.Ln2, w)), power-1)
	return float32(math.Copysign(y, w)) // of a zero too
}

// hyperbolicShort returns sinh(x) and cosh(x) for 0 <= x <= 700, by the formula of hyperbolic.
func hyperbolicShort(x float64) (sinh, cosh float64) {
	kf, k := nearest(float64(x * math.Log2E))
	r := math.FMA(kf, -math.Ln2, x)
	z := float64(r * r)
	odd := math.FMA(z, math.FMA(z, 0.00019890990824673654, 0.0083333109254809), 0.16666666681623232)
	odd = math.FMA(float64(z*r), odd, r)
	even := math.FMA(z, math.FMA(z, 2.4851298101976023e-05, 0.0013888866486927423), 0.04166666668161915)
	even = math.FMA(float64(z*z), even, math.FMA(z, 0.5, 1))
	up, down := pow2(k-1), pow2(-k-1)
	s, c := up-down, up+down
	return math.FMA(s, even, float64(c*odd)), math.FMA(c, even, float64(s*odd))
}

// Sinhf returns the hyperbolic sine of x.
func Sinhf(x float32) float32 {
	abs := math.Abs(float64(x))
	if abs > 100 {
		abs = 100 // too large for a float32
	}
	sinh, _ := hyperbolicShort(abs)
	return float32(math.Copysign(sinh, float64(x)))
}

// Coshf returns the hyperbolic cosine of x.
func Coshf(x float32) float32 {
	abs := math.Abs(float64(x))
	if abs > 100 {
		abs = 100
	}
	_, cosh := hyperbolicShort(abs)
	return float32(cosh)
}

// Tanhf returns the hyperbolic tangent of x.
func Tanhf(x float32) float32 {
	abs := math.Abs(float64(x))
	if abs > 10 {
		abs = 10 // 1 - 2^-28
	}
	sinh, cosh := hyperbolicShort(abs)
	return float32(math.Copysign(sinh/cosh, float64(x)))
}

// Erff returns the error function of x, in the way of Erf.
func Erff(x float32) float32 {
	abs := math.Abs(float64(x))
	if abs > 4 {
		abs = 4 // 1 - 2^-25.9
	}
	z := float64(abs * abs)
	t := math.FMA(abs, erfRootSlope, float64(z*erfRootShort(abs, z)))
	t = math.FMA(t, t, t+t)
	return float32(math.Copysign(math.FMA(t, t, t+t), float64(x)))
}

// erfRootShort is erfRoot for 0 <= x <= 4.
func erfRootShort(x, z float64) float64 {
	a := math.FMA(z, math.FMA(x, -0.0012201969358226548, 0.018626068737340927), math.FMA(x, 0.015462269791442221, -0.1193662086504252))
	b := math.FMA(z, math.FMA(x, -2.4914091944130067e-05, 0.00011348958934445027), math.FMA(x, 0.0002249024252327377, -0.001951180693215179))
	c := math.FMA(z, math.FMA(x, -4.902069127572112e-08, 2.709223718858967e-07), math.FMA(x, -2.969683097330593e-07, 1.4771749618854392e-07))
	z2 := float64(z * z)
	c = math.FMA(z2, 2.893642594922741e-09, c)
	return math.FMA(z2, math.FMA(z2, c, b), a)
}

// Erfcf returns 1 - erf(x), accurate where it is small, by the formula of erfcLarge.
func Erfcf(x float32) float32 {
	w := float64(x)
	abs := math.Abs(w)
	if abs > 10.5 {
		abs = 10.5 // too small for a float32
	}
	t := (abs - 3.5) / (abs + 3.5)
	y := float64(erfcShort(t)*exp2Short(float64(abs*(abs*-math.Log2E)))) / math.FMA(2, abs, 1)
	if w < 0 {
		y = 2 - y
	}
	return float32(y)
}

// erfcShort is (1+2x)*exp(x^2)*erfc(x) in t = (x-3.5)/(x+3.5), for 0 <= x <= 10.5.
func erfcShort(t float64) float64 {
	t2 := float64(t * t)
	t4 := float64(t2 * t2)
	a := math.FMA(t2, math.FMA(t, 0.09751907175607914, -0.010555596421987766), math.FMA(t, -0.1400091797789221, 1.2423492448719762))
	b := math.FMA(t2, math.FMA(t, 0.019096132700966616, -0.04882287750040563), math.FMA(t, 0.08798358561957012, -0.11508960926862404))
	c := math.FMA(t2, math.FMA(t, -0.0001220598097171823, 0.000587026606461938), math.FMA(t, -0.0002931921636149303, -0.00422012933013385))
	d := math.FMA(t, -3.1144443438553256e-06, -7.681509404601818e-05)
	return math.FMA(t4, math.FMA(t4, math.FMA(t4, d, c), b), a)
}
