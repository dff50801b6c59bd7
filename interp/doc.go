// Package interp runs cells: pieces of Go that share their variables, one after the other, as a notebook wants them.
//
// Start with [New] and [Session.Run]. A cell goes through these steps: package syntax makes a tree of its text that
// go/types takes; check.go runs go/types; link.go collects what the cell needs from earlier cells; the engine compiles;
// package supervise runs it on a goroutine of its own; commit.go makes its names known to later cells.
//
// Every cell is a package of its own for go/types, all with the path "main". Names of earlier cells are put into the
// scope of the new package, and newer ones shadow them: so redefinition needs no renaming, errors show the user's own
// names, and checking a cell does not grow with the session. Functions of earlier cells are compiled again, from their
// syntax, into each cell that uses them; variables are bound by address.
//
// An engine compiles and runs what was checked. Package interp/engine is the contract: what the session gives, what
// running code calls back, and the names that lowered cells use. interp/ixgo is the engine that sessions have unless
// they are told otherwise, interp/yaegi a second one; neither knows sessions. What runs is package supervise's: it
// tells the goroutines of halted cells from those of later ones, so that an interrupt ends what it should and no more.
//
// Questions about a text at a cursor are answered by [Session.Complete] and [Session.Describe], without running
// anything: they are package assist's, for which probe.go checks what is asked about.
//
// Third-party modules come in by [Session.Get]: package interp/modules reads the user's own and has the go command find
// and fetch others, modpackage.go makes units of their packages, which are interpreted as earlier cells are.
//
// The package knows nothing of arrays, kernels or the protocol: packages that cells use reach it through the engine's
// registry and [Options], and values reach the client through kernel/display.
package interp
