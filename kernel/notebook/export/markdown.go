package export

import (
	"fmt"
	"html"
	"path"
	"strings"
	"sync"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"

	"github.com/arrayrepl/arrayrepl/internal/lazyregexp"
	"github.com/arrayrepl/arrayrepl/kernel/display"
	"github.com/arrayrepl/arrayrepl/kernel/notebook"
)

// Markdown returns nb as a text and the files that it shows, by the paths under which it refers to them: dir, a slash,
// a name. What cannot be shown is a note in the text.
func Markdown(nb *notebook.Notebook, dir string) (text string, files map[string][]byte, err error) {
	return (&document{dir: dir}).of(nb)
}

// SanitizedMarkdown is [Markdown] for a notebook that is not trusted: HTML in its texts becomes text, a text with links
// that run scripts a block of code, and pictures that could run scripts are left out.
func SanitizedMarkdown(nb *notebook.Notebook, dir string) (text string, files map[string][]byte, err error) {
	return (&document{dir: dir, sanitize: true}).of(nb)
}

func (d *document) of(nb *notebook.Notebook) (text string, files map[string][]byte, err error) {
	d.language, d.files = language(nb), map[string][]byte{}
	for i, c := range nb.Cells {
		switch c.Type {
		case "markdown":
			d.text(d.attachments(c, i+1))
		case "code":
			if strings.TrimSpace(c.Source) != "" {
				d.fenced(d.language, c.Source)
			}
			for n, o := range c.Outputs {
				if err := d.output(o, fmt.Sprintf("output_%d_%d", i+1, n+1)); err != nil {
					d.part("*This output cannot be shown: " + plainWords(err.Error()) + "*")
				}
			}
		}
	}
	return strings.Join(d.parts, "\n\n") + "\n", d.files, nil
}

// document collects the parts of a text.
type document struct {
	dir, language string
	sanitize      bool
	parts         []string
	files         map[string][]byte
}

// language is what the code is in, "" where the notebook says nothing that is a name.
func language(nb *notebook.Notebook) string {
	info, _ := nb.Metadata["language_info"].(map[string]any)
	name, _ := info["name"].(string)
	if !languageNames.MatchString(name) {
		return ""
	}
	return name
}

var markdownMarks = lazyregexp.New("[\\\\`*_{}\\[\\]<>#|!\\r\\n]")

// plainWords is a message without what Markdown would take for marks.
func plainWords(s string) string { return markdownMarks.ReplaceAllString(shortened(s), " ") }

func (d *document) part(s string) {
	if s = strings.Trim(s, "\n"); s != "" {
		d.parts = append(d.parts, s)
	}
}

// fenced adds s between fences that are longer than any run of backticks in it.
func (d *document) fenced(language, s string) {
	longest, run := 2, 0
	for i := range len(s) {
		if s[i] != '`' {
			run = 0
			continue
		}
		run++
		longest = max(longest, run)
	}
	fence := strings.Repeat("`", longest+1)
	d.part(fence + language + "\n" + strings.TrimRight(s, "\n") + "\n" + fence)
}

// text adds a text in Markdown.
func (d *document) text(s string) {
	if d.sanitize {
		var runs bool
		if s, runs = withoutHTML(s); runs {
			d.fenced("", s)
			return
		}
	}
	s, ok := closed(s)
	if !ok {
		d.fenced("", s)
		return
	}
	d.part(s)
}

// markdownParser reads Markdown as GitHub and Jupyter have it.
var markdownParser = sync.OnceValue(func() parser.Parser { return newMarkdown().Parser() })

// withoutHTML returns a text in Markdown with its HTML as text, and whether it has links or pictures that a browser
// would run.
func withoutHTML(s string) (out string, runs bool) {
	src := []byte(s)
	doc := markdownParser().Parse(text.NewReader(src))
	escape := make([]bool, len(src)) // by the places of <
	mark := func(at text.Segment) {
		for i := at.Start; i < at.Stop && i < len(src); i++ {
			escape[i] = src[i] == '<'
		}
	}
	ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) { // its function gives no error
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.CodeSpan:
			return ast.WalkSkipChildren, nil
		case *ast.Text: // other readers of Markdown may see HTML where this one sees none
			mark(n.Segment)
		case *ast.RawHTML:
			for i := range n.Segments.Len() {
				mark(n.Segments.At(i))
			}
		case *ast.HTMLBlock:
			for i := range n.Lines().Len() {
				mark(n.Lines().At(i))
			}
			mark(n.ClosureLine)
		case *ast.Link:
			runs = runs || !linkTarget.MatchString(strings.TrimSpace(string(n.Destination)))
		case *ast.Image:
			runs = runs || !imageSource.MatchString(strings.TrimSpace(string(n.Destination)))
		case *ast.AutoLink:
			runs = runs || n.AutoLinkType == ast.AutoLinkURL && !linkTarget.MatchString(string(n.URL(src)))
		}
		return ast.WalkContinue, nil
	})
	var b strings.Builder
	for i := range src {
		if escape[i] {
			b.WriteString("&lt;")
		} else {
			b.WriteByte(src[i])
		}
	}
	return b.String(), runs
}

var attachedInMarkdown = lazyregexp.New(`attachment:([^\s)"'>]+)`)

// attachments is the text of a cell with its attached pictures as files.
func (d *document) attachments(c *notebook.Cell, number int) string {
	attached := c.Attachments()
	if len(attached) == 0 {
		return c.Source
	}
	return attachedInMarkdown.ReplaceAllStringFunc(c.Source, func(m string) string {
		name := strings.TrimPrefix(m, attachmentPrefix)
		typ, data, err := pictureOf(attached, html.UnescapeString(name))
		if err != nil {
			return m
		}
		for i, known := range sortedNames(attached) {
			if known == nameIn(attached, html.UnescapeString(name)) {
				if at, err := d.picture(fmt.Sprintf("attachment_%d_%d", number, i+1), typ, data); err == nil {
					return at
				}
			}
		}
		return m
	})
}

// picture adds a file and returns the address that the text has for it.
func (d *document) picture(name, typ string, data []byte) (string, error) {
	if d.sanitize && typ == display.TypeSVG {
		if err := inertSVG(data); err != nil {
			return "", fmt.Errorf("an SVG picture of a notebook that is not trusted: %w", err)
		}
	}
	file := path.Join(d.dir, name+extensions[typ])
	d.files[file] = data
	return strings.NewReplacer("(", "%28", ")", "%29").Replace(address(file)), nil
}

func (d *document) output(o map[string]any, name string) error {
	text, isText := o["text"].(string)
	data, hasForms := o["data"].(map[string]any)
	typ, content := choose(data, formsMarkdown)
	switch {
	case o["output_type"] == "error":
		text = errorText(o)
	case o["output_type"] == "stream":
		if !isText {
			return errNoText
		}
	case !hasForms:
		return errNoForms
	case typ == display.TypeMarkdown || typ == display.TypeLaTeX:
		d.text(content)
	case extensions[typ] != "":
		b, err := pictureFile(typ, content)
		if err != nil {
			return err
		}
		at, err := d.picture(name, typ, b)
		if err != nil {
			return err
		}
		d.part("![output](" + at + ")")
	case typ == display.TypeText:
		text = content
	}
	if text = strings.TrimRight(plain(text), "\n"); text != "" {
		d.fenced("", text)
	}
	return nil
}
