package judge

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/arrayrepl/arrayrepl/internal/judges"
)

// Generated is Go code that a test has made: declarations, and statements that print lines, each of which begins
// with the name of the function that it is about.
type Generated struct {
	Imports      []string
	Decls, Calls string
}

// Compiled builds the code with the go command and returns the lines that it prints. Without that command the test
// is skipped.
func (g Generated) Compiled(t testing.TB) []string {
	t.Helper()
	judges.Command(t, "go")
	var b strings.Builder
	b.WriteString("package main\n\n")
	for _, path := range g.Imports {
		b.WriteString("import \"" + path + "\"\n")
	}
	b.WriteString(g.Decls + "\nfunc main() {\n" + g.Calls + "}\n")
	file := filepath.Join(t.TempDir(), "main.go")
	if err := os.WriteFile(file, []byte(b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	return strings.Split(Run(t, filepath.Dir(file), file), "\n")
}

// Compare runs the code in two cells and reports the first line that is not what the compiled code has printed.
func (g Generated) Compare(r *Recorder, want []string) {
	r.t.Helper()
	if text := r.Run(1, g.Decls); text != "" {
		r.t.Errorf("the declarations: %s", text)
		return
	}
	got := strings.Split(r.Run(2, g.Calls), "\n")
	for i := range max(len(got), len(want)) {
		if a, b := LineOf(got, i), LineOf(want, i); a != b {
			name, _, _ := strings.Cut(b, " ")
			r.t.Errorf("a cell prints\n%s\nand compiled Go\n%s\n%s", a, b, g.function(name))
			return
		}
	}
}

// LineOf is line i without spaces around it, "" behind the last.
func LineOf(lines []string, i int) string {
	if i < len(lines) {
		return strings.TrimSpace(lines[i])
	}
	return ""
}

// function is the text of one function.
func (g Generated) function(name string) string {
	_, text, ok := strings.Cut(g.Decls, "func "+name+"(")
	if !ok {
		return ""
	}
	text, _, _ = strings.Cut(text, "\n}\n")
	return "func " + name + "(" + text + "\n}"
}
