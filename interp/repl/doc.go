// Package repl is the terminal's side of a session: it reads cells with a line editor that knows when Go is complete, runs
// them, and prints what they give.
//
// Start with [Run]. On a terminal it edits, completes and keeps a history; from a pipe or a file it reads cell after cell
// and stops at the first that fails. The package knows nothing of arrays, devices or Jupyter.
package repl
