package magic

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/arrayrepl/arrayrepl/interp"
	"github.com/arrayrepl/arrayrepl/kernel/display"
)

// Failed is the kind of the error of a magic that could not do its work.
const Failed = "MagicError"

// Call is one use of a magic.
type Call struct {
	*Session
	Name string // as in the table
	Arg  string // the rest of the line, blanks trimmed
	Body string // of a %% magic: the lines after the first

	ctx       context.Context
	cell      interp.Cell
	line      int  // of the magic in the cell, from 1
	argColumn int  // of Arg in code points, from 1
	more      bool // of ??

	*cellState
}

// cellState is what the parts of a cell tell those that follow.
type cellState struct {
	program   bool      // as GoNB has them
	main      bool      // the program's func main is to be called
	functions []string  // the functions that the cell has declared
	asks      asking    // of the next command
	captured  io.Writer // gets a copy of what the cell shows; nil for none
	cleanup   []func()  // to be done when the cell has ended
}

// inner is the use of a magic in the cell.
func (c *Call) inner(m *magicText, line int) *Call {
	return &Call{
		Session: c.Session, ctx: c.ctx, cell: c.cell, cellState: c.cellState,
		Name: m.name, Arg: m.arg, Body: m.body, line: line, argColumn: m.argColumn, more: m.more,
	}
}

// end does what is to be done at the cell's end, the last thing first.
func (c *Call) end() {
	for _, f := range slices.Backward(c.cleanup) {
		f()
	}
}

// Printf writes to the cell's output.
func (c *Call) Printf(format string, args ...any) { fmt.Fprintf(c.stdout(), format, args...) }

func (c *Call) stdout() io.Writer { return c.Stream(c.ctx, "stdout") }
func (c *Call) stderr() io.Writer { return c.Stream(c.ctx, "stderr") }

// goCode runs Go that stands at that place of the cell.
func (c *Call) goCode(src string, line, column int, begin func() func()) (display.Bundle, error) {
	return c.wrapped("", src, "", line, column, begin)
}

// wrapped runs Go that stands at that place of the cell between a head and a tail that the user did not write: errors
// show the user's lines and columns.
func (c *Call) wrapped(head, src, tail string, line, column int, begin func() func()) (display.Bundle, error) {
	cell := c.cell
	cell.Begin = begin
	shift := 0
	if column == 1 && line > 1 && head != "" { // there is a line for the head
		cell.Source = strings.Repeat("\n", line-2) + head + "\n" + src + tail
	} else {
		pad := max(0, column-1-len(head))
		shift = column - 1 - len(head) - pad
		cell.Source = strings.Repeat("\n", line-1) + strings.Repeat(" ", pad) + head + src + tail
	}
	b, err := c.runGo(c.ctx, cell)
	return b, c.asWritten(err, line, shift)
}

// asWritten lets a compile error show the cell's lines; those of one line were moved by shift columns.
func (c *Call) asWritten(err error, line, shift int) error {
	var failed *interp.Error
	if errors.As(err, &failed) && len(failed.Diagnostics) > 0 {
		for i := range failed.Diagnostics {
			d := &failed.Diagnostics[i]
			if d.Line == line {
				d.Column = max(1, d.Column+shift)
			}
			d.Source = lineOf(c.cell.Source, d.Line)
		}
		more := ""
		if n := len(failed.Diagnostics); n > 1 {
			more = fmt.Sprintf(" (and %d more)", n-1)
		}
		failed.Message = failed.Diagnostics[0].String() + more
	}
	return err
}

// failure makes the cell's error of what a magic returned, with the magic's name and line.
func (c *Call) failure(err error) error {
	var failed *interp.Error
	if err == nil || errors.As(err, &failed) {
		return err
	}
	if c.ctx.Err() != nil {
		return interrupted()
	}
	msg := err.Error()
	if strings.HasPrefix(c.Name, "%") {
		msg = c.Name + ": " + msg
	}
	return &interp.Error{
		Kind: Failed, Message: msg, Value: err,
		Trace: []interp.Frame{{Cell: c.cell.Number, Line: c.line}},
	}
}
