package repl

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"sync"
	"sync/atomic"
	"syscall"

	"src.elv.sh/pkg/cli"
	"src.elv.sh/pkg/cli/term"
)

// tty is a terminal that hands over a paste in one piece, answers questions about itself, and finds its line again when
// the window has become narrower.
type tty struct {
	cli.TTY
	replies
	questions string // asked once
	out       io.Writer
	pasted    string
	signals   chan os.Signal
	stopped   bool        // the shell has stopped the process while a line was edited
	resumed   atomic.Bool // it goes on, and the line is to be drawn anew

	mu      sync.Mutex
	restore func()
}

// pasteEvent stands for what tty.pasted holds. No terminal sends it.
var pasteEvent = term.K(-5000)

// Setup prepares the terminal for a line, the first time also by asking what it can: only now it does not echo the
// answers.
func (t *tty) Setup() (restore func(), err error) {
	if err = t.prepare(); err == nil {
		t.ask(t.out, t.questions)
		t.questions = ""
	}
	return func() { t.giveBack() }, err
}

func (t *tty) prepare() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	restore, err := t.TTY.Setup()
	t.restore = restore
	return err
}

// giveBack makes the terminal what it was before Setup, and reports whether it was different.
func (t *tty) giveBack() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.restore == nil {
		return false
	}
	t.restore()
	t.restore = nil
	return true
}

// ReadEvent collects what comes between the marks of a bracketed paste. Keys that are not text are dropped from it.
func (t *tty) ReadEvent() (term.Event, error) {
	event, err := t.TTY.ReadEvent()
	for t.take(event, err, t.TTY.ReadEvent) {
		event, err = t.TTY.ReadEvent()
	}
	if start, ok := event.(term.PasteSetting); err != nil || !ok || !bool(start) {
		return event, err
	}
	var text []rune
	for {
		event, err := t.TTY.ReadEvent()
		switch event := event.(type) {
		case term.KeyEvent:
			if event.Mod == 0 && event.Rune >= 0 {
				text = append(text, event.Rune)
			}
		case term.PasteSetting:
			t.pasted = string(text)
			return pasteEvent, nil
		}
		if err != nil && (errors.Is(err, term.ErrStopped) || !term.IsReadErrorRecoverable(err)) {
			return event, err
		}
	}
}

// NotifySignals relays what the editor knows to handle, and a request to end as the loss of the terminal, so that the
// terminal is put in order in either case. Other signals keep their meaning.
func (t *tty) NotifySignals() <-chan os.Signal {
	in, out := make(chan os.Signal, 16), make(chan os.Signal, 16)
	t.signals = in
	signal.Notify(in, append(windowSignals, os.Interrupt, syscall.SIGHUP, syscall.SIGTERM)...)
	go func() {
		defer close(out)
		for s := range in {
			if s == syscall.SIGTERM {
				s = syscall.SIGHUP
			}
			out <- s
		}
	}()
	return out
}

// StopSignals ends NotifySignals.
func (t *tty) StopSignals() {
	signal.Stop(t.signals)
	close(t.signals)
}

// handleJobs makes Ctrl-Z leave the shell a terminal in order, and draws the line anew when the process goes on. It
// serves the cells too: who has once been told of these signals must obey them for ever, as Go does not give their
// meaning back.
func (t *tty) handleJobs(redraw func()) (end func()) {
	if len(jobSignals) == 0 { // none would stand for all
		return func() {}
	}
	in := make(chan os.Signal, 4)
	signal.Notify(in, jobSignals...)
	go func() {
		for s := range in {
			if isStop(s) {
				t.stopped = t.giveBack()
				suspend()
			} else if t.stopped {
				t.stopped = false
				if t.prepare() == nil {
					t.resumed.Store(true)
					redraw()
				}
			}
		}
	}()
	return func() { signal.Stop(in); close(in) }
}

// UpdateBuffer draws. Terminals break lines that have become too long for the window, which moves the cursor away from
// the beginning of what was drawn by more lines than the writer knows of.
func (t *tty) UpdateBuffer(notes, b *term.Buffer, full bool) error {
	if t.resumed.Swap(false) {
		t.ResetBuffer()
		full = true
	}
	if old := t.Buffer(); b.Width < old.Width {
		if more := broken(old, b.Width); more > 0 {
			fmt.Fprintf(t.out, "\x1b[%dA", more)
		}
	}
	return t.TTY.UpdateBuffer(notes, b, full)
}

// broken is how many more lines those of b before the cursor take when no line may be wider than width.
func broken(b *term.Buffer, width int) int {
	more := b.Dot.Col / width
	for _, line := range b.Lines[:b.Dot.Line] {
		more += max(0, term.CellsWidth(line)-1) / width
	}
	return more
}
