package repl

import (
	"errors"
	"fmt"
	"go/parser"
	"go/scanner"
	"go/token"
	"slices"
	"strings"

	"src.elv.sh/pkg/cli/tk"
	"src.elv.sh/pkg/ui"

	"github.com/arrayrepl/arrayrepl/kernel/display"
)

// enter runs the cell when it is whole and the cursor is at its end or on its only line; else it begins a new line.
func (e *editor) enter(code tk.CodeArea) {
	b := code.CopyState().Buffer
	atEnd := strings.TrimSpace(b.Content[b.Dot:]) == ""
	if (atEnd || !strings.Contains(b.Content, "\n")) && e.whole(b.Content) {
		if atEnd { // no blank lines in the history
			code.MutateState(func(s *tk.CodeAreaState) {
				s.Buffer.Content = strings.TrimRight(s.Buffer.Content, " \n")
				s.Buffer.Dot = len(s.Buffer.Content)
			})
		}
		e.app.CommitCode()
		return
	}
	if text := commaMissing(b.Content[:b.Dot]); text != "" && atEnd {
		_, width := e.tty.Size()
		e.app.PushAddon(&note{tk.Label{Content: ui.T(display.Wrap(text, width), ui.Dim)}, e, code})
		return
	}
	e.newLine(code)
}

// commaMissing says what the parser wants before the end of src, when a line's end there can only be wrong: behind an
// element of a list that has no comma yet, Go puts a semicolon.
func commaMissing(src string) string {
	var open []byte // the brackets that close what is open
	for _, t := range tokens(src) {
		switch t.tok {
		case token.LPAREN:
			open = append(open, ')')
		case token.LBRACK:
			open = append(open, ']')
		case token.LBRACE:
			open = append(open, '}')
		case token.RPAREN, token.RBRACK, token.RBRACE:
			open = open[:max(0, len(open)-1)]
		}
	}
	if len(open) == 0 {
		return ""
	}
	slices.Reverse(open)
	for _, around := range [][2]string{{"package p; func _() {", "\n}"}, {"package p; ", ""}} {
		_, err := parser.ParseFile(token.NewFileSet(), "", around[0]+src+"\n"+string(open)+around[1], 0)
		var errs scanner.ErrorList
		if errors.As(err, &errs) && strings.Contains(errs[0].Msg, "newline") && errs[0].Pos.Offset >= len(around[0]+strings.TrimRight(src, " \n")) {
			return fmt.Sprintf("The line cannot end here: %s. Go on, or close the %c first.", errs[0].Msg, openingOf[open[0]])
		}
	}
	return ""
}

var openingOf = map[byte]byte{')': '(', ']': '[', '}': '{'}

// whole reports whether src can be run, or is wrong in a way that more lines cannot mend.
func (e *editor) whole(src string) bool {
	if isCommand(src) || brokenLiteral(src) {
		return true
	}
	status, _ := e.session.IsComplete(src)
	return status != "incomplete"
}

// brokenLiteral reports whether a string in quotes or a character ends with its line: no further line mends that, also
// when a bracket is open.
func brokenLiteral(src string) bool {
	broken := false
	var sc scanner.Scanner
	sc.Init(token.NewFileSet().AddFile("", -1, len(src)), []byte(src), func(_ token.Position, msg string) {
		broken = broken || msg == "string literal not terminated" || msg == "rune literal not terminated"
	}, 0)
	for tok := token.ILLEGAL; tok != token.EOF; {
		_, tok, _ = sc.Scan()
	}
	return broken
}

// newLine begins a line with the indentation that belongs there.
func (e *editor) newLine(code tk.CodeArea) {
	b := code.CopyState().Buffer
	_, indent := e.session.IsComplete(b.Content[:b.Dot])
	rest := strings.TrimLeft(b.Content[b.Dot:lineEnd(b.Content, b.Dot)], " ")
	if rest != "" && strings.ContainsRune(")]}", rune(rest[0])) {
		indent = strings.TrimSuffix(indent, "\t")
	}
	code.MutateState(func(s *tk.CodeAreaState) {
		s.Buffer.InsertAtDot("\n" + strings.ReplaceAll(indent, "\t", tab))
		skip := len(s.Buffer.Content[s.Buffer.Dot:]) - len(strings.TrimLeft(s.Buffer.Content[s.Buffer.Dot:], " "))
		s.Buffer.Content = s.Buffer.Content[:s.Buffer.Dot] + s.Buffer.Content[s.Buffer.Dot+skip:]
	})
}

// closeWith inserts a closing bracket, one step further left when it begins its line.
func closeWith(bracket string) func(*editor, tk.CodeArea) {
	return func(_ *editor, code tk.CodeArea) {
		code.MutateState(func(s *tk.CodeAreaState) {
			b := &s.Buffer
			before := b.Content[lineStart(b.Content, b.Dot):b.Dot]
			if n := b.Dot - len(tab); strings.HasSuffix(before, tab) && strings.Trim(before, " ") == "" {
				b.Content, b.Dot = b.Content[:n]+b.Content[b.Dot:], n
			}
			b.InsertAtDot(bracket)
		})
	}
}

// insertPaste inserts pasted text as it came, but for blanks around it when it is the whole cell.
func (e *editor) insertPaste(code tk.CodeArea) {
	text := spaces(strings.ReplaceAll(e.tty.pasted, "\r", "\n"))
	e.tty.pasted = ""
	code.MutateState(func(s *tk.CodeAreaState) {
		if s.Buffer.Content == "" {
			text = strings.Trim(text, "\n")
		}
		s.Buffer.InsertAtDot(text)
	})
}

// leaveOrDelete is Ctrl-D: at an empty prompt it ends the session, else it deletes a character.
func (e *editor) leaveOrDelete(code tk.CodeArea) {
	if code.CopyState().Buffer.Content == "" {
		e.app.CommitEOF()
		return
	}
	cut(code, right)
}

// clear is Ctrl-L.
func (e *editor) clear(tk.CodeArea) {
	e.tty.ClearScreen()
	e.tty.ResetBuffer()
	e.app.RedrawFull()
}

// yank brings back what was killed last.
func (e *editor) yank(code tk.CodeArea) {
	code.MutateState(func(s *tk.CodeAreaState) { s.Buffer.InsertAtDot(e.killed) })
}

// tip helps who waits for a cell to run that is not at its end.
func (e *editor) tip(src string) ui.Text {
	lines := strings.Split(src, "\n")
	if n := len(lines); n < 3 || strings.TrimSpace(lines[n-1]+lines[n-2]) != "" || e.whole(src) {
		return nil
	}
	return ui.T("The cell is not at its end: something is still open. Ctrl-C drops it.", ui.Dim)
}
