package program

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/internal/judges"
	"github.com/arrayrepl/arrayrepl/internal/testsize"
	"github.com/arrayrepl/arrayrepl/interp"
	"github.com/arrayrepl/arrayrepl/interp/magic"
)

// session is one that was recorded: cells, and what they printed and showed.
type session struct {
	name  string
	cells []Cell
	out   string
}

// recorded runs the sessions of a transcript file, and returns those without failures. A short test runs a third of
// them, each turn another.
func recorded(t *testing.T, file string) (all []session, failing int) {
	t.Helper()
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut("\n"+string(raw), "\n## ")
	for i, text := range strings.Split(rest, "\n## ") {
		if !testsize.Part(i, 3) {
			continue
		}
		name, body, _ := strings.Cut(text, "\n")
		s := session{name: strings.TrimSuffix(filepath.Base(file), ".txt") + ": " + strings.TrimPrefix(name, "go: ")}
		in := false
		for _, line := range strings.Split(body, "\n") {
			code, ok := strings.CutPrefix(line, ">")
			if ok {
				if !in {
					s.cells = append(s.cells, Cell{Number: len(s.cells) + 1})
				}
				s.cells[len(s.cells)-1].Source += strings.TrimPrefix(code, " ") + "\n"
			}
			in = ok
		}
		if s.out, err = runCells(t, s.cells); err != nil {
			t.Logf("%s fails: %v", s.name, err)
			failing++
			continue
		}
		all = append(all, s)
	}
	return all, failing
}

func newSession(t *testing.T) *magic.Session {
	t.Helper()
	s, err := interp.New(interp.Options{Short: map[string]string{"Put": "fmt.Println"}})
	if err != nil {
		t.Fatal(err)
	}
	return magic.New(s, magic.Options{})
}

