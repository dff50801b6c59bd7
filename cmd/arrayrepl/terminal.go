package main

import (
	"context"
	"errors"
	"flag"
	"os"

	"golang.org/x/term"

	"github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/internal/procs"
	"github.com/arrayrepl/arrayrepl/interp/repl"
	"github.com/arrayrepl/arrayrepl/kernel"
	"github.com/arrayrepl/arrayrepl/kernel/display"
	"github.com/arrayrepl/arrayrepl/kernel/notebook"
)

// terminal starts the REPL, or runs the Go that it is given.
func terminal(ctx context.Context, args []string) error {
	o := repl.Options{In: os.Stdin, Out: os.Stdout, Save: saveNotebook, Load: loadNotebook, Cells: percentCells}
	flags := flag.NewFlagSet("arrayrepl", flag.ExitOnError)
	flags.Usage = func() { usage(os.Stderr); flags.PrintDefaults() }
	flags.Func("e", "run `CODE` and end; may be given several times", func(s string) error { o.Code = append(o.Code, s); return nil })
	flags.BoolVar(&o.Plain, "plain", false, "no line editor, no colours")
	flags.BoolVar(&o.KeepGoing, "keep-going", false, "a cell that fails does not end a pipe, a file or several -e")
	flags.Func("graphics", "show pictures by `WAY`: auto (what the terminal can), kitty, sixel, none", func(s string) (err error) { o.Graphics, err = repl.ParseGraphics(s); return err })
	engineFlag(flags)
	flags.Parse(args)
	if flags.NArg() > 0 {
		if len(o.Code) > 0 {
			return errors.New("give a file or -e, not both")
		}
		if paths, rest, ok := programArgs(flags.Args()); ok && isProgram(paths) {
			return runProgram(ctx, paths, rest)
		}
		o.File = flags.Arg(0)
		os.Args = flags.Args() // what the program sees
	}
	s, err := newSession()
	if err != nil {
		return err
	}
	defer endFamily()
	o.Fit = fitTerminal
	o.Session, o.HistoryFile = s, stateFile("history")
	o.Banner = banner() + "\nEnter runs a complete cell, Tab completes, Ctrl-C interrupts, Ctrl-D leaves; %help says more."
	if term.IsTerminal(int(os.Stderr.Fd())) {
		o.Capture = capture
	}
	return repl.Run(o)
}

// percentCells are the sources of the code cells of a text in the percent format.
func percentCells(src string) (cells []string) {
	for _, c := range notebook.ParsePercent(src).Cells {
		if c.Type == "code" {
			cells = append(cells, c.Source+"\n") // as the file has it
		}
	}
	return cells
}

// endFamily ends what cells have left running, as the end of a kernel's session does, where that is all of it and
// nothing else's.
func endFamily() {
	if procs.Adopts() {
		procs.KillFamily(0)
	}
}

// fitTerminal makes what cells print fit the terminal. A line of an array leaves the same room as NumPy's 75 of 80
// columns.
func fitTerminal(s display.Screen) {
	display.SetScreen(s)
	width := 75
	if s.Columns > 0 {
		width = max(s.Columns-5, 20)
	}
	arrays.SetPrintOptions(arrays.LineWidth(width))
}

// capture redirects what cells write, both streams as one: the terminal shows them as one.
func capture(sink func(stream, text string)) (repl.Capture, error) {
	c, err := kernel.StartCapture(sink)
	if err != nil {
		return nil, err
	}
	return c, oneStream()
}
