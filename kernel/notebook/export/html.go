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
	"github.com/yuin/goldmark/parser"

	"github.com/arrayrepl/arrayrepl/kernel/display"
	"github.com/arrayrepl/arrayrepl/kernel/notebook"
)

//go:embed page.css
var pageCSS string

// Options is how a page is made.
type Options struct {
	Title string
	// Highlight returns code as HTML with coloured spans of the classes k (keyword), s (text), n (number), c (comment)
	// and f (name of a function). Default: the code as it is.
	Highlight func(code string) string
	// Sanitize takes out what could run, load or send anything: for a notebook that is not trusted. Charts are pictures
	// then.
	Sanitize bool
}

// HTML writes nb as one page. HTML in Markdown cells and outputs is kept as it is, scripts included, as Jupyter does
// with a trusted notebook, unless o says that it is sanitised. What cannot be shown is a note in the page.
func HTML(w io.Writer, nb *notebook.Notebook, o Options) error {
	p := newPage(o)
	p.begin("<style>\n" + pageCSS + "</style>")
	p.notebook(nb)
	_, err := w.Write(p.end())
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
	style    string // an element
	scripts  allowed
	files    func(name string, data []byte) (address string) // puts a file beside the page; nil keeps it in the page
	attached map[string]map[string]any                       // to the cell that is being written
	cellNo   int
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
	return &page{o: o, ids: parser.NewContext().IDs(), markdown: newMarkdown()}
}

// begin begins a page; style is an element.
func (p *page) begin(style string) { p.style = style }

// end returns the page as a whole.
func (p *page) end() []byte {
	policy := p.scripts.policy()
	if p.o.Sanitize {
		policy = lockedPolicy
	}
	head := fmt.Sprintf("<!doctype html>\n<html lang=\"en\">\n<head><meta charset=\"utf-8\"><meta http-equiv=\"Content-Security-Policy\" content=\"%s\">"+
		"<meta name=\"viewport\" content=\"width=device-width\">\n<title>%s</title>\n%s</head>\n<body><main>\n",
		policy, html.EscapeString(p.o.Title), p.style)
	return []byte(head + p.String() + "</main></body>\n</html>\n")
}

// rich adds HTML of the notebook, or made of its Markdown.
func (p *page) rich(text string) {
	if p.o.Sanitize {
		text = sanitized(text)
	} else {
		p.scripts.admit(text)
	}
	p.WriteString(text)
}

// try adds what write adds. Where that fails, there is a note, and the rest of the page goes on.
func (p *page) try(what string, write func() error) {
	start := p.Len()
	err := func() (err error) {
		defer func() {
			if r := recover(); r != nil { // a library on a text that nobody has foreseen
				err = fmt.Errorf("%v", r)
			}
		}()
		return write()
	}()
	if err != nil {
		p.Truncate(start)
		fmt.Fprintf(p, "<div class=\"output note\">%s cannot be shown: %s</div>\n", what, html.EscapeString(shortened(err.Error())))
	}
}

// shortened is a message that may quote what a notebook has.
func shortened(s string) string {
	if r := []rune(s); len(r) > 200 {
		return string(r[:200]) + "…"
	}
	return s
}

func (p *page) notebook(nb *notebook.Notebook) {
	for i, c := range nb.Cells {
		p.cellNo = i + 1
		p.cell(c)
	}
}

func (p *page) cell(c *notebook.Cell) {
	switch c.Type {
	case "markdown":
		p.attached = c.Attachments()
		p.WriteString("<section class=\"text\">\n")
		p.try("This text", func() error { return p.convert(c.Source) })
		p.WriteString("</section>\n")
		p.attached = nil
	case "code":
		if strings.TrimSpace(c.Source) != "" {
			count := " "
			if c.Count > 0 {
				count = fmt.Sprint(c.Count)
			}
			fmt.Fprintf(p, "<section class=\"code\"><div class=\"count\">[%s]</div><pre><code>%s</code></pre></section>\n", count, p.o.Highlight(c.Source))
		}
		for _, o := range c.Outputs {
			p.try("This output", func() error { return p.output(o) })
		}
	} // raw cells are for other targets
}

func (p *page) output(o map[string]any) error {
	switch o["output_type"] {
	case "stream":
		text, ok := o["text"].(string)
		if !ok {
			return errNoText
		}
		p.pre(map[bool]string{true: "stderr", false: "stdout"}[o["name"] == "stderr"], text)
	case "error":
		p.pre("error", errorText(o))
	default:
		data, ok := o["data"].(map[string]any)
		if !ok {
			return errNoForms
		}
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
		p.WriteString("<div class=\"output\">")
		p.rich(content)
		p.WriteString("</div>\n")
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
