package export

import (
	"bytes"
	"html"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// mathText is TeX between dollars, as Jupyter has it in Markdown. Pages show its source, as code: in it, stars,
// underlines and backslashes mean nothing to Markdown.
type mathText struct {
	ast.BaseInline
	source []byte // with the dollars
}

var kindMath = ast.NewNodeKind("Math")

// Kind implements ast.Node.
func (*mathText) Kind() ast.NodeKind { return kindMath }

// Dump implements ast.Node.
func (n *mathText) Dump(source []byte, level int) {
	ast.DumpHelper(n, source, level, map[string]string{"Source": string(n.source)}, nil)
}

// math reads mathText and writes it.
type math struct{}

// Extend implements goldmark.Extender.
func (e math) Extend(m goldmark.Markdown) {
	m.Parser().AddOptions(parser.WithInlineParsers(util.Prioritized(e, 150))) // behind code, before links
	m.Renderer().AddOptions(renderer.WithNodeRenderers(util.Prioritized(e, 500)))
}

// Trigger implements parser.InlineParser.
func (math) Trigger() []byte { return []byte{'$'} }

// mostMath is how many bytes TeX may have: a dollar that none closes must not be looked for up to the end of a long
// text, again and again.
const mostMath = 2000

// Parse implements parser.InlineParser. Between single dollars there are no spaces at either end, and no digit follows:
// $5 and $6 are prices.
func (math) Parse(_ ast.Node, block text.Reader, _ parser.Context) ast.Node {
	line, _ := block.PeekLine()
	mark := []byte("$")
	if bytes.HasPrefix(line, []byte("$$")) {
		mark = []byte("$$")
	}
	single := len(mark) == 1
	if single && (len(line) < 2 || util.IsSpace(line[1]) || block.PrecendingCharacter() == '$') {
		return nil
	}
	at, position := block.Position()
	source := append([]byte{}, mark...)
	block.Advance(len(mark))
	for {
		line, _ = block.PeekLine()
		if line == nil {
			break
		}
		for i := 0; i < len(line) && len(source)+i < mostMath; i++ {
			switch {
			case line[i] == '\\':
				i++
			case !bytes.HasPrefix(line[i:], mark) || single && util.IsSpace(before(source, line[:i])):
			case single && i+1 < len(line) && (line[i+1] >= '0' && line[i+1] <= '9'):
			default:
				block.Advance(i + len(mark))
				return &mathText{source: append(append(source, line[:i]...), mark...)}
			}
		}
		if len(source)+len(line) >= mostMath {
			break
		}
		source = append(source, line...)
		block.AdvanceLine()
	}
	block.SetPosition(at, position)
	return nil
}

// before is the last byte of two pieces.
func before(first, second []byte) byte {
	if len(second) > 0 {
		return second[len(second)-1]
	}
	return first[len(first)-1]
}

// RegisterFuncs implements renderer.NodeRenderer.
func (math) RegisterFuncs(r renderer.NodeRendererFuncRegisterer) {
	r.Register(kindMath, func(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
		if entering {
			_, _ = w.WriteString("<code>" + html.EscapeString(string(n.(*mathText).source)) + "</code>")
		}
		return ast.WalkContinue, nil
	})
}
