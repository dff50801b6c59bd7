package syntax

import (
	"strings"
	"testing"
)

func TestSplit(t *testing.T) {
	kinds := map[kind]string{KindPackage: "package", KindImport: "import", KindDecl: "decl", kindStmt: "stmt"}
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
		pieces, bad := Split(c.src)
		if bad != nil {
			t.Errorf("%q: %v", c.src, bad)
			continue
		}
		var got []string
		for i, p := range pieces {
			got = append(got, kinds[p.Kind])
			if i > 0 && p.Start < pieces[i-1].End || p.End > len(c.src) {
				t.Errorf("%q: piece %d is %d to %d", c.src, i, p.Start, p.End)
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
		{"/* open", 0, OpenComment, 0},
		{"x := 1\n/* open", 7, OpenComment, 0},
		{"f(]", 2, `unexpected "]", expected ")"`, 0},
	} {
		_, bad := Split(c.src)
		if bad == nil || bad.Pos != c.pos || bad.Msg != c.msg || len(bad.open) != c.open {
			t.Errorf("%q: %+v", c.src, bad)
		}
	}
}

func TestEndsInSemicolon(t *testing.T) {
	for src, want := range map[string]bool{
		"x": false, "x;": true, "x; ": true, "x; // c": true, "x // ;": false, "x;\ny": false, "x;\n\n": true, "\";\"": false, "": false,
		"for i := 0; i < 3; i++ {\n}": false,
	} {
		if got := EndsInSemicolon(src); got != want {
			t.Errorf("%q: %v", src, got)
		}
	}
}
