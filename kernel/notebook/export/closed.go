package export

import (
	"strings"

	"github.com/arrayrepl/arrayrepl/internal/lazyregexp"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"
)

var (
	fenceLine = lazyregexp.New("(?m)^[ \t>*+\\d.)-]*(`{3,}|~{3,})")
	// of HTML that a blank line does not end
	ends = []string{"-->", "</script>", "</style>", "</pre>", "</textarea>", "?>", "]]>", ">"}
)

// closed is the text of a Markdown cell with an end for a fence or for HTML that it begins and does not end, which
// would take in the next cells; false when there is none that ends it.
func closed(s string) (string, bool) {
	if endsAlone(s) {
		return s, true
	}
	longest := map[byte]string{}
	for _, m := range fenceLine.FindAllStringSubmatch(s, -1) {
		if fence := m[1]; len(fence) > len(longest[fence[0]]) {
			longest[fence[0]] = fence
		}
	}
	for _, end := range append([]string{longest['`'], longest['~']}, ends...) {
		if end == "" {
			continue
		}
		if with := strings.TrimRight(s, "\n") + "\n" + end; endsAlone(with) {
			return with, true
		}
	}
	return s, false
}

// endsAlone reports whether what follows s after a blank line is a paragraph of its own.
func endsAlone(s string) bool {
	const next = "nextcell"
	src := []byte(s + "\n\n" + next)
	doc := markdownParser().Parse(text.NewReader(src))
	last, ok := doc.LastChild().(*ast.Paragraph)
	return ok && last.Lines().Len() == 1 && strings.TrimSpace(string(last.Lines().Value(src))) == next
}
