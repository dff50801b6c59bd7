// Package design holds the pages about the design of the program, and tests that keep them true: the form of decisions
// and their index, the links of the pages, and the table of imports in architecture.md beside what go list says.
//
//	go test ./docs/design -run Index -update
//
// writes the index of the decisions anew; go generate does the same.
package design

//go:generate go test -count=1 -run ^TestIndex$ -update .
