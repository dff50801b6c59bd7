// Package program makes one cell of a Go program's files, for a session to run, and says of the session's errors in which
// file and line they are.
//
// Start with [Read]. The session runs whole programs as Go does: package variables first, in the order of their
// dependencies, then main. What the package adds is that files become one: imports of the same name that mean different
// packages get names of their own, and lines are counted.
package program