// runCells returns what cells print and show, up to the first failure.
func runCells(t *testing.T, cells []Cell) (string, error) {
	t.Helper()
	f, err := os.Create(filepath.Join(t.TempDir(), "out"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	old := os.Stdout
	os.Stdout = f
	defer func() { os.Stdout = old }()
	s := newSession(t)
	for _, c := range cells {
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
		b, err := s.Run(ctx, c.Number, c.Source)
		cancel()
		if err != nil {
			return "", err
		}
		if !b.Empty() {
			fmt.Fprintln(f, b.Text())
		}
	}
	raw, err := io.ReadAll(io.NewSectionReader(f, 0, 1<<30))
	return ofMagics.ReplaceAllString(string(raw), ""), err
}

// ofMagics is what %time and ignored magics print, and programs do not.
var ofMagics = regexp.MustCompile(`(?m)^(CPU times|Wall time|Compiler ):.*\n|^%\w+ is ignored.*\n`)

// TestExport makes programs of recorded sessions without failures, builds them with the Go compiler, in one binary,
// and compares what they print with what the sessions printed and showed.
func TestExport(t *testing.T) {
	judges.Command(t, "go")
	var all []session
	for _, file := range []string{"../testdata/language.txt", "../testdata/session.txt", "../testdata/methods.txt", "../testdata/results.txt", "../testdata/spec.txt", "../testdata/cells.txt", "../testdata/stdlib.txt", "testdata/export.txt"} {
		more, failing := recorded(t, file)
		t.Logf("%s: %d sessions, %d with failures are left out", file, len(more), failing)
		if failing > 0 && strings.HasPrefix(file, "testdata/") {
			t.Errorf("%s is for sessions without failures", file)
		}
		all = append(all, more...)
	}
	dir := t.TempDir()
	write := func(name, text string) {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	var imports, cases strings.Builder
	sources := map[int]string{}
	for i, s := range all {
		out, err := Export(newSession(t), s.cells, Options{Name: s.name})
		if err != nil {
			t.Errorf("%s: %v", s.name, err)
			continue
		}
		if len(out.Notes) > 0 {
			t.Logf("%s is left out: %s", s.name, out.Notes[0])
			continue
		}
		sources[i] = string(out.Source)
		pkg := fmt.Sprint("t", i)
		asPackage := strings.Replace(strings.Replace(sources[i], "\npackage main\n", "\npackage "+pkg+"\n", 1), "\nfunc main() {", "\nfunc Main() {", 1)
		write(pkg+"/main.go", asPackage)
		fmt.Fprintf(&imports, "\t\"exported/%s\"\n", pkg)
		fmt.Fprintf(&cases, "\tcase %q:\n\t\t%s.Main()\n", pkg, pkg)
	}
	least := 55
	if testsize.Short() {
		least /= 4 // not all thirds have as many
	}
	if len(sources) < least {
		t.Errorf("%d sessions were exported, want at least %d", len(sources), least)
	}
	write("go.mod", "module exported\n\ngo 1.26\n")
	write("main.go", "package main\n\nimport (\n\t\"os\"\n"+imports.String()+")\n\nfunc main() {\n\tswitch os.Args[1] {\n"+cases.String()+"\t}\n}\n")
	build := exec.Command("go", "build", "-o", "all")
	build.Dir = dir
	build.Env = append(os.Environ(), "GOWORK=off")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s\n%s", err, out, sourcesOf(string(out), sources))
	}
	for i, source := range sources {
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
		pkg := fmt.Sprint("t", i)
		got, err := exec.CommandContext(ctx, filepath.Join(dir, "all"), pkg).Output()
		cancel()
		text := strings.ReplaceAll(string(got), pkg+".", "main.") // %T
		if err != nil || words(text) != words(all[i].out) {
			t.Errorf("%s: %v, printed\n%s\nthe session\n%s\nthe program:\n%s", all[i].name, err, got, all[i].out, source)
		}
	}
}

// sourcesOf returns the programs that the compiler complains about.
func sourcesOf(complaints string, sources map[int]string) string {
	var b strings.Builder
	for i, src := range sources {
		if strings.Contains(complaints, fmt.Sprintf("t%d/main.go", i)) {
			b.WriteString(src)
		}
	}
	return b.String()
}

// words makes texts comparable: what cells give begins on a line of its own.
func words(s string) string { return strings.Join(strings.Fields(s), " ") }

// TestExportLeavesOut makes programs of cells that a program cannot have, or that have failed. They build.
func TestExportLeavesOut(t *testing.T) {
	testsize.InTurn(t, 1)
	for _, c := range []struct {
		name  string
		cells []string
		notes []string
		print string
	}{
		{"signatures", []string{"type K int", "// f is\nfunc f(x int) int", "func g() K\nfunc (K) M(k *K) // M", "type Q struct{}\nfunc (Q) A()", "fmt.Println(Q{}, K(1))"}, []string{
			"cell 2: left out, as a function without a body declares nothing: f", "cell 3: left out, as a function without a body declares nothing: g, M",
			"cell 4: left out, as a function without a body declares nothing: A"}, "{} 1\n"},
		{"mistakes", []string{"x := 1", "func broken( {", "y := x + nothing", "func f() int { return `s` }", "fmt.Println(y)", "fmt.Println(x)"}, []string{
			"cell 2: it does not compile", "cell 3: it does not compile", "cell 4: it does not compile", "cell 5: it does not compile"}, "1\n"},
		{"commands", []string{"!ls\nx := 1", "%%bash\nls", "%env A=B", "%test", "%%\n!ls\nfmt.Println(x)"}, []string{
			"cell 1: !ls is not done", "cell 2: %%bash is not done", "cell 3: %env A=B is not done", "cell 4: %test is not done", "cell 5: !ls is not done"}, "1\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var cells []Cell
			for i, src := range c.cells {
				cells = append(cells, Cell{Number: i + 1, Source: src})
			}
			out, err := Export(newSession(t), cells, Options{Name: c.name})
			if err != nil {
				t.Fatal(err)
			}
			for i, note := range out.Notes {
				if len(out.Notes) != len(c.notes) || !strings.HasPrefix(note, c.notes[i]) {
					t.Fatalf("notes %q, want %q", out.Notes, c.notes)
				}
			}
			file := filepath.Join(t.TempDir(), "main.go")
			if err := os.WriteFile(file, out.Source, 0o644); err != nil {
				t.Fatal(err)
			}
			if got, err := exec.Command("go", "run", file).CombinedOutput(); err != nil || string(got) != c.print {
				t.Errorf("%v, printed %s, want %s\n%s", err, got, c.print, out.Source)
			}
		})
	}
}

// TestExportSupports looks for what Options adds to programs that mention a package, or certain names of it.
func TestExportSupports(t *testing.T) {
	o := Options{Name: "supported", Support: []Support{
		{Import: "strings", Code: "func $support() {}", Main: "$support()\n"},
		{Import: "image", Names: []string{"Decode", "RegisterFormat"}, Blank: []string{"image/png"}},
	}}
	for _, c := range []struct {
		cell           string
		support, blank bool
	}{
		{"1 + 2", false, false},
		{`strings.ToUpper("a")`, true, false},
		{`image.Pt(1, 2)`, false, false},
		{`_, _, err := image.Decode(strings.NewReader("")); fmt.Println(err)`, true, true},
		{"func f() { image.RegisterFormat(\"x\", \"x\", nil, nil) }\nf()", false, true},
		{"import i \"image\"\ng := i.Decode\nfmt.Println(g != nil)", false, true},
		{"import . \"image\"\nfmt.Println(Decode != nil, Pt(1, 2))", false, true},
		{"type T struct{ Decode int }\nfmt.Println(T{Decode: 1}.Decode, image.Pt(1, 2))", false, false},
	} {
		out, err := Export(newSession(t), []Cell{{Number: 1, Source: c.cell}}, o)
		require.NoError(t, err, c.cell)
		assert.Equal(t, c.support, strings.Contains(string(out.Source), "func support()"), "%s", out.Source)
		assert.Equal(t, c.blank, strings.Contains(string(out.Source), `_ "image/png"`), "%s", out.Source)
	}
}
