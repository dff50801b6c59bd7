package elementary

// Logaddexpf returns log(e^a + e^b) without overflow: the float64 function rounded, to at most 0.5 ulp and 2^-28.
func Logaddexpf(a, b float32) float32 { return float32(Logaddexp(float64(a), float64(b))) }
