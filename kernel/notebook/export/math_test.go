package export

import (
	"bytes"
	"html"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/internal/testsize"
)

// TestMathIsLeftAlone: what stands between dollars is shown as it is written, and what only looks so is Markdown.
func TestMathIsLeftAlone(t *testing.T) {
	testsize.InTurn(t, 2)
	m := newMarkdown()
	shown := func(source string) string {
		var b bytes.Buffer
		require.NoError(t, m.Convert([]byte(source), &b))
		return b.String()
	}
	for _, tex := range []string{`$a_1*b_2*c$`, `$\int_0^\infty e^{-x^2}\,dx$`, `$x<y$`, `$\$5$`, `$$
\begin{aligned} a &= b_1 \\\\ c &= d_2 \end{aligned}
$$`, `$[x](y)$`, `$<b>$`, "$`a`$"} {
		require.Contains(t, shown("text "+tex+" more"), "text <code>"+html.EscapeString(tex)+"</code> more", tex)
	}
	for source, want := range map[string]string{
		"$5 *or* $6":      "$5 <em>or</em> $6",
		"$5-$6 *or* more": "<em>or</em>",
		"a $ *b* $ c":     "<em>b</em>",
		"`$a$` *b*":       "<code>$a$</code>",
		"\\$a*b*$":        "<em>b</em>",
		"$a *b*":          "<em>b</em>",
	} {
		require.Contains(t, shown(source), want, source)
	}
	require.NotContains(t, shown(strings.Repeat("$a ", 100_000)), "<em>", "it ends")
}
