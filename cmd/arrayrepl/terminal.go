package main

import (
	"context"
	"os"

	"github.com/arrayrepl/arrayrepl/interp/repl"
)

// terminal starts the REPL.
func terminal(context.Context, []string) error {
	s, err := newSession()
	if err != nil {
		return err
	}
	err = repl.Run(repl.Options{
		Session: s, In: os.Stdin, Out: os.Stdout, HistoryFile: stateFile("history"),
		Banner: banner() + "\nEnter runs a complete cell, Tab completes, Ctrl-C interrupts, Ctrl-D leaves.",
	})
	if err == repl.ErrFailed {
		return errShown
	}
	return err
}
