// Package programs has the five programs by which the paper on Brook measured it: SAXPY, SGEMV, a Fourier transform of
// four channels, a segmentation and a ray tracer. For tests and benchmarks: notebooks have them as cells.
//
// Start with [Programs], whose methods run them. Kernels are plain Go functions with what they do for one element.
package programs
