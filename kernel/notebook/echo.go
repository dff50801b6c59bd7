package notebook

import (
	"fmt"
	"io"
	"strings"

	"github.com/arrayrepl/arrayrepl/kernel/display"
)

// echo prints the plain text of outputs while cells run. Its methods do nothing on nil. The owner's lock guards it.
type echo struct {
	stdout, stderr io.Writer
	open           bool             // the last line of stdout has no end
	held           []map[string]any // outputs that may still change: printed when the cell ends
}

func (e *echo) stream(name, text string) {
	switch {
	case e == nil:
	case name == "stderr":
		io.WriteString(e.stderr, text)
	default:
		io.WriteString(e.stdout, text)
		e.open = !strings.HasSuffix(text, "\n")
	}
}

func (e *echo) output(out map[string]any, changes bool) {
	switch {
	case e == nil:
	case changes:
		e.held = append(e.held, out)
	default:
		e.print(out)
	}
}

func (e *echo) print(out map[string]any) {
	data, _ := out["data"].(map[string]any)
	text, _ := data[display.TypeText].(string)
	if text = strings.TrimRight(text, "\n"); text == "" {
		return
	}
	e.endLine()
	fmt.Fprintln(e.stdout, text)
}

func (e *echo) endCell() {
	if e == nil {
		return
	}
	for _, out := range e.held {
		e.print(out)
	}
	e.held = nil
	e.endLine()
}

func (e *echo) endLine() {
	if e.open {
		fmt.Fprintln(e.stdout)
		e.open = false
	}
}

// failure prints the error of a cell that the run goes on after.
func (e *echo) failure(lines []string) {
	if e != nil {
		fmt.Fprintln(e.stderr, strings.Join(lines, "\n"))
	}
}
