package interp

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/arrayrepl/arrayrepl/internal/judges"
	"github.com/arrayrepl/arrayrepl/internal/testsize"
	"github.com/arrayrepl/arrayrepl/interp/internal/judge"
	"github.com/arrayrepl/arrayrepl/interp/ixgo"
	"github.com/arrayrepl/arrayrepl/interp/syntax"
)

// TestAgainstCompiledGo builds one program of all transcripts marked "go:" and compares what it prints with what the
// transcripts say the sessions print; a short test has a third of them, each turn another. Declarations go to package
// level, statements into a function, and a last expression into fmt.Println, which prints a value as the plain text of
// its display.
func TestAgainstCompiledGo(t *testing.T) {
	judges.Command(t, "go")
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	auto := autoTable(ixgo.New().Packages(), nil)
	var want, names []string
	var imports, calls strings.Builder
	all := goTranscripts(t)
	if len(all) < 60 {
		t.Fatalf("%d transcripts are marked go:, want at least 60", len(all))
	}
	for k, tr := range all {
		if !testsize.Part(k, 3) {
			continue
		}
		pkg := fmt.Sprintf("t%d", len(names))
		names = append(names, tr.Name)
		write(pkg+"/t.go", programOf(t, pkg, tr, auto))
		fmt.Fprintf(&imports, "\t\"compare/%s\"\n", pkg)
		fmt.Fprintf(&calls, "\t%s.Run()\n\tprintln()\n", pkg)
		text := ""
		for _, c := range tr.Cells {
			if s := strings.TrimSpace(c.Want); s != "" {
				text += s + "\n"
			}
		}
		want = append(want, text)
	}
	write("go.mod", "module compare\n\ngo 1.26\n")
	write("main.go", "package main\n\nimport (\n\t\"fmt\"\n"+imports.String()+")\n\nfunc println() { fmt.Println(\"\\n----\") }\n\nfunc main() {\n"+calls.String()+"}\n")
	got := strings.Split(judge.Run(t, dir, "."), "\n----\n")
	for i, name := range names {
		pkg := fmt.Sprintf("t%d", i) // %T: packages have other names
		mine := strings.NewReplacer("compare/"+pkg, "main", pkg+".", "main.").Replace(got[i])
		if words(mine) != words(want[i]) {
			t.Errorf("%s: compiled Go prints\n%s\nthe session\n%s", name, got[i], want[i])
		}
	}
}

// goTranscripts returns the transcripts of all files that compiled Go must agree with.
func goTranscripts(t *testing.T) (out []judge.Transcript) {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		_, all := judge.Transcripts(t, f)
		for _, tr := range all {
			if tr.IsGo {
				out = append(out, tr)
			}
		}
	}
	return out
}

// words makes texts comparable: cells' outputs begin on lines of their own.
func words(s string) string { return strings.Join(strings.Fields(s), " ") }

var (
	printsItself = regexp.MustCompile(`^(fmt\.F?[Pp]rint|delete\()`)

	qualifier = regexp.MustCompile(`\b([a-z]\w*)\.[A-Z]`)
)

// programOf writes a transcript as a package with a function Run.
func programOf(t *testing.T, pkg string, tr judge.Transcript, auto map[string]string) string {
	var decls, body strings.Builder
	used := map[string]bool{"fmt": true}
	for _, c := range tr.Cells {
		for _, m := range qualifier.FindAllStringSubmatch(c.Src, -1) {
			if auto[m[1]] != "" {
				used[m[1]] = true
			}
		}
		pieces, bad := syntax.Split(c.Src)
		if bad != nil {
			t.Fatal(bad)
		}
		for i, p := range pieces {
			text := strings.TrimSpace(c.Src[p.Start:p.End])
			if p.Kind == syntax.KindDecl {
				decls.WriteString(text + "\n")
				continue
			}
			body.WriteString(statement(t, text, i == len(pieces)-1))
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "package %s\n\nimport (\n", pkg)
	for name := range used {
		fmt.Fprintf(&b, "\t%q\n", auto[name])
	}
	fmt.Fprintf(&b, ")\n\n%s\nfunc Run() {\n%s}\n", decls.String(), body.String())
	return b.String()
}

// statement writes a cell's statements: a last expression is printed, unless it prints itself, and variables are used.
func statement(t *testing.T, text string, last bool) string {
	const head = "package p; func f() {"
	file, err := parser.ParseFile(token.NewFileSet(), "", head+text+"\n}", 0)
	if err != nil { // a list of values at the end
		last := syntax.LastStatement(text)
		text = text[:last.Start] + "fmt.Println(" + text[last.Start:last.End] + ")"
		if file, err = parser.ParseFile(token.NewFileSet(), "", head+text+"\n}", 0); err != nil {
			t.Fatalf("%v in %s", err, text)
		}
	}
	list := file.Decls[0].(*ast.FuncDecl).Body.List
	out := text + "\n"
	for i, st := range list {
		switch st := st.(type) {
		case *ast.ExprStmt:
			if last && i == len(list)-1 && !strings.HasSuffix(text, ";") && !printsItself.MatchString(text[int(st.Pos())-1-len(head):]) {
				from := int(st.Pos()) - 1 - len(head)
				out = text[:from] + "fmt.Println(" + text[from:] + ")\n"
			}
		case *ast.AssignStmt:
			if st.Tok == token.DEFINE {
				for _, x := range st.Lhs {
					if name := x.(*ast.Ident).Name; name != "_" {
						out += "_ = " + name + "\n"
					}
				}
			}
		}
	}
	return out
}
