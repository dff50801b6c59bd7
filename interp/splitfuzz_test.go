package interp

import (
	"strings"
	"testing"
)

// FuzzSplit checks that no input makes the splitter or what follows it fail in another way than with a message, and
// that positions stay inside the cell.
func FuzzSplit(f *testing.F) {
	for _, s := range []string{"x := 1", "func f() {}", "for ;; {", "import \"a\"\nx", "a;;b", "`", "/*", "func (", "L: for { goto L }", "var x, y = f()"} {
		f.Add(s)
	}
	s, err := New(Options{})
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, src string) {
		l, diags := s.frontEnd(1, src)
		if l != nil {
			_, more := s.check(l)
			diags = append(diags, more...)
		}
		for _, d := range diags {
			if n := strings.Count(src, "\n") + 1; d.Line < 1 || d.Line > n || d.Column < 1 || d.Message == "" {
				t.Errorf("%q: %+v", src, d)
			}
		}
	})
}
