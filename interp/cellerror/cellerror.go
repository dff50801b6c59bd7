// Package cellerror has the error of a cell: what was wrong, on which lines of cells, and how a person reads it. It
// knows neither the session nor what runs the cell.
package cellerror

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/arrayrepl/arrayrepl/interp/engine"
	"github.com/arrayrepl/arrayrepl/kernel/display"
)

// Kinds of Error.
const (
	CompileError = "CompileError" // the cell was not run; Diagnostics says why
	Panic        = "panic"        // the cell, or a goroutine of it, panicked
	Interrupted  = "Interrupted"  // the cell's context ended
	Exit         = "Exit"         // the cell called os.Exit, log.Fatal or runtime.Goexit
	MemoryLimit  = "MemoryLimit"  // the cell took more memory than interp.Session.SetMemoryLimit allows
	StackLimit   = "StackLimit"   // the cell's calls were nested too deep
	CheckFailed  = "CheckFailed"  // the cell has called t, or an assertion with it, that failed
	EngineError  = "EngineError"  // the engine could not compile what the checker accepted
)

// MaxDiagnostics bounds how many compile errors are shown.
const MaxDiagnostics = 10

// Error is the failure of a cell. The session goes on with its variables.
type Error struct {
	Kind        string         // one of the constants above
	Message     string         // one line, or the panic's own text
	Diagnostics []Diagnostic   // of a CompileError, in the order of the text
	Trace       []engine.Frame // lines of cells, innermost first; empty when none is known
	Value       any            // what was panicked with, nil for other kinds
}

// Diagnostic is one compile error.
type Diagnostic struct {
	Cell, Line, Column int    // Column counts code points; all from 1
	Message            string // without the position
	Source             string // the text of the line
}

// Error returns the kind and the message in one line.
func (e *Error) Error() string { return e.Kind + ": " + e.Message }

// Unwrap returns the panic's value when it was an error.
func (e *Error) Unwrap() error {
	err, _ := e.Value.(error)
	return err
}

// String returns "cell 7, line 3, column 12: message".
func (d Diagnostic) String() string {
	return fmt.Sprintf("cell %d, line %d, column %d: %s", d.Cell, d.Line, d.Column, d.Message)
}

const (
	red   = "\x1b[31m"
	bold  = "\x1b[1m"
	faint = "\x1b[2m"
	plain = "\x1b[0m"
)

// Lines renders the error for a person, one line each: compile errors with their source lines and carets, or the
// message and the lines of cells that it passed through. With color the lines carry ANSI escapes.
func (e *Error) Lines(color bool) []string {
	paint := func(code, s string) string {
		if !color {
			return s
		}
		return code + s + plain
	}
	if e.Kind == CompileError && len(e.Diagnostics) > 0 {
		var out []string
		for _, d := range e.Diagnostics {
			where := fmt.Sprintf("cell %d, line %d, column %d: ", d.Cell, d.Line, d.Column)
			msg := strings.Split(d.Message, "\n")
			out = append(out, paint(bold, where)+paint(red, msg[0]))
			out = append(out, msg[1:]...)
			source, column := excerpt(d.Source, d.Column)
			out = append(out, "    "+source, "    "+caretIndent(source, column)+paint(red, "^"))
		}
		return out
	}
	head := e.Message
	if e.Kind == Panic || e.Kind == EngineError {
		head = e.Kind + ": " + e.Message
	}
	var out []string
	for _, line := range strings.Split(head, "\n") {
		out = append(out, paint(red, line))
	}
	for i := 0; i < len(e.Trace); {
		line, n := e.Trace[i].String(), 1
		for i+n < len(e.Trace) && e.Trace[i+n] == e.Trace[i] {
			n++
		}
		if n > 1 {
			line += ", and again"
		}
		out = append(out, "    "+paint(faint, line))
		i += n
	}
	return out
}

// maxExcerpt is how many characters of a source line are shown: the line may be a picture in base64.
const maxExcerpt = 120

// excerpt returns the part of a source line around a column that a person can read in one line of the screen, and the
// column in it. Control characters, which would do things to the screen, are shown as their pictures.
func excerpt(line string, column int) (string, int) {
	room := maxExcerpt
	if columns := display.CurrentScreen().Columns; columns > 0 {
		room = min(room, max(columns-len("    ")-1, 16))
	}
	chars := []rune(line)
	for i, r := range chars {
		switch {
		case r < ' ' && r != '\t':
			chars[i] = '␀' + r
		case r == 0x7f:
			chars[i] = '␡'
		case r != '\t' && unicode.IsControl(r):
			chars[i] = '�'
		}
	}
	if len(chars) <= room {
		return string(chars), column
	}
	from := min(max(column-1-room*2/3, 0), len(chars)-room)
	to := from + room
	out := slices.Clone(chars[from:to])
	if from > 0 {
		out[0] = '…'
	}
	if to < len(chars) {
		out[room-1] = '…'
	}
	return string(out), column - from
}

// caretIndent returns blanks as wide as the first column-1 characters of line: tabs stay tabs.
func caretIndent(line string, column int) string {
	var b strings.Builder
	for _, r := range line {
		if column--; column == 0 {
			break
		}
		if r != '\t' {
			r = ' '
		}
		b.WriteRune(r)
	}
	return b.String()
}

// Compile makes the error of a cell that was refused. It shortens the messages of diags.
func Compile(diags []Diagnostic) *Error {
	more := ""
	if n := len(diags) - MaxDiagnostics; n > 0 {
		more = fmt.Sprintf(" (and %d more errors)", n)
		diags = diags[:MaxDiagnostics]
	}
	if more == "" && len(diags) > 1 {
		more = fmt.Sprintf(" (and %d more)", len(diags)-1)
	}
	for i := range diags {
		diags[i].Message = shortened(diags[i].Message)
	}
	return &Error{Kind: CompileError, Message: diags[0].String() + more, Diagnostics: diags}
}

// maxMessage is how many bytes of a compiler's message are shown: it may quote an expression of any length.
const maxMessage = 2000

// shortened leaves out the middle of a long text.
func shortened(text string) string {
	if len(text) <= maxMessage {
		return text
	}
	head, tail := maxMessage*2/3, len(text)-maxMessage/3
	for !utf8.RuneStart(text[head]) {
		head--
	}
	for !utf8.RuneStart(text[tail]) {
		tail++
	}
	return text[:head] + " … " + text[tail:]
}
