package interp

import (
	"strings"
	"testing"
)

func TestSplit(t *testing.T) {
	kinds := map[kind]string{kindPackage: "package", kindImport: "import", kindDecl: "decl", kindStmt: "stmt"}
	for _, c := range []struct{ src, want string }{
		{"x := 1", "stmt"},
		{"import \"fmt\"\nx := 1\nfunc f() {}\ny := 2", "import stmt decl stmt"},
		{"import (\n\"fmt\"\n\"os\"\n)", "import"},
		{"func f() {}", "decl"},
		{"func (t *T) m(a int) (b int) { return }", "decl"},
		{"func (t T[K]) m() {}", "decl"},
		{"func() { f() }()", "stmt"},
		{"func(a int) (b int) { return a }(1)", "stmt"},
		{"func(a int) T { return T{} }(1)", "stmt"},
		{"func F[T any](x T) {}", "decl"},
		{"for i := 0; i < 3; i++ { f() }", "stmt"},
		{"if x := f(); x > 0 { a() } else { b() }\ntype T struct{ a, b int }", "stmt decl"},
		{"const (\na = iota\nb\n)\nvar x = 1", "decl stmt"},
		{"x := 1; type T int; y := 2", "stmt decl stmt"},
		{"package main\nfunc main() {}", "package decl"},
		{"// only comments\n/* here */", ""},
		{"s := `a\nfunc f() {}\n`", "stmt"},
		{"\"func f() {\"", "stmt"},
		{"switch {\ncase true: type A int; _ = A(1)\n}", "stmt"},
		{";;;", ""},
	} {
		pieces, bad := split(c.src)
		if bad != nil {
			t.Errorf("%q: %v", c.src, bad)
			continue
		}
		var got []string
		for i, p := range pieces {
			got = append(got, kinds[p.kind])
			if i > 0 && p.start < pieces[i-1].end || p.end > len(c.src) {
				t.Errorf("%q: piece %d is %d to %d", c.src, i, p.start, p.end)
			}
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%q: %q, want %q", c.src, got, c.want)
		}
	}
}

func TestSplitUnbalanced(t *testing.T) {
	for _, c := range []struct {
		src  string
		pos  int
		msg  string
		open int
	}{
		{"f(", 1, `"(" is never closed`, 1},
		{"{[(", 2, `"(" is never closed`, 3},
		{"f())", 3, `unexpected ")"`, 0},
		{"/* open", 0, openComment, 0},
		{"x := 1\n/* open", 7, openComment, 0},
		{"f(]", 2, `unexpected "]", expected ")"`, 0},
	} {
		_, bad := split(c.src)
		if bad == nil || bad.pos != c.pos || bad.msg != c.msg || len(bad.open) != c.open {
			t.Errorf("%q: %+v", c.src, bad)
		}
	}
}

func TestEndsInSemicolon(t *testing.T) {
	for src, want := range map[string]bool{
		"x": false, "x;": true, "x; ": true, "x; // c": true, "x // ;": false, "x;\ny": false, "x;\n\n": true, "\";\"": false, "": false,
		"for i := 0; i < 3; i++ {\n}": false,
	} {
		if got := endsInSemicolon(src); got != want {
			t.Errorf("%q: %v", src, got)
		}
	}
}

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
