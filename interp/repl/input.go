package repl

import (
	"errors"
	"fmt"
	"os"
	"time"

	"golang.org/x/term"

	"github.com/arrayrepl/arrayrepl/kernel/display"
)

// stdin is the terminal as cells read it. It is opened anew so that a read can be ended: one that outlived its cell
// would take keys from the next prompt.
type stdin struct{ file *os.File }

// openStdin puts the terminal in the place of os.Stdin. Where it cannot, cells keep the stream they had.
func openStdin() stdin {
	f, err := os.Open("/dev/tty")
	if err != nil || f.SetReadDeadline(time.Now()) != nil {
		return stdin{}
	}
	os.Stdin = f
	return stdin{f}
}

// lend lets cells read until the returned function is called.
func (s stdin) lend() (back func()) {
	if s.file == nil {
		return func() {}
	}
	s.file.SetReadDeadline(time.Time{})
	return func() { s.file.SetReadDeadline(time.Now()) }
}

var errInputEnded = errors.New("the input has ended")

// Input asks who sits at the terminal for a line, as display.Input does for cells.
func (r *repl) Input(prompt string, password bool) (string, error) {
	if r.stdin.file == nil {
		return "", display.ErrNoInput
	}
	r.flush()
	r.screen.print(prompt)
	if password {
		state, err := term.MakeRaw(int(r.In.Fd()))
		if err != nil {
			return "", err
		}
		defer func() { term.Restore(int(r.In.Fd()), state); r.screen.print("\n") }()
	}
	var line []byte
	for {
		var b [1]byte
		if _, err := r.stdin.file.Read(b[:]); err != nil {
			return "", fmt.Errorf("reading from the terminal: %w", err)
		}
		switch c := b[0]; {
		case c == '\n' || c == '\r':
			return string(line), nil
		case password && (c == 3 || c == 4): // Ctrl-C and Ctrl-D are but bytes then
			return "", errInputEnded
		case password && (c == 8 || c == 127):
			line = line[:max(0, len(line)-1)]
		default:
			line = append(line, c)
		}
	}
}
