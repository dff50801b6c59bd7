// Package gorandom writes random Go programs for tests that run them in a session and, compiled, outside of one.
//
// [New] makes a program of a seed. A [Program] is a list of declarations and statements, which [Program.Cells] gives as
// cells and [Program.Main] as the text of package main. [Shrink] makes a program that shows a difference small.
//
// Programs have one meaning: what Go leaves open, they do not use. Expressions have no effects and do not panic, so the
// order in which operands are evaluated cannot be seen: functions with effects and what may panic stand in statements
// of their own. Loops are bounded where they are written, and calls by an estimate of what they cost, so each program
// ends soon. Map elements are visited in an order of their own or where the order does not matter, and nothing prints
// an address.
//
// The package knows nothing of sessions, so that what judges is not what is judged.
package gorandom
