// Package magic is a session that also understands magics: lines of a cell that are not Go, as %time f(), !ls, name?,
// and cells whose first line begins with %%.
//
// Start with [New], which wraps an interp.Session, and [Session.Run]. split.go cuts a cell into Go and magics; what
// lies between two magics is a cell of its own, run in its turn, with the line numbers that it has. table.go lists the
// magics; the file of each is named for what it is about. complete.go answers questions about cells that hold magics.
//
// The kernel, the terminal and `arrayrepl run` use the same session; what only one of them can do is given to New. The
// package knows nothing of arrays, Jupyter or terminals.
package magic
