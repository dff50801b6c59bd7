package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"strings"

	"github.com/arrayrepl/arrayrepl/internal/budget"
	"github.com/arrayrepl/arrayrepl/interp"
	"github.com/arrayrepl/arrayrepl/interp/program"
	"github.com/arrayrepl/arrayrepl/interp/repl"
	"github.com/arrayrepl/arrayrepl/kernel/display"
	"github.com/arrayrepl/arrayrepl/kernel/notebook"
)

// programArgs finds out whether the arguments of run name a Go program: Go files or a directory, and what follows them,
// or "--", for the program itself.
func programArgs(args []string) (paths, rest []string, ok bool) {
	n := 0
	for n < len(args) && strings.HasSuffix(args[n], ".go") {
		n++
	}
	if n == 0 && len(args) > 0 && args[0] != "--" {
		if info, err := os.Stat(args[0]); err == nil && info.IsDir() {
			n = 1
		}
	}
	if n == 0 {
		return nil, nil, false
	}
	paths, rest = args[:n], args[n:]
	if len(rest) > 0 && rest[0] == "--" {
		rest = rest[1:]
	}
	return paths, rest, true
}

// isProgram reports whether the files are a program rather than the code of cells. What cannot be read is for others to
// complain about.
func isProgram(paths []string) bool {
	src, err := budget.ReadFile(paths[0], "the program", budget.SourceFile)
	return err != nil || program.Is(string(src))
}

// isPercent reports whether a file is a notebook in the percent format.
func isPercent(path string) bool {
	src, err := budget.ReadFile(path, "the program", budget.SourceFile)
	return err == nil && notebook.IsPercent(string(src))
}

// runProgram runs a Go program on the session's engine. It ends the process as the program would end.
func runProgram(ctx context.Context, paths, args []string) error {
	p, err := program.Read(paths)
	if err != nil {
		return err
	}
	dir, err := p.Dir()
	if err != nil {
		return err
	}
	s, err := newSessionIn(dir)
	if err != nil {
		return err
	}
	os.Args = append([]string{strings.TrimSuffix(paths[0], ".go")}, args...)
	flag.CommandLine = flag.NewFlagSet(os.Args[0], flag.ExitOnError) // the program's own
	display.SetPublisher(printer{})
	var failed *interp.Error
	s.OnExit(os.Exit) // deferred calls do not run
	if _, err = s.Session.Run(ctx, 1, p.Source); err == nil {
		return nil
	} else if !errors.As(err, &failed) {
		return err
	}
	fmt.Fprintln(os.Stderr, strings.Join(p.Lines(failed), "\n"))
	if where := p.Beside(failed); where != "" {
		fmt.Fprintln(os.Stderr, where)
	}
	return &repl.ExitError{Code: program.Status(failed)}
}

// printer shows on the standard output what a program displays.
type printer struct{}

// Publish prints the plain text of b.
func (printer) Publish(b display.Bundle) { fmt.Println(b.Text()) }
