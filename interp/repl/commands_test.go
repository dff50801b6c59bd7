package repl

import "testing"

func TestIsCommand(t *testing.T) {
	for src, want := range map[string]bool{
		"%help": true, " %quit ": true, "%who": false, "%help cd": false, "%save a.ipynb": true, "x?": true, "?np.Arange": true, "np.Arange??": true, "quit": true, "exit()": true,
		"help": true, "?": true, "": false, "??": false, "%": false, "% 3": false, "x": false, "'?'": false, "\"a\" + b?": false, "quitting": false, "%who\n1": false,
	} {
		if got := isCommand(src); got != want {
			t.Errorf("isCommand(%q) = %v, want %v", src, got, want)
		}
	}
}

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
	} {
		if got := wrap(c.text, c.width); got != c.want {
			t.Errorf("wrap(%q, %d) = %q, want %q", c.text, c.width, got, c.want)
		}
	}
}
