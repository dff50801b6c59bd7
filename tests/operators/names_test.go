package operators

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/arrayrepl/arrayrepl/interp"
)

// TestNamesAroundOperators: completion and inspection work on both sides of an operator and inside an index, | being
// the cursor.
func TestNamesAroundOperators(t *testing.T) {
	s := arraySession(t)
	if _, err := run(s, 1, setUp+"y2 := 2*x + y\ntype point struct{ Pos *np.Array }\np := point{x}"); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ src, want string }{
		{"(2*x).Sq|", "Sqrt"}, {"(x + y).Reshape(2, 3)[:, 1].Su|", "Sum"}, {"x[1:3].Me|", "Mean"}, {"x[::2].At|", "At"}, {"2*x + y2.Cu|", "CumSum"}, {"y2[0, :|", ""},
		{"x[y.Ar|", "ArgMax"}, {"x + np.Si|", "Sin"}, {"np.Si| + x", "Sin"}, {"z := -x * p.P|", "Pos"}, {"z := x[x > 2]\nz.So|", "Sort"}, {"for i, row := range m {\n\trow.Me|", "Mean"},
		{"f := func(a *np.Array) *np.Array {\n\tb := a*a - 1\n\treturn b.Ab|", "Abs"}, {"x[1:] += y2.Ro|", "Round"}, {"m[..., 0].Mi|", "Min"},
	} {
		cursor := utf8.RuneCountInString(c.src[:strings.Index(c.src, "|")])
		got := s.Complete(strings.Replace(c.src, "|", "", 1), cursor)
		if c.want != "" && !slices.ContainsFunc(got.Matches, func(m interp.Match) bool { return m.Text == c.want }) {
			t.Errorf("%s: %d matches, without %s", c.src, len(got.Matches), c.want)
		}
	}
	for _, c := range []struct{ src, want string }{
		{"2*x + y|2", "var y2 *np.Array"}, {"(2*x).Su|m()", "Sum returns the sum of a"}, {"x[1:3].Me|an()", "Mean returns"}, {"z := x[x > 2]\nz|", "*np.Array"},
	} {
		cursor := utf8.RuneCountInString(c.src[:strings.Index(c.src, "|")])
		if got, _ := s.Inspect(strings.Replace(c.src, "|", "", 1), cursor); !strings.Contains(got, c.want) {
			t.Errorf("%s: %q, want %q", c.src, got, c.want)
		}
	}
}
