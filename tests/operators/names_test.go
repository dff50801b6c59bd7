package operators

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

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

// TestPlainGoHasNamesOfItsOwn: variables that plain Go needs have none of the cell's names, and texts stay what they
// are.
func TestPlainGoHasNamesOfItsOwn(t *testing.T) {
	s := arraySession(t)
	src := "v1 := np.Arange(3)\nv2_, v2 := 10, np.Arange(3) + len(\"v3·\")\nv1[0], v2[v2_-9] = v2[1], v1[0]\nf := func() int { return 2 }\nv2[f()] += v1[0]\nfmt.Sprint(v1, v2, \"v1·\")"
	want, err := run(s, 1, src) // v1 is [0 1 2], v2 [4 5 6]
	require.NoError(t, err)
	require.Equal(t, "[5 1 2] [ 4  0 11]v1·", want)
	plain, err := s.PlainGo(2, src)
	require.NoError(t, err)
	s.SetOperators(false)
	got, err := run(s, 2, plain)
	require.NoError(t, err, plain)
	require.Equal(t, want, got, plain)
}
