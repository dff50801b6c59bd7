package export

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// convert adds a text in Markdown, its links led to where their targets are, and keeps its headings and first
// paragraph.
func (p *page) convert(source string) error {
	src := []byte(source)
	doc := p.markdown.Parser().Parse(text.NewReader(src), parser.WithContext(parser.NewContext(parser.WithIDs(p.ids))))
	var dead []ast.Node
	err := ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Heading:
			id, _ := n.AttributeString("id")
			p.heads = append(p.heads, heading{n.Level, plainText(n, src), fmt.Sprintf("%s", id)})
		case *ast.Paragraph:
			if p.first == "" && n.Parent() == doc {
				p.first = plainText(n, src)
			}
		case *ast.Link:
			if !p.lead(&n.Destination) {
				dead = append(dead, n)
			}
		case *ast.Image:
			if at, ok := p.attachment(string(n.Destination)); ok {
				n.Destination = []byte(at)
			} else {
				p.lead(&n.Destination)
			}
		}
		return ast.WalkContinue, nil
	})
	for _, n := range dead { // the words stay
		for c := n.FirstChild(); c != nil; c = n.FirstChild() {
			n.Parent().InsertBefore(n.Parent(), n, c)
		}
		n.Parent().RemoveChild(n.Parent(), n)
	}
	var out bytes.Buffer
	if err == nil {
		err = p.markdown.Renderer().Render(&out, src, doc)
	}
	if err != nil {
		return fmt.Errorf("a text in Markdown: %w", err)
	}
	p.rich(p.attachments(out.String()))
	return nil
}

// lead replaces the destination of a link; false when it leads nowhere.
func (p *page) lead(dest *[]byte) bool {
	if p.link == nil {
		return true
	}
	better, ok := p.link(string(*dest))
	if ok {
		*dest = []byte(better)
	}
	return ok
}

// plainText is the text of a node without its marks.
func plainText(n ast.Node, src []byte) string {
	var b strings.Builder
	ast.Walk(n, func(n ast.Node, entering bool) (ast.WalkStatus, error) { // its function gives no error
		switch n := n.(type) {
		case *ast.Text:
			if entering {
				b.Write(n.Segment.Value(src))
				if n.SoftLineBreak() || n.HardLineBreak() {
					b.WriteByte(' ')
				}
			}
		case *mathText:
			if entering {
				b.Write(n.source)
			}
		case *ast.String:
			if entering {
				b.Write(n.Value)
			}
		}
		return ast.WalkContinue, nil
	})
	return b.String()
}
