package main

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/interp"
	"github.com/arrayrepl/arrayrepl/interp/symbols"
)

// TestPrintedArraysThatFailAreErrors: fmt makes a text of a panic in a method that it calls, and a cell that prints an
// array whose elements cannot be computed would go on.
func TestPrintedArraysThatFailAreErrors(t *testing.T) {
	symbols.Register()
	for name, engine := range engines {
		s, err := interp.New(interp.Options{Engine: engine(), Packages: symbols.Packages(), Arrays: symbols.Arrays(), Evaluate: evaluate})
		require.NoError(t, err)
		defer s.Close()
		run := func(cell string) error {
			_, err := s.RunCell(context.Background(), interp.Cell{Number: 1, Source: cell})
			return err
		}
		require.NoError(t, run("bad := func() *np.Array { return np.Take(np.Arange(6), []int{7}) }\ntype T struct{ A *np.Array; b int }"))
		for _, cell := range []string{"fmt.Println(bad())", "s := fmt.Sprint(`a`, bad())", "fmt.Printf(`%v %d`, bad(), 3)", "fmt.Sprintf(`%T %v`, 3, []*np.Array{np.Arange(2), bad()})",
			"fmt.Sprintln(map[string]any{`a`: bad()})", "fmt.Print(&T{A: bad()})", "fmt.Errorf(`%v`, [][]any{{1, bad()}})", "fmt.Fprintln(io.Discard, []any{T{bad(), 2}})"} {
			assert.ErrorContains(t, run(cell), "index 7 is out of bounds", "%s: %s", name, cell)
		}
		for _, cell := range []string{"fmt.Printf(`%T`, bad())", "fmt.Println([]*np.Array{nil, np.Arange(2)}, nil, T{})"} {
			assert.NoError(t, run(cell), "%s: %s", name, cell)
		}
	}
}
