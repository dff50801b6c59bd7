package repl

import (
	"strings"
	"unicode/utf8"

	"src.elv.sh/pkg/cli/term"
	"src.elv.sh/pkg/cli/tk"
	"src.elv.sh/pkg/ui"

	"github.com/arrayrepl/arrayrepl/interp"
)

// menuHeight is how many lines the names of a menu take at most.
const menuHeight = 6

// kindStyles colour the names in a menu by what they are.
var kindStyles = map[string]ui.Styling{
	"function": ui.FgYellow, "method": ui.FgYellow, "type": ui.FgBlue, "package": ui.FgCyan, "keyword": ui.FgMagenta,
}

// menu lists the names that may stand at the cursor, below the code. The selected one is shown in its place; above the
// list stand the call whose argument it would be, its declaration, and what its comment begins with. Letters narrow the
// list; any key that is not for the list takes the name and does its work.
type menu struct {
	tk.ListBox
	e     *editor
	code  tk.CodeArea
	from  int // byte offset of what a name replaces
	to    int
	call  *interp.Call // whose argument is being written, or nil
	about []ui.Text    // the selected name
}

// names are the items of a menu.
type names []interp.Match

func (n names) Len() int           { return len(n) }
func (n names) Show(i int) ui.Text { return ui.T(n[i].Text, kindStyles[n[i].Type]) }

// complete is Tab: it indents where nothing has been written yet, puts in the only name that fits, or opens a menu.
func (e *editor) complete(code tk.CodeArea) {
	b := code.CopyState().Buffer
	if before := b.Content[lineStart(b.Content, b.Dot):b.Dot]; strings.Trim(before, " ") == "" {
		code.MutateState(func(s *tk.CodeAreaState) { s.Buffer.InsertAtDot(tab[len(before)%len(tab):]) })
		return
	}
	from, c := e.matches(b)
	matches := c.Matches
	switch len(matches) {
	case 0:
		if text := callText(c.Call); text != nil {
			e.app.PushAddon(&note{tk.Label{Content: text}, e, code})
		}
		return
	case 1:
		code.MutateState(func(s *tk.CodeAreaState) {
			s.Buffer = tk.CodeBuffer{Content: b.Content[:from] + b.Content[b.Dot:], Dot: from}
			s.Buffer.InsertAtDot(matches[0].Text)
		})
		return
	}
	m := &menu{e: e, code: code, from: from, to: b.Dot, call: c.Call}
	m.ListBox = tk.NewListBox(tk.ListBoxSpec{
		Horizontal: true,
		OnSelect:   func(it tk.Items, i int) { m.pick(it.(names)[i]) },
		State:      tk.ListBoxState{Items: names(matches)},
	})
	e.app.PushAddon(m)
}

// matches returns the names that fit at the cursor and the byte offset of what they replace.
func (e *editor) matches(b tk.CodeBuffer) (from int, c interp.Completion) {
	c = e.session.Complete(b.Content, utf8.RuneCountInString(b.Content[:b.Dot]))
	for range c.Start {
		from = right(b.Content, from)
	}
	return from, c
}

// pick shows a name in its place, and what is known of it.
func (m *menu) pick(name interp.Match) {
	m.code.MutateState(func(s *tk.CodeAreaState) {
		s.Pending = tk.PendingCode{From: m.from, To: m.to, Content: name.Text}
	})
	m.about = nil
	if name.Signature != "" {
		m.about = append(m.about, highlight(name.Signature))
	} else {
		m.about = append(m.about, ui.T(name.Type+" "+name.Text, ui.Dim))
	}
	if name.Doc != "" {
		m.about = append(m.about, ui.T(name.Doc, ui.Dim))
	}
}

// callText is the declaration of a function with the parameter that is being written underlined.
func callText(c *interp.Call) ui.Text {
	if c == nil {
		return nil
	}
	i := strings.Index(c.Signature, c.Param)
	if c.Param == "" || i < 0 {
		return highlight(c.Signature)
	}
	end := i + len(c.Param)
	return ui.Concat(highlight(c.Signature[:i]), ui.T(c.Param, ui.Underlined), highlight(c.Signature[end:]))
}

