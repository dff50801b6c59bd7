// Package repl is the terminal's side of a session: it reads cells, runs them, and prints what they give.
//
// Start with [Run]. On a terminal it edits cells of many lines with colours, completion and a history ([Options] says
// with what); from a pipe it reads cell after cell and stops at the first that fails; [Options.Code] and [Options.File]
// run what they name and end. A failure that has been shown comes back as an [ExitError].
//
// The line editor is the one of the elvish shell (src.elv.sh/pkg/cli): a widget for code that scrolls when a cell is
// higher than the screen, and a writer that sends differences. What it leaves to its user is here: keys.go has the
// tables of keys, moves.go what they do to a text, enter.go what Enter means in Go, menu.go completion, history.go the
// past.
//
// The text under edit is indented with spaces, because the widget gives a tab one column; spaces.go makes them.
//
// The package knows nothing of arrays, devices, Jupyter or notebook files: what it cannot do itself, redirecting the
// output of cells and reading and writing notebooks, it is given as functions.
package repl
