// Package program is about whole Go programs: it makes a cell of a program's files, and a program of a notebook's
// cells.
//
// [Read] puts the files of a program together for a session to run, which runs whole programs as Go does: imports of
// the same name that mean different packages get names of their own, and [Program.Lines] says of the session's errors
// in which file and line they are.
//
// [Export] makes a program of cells. A session that runs nothing checks them (interp's Session.Analyse), so that every
// name is known to mean what it means in the notebook; the program is the cells' own text with edits: exportnames.go
// gives names, exportplace.go decides which variables are the package's, exportemit.go writes the edits.
package program