// Handle moves in the list, narrows it, or takes the selected name.
func (m *menu) Handle(event term.Event) bool {
	switch event {
	case term.K(ui.Tab), term.K(ui.Down), term.K('N', ui.Ctrl):
		m.Select(tk.NextWrap)
		return true
	case term.K(ui.Tab, ui.Shift), term.K(ui.Up), term.K('P', ui.Ctrl):
		m.Select(tk.PrevWrap)
		return true
	case term.K(ui.Left):
		m.Select(tk.Left)
		return true
	case term.K(ui.Right):
		m.Select(tk.Right)
		return true
	case term.K('[', ui.Ctrl), term.K('G', ui.Ctrl):
		m.e.app.PopAddon()
		return true
	}
	k, isKey := event.(term.KeyEvent)
	if isKey && k.Mod == 0 && (k.Rune >= 0 && isWord(k.Rune) || event == term.K(ui.Backspace)) {
		m.narrow(event)
		return true
	}
	m.code.MutateState((*tk.CodeAreaState).ApplyPending)
	m.e.app.PopAddon()
	return event == term.K(ui.Enter) || m.code.Handle(event)
}

// narrow puts a letter into the code, or takes one away, and looks again what fits.
func (m *menu) narrow(event term.Event) {
	m.code.MutateState(func(s *tk.CodeAreaState) { s.Pending = tk.PendingCode{} })
	m.code.Handle(event)
	b := m.code.CopyState().Buffer
	from, c := m.e.matches(b)
	matches := c.Matches
	if len(matches) == 0 || from != m.from || b.Dot == from && event == term.K(ui.Backspace) {
		m.e.app.PopAddon()
		return
	}
	m.to = b.Dot
	m.Reset(names(matches), 0)
}

// Dismiss takes back what was shown and not taken.
func (m *menu) Dismiss() {
	m.code.MutateState(func(s *tk.CodeAreaState) { s.Pending = tk.PendingCode{} })
}

// Focus keeps the cursor in the code.
func (m *menu) Focus() bool { return false }

// head is what stands above the list, no more of it than there is room for.
func (m *menu) head(height int) []ui.Text {
	lines := m.about
	if text := callText(m.call); text != nil {
		lines = append([]ui.Text{text}, lines...)
	}
	return lines[:min(len(lines), max(1, height-1))]
}

// Render draws the declarations and the list.
func (m *menu) Render(width, height int) *term.Buffer {
	b := term.NewBufferBuilder(width)
	head := m.head(height)
	for i, line := range head {
		if i > 0 {
			b.Newline()
		}
		b.WriteStyled(cropped(line, width))
	}
	buf := b.Buffer()
	if height > len(head) {
		buf.Extend(m.ListBox.Render(width, height-len(head)), false)
	}
	return buf
}

// cropped is t, or what fits of it.
func cropped(t ui.Text, width int) ui.Text {
	short := t.TrimWcwidth(width)
	if short.VTString() == t.VTString() {
		return t
	}
	return ui.Concat(t.TrimWcwidth(width-1), ui.T("…"))
}

// MaxHeight is the height that the menu asks for.
func (m *menu) MaxHeight(width, height int) int {
	return len(m.head(height)) + min(menuHeight, m.ListBox.MaxHeight(width, menuHeight))
}

// describe shows below the code what the name at the cursor is, until the next key.
func (e *editor) describe(code tk.CodeArea) {
	b := code.CopyState().Buffer
	text, ok := e.session.Inspect(b.Content, utf8.RuneCountInString(b.Content[:b.Dot]))
	if !ok {
		text = "// Nothing is known of what is at the cursor."
	}
	_, width := e.tty.Size()
	e.app.PushAddon(&note{tk.Label{Content: described(text, width)}, e, code})
}

// note is a text below the code that any key takes away.
type note struct {
	tk.Label
	e    *editor
	code tk.CodeArea
}

// Handle closes the note; a key other than Escape does its work too.
func (n *note) Handle(event term.Event) bool {
	n.e.app.PopAddon()
	return event == term.K('[', ui.Ctrl) || n.code.Handle(event)
}

// Focus keeps the cursor in the code.
func (n *note) Focus() bool { return false }
