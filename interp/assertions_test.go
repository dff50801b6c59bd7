package interp

import (
	"testing"

	"github.com/arrayrepl/arrayrepl/internal/testsize"
	"github.com/arrayrepl/arrayrepl/interp/internal/judge"
)

// TestAssertions compares the texts of failed type assertions, and which of them hold, with compiled Go: for values and
// types of every kind, where the types are of the cell that asserts and where they are of an earlier one.
func TestAssertions(t *testing.T) {
	testsize.InTurn(t, 0)
	types, code := judge.AssertionCode(t, "*runtime.TypeAssertionError")
	whole := judge.Generated{Imports: code.Imports, Decls: types + code.Decls, Calls: code.Calls}
	want := whole.Compiled(t)
	t.Run("types of the same cell", func(t *testing.T) { whole.Compare(newRecorder(t, Options{}).Recorder, want) })
	t.Run("types of an earlier cell", func(t *testing.T) {
		r := newRecorder(t, Options{})
		if text := r.Run(1, types); text != "" {
			t.Fatal(text)
		}
		code.Compare(r.Recorder, want)
	})
}
