// Command arrayrepl is a Go notebook for array computing: a Jupyter kernel, a terminal REPL, and what installs and runs
// them. It is the one place where the packages are wired together.
//
// Start with main.go, which has the table of subcommands; each has a file. wire.go puts devices, runtime and
// interpreter into a session, and makes that session what package kernel serves. A mechanism that another program could
// use belongs to a package, not here.
package main
