// Package sfu computes what the special function units of NVIDIA's GPUs approximate in one instruction: 1/x, 1/√x, √x,
// 2^x, log2 x, sin x and cos x of float32, by quadratic interpolation from tables (Oberman and Siu, A high-performance
// area-efficient multifunction interpolator, ARITH 2005; Lindholm et al., NVIDIA Tesla, IEEE Micro 2008, table 1).
//
// A number is cut into an exponent, the number of a segment (128 of [1,2) for 1/x, 64 of an octave for the others) and
// how far it is into the segment. The segment has three coefficients; sums and products are of integers, so that every
// machine has the same bits. The tables are this package's own: NVIDIA does not publish its units', and a card gives
// other last bits.
//
// Start with [Functions].
package sfu

//go:generate go run ./gen
