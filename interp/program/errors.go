package program

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/arrayrepl/arrayrepl/internal/lazyregexp"
	"github.com/arrayrepl/arrayrepl/interp"
)

// Status is the exit status of a program that failed, as the go command's programs have it: 2 for a panic, 1 for one
// that does not compile.
func Status(err *interp.Error) int {
	switch err.Kind {
	case interp.Interrupted:
		return 130
	case interp.Panic, interp.StackLimit:
		return 2
	}
	return 1
}

// cellLine is how errors name a line of the one cell that the program is.
var cellLine = lazyregexp.New(`cell 1, line (\d+)(?:, column (\d+))?|\(cell 1\)`)

// Lines renders an error for a person, with the files and lines of the program.
func (p *Program) Lines(e *interp.Error) []string {
	var out []string
	if e.Kind == interp.CompileError {
		for _, d := range e.Diagnostics {
			name, line := p.Where(d.Line)
			out = append(out, fmt.Sprintf("%s:%d:%d: %s", name, line, d.Column, p.plain(d.Message)), "    "+p.text(d.Line))
		}
		return out
	}
	head := e.Message
	if e.Kind == interp.Panic || e.Kind == interp.EngineError {
		head = e.Kind + ": " + head
	}
	out = append(out, strings.Split(p.plain(head), "\n")...)
	for i, f := range e.Trace {
		switch {
		case i > 0 && f == e.Trace[i-1]:
			continue // a recursion
		case f.Func == "" && i > 0 && e.Trace[i-1].Func == "main":
			continue // what calls main is not the user's
		}
		text := "    " + f.String()
		if f.File == "" {
			name, line := p.Where(f.Line)
			text = fmt.Sprintf("    %s:%d", name, line)
		}
		if f.File == "" && f.Func != "" {
			text += ", in " + f.Func
		}
		if f.File == "" && f.Note != "" {
			text += ", " + f.Note
		}
		out = append(out, text)
	}
	return out
}

// plain puts files in the place of the cell.
func (p *Program) plain(msg string) string {
	return cellLine.ReplaceAllStringFunc(msg, func(m string) string {
		part := cellLine.FindStringSubmatch(m)
		line, err := strconv.Atoi(part[1])
		if err != nil {
			return ""
		}
		name, line := p.Where(line)
		where := fmt.Sprintf("%s:%d", name, line)
		if part[2] != "" {
			where += ":" + part[2]
		}
		return where
	})
}
