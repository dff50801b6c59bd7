// Package pcg draws random numbers exactly as numpy.random.default_rng does for the same seed: the generator PCG64 (O'Neill
// 2014: PCG XSL RR 128/64), seeded through NumPy's SeedSequence, and the methods by which NumPy's Generator makes uniform,
// bounded, normal and exponential numbers of its bits. A leaf; package arrays gives its streams shapes.
package pcg

//go:generate go run ./ziggurat
