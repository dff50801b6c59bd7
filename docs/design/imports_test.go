package design

import (
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/internal/judges"
)

const module = "github.com/arrayrepl/arrayrepl/"

// layer is a row of the table in architecture.md.
type layer struct {
	packages []string // that it stands for, with all below them that have no row of their own
	imports  []string // the rows that they may import, by their packages
	all      bool     // they may import everything
}

// parseLayers reads the table whose heading is "package | what it is | imports".
func parseLayers(text string) (rows []layer) {
	_, table, _ := strings.Cut(text, "\n| package | what it is | imports |\n|---|---|---|\n")
	quoted := func(s string) (out []string) {
		for _, q := range coded.FindAllString(s, -1) {
			out = append(out, strings.Trim(q, "`"))
		}
		return out
	}
	for line := range strings.SplitSeq(table, "\n") {
		cells := strings.Split(strings.Trim(line, "| "), " | ")
		if len(cells) != 3 {
			break
		}
		rows = append(rows, layer{quoted(cells[0]), quoted(cells[2]), cells[2] == "all"})
	}
	return rows
}

// rowOf returns the number of the row for a package, -1 if there is none.
func rowOf(rows []layer, pkg string) int {
	at, longest := -1, -1
	for i, r := range rows {
		for _, p := range r.packages {
			if (pkg == p || strings.HasPrefix(pkg, p+"/")) && len(p) > longest {
				at, longest = i, len(p)
			}
		}
	}
	return at
}

// breaches returns what is wrong with the table for packages with these imports of the module.
func breaches(rows []layer, imports map[string][]string) (wrong []string) {
	complain := func(format string, args ...any) { wrong = append(wrong, fmt.Sprintf(format, args...)) }
	needed := map[string]bool{} // "row's number imported name"
	known := map[string]bool{}
	for i, r := range rows {
		for _, name := range r.imports {
			if j := rowOf(rows, name); j < 0 || !slices.Contains(rows[j].packages, name) {
				complain("the row of %s may import %s, which has no row", r.packages[0], name)
			} else if j >= i {
				complain("the row of %s may import %s, whose row is not above it", r.packages[0], name)
			}
		}
	}
	for pkg, list := range imports {
		from := rowOf(rows, pkg)
		if from < 0 {
			complain("%s has no row", pkg)
			continue
		}
		for _, p := range rows[from].packages {
			if pkg == p || strings.HasPrefix(pkg, p+"/") {
				known[p] = true
			}
		}
		for _, imported := range list {
			to := rowOf(rows, imported)
			if to < 0 || to == from || rows[from].all {
				continue
			}
			i := slices.IndexFunc(rows[from].imports, func(name string) bool { return slices.Contains(rows[to].packages, name) })
			if i < 0 {
				complain("%s imports %s, which the row of %s does not allow", pkg, imported, rows[from].packages[0])
				continue
			}
			needed[fmt.Sprint(from, rows[from].imports[i])] = true
		}
	}
	for i, r := range rows {
		for _, p := range r.packages {
			if !known[p] {
				complain("there is no package %s", p)
			}
		}
		for _, name := range r.imports {
			if !needed[fmt.Sprint(i, name)] {
				complain("nothing in the row of %s imports %s", r.packages[0], name)
			}
		}
	}
	slices.Sort(wrong)
	return slices.Compact(wrong)
}

// goList adds the packages of the module, as built for a system, with what they import of it.
func goList(t *testing.T, goCommand, system string, imports map[string][]string) {
	t.Helper()
	list := exec.Command(goCommand, "list", "-f", `{{.ImportPath}} {{join .Imports " "}}`, "./...")
	list.Dir = root
	list.Env = append(os.Environ(), "GOOS="+system, "GOARCH=amd64", "CGO_ENABLED=0")
	list.Stderr = new(strings.Builder)
	out, err := list.Output()
	require.NoError(t, err, "%v", list.Stderr)
	for line := range strings.Lines(string(out)) {
		words := strings.Fields(line)
		pkg := strings.TrimPrefix(words[0], module)
		imports[pkg] = append(imports[pkg], []string{}...)
		for _, w := range words[1:] {
			if name, ok := strings.CutPrefix(w, module); ok {
				imports[pkg] = append(imports[pkg], name)
			}
		}
	}
}

// The table of architecture.md is what packages import.
func TestImports(t *testing.T) {
	goCommand := judges.Command(t, "go")
	text, err := os.ReadFile("architecture.md")
	require.NoError(t, err)
	rows := parseLayers(string(text))
	require.Greater(t, len(rows), 40, "the table is not found")
	imports := map[string][]string{}
	for _, system := range []string{"linux", "darwin", "windows"} {
		goList(t, goCommand, system, imports)
	}
	require.Greater(t, len(imports), 100)
	for _, w := range breaches(rows, imports) {
		t.Errorf("docs/design/architecture.md: %s", w)
	}
}

// Who imports package arrays alone does not link what decodes Arrow's files; package arrays/arrow does.
func TestArraysAreLean(t *testing.T) {
	goCommand := judges.Command(t, "go")
	deps := func(pkg string) string {
		out, err := exec.Command(goCommand, "list", "-deps", module+pkg).Output()
		require.NoError(t, err)
		return string(out)
	}
	for _, heavy := range []string{"apache/arrow-go", "flatbuffers", "klauspost/compress"} {
		assert.NotContains(t, deps("arrays"), heavy)
		assert.Contains(t, deps("arrays/arrow"), heavy)
	}
}

// Each rule of the table finds what breaks it.
func TestBreaches(t *testing.T) {
	table := "x\n\n| package | what it is | imports |\n|---|---|---|\n| `leaf` | a | – |\n| `mid`, `also` | b | `leaf` |\n| `mid/own` | c | `mid` |\n| `top` | d | all |\n\nrest | of | it\n"
	rows := parseLayers(table)
	require.Len(t, rows, 4)
	good := func() map[string][]string {
		return map[string][]string{"leaf": nil, "mid": {"leaf"}, "mid/below": {"mid"}, "mid/own": {"mid/below"}, "also/x": nil, "top": {"leaf", "mid/own"}}
	}
	assert.Empty(t, breaches(rows, good()))
	for _, c := range []struct {
		pkg     string
		imports []string
		says    string
	}{
		{"leaf", []string{"mid"}, "leaf imports mid, which the row of leaf does not allow"},
		{"mid/own", []string{"mid/below", "leaf"}, "mid/own imports leaf, which the row of mid/own does not allow"},
		{"mid/below", []string{"mid/own"}, "mid/below imports mid/own, which the row of mid does not allow"},
		{"mid", nil, "nothing in the row of mid imports leaf"},
		{"new", nil, "new has no row"},
	} {
		imports := good()
		imports[c.pkg] = c.imports
		assert.Equal(t, []string{c.says}, breaches(rows, imports))
	}
	imports := good()
	delete(imports, "also/x")
	assert.Equal(t, []string{"there is no package also"}, breaches(rows, imports))
	rows = parseLayers(strings.Replace(table, "| c | `mid` |", "| c | `top`, `mid/below` |", 1))
	imports = good()
	imports["mid/own"] = nil
	assert.Equal(t, []string{
		"nothing in the row of mid/own imports mid/below", "nothing in the row of mid/own imports top",
		"the row of mid/own may import mid/below, which has no row", "the row of mid/own may import top, whose row is not above it",
	}, breaches(rows, imports))
}
