package repl

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"sync/atomic"

	"golang.org/x/term"

	"github.com/arrayrepl/arrayrepl/interp"
	"github.com/arrayrepl/arrayrepl/interp/magic"
	"github.com/arrayrepl/arrayrepl/kernel/display"
)

// Options is what Run works with.
type Options struct {
	Session     *magic.Session
	In, Out     *os.File
	HistoryFile string // kept across runs; "" keeps none
	Banner      string // shown first, on a terminal only
	Plain       bool   // no line editor and no colours, also on a terminal that could
	Graphics    Graphics

	// Fit is told before each cell what the terminal is like, so that values can fit themselves to it. Nil tells
	// nobody.
	Fit func(display.Screen)

	// Code, when not empty, is run instead of what In holds; so is File, a file of cell code or a whole program.
	Code []string
	File string

	KeepGoing bool // a cell that fails does not end what is read from a pipe, a file or Code

	// Capture redirects what cells write to the process's streams, so that it cannot disturb the line under edit. Nil
	// leaves them alone.
	Capture func(sink func(stream, text string)) (Capture, error)

	// Save and Load write and read notebook files for %save and %load. Load returns the sources of the code cells.
	Save func(path string, cells []Cell) error
	Load func(path string) ([]string, error)

	// Cells returns the sources of the code cells of a text in the percent format. Nil takes the text for one cell.
	Cells func(src string) []string
}

// Capture is a running redirection. Stderr is the standard error as it was before.
type Capture interface {
	Flush()
	Close() error
	Stderr() *os.File
}

// Cell is a cell that has run.
type Cell struct {
	Count   int
	Source  string
	Outputs []Output
}

// Output is a part of what a cell gave: one of text that it printed, a value that it displayed, its failure.
type Output struct {
	Stream, Text string         // "stdout" or "stderr", and what was written
	Value        display.Bundle // of display.Show, or the cell's result when Result is set
	Result       bool
	Failure      *interp.Error
}

// ExitError ends Run with the status that the process should have. What there was to say has been printed.
type ExitError struct{ Code int }

func (e *ExitError) Error() string { return fmt.Sprintf("exit status %d", e.Code) }

// Run reads and runs cells until the input ends. From a terminal, a failed cell is shown and the next one is read; from
// anything else, the first failure ends the input, unless o says otherwise, and is returned as an *ExitError.
func Run(o Options) error {
	r := &repl{Options: o, onScreen: term.IsTerminal(int(o.Out.Fd()))}
	r.color = r.drawable() && os.Getenv("NO_COLOR") == ""
	if r.Graphics == "" {
		r.Graphics = GraphicsAuto
	}
	if r.Cells == nil {
		r.Cells = func(src string) []string { return []string{src} }
	}
	r.terminal = new(answers)
	r.view.Store(new(view))
	r.screen.out, r.screen.err = o.Out, os.Stderr
	display.SetPublisher(r)
	r.addCommands()
	if r.interacting() {
		if r.drawable() {
			return r.interactive()
		}
		return r.plain()
	}
	run := r.batch
	switch {
	case o.File != "":
		run = r.script
	case len(o.Code) > 0:
		run = func() error { return r.each(r.Code) }
	}
	err := run()
	if lost := r.screen.failure(); err == nil && lost != nil {
		return fmt.Errorf("what cells gave is lost: %w", lost)
	}
	return err
}

// drawable reports whether the output is a terminal that understands more than lines of text.
func (r *repl) drawable() bool {
	name := os.Getenv("TERM")
	return r.onScreen && !r.Plain && name != "" && name != "dumb"
}

type repl struct {
	Options
	onScreen bool // the output is a terminal
	color    bool
	terminal *answers             // what it has said; only the goroutine that runs the cells may look
	view     atomic.Pointer[view] // what it was like when the running cell began

	screen  screen
	capture Capture // nil when streams are not redirected
	stdin   stdin   // of cells, when a line editor has the terminal between them
	cells   []Cell  // those that have run
	leave   bool    // a command wants the session to end
	noPager bool
}

// Publish prints what a cell displays before it ends.
func (r *repl) Publish(b display.Bundle) {
	r.flush()
	r.screen.record(Output{Value: kept(b)})
	r.show(b)
}

// DrawLine makes the REPL a display.Liner, for bars that show how far work has come.
func (r *repl) DrawLine(text string, last bool) bool {
	if !r.drawable() {
		return false
	}
	r.flush()
	if last && text != "" {
		r.screen.record(Output{Value: display.Text(text)})
	}
	return r.screen.line(text, last)
}

// count is the number of the next cell.
func (r *repl) count() int { return len(r.cells) + 1 }

// run runs one cell or command and shows what comes of it; Ctrl-C interrupts it. The error is what a batch ends with.
func (r *repl) run(src string) error {
	if strings.TrimSpace(src) == "" {
		return nil
	}
	if isCommand(src) && !r.declared(plainWord(src)) {
		return r.command(src)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	n := r.count()
	r.fit()
	back := r.stdin.lend()
	defer back()
	defer context.AfterFunc(ctx, back)() // a read that waits does not outlive an interrupt
	b, err := r.Session.Run(ctx, n, src)
	r.flush()
	var failure *interp.Error
	if errors.As(err, &failure) {
		r.screen.record(Output{Failure: failure})
	} else if err == nil && !b.Empty() {
		r.screen.record(Output{Value: kept(b), Result: true})
	}
	r.cells = append(r.cells, Cell{Count: n, Source: src, Outputs: r.screen.recorded()})
	switch {
	case failure != nil:
		return r.failed(failure)
	case err != nil:
		return r.fail(err)
	case !b.Empty():
		r.result(b, asksForText(src))
	}
	return nil
}

// declared reports whether a cell has declared a name: quit and its like are commands only where they are nothing else.
func (r *repl) declared(name string) bool {
	_, ok := r.Session.Names()[name]
	return ok
}

// failed shows the failure of a cell.
func (r *repl) failed(e *interp.Error) error {
	var code int
	if _, err := fmt.Sscanf(e.Message, "os.Exit(%d)", &code); err == nil && e.Kind == interp.Exit && !r.interacting() && !r.KeepGoing {
		return &ExitError{code} // a program's own way to end is not a failure to speak of
	}
	if e.Kind == interp.Interrupted {
		r.screen.complain("\n") // the terminal has written ^C
	}
	lines := e.Lines(r.color)
	if r.drawable() {
		for i, l := range lines {
			if !strings.HasPrefix(l, "    ") { // not a source line, nor the caret below it
				lines[i] = display.Wrap(l, r.width())
			}
		}
	}
	r.screen.complain(strings.Join(lines, "\n") + "\n")
	if e.Kind == interp.Interrupted {
		return &ExitError{130} // as shells report SIGINT
	}
	return &ExitError{1}
}

// fail shows an error that is not a cell's.
func (r *repl) fail(err error) error {
	r.screen.complain(r.paint("\x1b[31m", err.Error()) + "\n")
	return &ExitError{1}
}

// interacting reports whether somebody types the cells.
func (r *repl) interacting() bool {
	return r.File == "" && len(r.Code) == 0 && term.IsTerminal(int(r.In.Fd()))
}

// flush waits for what the cell has written to reach the screen.
func (r *repl) flush() {
	if r.capture != nil {
		r.capture.Flush()
	}
}

func (r *repl) paint(code, s string) string {
	if !r.color {
		return s
	}
	return code + s + "\x1b[0m"
}
