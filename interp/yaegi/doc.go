// Package yaegi runs cells on github.com/traefik/yaegi, the second engine: pure reflection, for machines on which the
// first one's run-time types do not work.
//
// Start with [New]. Of yaegi only its core is used: statements, expressions of basic types, calls. What it does wrongly
// or not at all is decided before it: a cell that go/types has accepted is written out (program.go, stmt.go, expr.go)
// as plain Go without generics, methods, named types, ranges over functions or implicit conversions. What needs the
// names and methods of types at run time, interface values above all, is done beside it, by value.go and format.go.
//
// What it does otherwise than Go stands in docs/design/decisions/0035-yaegi-gets-plain-go.md; what it cannot run it
// refuses, with the construct and the line.
//
// A session has one interpreter, to which each cell adds: types, variables, the functions that are new or call
// something new, and the cell's own statements as one function.
package yaegi
