package magic

import (
	"bytes"
	"errors"
	"fmt"
	"go/token"
	"io"

	"github.com/arrayrepl/arrayrepl/interp"
	"github.com/arrayrepl/arrayrepl/kernel/display"
)

// forms are the magics that display the rest of the cell as what they name.
var forms = map[string]func(string) display.Bundle{
	"%%html": display.HTML, "%%markdown": display.Markdown, "%%svg": display.SVG, "%%latex": display.LaTeX, "%%javascript": display.JavaScript,
}

func displayCell(c *Call) (display.Bundle, error) { return forms[c.Name](c.Body), nil }

// captureCell is %%capture: what the cell below it writes and displays becomes the value of a variable. What was
// captured before a failure is kept, too.
func captureCell(c *Call) (display.Bundle, error) {
	if c.Arg != "" && !token.IsIdentifier(c.Arg) {
		return display.Bundle{}, fmt.Errorf("%q is not a name for a variable", c.Arg)
	}
	var out, errs bytes.Buffer
	got := &display.Captured{}
	streams := []io.Writer{&lockedWriter{w: &out}, &lockedWriter{w: &errs}}
	end, err := c.divert(func(io.Writer) io.Writer {
		to := streams[0]
		streams = streams[1:]
		return to
	})
	if err != nil {
		return display.Bundle{}, err
	}
	stop := display.Intercept(func(outputs []display.Bundle) { got.Outputs = outputs })
	last, failed := c.nested(c.Body, c.line+1)
	stop()
	end()
	if failed == nil && !last.Empty() {
		got.Outputs = append(got.Outputs, last)
	}
	got.Stdout, got.Stderr = out.String(), errs.String()
	if c.Arg != "" {
		display.SetCaptured(got)
		defer display.SetCaptured(nil)
		// The program's sessions have package display; where a cell has hidden its name, the compiler says so.
		set := interp.Cell{Number: c.cell.Number, Input: c.cell.Source, Source: c.Arg + " := display.LastCaptured()"}
		if _, err := c.runGo(c.ctx, set); err != nil {
			return display.Bundle{}, errors.Join(failed, err)
		}
	}
	return display.Bundle{}, failed
}
