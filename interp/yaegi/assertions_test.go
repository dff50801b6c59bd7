package yaegi

import (
	"strings"
	"testing"

	"github.com/arrayrepl/arrayrepl/internal/testsize"
	"github.com/arrayrepl/arrayrepl/interp/internal/judge"
)

// TestAssertions compares the texts of failed type assertions with compiled Go, for one in ten of the types that are
// asserted. A few functions are in each session, as a panic takes yaegi longer the more code it has. The type arguments
// of a generic function that declares a type are not in that type's name here: lines that have them are left out.
func TestAssertions(t *testing.T) {
	testsize.InTurn(t, 1)
	types, code := judge.AssertionCode(t, "runtime.Error")
	var some [2][]string
	for i, text := range []string{code.Decls, code.Calls} {
		for j, line := range strings.Split(text, "\n") {
			if j%10 == 3 {
				some[i] = append(some[i], line)
			}
		}
	}
	calls := strings.Join(some[1], "\n")
	want := judge.Generated{Imports: code.Imports, Decls: types + strings.Join(some[0], "\n"), Calls: calls}.Compiled(t)
	var got strings.Builder
	for i := 0; i < len(some[0]); i += 8 {
		r := newRecorder(t)
		end := min(i+8, len(some[0]))
		got.WriteString(r.Run(1, types+strings.Join(some[0][i:end], "\n")))
		got.WriteString(r.Run(2, strings.Join(some[1][i:end], "\n")))
		r.session.Close()
	}
	lines := strings.Split(got.String(), "\n")
	for i := range max(len(want), len(lines)) {
		a, b := judge.LineOf(lines, i), judge.LineOf(want, i)
		if a != b && !strings.Contains(b, "main.L[") {
			t.Fatalf("a cell prints\n%s\nand compiled Go\n%s", a, b)
		}
	}
}
