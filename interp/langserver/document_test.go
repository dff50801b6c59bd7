package langserver

import (
	"go/ast"
	"go/parser"
	"go/token"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/internal/testsize"
)

// known are packages as a session has them.
var known = map[string]string{"fmt": "fmt", "math": "math", "np": "example.org/np", "strings": "strings"}

func TestCellsAsAFile(t *testing.T) {
	for _, c := range []struct{ name, cells, file string }{
		{"variables are the package's", "x := math.Pi\na, b := 1, 2",
			"package main\n\nimport math \"math\"\nvar x = math.Pi\n\nvar a, b = 1, 2\n"},
		{"statements stand in functions", "for i := 0; i < 3; i++ {\n\tfmt.Println(i)\n}",
			"package main\n\nimport fmt \"fmt\"\nfunc _() {for i := 0; i < 3; i++ {\n\tfmt.Println(i)\n}\n}\n"},
		{"declarations stay", "type T struct{ x int }\nfunc (t T) X() int { return t.x }",
			"package main\n\ntype T struct{ x int }\n\nfunc (t T) X() int { return t.x }\n"},
		{"imports come first", "x := 1\nimport \"os\"", "package main\n\n\nimport \"os\"\nvar x = 1\n"},
		{"a name that is declared again has numbers", "x := 1\nf := x\n\n\nx := x + 1\n\n\nx",
			"package main\n\nvar xˑ1 = 1\n\nvar f = xˑ1\nfunc _() {\n\n\n\n}\nvar x = xˑ1 + 1\nfunc _() {\n\n\n\n}\nfunc _() {x\n}\n"},
		{"fields and keys keep their names", "x := 1\ntype T struct {\n\tx int\n}\nt := T{x: x}\n\n\nx := t.x",
			"package main\n\nvar xˑ1 = 1\n\ntype T struct {\n\tx int\n}\n\nvar t = T{x: xˑ1}\nfunc _() {\n\n\n\n}\nvar x = t.x\n"},
		{"magics are left out", "%time x\ny := 1\n\n\n%%bash\nls", "package main\n\n       \nvar y = 1\nfunc _() {\n\n\n      \n  \n}\n"},
		{"indices of arrays", "b[1:, :, 2]", "package main\n\nfunc _() {b.At(1+0, 0+0, 2)\n}\n"},
		{"a call without its end", "fmt.Println(np.\n\n\ny := 1", "package main\n\nimport fmt \"fmt\"\nimport np \"example.org/np\"\nfunc _() {fmt.Println(np.)\n\n\n\n}\nvar y = 1\n"},
		{"groups", "var (\n\ta, b = 1, 2\n\tc []int\n)\nconst k = 1\n\n\nc := 1\nk := 2\na := k",
			"package main\n\nvar (\n\taˑ1, b = 1, 2\n\tcˑ1 []int\n)\n\nconst kˑ1 = 1\nfunc _() {\n\n\n\n}\nvar c = 1\n\nvar k = 2\n\nvar a = k\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			assert.Equal(t, c.file, NewDocument(c.cells, Names{Imports: known}).File())
		})
	}
}

func TestKnownTypesStandBesideVariables(t *testing.T) {
	types := func(cells []string) []map[string]string {
		return []map[string]string{{"x": "*np.Array"}, {"y": "*np.Array", "z": "T"}}
	}
	d := NewDocument("x := 2 * a\n\n\nvar y = x + 1\nz := T{}", Names{Imports: known, Types: types})
	assert.Equal(t, "package main\n\nimport np \"example.org/np\"\nvar x *np.Array = 2 * a\nfunc _() {\n\n\n\n}\nvar y *np.Array = x + 1\n\nvar z T = T{}\n", d.File())
}

// words are pieces of cells, of which random texts are made: most are no Go.
var words = strings.Split("x := 1|x = 2|func f(a int) int {|}|(|)|[|]|if x > 1 {|\n|\n\n\n|%time|fmt.Println(x)|é := \"🙂\"|type T struct {|y.|:|,|x[1:, 2]|`a|// é🙂|var (|a, b := f()|import \"os\"|package p|;|%%bash|f?", "|")

func TestEachPositionOfAnyTextHasAPlace(t *testing.T) {
	for seed := range testsize.Seeds("interp/langserver.TestEachPositionOfAnyTextHasAPlace") {
		r := rand.New(rand.NewPCG(seed, 1))
		var b strings.Builder
		for range 1 + r.IntN(20) {
			b.WriteString(words[r.IntN(len(words))])
			b.WriteString([]string{" ", "\n", ""}[r.IntN(3)])
		}
		checkPlaces(t, b.String())
	}
}

func checkPlaces(t *testing.T, text string) {
	d := NewDocument(text, Names{Imports: known})
	clean := withoutMagics(text)
	require.Len(t, clean, len(text), text)
	covered := 0
	for _, s := range d.segments {
		require.Equal(t, clean[s.from:s.from+s.n], d.File()[s.at:s.at+s.n], text)
		covered += s.n
	}
	replaced := strings.Count(clean, ":") + strings.Count(clean, "=") + strings.Count(clean, ";") + strings.Count(clean, "[") + strings.Count(clean, "]")
	if !strings.Contains(text, "package") {
		require.GreaterOrEqual(t, covered+replaced, len(text), text)
	}
	if len(d.segments) == 0 {
		return
	}
	for line, start := range d.cells.starts {
		end := len(text)
		if line+1 < len(d.cells.starts) {
			end = d.cells.starts[line+1] - 1
		}
		width := 0
		for _, r := range text[start:end] {
			width += units(r)
		}
		for column := range width + 1 {
			l, c := d.ToFile(line, column)
			backLine, backColumn, own := d.ToCells(l, c)
			require.True(t, own, "%d:%d of %q", line, column, text)
			if at := d.cells.offset(line, column); covers(d, at) {
				wantLine, wantColumn := d.cells.position(at)
				require.Equal(t, [2]int{wantLine, wantColumn}, [2]int{backLine, backColumn}, "%q", text)
			}
		}
	}
}

// covers reports whether a byte is copied to the file.
func covers(d *Document, at int) bool {
	for _, s := range d.segments {
		if s.from <= at && at < s.from+s.n {
			return true
		}
	}
	return false
}

// What is Go in cells is Go in the file.
func TestValidCellsParse(t *testing.T) {
	src := "import \"os\"\ntype P struct{ X, Y int }\nfunc (p P) Sum() int { return p.X + p.Y }\nvar p, q = P{1, 2}, P{X: 3}\nif os.Args == nil {\n\tfmt.Println(p)\n} else {\n\tfmt.Println(q)\n}\n" +
		"p.Sum()\n\n\np := []P{{1, 2}}\nfor i, v := range p {\n\tfmt.Println(i, v)\n}\nswitch x := len(p); x {\ncase 1:\n}\nf := func(n int) int {\n\n\n\treturn n\n}\nf(2)"
	file, err := parser.ParseFile(token.NewFileSet(), "cells.go", NewDocument(src, Names{Imports: known}).File(), 0)
	require.NoError(t, err)
	var names []string
	for _, d := range file.Decls {
		if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.VAR {
			for _, n := range g.Specs[0].(*ast.ValueSpec).Names {
				names = append(names, n.Name)
			}
		}
	}
	assert.Equal(t, []string{"pˑ1", "q", "p", "f"}, names)
}
