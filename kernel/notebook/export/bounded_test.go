package export

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	ghtml "github.com/yuin/goldmark/renderer/html"
)

// TestBoundedMarkdownIsMarkdown: of random texts the bounded parser makes what goldmark's own makes, and a paragraph
// with too many marks keeps all its text.
func TestBoundedMarkdownIsMarkdown(t *testing.T) {
	whole := goldmark.New(goldmark.WithExtensions(extension.GFM), goldmark.WithParserOptions(parser.WithAutoHeadingID()), goldmark.WithRendererOptions(ghtml.WithUnsafe()))
	mine := newMarkdown()
	pieces := []string{"*", "**", "_", "~", "~~", "a", "b c", " ", "\n", "\n\n", "# h\n", "[x](y)", "![i](j)", "`c`", "- [ ] ", "|a|b|\n|-|-|\n|1|2|\n", "http://a.de", "<b>", "> ", "\\*"}
	r := rand.New(rand.NewPCG(3, 4))
	for range 5000 {
		var b strings.Builder
		for range 1 + r.IntN(20) {
			b.WriteString(pieces[r.IntN(len(pieces))])
		}
		var want, got bytes.Buffer
		require.NoError(t, whole.Convert([]byte(b.String()), &want))
		require.NoError(t, mine.Convert([]byte(b.String()), &got))
		require.Equal(t, want.String(), got.String(), "%q", b.String())
	}
	var got bytes.Buffer
	many := strings.Repeat("*a_ ", 200_000)
	require.NoError(t, mine.Convert([]byte(many), &got))
	require.Equal(t, strings.TrimSpace(many), strings.TrimSuffix(strings.TrimPrefix(strings.TrimSpace(got.String()), "<p>"), "</p>"))
}
