package repl

import (
	"go/token"
	"go/types"

	"src.elv.sh/pkg/ui"
)

// styles are the colours of Go code, those of the eight that every terminal has.
var styles = map[token.Token]ui.Styling{
	token.COMMENT: ui.FgBrightBlack,
	token.STRING:  ui.FgGreen,
	token.CHAR:    ui.FgGreen,
	token.INT:     ui.FgCyan,
	token.FLOAT:   ui.FgCyan,
	token.IMAG:    ui.FgCyan,
}

var (
	keywordStyle     = ui.FgMagenta
	predeclaredStyle = ui.FgBlue
)

// highlight colours Go code, right or not yet.
func highlight(src string) ui.Text {
	var b ui.TextBuilder
	at := 0
	for _, t := range tokens(src) {
		style := styles[t.tok]
		switch {
		case t.tok.IsKeyword():
			style = keywordStyle
		case t.tok == token.IDENT && types.Universe.Lookup(src[t.start:t.end]) != nil:
			style = predeclaredStyle
		}
		if style == nil {
			continue
		}
		b.WriteText(ui.T(src[at:t.start]))
		b.WriteText(ui.T(src[t.start:t.end], style))
		at = t.end
	}
	b.WriteText(ui.T(src[at:]))
	return b.Text()
}

// highlighter colours the cell under edit; the editor asks several times for each key.
type highlighter struct {
	tip  func(string) ui.Text
	src  string
	text ui.Text
	tips []ui.Text
}

// Get returns the coloured code and what is said below it.
func (h *highlighter) Get(src string) (ui.Text, []ui.Text) {
	if src != h.src || h.text == nil {
		h.src, h.text, h.tips = src, highlight(src), nil
		if t := h.tip(src); t != nil {
			h.tips = []ui.Text{t}
		}
	}
	return h.text, h.tips
}

// LateUpdates is nil: Get has the last word.
func (h *highlighter) LateUpdates() <-chan struct{} { return nil }
