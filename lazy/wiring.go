package lazy

import "github.com/arrayrepl/arrayrepl/arrays"

// Wiring has what the program around the arrays sets, and what other packages ask of this one: no cell needs it. That
// of package arrays has what concerns eager arrays.
type Wiring struct{}

// poll asks whether to go on, which may panic: for loops over many arrays.
func poll() { arrays.Wiring{}.Poll() }
