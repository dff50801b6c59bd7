package simgpu

import (
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the tables of docs/devices.md")

// TestDocs compares the tables in docs/devices.md with the presets and with the sources that their comments name.
func TestDocs(t *testing.T) {
	const path, begin, end = "../docs/devices.md", "-update -->\n", "<!-- end -->"
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	head, rest, ok := strings.Cut(string(raw), begin)
	_, tail, ok2 := strings.Cut(rest, end)
	if !ok || !ok2 {
		t.Fatalf("%s has no place for the tables", path)
	}
	want := head + begin + machineTable(t) + "\n<details><summary>Where each figure comes from</summary>\n" + sourceList(t) + "\n" + sourceTable(t) + "\n" + letters + "\n\n</details>\n" + end + tail
	if *update {
		if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	} else if want != string(raw) {
		t.Errorf("%s does not say what the presets are; go test ./simgpu -run Docs -update writes it", path)
	}
}

// letters says how the table of sources is read; it stands in the fold with them.
const letters = "`[A]` marks what had no source; the number behind another letter counts the fields of the preset that come from there. Each figure has its letter\n" +
	"beside it in the file that the name leads to."

// byAge sorts presets as their capabilities and, without one, their names do.
func byAge() []Preset {
	return slices.SortedFunc(maps.Values(presets), func(a, b Preset) int {
		if (a.Capability == "") != (b.Capability == "") {
			return strings.Compare(b.Capability, a.Capability) // machines of papers last
		}
		return strings.Compare(a.Capability+" "+a.Name, b.Capability+" "+b.Name)
	})
}

func machineTable(t *testing.T) string {
	var b strings.Builder
	b.WriteString("| device | machine | compute capability | SMs | clock, MHz | float32, Gflop/s | memory, GB | bandwidth, GB/s | L2, MB | to the host, GB/s |\n|---|---|---|---|---|---|---|---|---|---|\n")
	for _, p := range byAge() {
		p := p
		if err := p.Check(); err != nil {
			t.Error(err)
		}
		capability := p.Capability
		if capability == "" {
			capability = "–"
		}
		fmt.Fprintf(&b, "| `sim:%s` | %s | %s | %d | %d | %.0f | %.3g | %.4g | %.3g | %.3g |\n", p.Name, strings.TrimSuffix(p.Title, " (simulated)"), capability,
			p.SMs, p.ClockMHz, p.PeakFlops(UnitFP32)/1e9, float64(p.MemoryBytes)/1e9, float64(p.DRAMPeak)/1e9, float64(p.L2Bytes)/mib, float64(p.PinnedRate)/1e9)
	}
	return b.String()
}

// sourceList is the list of sources in the comment above presets.
func sourceList(t *testing.T) string {
	f := parsed(t, "presets.go")
	var b strings.Builder
	for _, d := range f.Decls {
		if g, ok := d.(*ast.GenDecl); ok && strings.HasPrefix(g.Doc.Text(), "presets holds") {
			for _, line := range strings.Split(g.Doc.Text(), "\n") {
				switch text := strings.TrimSpace(line); {
				case strings.HasPrefix(text, "["):
					mark, source, _ := strings.Cut(text, "  ")
					b.WriteString("\n- `" + mark + "` " + source)
				case strings.HasPrefix(line, "\t"):
					b.WriteString(" " + text)
				}
			}
		}
	}
	if strings.Count(b.String(), "\n- `[") < 10 {
		t.Errorf("the sources are not found: %s", b.String())
	}
	return b.String() + "\n"
}

var (
	sourceMark = regexp.MustCompile(`\[[A-Z]\]`)
	asBelow    = regexp.MustCompile(`(\[[A-Z]\]), as (?:the )?(\w+) below`)
	words      = []string{"", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"}
)

// sourceTable says for each preset which figures come from where, as the comments beside them do.
func sourceTable(t *testing.T) string {
	var b strings.Builder
	b.WriteString("| machine | assumed, [A] | from |\n|---|---|---|\n")
	for _, file := range []string{"preset_early.go", "preset_modern.go", "preset_papers.go", "preset_brook.go"} {
		f := parsed(t, file)
		for _, d := range f.Decls {
			g, ok := d.(*ast.GenDecl)
			if !ok || g.Tok != token.VAR {
				continue
			}
			spec := g.Specs[0].(*ast.ValueSpec)
			lit, ok := spec.Values[0].(*ast.CompositeLit)
			if !ok {
				continue
			}
			from := sourcesOf(lit, f.Comments)
			assumed := from["[A]"]
			delete(from, "[A]")
			var others []string
			for _, mark := range slices.Sorted(maps.Keys(from)) {
				others = append(others, mark+" "+fmt.Sprint(len(from[mark])))
			}
			if len(others) == 0 {
				t.Errorf("%s: no sources were found", spec.Names[0])
			}
			fmt.Fprintf(&b, "| [%s](../simgpu/%s) | %s | %s |\n", spec.Names[0], file, strings.Join(assumed, ", "), strings.Join(others, ", "))
		}
	}
	return b.String()
}

// sourcesOf lists the fields of a preset by the marks in the comments on their lines.
func sourcesOf(lit *ast.CompositeLit, comments []*ast.CommentGroup) map[string][]string {
	from := map[string][]string{}
	below, mark := 0, "" // of "[C], as the two below"
	for _, e := range lit.Elts {
		field := e.(*ast.KeyValueExpr)
		name := field.Key.(*ast.Ident).Name
		if units, ok := field.Value.(*ast.CompositeLit); ok && name == "Units" {
			for mark, names := range sourcesOf(units, comments) {
				from[mark] = append(from[mark], names...)
			}
			continue
		}
		text := ""
		for _, c := range comments {
			if line := lineAt(c.Pos()); line >= lineAt(field.Pos()) && line <= lineAt(field.End()) {
				text += c.Text()
			}
		}
		marks := sourceMark.FindAllString(text, -1)
		if len(marks) == 0 && below > 0 {
			marks = []string{mark}
		}
		below--
		if m := asBelow.FindStringSubmatch(text); m != nil {
			if below, mark = slices.Index(words, m[2]), m[1]; m[2] == "all" {
				below = len(lit.Elts)
			}
		}
		slices.Sort(marks)
		for _, m := range slices.Compact(marks) {
			from[m] = append(from[m], name)
		}
	}
	return from
}

var files = token.NewFileSet()

func lineAt(p token.Pos) int { return files.Position(p).Line }

func parsed(t *testing.T, name string) *ast.File {
	t.Helper()
	f, err := parser.ParseFile(files, name, nil, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	return f
}
