package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/term"

	"github.com/arrayrepl/arrayrepl/kernel"
	"github.com/arrayrepl/arrayrepl/kernel/display"
	"github.com/arrayrepl/arrayrepl/kernel/notebook"
)

// runNotebook runs a notebook without a browser.
func runNotebook(ctx context.Context, args []string) error {
	flags := flag.NewFlagSet("run", flag.ExitOnError)
	out := flags.String("o", "", "write the notebook with its outputs to `FILE`; without it they are printed as text")
	allow := flags.Bool("allow-errors", false, "go on after a cell that failed")
	timeout := flags.Duration("timeout", 0, "give up after so long, as 90s; 0 means never")
	rest := parseArgs(flags, args)
	if len(rest) != 1 {
		return errors.New("run takes one notebook: arrayrepl run NOTEBOOK.ipynb [-o OUT.ipynb]")
	}
	path := rest[0]
	nb, err := notebook.Read(path)
	if err != nil {
		return err
	}
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
	if *timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, *timeout, fmt.Errorf("the notebook took longer than %v", *timeout))
		defer cancel()
	}
	runErr := notebook.Run(ctx, nb, session{s}, notebook.Options{AllowErrors: *allow, Capture: true, Progress: progress})
	if dest != "" {
		if err := nb.Write(dest); err != nil {
			return errors.Join(runErr, err)
		}
	} else {
		printOutputs(os.Stdout, nb)
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
	fmt.Fprintf(os.Stderr, "%s: %v\n%s\n", path, err, strings.Join(cell.Traceback, "\n"))
	return errShown
}

// printOutputs prints the plain-text forms of all outputs.
func printOutputs(w io.Writer, nb *notebook.Notebook) {
	for _, c := range nb.Cells {
		for _, o := range c.Outputs {
			text, _ := o["text"].(string) // of a stream
			if data, ok := o["data"].(map[string]any); ok {
				text, _ = data[display.TypeText].(string)
			}
			if text = strings.TrimRight(text, "\n"); text != "" {
				fmt.Fprintln(w, text)
			}
		}
	}
}
