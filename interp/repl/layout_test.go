package repl

import "testing"

func TestReflow(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"one two\nthree four\n\nfive", "one two\nthree four\n\nfive"},
		{"one two three\nfour", "one two\nthree four"},
		{"code:\n\n\tx := 1\n\ty := 2\n\nand more", "code:\n\n\tx := 1\n\ty := 2\n\nand more"},
		{"list:\n  - a\n  - b\nend", "list:\n  - a\n  - b\nend"},
		{"", ""},
	} {
		if got := reflow(c.in, 10); got != c.want {
			t.Errorf("%q: %q, want %q", c.in, got, c.want)
		}
	}
}
