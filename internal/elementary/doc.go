// Package elementary defines the elementary functions once, for eager arrays and for kernels on every device: an
// elementwise result has the same bits wherever it is computed. Functions is the list, with the error bound of each;
// tests hold them to it against package exact, and to the special values of C99.
//
// The code uses exact operations only: + - * / sqrt and FMA as IEEE 754 rounds them, comparisons, and operations on
// bits. Products that feed sums are FMAs or stand in conversions, so that no compiler may fuse them. Branches are few
// and lead to straight lines: the same text can be a kernel. Where one float64 is not enough, pair carries a second
// one. The only tables are polynomial coefficients, which coefficients.py prints with their errors, and the bits of
// 2/pi.
//
// Every function F of float64 has a twin Ff of float32. Expf, Exp2f, Cbrtf and the logarithms are float32 throughout.
// The others are float64 inside with short series, as the steps of float32 would be pairs, or, one of them, the float64
// function rounded (float32wide.go).
//
// Some have a third form, float32 too, with the bits of the float64 function rounded: see rounded.go.
//
// It knows nothing of arrays, dtypes or kernels, and must never call an inexact function of package math.
package elementary
