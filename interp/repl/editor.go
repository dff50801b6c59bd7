package repl

import (
	"errors"
	"io"
	"os"
	"os/signal"

	"src.elv.sh/pkg/cli"
	"src.elv.sh/pkg/cli/term"
	"src.elv.sh/pkg/cli/tk"
	"src.elv.sh/pkg/ui"

	"github.com/arrayrepl/arrayrepl/interp/magic"
	"github.com/arrayrepl/arrayrepl/kernel/display"
)

// editor edits one cell after the other in the terminal.
type editor struct {
	app      cli.App
	session  *magic.Session
	history  *history
	commands map[term.Event]func(*editor, tk.CodeArea)

	tty    *tty
	prompt func() ui.Text
	walk   walk   // through the history
	killed string // for Ctrl-Y
	undos  undos
}

// newEditor makes an editor that reads from in and draws on out. After is called when a line has left its hands.
func newEditor(s *magic.Session, h *history, in, out *os.File, prompt func() ui.Text, after func()) *editor {
	e := &editor{session: s, history: h, commands: commandKeys(), prompt: prompt, tty: &tty{TTY: cli.NewTTY(in, out), out: out}}
	e.app = cli.NewApp(cli.AppSpec{
		TTY:              e.tty,
		Prompt:           promptOf{prompt},
		Highlighter:      &highlighter{tip: e.tip},
		CodeAreaBindings: tk.FuncBindings(e.handleCode),
		GlobalBindings:   tk.FuncBindings(e.handleRest),
		AfterReadline:    []func(string){func(string) { after() }},
	})
	return e
}

// read edits a cell until it is entered. The error is io.EOF when there will be no more.
func (e *editor) read() (string, error) {
	e.walk, e.undos = walk{}, undos{}
	return e.app.ReadCode()
}

// handleCode handles a key in the code; false lets the widget insert it.
func (e *editor) handleCode(w tk.Widget, event term.Event) bool {
	code := w.(tk.CodeArea)
	e.undos.note(code.CopyState().Buffer, event)
	if m := moveKeys[event]; m != nil {
		code.MutateState(func(s *tk.CodeAreaState) { s.Buffer.Dot = m(s.Buffer.Content, s.Buffer.Dot) })
		return true
	}
	m, kill := killKeys[event]
	if !kill {
		m = deleteKeys[event]
	}
	if m != nil {
		if cut := cut(code, m); kill && cut != "" {
			e.killed = cut
		}
		return true
	}
	if f := e.commands[event]; f != nil {
		f(e, code)
		return true
	}
	return false
}

// cut deletes what lies between the cursor and the place that m leads to, and returns it.
func cut(code tk.CodeArea, m move) (text string) {
	code.MutateState(func(s *tk.CodeAreaState) {
		b := &s.Buffer
		to := m(b.Content, b.Dot)
		from, to := min(b.Dot, to), max(b.Dot, to)
		text = b.Content[from:to]
		b.Content, b.Dot = b.Content[:from]+b.Content[to:], from
	})
	return text
}

// handleRest handles what nobody else did: the terminal's end, and keys that leave a list. Others mean nothing.
func (e *editor) handleRest(_ tk.Widget, event term.Event) bool {
	switch event := event.(type) {
	case term.FatalErrorEvent:
		e.app.CommitEOF()
	case term.KeyEvent:
		if event == term.K('[', ui.Ctrl) || event == term.K('G', ui.Ctrl) {
			e.app.PopAddon()
		}
	}
	return true
}

// promptOf is a prompt that is computed each time.
type promptOf struct{ text func() ui.Text }

func (p promptOf) Trigger(bool)                 {}
func (p promptOf) Get() ui.Text                 { return p.text() }
func (p promptOf) LateUpdates() <-chan struct{} { return nil }

// interactive edits cells in the terminal.
func (r *repl) interactive() error {
	ui.NoColor = !r.color
	terminal := r.Out
	if r.Capture != nil {
		c, err := r.Capture(r.screen.stream)
		if err != nil {
			return err
		}
		defer c.Close()
		r.capture, terminal = c, c.Stderr()
		r.Out, r.screen.out, r.screen.err = terminal, terminal, terminal
	}
	r.stdin = openStdin()
	h, err := openHistory(r.HistoryFile)
	if err != nil {
		r.screen.complain("The history is not kept: " + err.Error() + "\n")
	}
	// Between two cells nobody else may be listening, and a late Ctrl-C would end the process.
	late := make(chan os.Signal, 1)
	signal.Notify(late, os.Interrupt)
	defer signal.Stop(late)

	r.screen.print(display.Wrap(r.Banner, r.width()) + "\n")
	e := newEditor(r.Session, h, r.In, terminal, r.prompt, func() { r.screen.edit(nil) })
	defer e.tty.handleJobs(e.app.RedrawFull)()
	e.tty.questions, r.terminal = r.questions(), &e.tty.answers
	for !r.leave {
		r.screen.edit(e.app)
		src, err := e.read()
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		}
		if err := h.add(src); err != nil {
			r.screen.complain("The history is not kept: " + err.Error() + "\n")
		}
		r.run(src) // a failure has been shown; the next cell is read
	}
	return nil
}

func (r *repl) prompt() ui.Text { return ui.T(r.promptText(), ui.FgGreen, ui.Bold) }
