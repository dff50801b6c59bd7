// Package programs has the test that runs random Go programs, which package gorandom writes, in sessions and through
// the compiler. It is a package of its own, so that the test runs beside those of package interp.
package programs
