// Package random draws random numbers exactly as numpy.random.Generator does for the same seed: of the bits of PCG64 or
// Philox, seeded through NumPy's SeedSequence, by the methods that NumPy has chosen for each distribution, which each
// file names with their papers. Where logarithms and powers decide, math's last bit may differ from the C library's: a
// number in some 10^15 then differs. A leaf; package arrays gives its streams shapes.
package random

//go:generate go run ./ziggurat
