// Package elementary defines the elementary functions once, for eager arrays and for kernels on every device: an elementwise
// result has the same bits wherever it is computed.
//
// A float32 result is the float64 result rounded. The functions stand on Go's math package where that is good enough (exp,
// sin, cos: below 1 ulp on the arguments of the golden tests), and repair it where it is not (log of subnormals, pow). It is a
// leaf.
package elementary
