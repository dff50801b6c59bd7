// Package goldens has kernels whose counts on simulated GPUs are known from papers and from prototypes of their
// algorithms; its tests launch them as they are written and compare.
package goldens
