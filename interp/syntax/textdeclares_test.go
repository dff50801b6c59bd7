package syntax

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestTextDeclares finds the names in texts that do not parse.
func TestTextDeclares(t *testing.T) {
	for src, want := range map[string][]string{
		"func f( {":                                                        {"f"},
		"func f(a int, b string) int {":                                    {"f"},
		"func (t T) m() {\n\tx := 1\n":                                     nil,
		"func (t *T) m( {\n\nx, y := 2,":                                   {"x", "y"},
		"type T struct {\n\ta int b\n}\n\nvar q, r = 1,\n":                 {"T", "q", "r"},
		"var (\n\ta, b int\n\tc = f(d, e) )) \n)\nconst k = \n":            {"a", "b", "c", "k"},
		"const (\n\tA = iota +\n\tB\n\tC\n)\ntype (\n\tX int\n\tY = \n)":   {"A", "C", "X", "Y"},
		"x := 1 +\ny = 2\nfor i := 0; i < ; {\n\tz := 2\n}\nw, _ := f(":    {"x", "w"},
		"if v := 1; v > {\n}\na.b, c := 1\nd[e] := 2\nfunc() { g := 1 }()": nil,
		"h := func(a, b int) { i := 1 }}":                                  {"h"},
		"var s struct{ p, q int } = ;  l := map[string]int{m: 1,, n: 2}":   {"s", "l"},
		"func G[T any, U int](x T {":                                       {"G"},
		"\"never closed\nx := 2\n'":                                        {"x"},
	} {
		assert.ElementsMatch(t, want, TextDeclares(src), "%s", src)
	}
}
