// Package repl drives the built command as a person and as a script would: through tmux, where what is seen is compared
// with screens kept as text, and through pipes.
//
// A file of testdata is a session in a terminal: lines that say what is typed, and between them screens, each line of
// which begins with a bar. The words are in the table of steps in terminal_test.go. `go test ./tests/repl -update`
// writes the screens anew.
package repl
