package elementary

// These functions of float32 are the float64 ones rounded: at most 0.5 ulp and 2^-28.

// Logaddexpf returns log(e^a + e^b) without overflow.
func Logaddexpf(a, b float32) float32 { return float32(Logaddexp(float64(a), float64(b))) }

// Gammaf returns the gamma function of x.
func Gammaf(x float32) float32 { return float32(Gamma(float64(x))) }

// Lgammaf returns log(|gamma(x)|).
func Lgammaf(x float32) float32 { return float32(Lgamma(float64(x))) }
