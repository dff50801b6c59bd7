// Package ptx writes kernels of package kir as PTX, NVIDIA's virtual assembly language, and reads PTX as kernels.
//
// Start with [Print] and [Parse]. What Print writes, Parse reads as the same kernel (kir.Equal).
//
// Arithmetic is printed in the forms that IEEE 754 defines alone (.rn, .ftz for kir.OpFlush alone, and nothing that an
// assembler may contract), so that a device computes the bits that kir's engine computes. What kir approximates
// (kir.Op.IsApproximate) is .approx, whose last bits are the device's own. Where PTX
// leaves a result open that kir defines (division by zero, NaN in minima and in conversions), several instructions
// stand for one of kir's.
//
// The package knows nothing of devices and drivers: it only turns text into kernels and back.
package ptx
