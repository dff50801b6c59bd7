package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"golang.org/x/term"

	"github.com/arrayrepl/arrayrepl/internal/lazyregexp"
	"github.com/arrayrepl/arrayrepl/kernel"
	"github.com/arrayrepl/arrayrepl/kernel/notebook"
)

// runFile runs a notebook without a browser, or a Go program.
func runFile(ctx context.Context, args []string) error {
	paths, rest, ok := programArgs(args)
	switch {
	case ok && isProgram(paths):
		return runProgram(ctx, paths, rest)
	case ok && len(paths) == 1 && isPercent(paths[0]) && !slices.Contains(args, "--"):
		return runNotebook(ctx, args)
	case ok:
		return terminal(ctx, append(paths, rest...)) // a file of cells
	}
	return runNotebook(ctx, args)
}

// timeSpan reads 90s, 1m30s, or 90 for seconds.
func timeSpan(s string) (time.Duration, error) {
	d, err := time.ParseDuration(s)
	if err != nil {
		d, err = time.ParseDuration(s + "s")
	}
	if err != nil || d < 0 {
		return 0, errors.New("want a time such as 90s or 1m30s")
	}
	return d, nil
}

// runNotebook runs a notebook without a browser.
func runNotebook(ctx context.Context, args []string) error {
	flags := flag.NewFlagSet("run", flag.ExitOnError)
	out := flags.String("o", "", "write the notebook with its outputs to `FILE`; without it they are printed as text while cells run")
	allow := flags.Bool("allow-errors", false, "go on after a cell that failed")
	var timeout time.Duration
	flags.Func("timeout", "give up after `TIME`, as 90s, or 90, which are seconds too; 0 means never", func(s string) (err error) {
		timeout, err = timeSpan(s)
		return err
	})
	var params parameters
	flags.Func("p", "set a parameter: `name=value`; assigned after the cell tagged \"parameters\" (may be repeated)", func(s string) error { return params.parse(s, false) })
	flags.Func("r", "set a parameter to a string, whatever it looks like: `name=value` (may be repeated)", func(s string) error { return params.parse(s, true) })
	engineFlag(flags)
	rest := parseArgs(flags, args)
	if len(rest) != 1 {
		return errors.New("run takes one notebook, or a program: arrayrepl run NOTEBOOK.ipynb [-o OUT.ipynb] [-p name=value], arrayrepl run FILE.go... | DIR [-- ARGS]")
	}
	path := rest[0]
	nb, err := notebook.Read(path)
	if err != nil {
		return err
	}
	alias = writtenFor(nb)
	params.inject(nb)
	fmt.Fprint(os.Stderr, ageNote(nb))
	before := nb.Carried()
	if openNotebook, err = filepath.Abs(path); err != nil {
		return err
	}
	noteAge.Do(func() {})
	defer endFamily()
	dest := *out
	if dest != "" {
		if dest, err = filepath.Abs(dest); err != nil {
			return err
		}
	}
	// As in Jupyter, cells find files relative to their notebook.
	if err := os.Chdir(filepath.Dir(path)); err != nil {
		return err
	}
	s, err := newSession()
	if err != nil {
		return err
	}
	if timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, timeout, fmt.Errorf("the notebook took longer than %v", timeout))
		defer cancel()
	}
	var show func(notebook.Event) // without -o the outputs tell
	if dest != "" {
		save := interim(nb, dest, before)
		show = func(e notebook.Event) {
			save(e)
			progress(e)
		}
	}
	runErr := notebook.Run(ctx, nb, session{s}, notebook.Options{AllowErrors: *allow, Capture: true, Print: dest == "", Progress: show})
	if dest != "" {
		nb.Keep(before)
		if err := nb.Write(dest); err != nil {
			return errors.Join(runErr, err)
		}
		say("Wrote %s.", *out)
		if runErr == nil {
			rememberNotebook(nb)
		}
	}
	return showFailure(ctx, path, runErr)
}

// progress shows on a terminal which cell is running.
func progress(e notebook.Event) {
	f, ok := e.Terminal.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return
	}
	fmt.Fprintf(f, "\r\033[Kcell %d of %d", e.Index, e.Total)
	if e.Done && e.Index == e.Total {
		fmt.Fprintf(f, "\r\033[K%d cells, the last took %v\n", e.Total, e.Elapsed.Round(time.Millisecond))
	}
}

// showFailure prints what ended a notebook's run early.
func showFailure(ctx context.Context, path string, err error) error {
	if err == nil {
		return nil
	}
	var cell *kernel.CellError
	if cause := context.Cause(ctx); cause != nil {
		fmt.Fprintf(os.Stderr, "%s: %v\n", path, cause)
	}
	if !errors.As(err, &cell) {
		return fmt.Errorf("%s: %w", path, err)
	}
	trace := strings.Join(cell.Traceback, "\n")
	if !term.IsTerminal(int(os.Stderr.Fd())) || os.Getenv("NO_COLOR") != "" {
		trace = ansi.ReplaceAllString(trace, "")
	}
	fmt.Fprintf(os.Stderr, "%s: %v\n%s\n", path, err, trace)
	return errShown
}

// ansi matches the escapes that colour a traceback.
var ansi = lazyregexp.New("\x1b\\[[0-9;]*m")
