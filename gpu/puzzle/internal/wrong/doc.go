// Package wrong has mistakes that people make in the puzzles, three or more for each, for tests.
//
// Start with [Kernels]. The package must stay wrong.
package wrong

// A Kernel is a wrong one: the puzzle that it is for, the function, and what the check must say of it.
type Kernel struct {
	Puzzle int
	Name   string
	Func   any
	Says   []string
}
