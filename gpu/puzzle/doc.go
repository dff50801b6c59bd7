// Package puzzle is a course of fifteen small kernels to write, from a map to a histogram. Each is checked at once: its
// result, races and other mistakes that a result may not show, and, where the lesson is speed, what it costs.
//
//	puzzle.Show(3)         // the task, and a picture of which thread reads and writes what
//	puzzle.Check(3, halve) // solved, or what is wrong: which element, who wrote it, what was expected
//	puzzle.Hint(3)         // the next hint
//	puzzle.Answer(3)       // a solution
//
// Start with [Show]. What a kernel should give is computed in plain Go; the pictures are of runs of the solutions.
package puzzle
