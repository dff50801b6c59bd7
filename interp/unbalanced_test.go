package interp

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/internal/testsize"
)

func TestAMissingBracketIsReportedWhereGoDoes(t *testing.T) {
	s, err := New(Options{})
	require.NoError(t, err)
	for src, want := range map[string]Diagnostic{
		"fmt.Println(\"a\"\nx := 2":    {Line: 1, Column: 16, Message: `missing ',' before newline in argument list; the "(" of line 1, column 12, is never closed`},
		"if (1 < 2 {\n\tf()\n}":        {Line: 1, Column: 11, Message: `expected ')', found '{'; the "(" of line 1, column 4, is never closed`},
		"x := (1 + 2":                  {Line: 1, Column: 12, Message: `expected ')', found newline; the "(" of line 1, column 6, is never closed`},
		"f(1,\n\t2":                    {Line: 2, Column: 3, Message: `missing ',' before newline in argument list; the "(" of line 1, column 2, is never closed`},
		"for {":                        {Line: 1, Column: 5, Message: `"{" is never closed`},
		"func f(a int {\n}\ng := h{1}": {Line: 1, Column: 14, Message: `missing ',' in parameter list; the "(" of line 1, column 7, is never closed`},
		"y := []int{1, (2+3}\nf(y)":    {Line: 1, Column: 19, Message: `unexpected "}", expected ")"`},
		"é := g(h(1, 2)\nk := 3\nl(k)": {Line: 1, Column: 15, Message: `missing ',' before newline in argument list; the "(" of line 1, column 7, is never closed`},
	} {
		_, diags := s.frontEnd(1, src)
		require.NotEmpty(t, diags, src)
		d := diags[0]
		assert.Equal(t, want, Diagnostic{Line: d.Line, Column: d.Column, Message: d.Message}, src)
	}
}

// bodies returns the statements of the examples of package arrays, which are valid as cells.
func bodies(t *testing.T) (out []string) {
	paths, err := filepath.Glob("../arrays/example_*_test.go")
	require.NoError(t, err)
	for _, path := range paths {
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, path, text, 0)
		require.NoError(t, err)
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok {
				out = append(out, strings.TrimSpace(string(text[fset.Position(fn.Body.Lbrace).Offset+1:fset.Position(fn.Body.Rbrace).Offset])))
			}
		}
	}
	require.Greater(t, len(out), 300)
	return out
}

// Of cells that lack one closing parenthesis the error stands where go/parser's stands, or at the bracket that is
// never closed where the parser gets to the end.
func TestCellsThatLackAParenthesis(t *testing.T) {
	s, err := New(Options{})
	require.NoError(t, err)
	cells := bodies(t)
	for seed := range testsize.Seeds("interp.TestCellsThatLackAParenthesis") {
		r := rand.New(rand.NewPCG(seed, 39))
		cell := cells[r.IntN(len(cells))]
		at := closing(cell)
		if len(at) == 0 {
			continue
		}
		i := at[r.IntN(len(at))]
		cell = cell[:i] + cell[i+1:]
		const before = "package p\nfunc _() {\n"
		_, err := parser.ParseFile(token.NewFileSet(), "", before+cell+"\n}\n", 0)
		var list scanner.ErrorList
		if !errors.As(err, &list) {
			continue // without it the cell is another, which is valid too
		}
		_, diags := s.frontEnd(1, cell)
		require.NotEmpty(t, diags, cell)
		where := list[0].Pos
		if where.Offset-len(before) >= len(cell) { // behind the cell
			assert.Contains(t, diags[0].Message, "is never closed", "seed %d\n%s", seed, cell)
			continue
		}
		line := strings.Split(cell, "\n")[where.Line-3]
		want := [2]int{where.Line - 2, utf8.RuneCountInString(line[:where.Column-1]) + 1}
		assert.Equal(t, want, [2]int{diags[0].Line, diags[0].Column}, "seed %d\n%s\n%v\n%v", seed, cell, list[0], diags[0])
	}
}

// closing returns the offsets of a cell's closing parentheses.
func closing(cell string) (at []int) {
	var sc scanner.Scanner
	file := token.NewFileSet().AddFile("", -1, len(cell))
	sc.Init(file, []byte(cell), nil, 0)
	for {
		pos, tok, _ := sc.Scan()
		if tok == token.EOF {
			return at
		}
		if tok == token.RPAREN {
			at = append(at, file.Offset(pos))
		}
	}
}
