package export

import (
	"fmt"
	"path"
	"strings"

	"github.com/arrayrepl/arrayrepl/kernel/display"
	"github.com/arrayrepl/arrayrepl/kernel/notebook"
)

// Markdown returns nb as a text and the files that it shows, by the paths under which it refers to them: dir, a slash, a
// name.
func Markdown(nb *notebook.Notebook, dir string) (text string, files map[string][]byte, err error) {
	d := &document{dir: dir, language: language(nb), files: map[string][]byte{}}
	for i, c := range nb.Cells {
		switch c.Type {
		case "markdown":
			d.part(c.Source)
		case "code":
			if strings.TrimSpace(c.Source) != "" {
				d.fenced(d.language, c.Source)
			}
			for n, o := range c.Outputs {
				if err := d.output(o, fmt.Sprintf("output_%d_%d", i+1, n+1)); err != nil {
					return "", nil, err
				}
			}
		}
	}
	return strings.Join(d.parts, "\n\n") + "\n", d.files, nil
}

// document collects the parts of a text.
type document struct {
	dir, language string
	parts         []string
	files         map[string][]byte
}

func language(nb *notebook.Notebook) string {
	info, _ := nb.Metadata["language_info"].(map[string]any)
	name, _ := info["name"].(string)
	return name
}

func (d *document) part(s string) {
	if s = strings.Trim(s, "\n"); s != "" {
		d.parts = append(d.parts, s)
	}
}

// fenced adds s between fences that are longer than any in it.
func (d *document) fenced(language, s string) {
	fence := "```"
	for strings.Contains(s, fence) {
		fence += "`"
	}
	d.part(fence + language + "\n" + strings.TrimRight(s, "\n") + "\n" + fence)
}

func (d *document) output(o map[string]any, name string) error {
	text, _ := o["text"].(string)
	data, _ := o["data"].(map[string]any)
	typ, content := choose(data, formsMarkdown)
	switch {
	case o["output_type"] == "error":
		text = errorText(o)
	case typ == display.TypeMarkdown || typ == display.TypeLaTeX:
		d.part(content)
	case extensions[typ] != "":
		b, err := pictureFile(typ, content)
		if err != nil {
			return err
		}
		file := path.Join(d.dir, name+extensions[typ])
		d.files[file] = b
		d.part("![output](" + strings.ReplaceAll(file, " ", "%20") + ")")
	case typ == display.TypeText:
		text = content
	}
	if text = strings.TrimRight(plain(text), "\n"); text != "" {
		d.fenced("", text)
	}
	return nil
}
