package repl

import (
	"strings"
	"testing"

	"src.elv.sh/pkg/cli/term"
	"src.elv.sh/pkg/cli/tk"
	"src.elv.sh/pkg/ui"

	"github.com/arrayrepl/arrayrepl/interp"
	"github.com/arrayrepl/arrayrepl/interp/magic"
)

func newSession(t *testing.T) *magic.Session {
	t.Helper()
	s, err := interp.New(interp.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return magic.New(s, magic.Options{})
}

// Texts are written with a bar at the cursor; keys are typed, with ⏎ for Enter that begins a line, ⌫ for Backspace and
// ↶ for undo.
func TestTyping(t *testing.T) {
	for _, c := range []struct{ name, from, keys, want string }{
		{"indent after a brace", "|", "func f() {⏎x()", "func f() {\n    x()|"},
		{"and deeper", "|", "func f() {⏎if a {⏎b()", "func f() {\n    if a {\n        b()|"},
		{"a closing brace goes left", "|", "func f() {⏎if a {⏎b()⏎}⏎}", "func f() {\n    if a {\n        b()\n    }\n}|"},
		{"a brace within a line stays", "|", "func f() {⏎m{}", "func f() {\n    m{}|"},
		{"between braces", "func f() {|}", "⏎", "func f() {\n|}"},
		{"an expression goes on", "|", "x := 1 +⏎2", "x := 1 +\n    2|"},
		{"not in a raw string", "|", "s := `a⏎b`", "s := `a\nb`|"},
		{"backspace takes a step", "|", "if a {⏎⌫b", "if a {\nb|"},
		{"the cursor's line is split", "f(a, |b)", "⏎", "f(a, \n    |b)"},
		{"undo takes a word", "|", "foo bar↶", "foo |"},
		{"undo twice", "|", "foo bar↶↶", "foo|"},
		{"undo of nothing", "a|", "↶", "a|"},
	} {
		e := &editor{session: newSession(t), history: &history{}, commands: commandKeys()}
		code := tk.NewCodeArea(tk.CodeAreaSpec{Bindings: tk.FuncBindings(e.handleCode)})
		dot := strings.Index(c.from, "|")
		code.MutateState(func(s *tk.CodeAreaState) {
			s.Buffer = tk.CodeBuffer{Content: strings.Replace(c.from, "|", "", 1), Dot: dot}
		})
		for _, r := range c.keys {
			key, named := map[rune]term.KeyEvent{'⏎': term.K(ui.Enter, ui.Alt), '⌫': term.K(ui.Backspace), '↶': term.K('/', ui.Ctrl)}[r]
			if !named {
				key = term.K(r)
			}
			code.Handle(key)
		}
		b := code.CopyState().Buffer
		if got := b.Content[:b.Dot] + "|" + b.Content[b.Dot:]; got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestWhole(t *testing.T) {
	e := &editor{session: newSession(t)}
	for src, want := range map[string]bool{
		"1 + 2": true, "func f() {": false, "func f() {\n}": true, "f(": false, "x := `a": false, "x +": false,
		"f(\"a": true, // a quote that its line does not close is closed by no other line
		"f('a":  true, ")": true, "%who": true, "f?": true, "": true, "/* a": false,
	} {
		if got := e.whole(src); got != want {
			t.Errorf("whole(%q) = %v, want %v", src, got, want)
		}
	}
}

func TestBroken(t *testing.T) {
	b := term.NewBufferBuilder(80).Write(strings.Repeat("a", 79)).Newline().Write("b").Newline().Write(strings.Repeat("c", 60)).SetDotHere().Buffer()
	for width, want := range map[int]int{80: 0, 79: 0, 78: 1, 50: 2, 40: 2, 30: 4} {
		if got := broken(b, width); got != want { // 79, 1 and 60 columns up to the cursor
			t.Errorf("at width %d: %d more lines, want %d", width, got, want)
		}
	}
}
