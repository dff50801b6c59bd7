package operators

import (
	"bytes"
	"fmt"
	"go/parser"
	"go/token"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/internal/judges"
	"github.com/arrayrepl/arrayrepl/internal/testsize"
)

// randomType writes a type. Names that are not basic types may be type parameters or generic types.
func randomType(r *rand.Rand, depth int) string {
	inner := func() string { return randomType(r, depth-1) }
	space := func() string { return []string{"", " ", "\n\t", "/* , ] */"}[r.IntN(4)*r.IntN(2)] }
	if depth == 0 {
		return []string{"int", "T", "pkg.T", "error", "any"}[r.IntN(5)]
	}
	switch r.IntN(16) {
	case 0:
		return "[]" + inner()
	case 1:
		return fmt.Sprintf("[%s]%s", []string{"2", "N", "2*N", "len(a)", "pkg.N", "1<<3", "N-1"}[r.IntN(7)], inner())
	case 2:
		return "map[" + inner() + "]" + inner()
	case 3:
		return "*" + inner()
	case 4:
		return []string{"chan ", "chan<- ", "<-chan "}[r.IntN(3)] + inner()
	case 5:
		return "func(" + inner() + "," + space() + inner() + ") " + inner()
	case 6:
		return "func(a, b " + inner() + ", c ..." + inner() + ") (x, y " + inner() + ")"
	case 7:
		return "struct{ a, b " + inner() + "; _ " + inner() + " `tag:\"]\"` }"
	case 8:
		return "struct {\n\tG[" + randomTypes(r, depth-1) + "]\n\t*T\n}"
	case 9:
		return "interface{ M(a, b " + inner() + ") " + inner() + "; ~int | []" + inner() + " }"
	case 10:
		return "(" + inner() + ")"
	case 11, 12:
		return "G[" + randomTypes(r, depth-1) + "]"
	case 13:
		return "pkg.G[" + space() + randomTypes(r, depth-1) + "]"
	}
	return inner()
}

func randomTypes(r *rand.Rand, depth int) string {
	list := []string{randomType(r, depth)}
	for range r.IntN(3) {
		list = append(list, randomType(r, depth))
	}
	end := ""
	if r.IntN(8) == 0 {
		end = ",\n"
	}
	return strings.Join(list, []string{", ", ",", " , ", ",\n\t"}[r.IntN(4)]) + end
}

// listed are the places of a list of types, written as L.
var listed = []string{
	"var x G[L]", "var x = f[L](y)", "var x = pkg.F[L]", "var x = G[L]{}", "var x = &pkg.G[L]{a: 1}", "var x = G[L](nil)",
	"var x = []G[L]{{}}", "var x = map[G[L]]int{}", "var x [2]G[L]", "type A G[L]", "type A = pkg.G[L]", "type A[T any] G[L]",
	"type (\n\tA[P *[2]int, Q []int] struct{}\n\tB = G[L]\n\tC G[L]\n)", "type ( A[P *T] int; B[P *[N]T, Q any] G[L] )",
	"type A struct {\n\tG[L]\n\tx, y G[L]\n\t*pkg.G[L]\n}", "type A interface {\n\tG[L]\n\tM(x G[L]) G[L]\n}",
	"func (a *A[K, V]) m(x, y G[L]) (z G[L]) { return f[L](x) }", "func f[P G[L], Q ~[]P](x P) {}",
	"func f() {\n\tx := y\n\t[...]int{1, 2}\n\tz.m[L]()\n}", "func f() { switch x.(type) { case G[L], *G[L]: } }",
	"func f() { type A G[L]; for i := range make(G[L], 3) { _ = i } }", "func f() { x, y = y[i], f[L](a[1:2], b[:3]) }",
	"func f() { g(func(a G[L]) {}, a[len(b):], f[L]) }", "func f() { go h[L](x); defer (G[L]).M(x) }",
}

// TestTypeArgumentsAreUntouched: whatever Go's parser takes, with lists of random types in all places, Parse reads the
// same.
func TestTypeArgumentsAreUntouched(t *testing.T) {
	testsize.InTurn(t, 1)
	o, r := New("a"), rand.New(rand.NewPCG(27, 10))
	valid := 0
	for range 4000 {
		text := "package p\n"
		for range 1 + r.IntN(2) {
			decl := listed[r.IntN(len(listed))]
			for strings.Contains(decl, "L]") {
				decl = strings.Replace(decl, "L]", randomTypes(r, r.IntN(4))+"]", 1)
			}
			text += decl + "\n"
		}
		fset := token.NewFileSet()
		plain, err := parser.ParseFile(fset, "", text, 0)
		if err != nil { // []A[T](x), for one
			continue
		}
		valid++
		require.Empty(t, scan(text, 0, len(text)), "taken for an index of arrays in\n%s", text)
		set := token.NewFileSet()
		tree, err := o.Parse(set, "", text, 0)
		require.NoError(t, err, text)
		require.True(t, bytes.Equal(printed(t, set, tree), printed(t, fset, plain)), text)
	}
	assert.Greater(t, valid, 3000)
}

// TestIndicesAreFound: one part that is not a type makes an index of the list.
func TestIndicesAreFound(t *testing.T) {
	r := rand.New(rand.NewPCG(27, 11))
	values := []string{
		"1", "i+1", "-1", "f(a)", `"]"`, "'x'", "a[0]", "a[i][j]", "T{1}", "&x", "!m", "a.b.c", "[]int{1}", "*p + 1", "x[0, 1]", "1:", ":2", "::3", "...",
		"<-c", "func() int { return 1 }()", "m[k].f", "(1)", "x.(int)", "a[1:]", "G[int]{}", "G[[2]int, []T](x)", "i << j", "x[y[::2], 1]",
	}
	for range 2000 {
		list := []string{values[r.IntN(len(values))]}
		for range 1 + r.IntN(2) {
			if at := r.IntN(len(list) + 1); at == len(list) {
				list = append(list, randomType(r, r.IntN(3)))
			} else {
				list = append(list[:at], append([]string{randomType(r, r.IntN(3))}, list[at:]...)...)
			}
		}
		index := "[" + strings.Join(list, ", ") + "]"
		text := "x := y" + index + "\n"
		found := scan(text, 0, len(text))
		require.Len(t, found, 1, text)
		require.Equal(t, index, text[found[0].open:found[0].close+1])
	}
}

// TestGenericProgramsAreUntouched parses what Go tests its own generics with.
func TestGenericProgramsAreUntouched(t *testing.T) {
	goroot, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		judges.Missing(t, "no go command, and so no programs of Go: %v", err)
	}
	files, _ := filepath.Glob(filepath.Join(strings.TrimSpace(string(goroot)), "test", "typeparam", "*.go"))
	more, _ := filepath.Glob(filepath.Join(strings.TrimSpace(string(goroot)), "src", "internal", "types", "testdata", "*", "*.go"))
	files = append(files, more...)
	if len(files) < 500 {
		judges.Missing(t, "%d files: this Go has no test programs", len(files))
	}
	for _, f := range files {
		text, err := os.ReadFile(f)
		require.NoError(t, err)
		if _, err := parser.ParseFile(token.NewFileSet(), f, text, 0); err != nil || bytes.Contains(text, []byte("ERROR")) {
			continue // it tests mistakes
		}
		for _, b := range scan(string(text), 0, len(text)) {
			t.Errorf("%s: %q is taken for an index of arrays", f, text[b.open:b.close+1])
		}
	}
}
