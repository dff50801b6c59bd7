package export

import (
	"bytes"
	_ "embed"
	"encoding/base64"
	"fmt"
	"html"
	"io"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	ghtml "github.com/yuin/goldmark/renderer/html"

	"github.com/arrayrepl/arrayrepl/kernel/display"
	"github.com/arrayrepl/arrayrepl/kernel/notebook"
)

//go:embed page.css
var pageCSS string

// Options is how a page is made.
type Options struct {
	Title string
	// Highlight returns code as HTML with coloured spans of the classes k (keyword), s (text), n (number), c (comment) and
	// f (name of a function). Default: the code as it is.
	Highlight func(code string) string
}

// HTML writes nb as one page. HTML in Markdown cells and outputs is kept as it is, scripts included, as Jupyter does with a
// trusted notebook.
func HTML(w io.Writer, nb *notebook.Notebook, o Options) error {
	p := newPage(o)
	p.begin("<style>\n" + pageCSS + "</style>")
	if err := p.notebook(nb); err != nil {
		return err
	}
	p.end()
	_, err := p.WriteTo(w)
	return err
}

// page collects the text of a page.
type page struct {
	bytes.Buffer
	o        Options
	markdown goldmark.Markdown
	ids      parser.IDs                                 // of headings, all different
	link     func(dest string) (better string, ok bool) // of what Markdown refers to; nil leaves all as it is
	outputs  func(html string) string                   // of what outputs have as HTML; nil leaves it as it is
	heads    []heading
	first    string // paragraph
}

// heading is one of a page's: its level, its text and the id by which links find it.
type heading struct {
	level    int
	text, id string
}

func newPage(o Options) *page {
	if o.Highlight == nil {
		o.Highlight = html.EscapeString
	}
	return &page{o: o, ids: parser.NewContext().IDs(), markdown: goldmark.New(goldmark.WithExtensions(extension.GFM),
		goldmark.WithParserOptions(parser.WithAutoHeadingID()), goldmark.WithRendererOptions(ghtml.WithUnsafe()))}
}

// begin writes what stands above a page's text; style is an element.
func (p *page) begin(style string) {
	fmt.Fprintf(p, "<!doctype html>\n<html lang=\"en\">\n<head><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\">\n<title>%s</title>\n%s</head>\n<body><main>\n",
		html.EscapeString(p.o.Title), style)
}

func (p *page) end() { p.WriteString("</main></body>\n</html>\n") }

func (p *page) notebook(nb *notebook.Notebook) error {
	for _, c := range nb.Cells {
		if err := p.cell(c); err != nil {
			return err
		}
	}
	return nil
}

func (p *page) cell(c *notebook.Cell) error {
	switch c.Type {
	case "markdown":
		p.WriteString("<section class=\"text\">\n")
		if err := p.convert(c.Source); err != nil {
			return err
		}
		p.WriteString("</section>\n")
	case "code":
		if strings.TrimSpace(c.Source) != "" {
			count := " "
			if c.Count > 0 {
				count = fmt.Sprint(c.Count)
			}
			fmt.Fprintf(p, "<section class=\"code\"><div class=\"count\">[%s]</div><pre><code>%s</code></pre></section>\n", count, p.o.Highlight(c.Source))
		}
		for _, o := range c.Outputs {
			if err := p.output(o); err != nil {
				return err
			}
		}
	}
	return nil // raw cells are for other targets
}

func (p *page) output(o map[string]any) error {
	switch o["output_type"] {
	case "stream":
		text, _ := o["text"].(string)
		p.pre(map[bool]string{true: "stderr", false: "stdout"}[o["name"] == "stderr"], text)
	case "error":
		p.pre("error", errorText(o))
	default:
		data, _ := o["data"].(map[string]any)
		return p.data(data)
	}
	return nil
}

func (p *page) pre(class, text string) {
	if text = strings.TrimRight(plain(text), "\n"); text != "" {
		fmt.Fprintf(p, "<pre class=\"output %s\">%s</pre>\n", class, html.EscapeString(text))
	}
}

func (p *page) data(data map[string]any) error {
	typ, content := choose(data, formsHTML)
	switch {
	case typ == "":
	case typ == display.TypeHTML:
		if p.outputs != nil {
			content = p.outputs(content)
		}
		fmt.Fprintf(p, "<div class=\"output\">%s</div>\n", content)
	case typ == display.TypeMarkdown:
		p.WriteString("<div class=\"output\">")
		if err := p.convert(content); err != nil {
			return err
		}
		p.WriteString("</div>\n")
	case extensions[typ] != "":
		b, err := pictureFile(typ, content)
		if err != nil {
			return err
		}
		alt, _ := data[display.TypeText].(string)
		fmt.Fprintf(p, "<div class=\"output\"><img alt=\"%s\" src=\"data:%s;base64,%s\"></div>\n", html.EscapeString(alt), typ, base64.StdEncoding.EncodeToString(b))
	default:
		p.pre("result", content)
	}
	return nil
}
