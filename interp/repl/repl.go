package repl

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"

	"github.com/reeflective/readline"
	"golang.org/x/term"

	"github.com/arrayrepl/arrayrepl/interp"
	"github.com/arrayrepl/arrayrepl/kernel/display"
)

// Options is what Run works with.
type Options struct {
	Session     *interp.Session
	In, Out     *os.File
	HistoryFile string // kept across runs; "" keeps none
	Banner      string // shown first, on a terminal only
}

// Run reads and runs cells until the input ends. From a terminal, a failed cell is shown and the next one is read; from
// anything else, the first failure ends the input and is returned after it has been printed.
func Run(o Options) error {
	r := &repl{Options: o, color: term.IsTerminal(int(o.Out.Fd())) && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"}
	display.SetPublisher(r)
	if term.IsTerminal(int(o.In.Fd())) {
		return r.interactive()
	}
	return r.batch()
}

type repl struct {
	Options
	color bool
	cell  int
}

// Publish prints what a cell displays before it ends.
func (r *repl) Publish(b display.Bundle) { fmt.Fprintln(r.Out, b.Text()) }

// ErrFailed is the failure of a cell, which has been printed.
var ErrFailed = errors.New("a cell failed")

// run runs one cell; Ctrl-C interrupts it.
func (r *repl) run(src string) error {
	if strings.TrimSpace(src) == "" {
		return nil
	}
	r.cell++
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	b, err := r.Session.Run(ctx, r.cell, src)
	var cellErr *interp.Error
	switch {
	case errors.As(err, &cellErr):
		fmt.Fprintln(os.Stderr, strings.Join(cellErr.Lines(r.color), "\n"))
		return ErrFailed
	case err != nil:
		fmt.Fprintln(os.Stderr, err)
		return ErrFailed
	case !b.Empty():
		r.Publish(b)
	}
	return nil
}

// batch runs what is piped in, cell by cell: a cell ends where the text is complete.
func (r *repl) batch() error {
	var cell strings.Builder
	in := bufio.NewReader(r.In)
	for {
		line, err := in.ReadString('\n')
		cell.WriteString(line)
		if err != nil && err != io.EOF {
			return err
		}
		status, _ := r.Session.IsComplete(cell.String())
		if status != "incomplete" || err == io.EOF {
			if rerr := r.run(cell.String()); rerr != nil {
				return rerr
			}
			cell.Reset()
		}
		if err == io.EOF {
			return nil
		}
	}
}

// interactive edits cells in the terminal.
func (r *repl) interactive() error {
	sh := readline.NewShell()
	sh.Prompt.Primary(func() string { return r.paint("\x1b[32m", fmt.Sprintf("In [%d]: ", r.cell+1)) })
	sh.Prompt.Secondary(func() string { return r.paint("\x1b[2m", "   ...: ") })
	sh.Config.Set("multiline-column-custom", r.paint("\x1b[2m", "   ...: "))
	sh.AcceptMultiline = func(line []rune) bool {
		status, _ := r.Session.IsComplete(string(line))
		return status != "incomplete" || strings.HasSuffix(string(line), "\n")
	}
	sh.Completer = r.complete
	if r.HistoryFile != "" {
		if h, err := history(r.HistoryFile); err != nil {
			fmt.Fprintf(os.Stderr, "the history is not kept: %v\n", err)
		} else {
			sh.History.Add("cells", h)
		}
	}
	fmt.Fprintln(r.Out, r.Banner)
	for {
		src, err := sh.Readline()
		switch {
		case errors.Is(err, readline.ErrInterrupt):
			continue
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		}
		r.run(src) // a failure has been shown; the next cell is read
	}
}

func (r *repl) paint(code, s string) string {
	if !r.color {
		return s
	}
	return code + s + "\x1b[0m"
}

// complete offers what the session knows at the cursor.
func (r *repl) complete(line []rune, cursor int) readline.Completions {
	c := r.Session.Complete(string(line), cursor)
	values := make([]readline.Completion, len(c.Matches))
	prefix := string(line[c.Start:cursor])
	for i, m := range c.Matches {
		values[i] = readline.Completion{Value: m.Text, Display: m.Text, Description: m.Type}
	}
	out := readline.CompleteRaw(values).NoSpace()
	out.PREFIX = prefix
	return out
}

// history opens the file of earlier cells, making it if it is not there.
func history(file string) (readline.History, error) {
	f, err := os.OpenFile(file, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	f.Close()
	return readline.NewHistoryFromFile(file)
}
