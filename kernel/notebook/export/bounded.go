package export

import (
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer"
	ghtml "github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// mostMarks is how many stars, underlines and tildes a paragraph may have that could be emphasis; further ones are
// text. Each of them may be compared with all before it: the 40,000 of a hostile text of 80 kB took seconds, and twice
// as many four times as long.
const mostMarks = 2000

// newMarkdown is Markdown as GitHub has it, with ids for headings and TeX left alone, which takes time in proportion to
// a text.
func newMarkdown() goldmark.Markdown {
	inline := parser.DefaultInlineParsers()
	for i, p := range inline {
		if p.Priority == 500 { // see parser.DefaultInlineParsers
			inline[i].Value = bounded{parser.NewEmphasisParser()}
		}
	}
	p := parser.NewParser(parser.WithBlockParsers(parser.DefaultBlockParsers()...), parser.WithInlineParsers(inline...),
		parser.WithParagraphTransformers(parser.DefaultParagraphTransformers()...), parser.WithAutoHeadingID())
	return goldmark.New(goldmark.WithParser(p), goldmark.WithExtensions(extension.Linkify, extension.Table, strikethrough{}, extension.TaskList, math{}),
		goldmark.WithRendererOptions(ghtml.WithUnsafe()))
}

// strikethrough is [extension.Strikethrough], bounded.
type strikethrough struct{}

// Extend implements goldmark.Extender.
func (strikethrough) Extend(m goldmark.Markdown) {
	m.Parser().AddOptions(parser.WithInlineParsers(util.Prioritized(bounded{extension.NewStrikethroughParser()}, 500)))
	m.Renderer().AddOptions(renderer.WithNodeRenderers(util.Prioritized(extension.NewStrikethroughHTMLRenderer(), 500)))
}

// bounded leaves marks alone when there are too many in a block.
type bounded struct{ parser.InlineParser }

// marks are those of a block, so far.
type marks struct {
	of ast.Node
	n  int
}

var marksKey = parser.NewContextKey()

// Parse implements parser.InlineParser.
func (b bounded) Parse(parent ast.Node, block text.Reader, pc parser.Context) ast.Node {
	seen, _ := pc.Get(marksKey).(*marks)
	if seen == nil || seen.of != parent {
		seen = &marks{of: parent}
		pc.Set(marksKey, seen)
	}
	if seen.n >= mostMarks {
		return nil
	}
	n := b.InlineParser.Parse(parent, block, pc)
	if n != nil {
		seen.n++
	}
	return n
}
