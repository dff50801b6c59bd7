package display

import "testing"

func TestWrap(t *testing.T) {
	for _, c := range []struct {
		text  string
		width int
		want  string
	}{
		{"one two three", 7, "one two\nthree"},
		{"one two three", 80, "one two three"},
		{"a\n\nb c", 1, "a\n\nb\nc"},
		{"unbreakable", 4, "unbreakable"},
		{"é é é", 3, "é é\né"},
		{"   one two three", 10, "   one two\n   three"},
		{"name  what it is", 12, "name  what\n      it is"},
	} {
		if got := Wrap(c.text, c.width); got != c.want {
			t.Errorf("Wrap(%q, %d) = %q, want %q", c.text, c.width, got, c.want)
		}
	}
}

// TestWrapped: only where somebody sits at a terminal.
func TestWrapped(t *testing.T) {
	const text = "one two three"
	if got := Wrapped(text); got != text {
		t.Errorf("without a terminal: %q", got)
	}
	SetScreen(Screen{Columns: 7})
	defer SetScreen(Screen{})
	if got := Wrapped(text); got != "one two\nthree" {
		t.Errorf("on 7 columns: %q", got)
	}
}
