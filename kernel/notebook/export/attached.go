package export

import (
	"encoding/base64"
	"fmt"
	"html"
	"net/url"
	"slices"
	"strings"

	"github.com/arrayrepl/arrayrepl/internal/lazyregexp"
	"github.com/arrayrepl/arrayrepl/kernel/display"
)

// attachmentPrefix begins the address of a file that a Markdown cell brings along.
const attachmentPrefix = "attachment:"

// pictureOf returns the picture of an attachment, in the best form that a page can show. The name may be escaped as
// addresses are.
func pictureOf(attached map[string]map[string]any, name string) (typ string, data []byte, err error) {
	bundle, ok := attached[name]
	if plain, bad := url.PathUnescape(name); !ok && bad == nil {
		bundle, ok = attached[plain]
	}
	if !ok {
		return "", nil, fmt.Errorf("the picture %.60q is not attached to its cell", name)
	}
	for _, typ := range []string{display.TypePNG, display.TypeJPEG, "image/gif", "image/webp", display.TypeSVG} {
		text, ok := bundle[typ].(string)
		if !ok {
			continue
		}
		if typ == display.TypeSVG && !strings.Contains(text, "<") { // JupyterLab attaches all files in base64
			if b, err := base64.StdEncoding.DecodeString(strings.Join(strings.Fields(text), "")); err == nil {
				text = string(b)
			}
		}
		data, err = pictureFile(typ, text)
		return typ, data, err
	}
	return "", nil, fmt.Errorf("the attachment %.60q is not a picture that can be shown", name)
}

// attachment returns the address of an attached picture; ok is false for other addresses.
func (p *page) attachment(dest string) (address string, ok bool) {
	name, ok := strings.CutPrefix(dest, attachmentPrefix)
	if !ok {
		return "", false
	}
	typ, data, err := pictureOf(p.attached, name)
	if err == nil && typ == display.TypeSVG && p.o.Sanitize {
		err = inertSVG(data)
	}
	if err != nil {
		return "#", true // its alternative text is shown
	}
	if p.files != nil {
		i := slices.Index(sortedNames(p.attached), nameIn(p.attached, name)) + 1
		return p.files(fmt.Sprintf("attachment_%d_%d%s", p.cellNo, i, extensions[typ]), data), true
	}
	return "data:" + typ + ";base64," + base64.StdEncoding.EncodeToString(data), true
}

var attachedInHTML = lazyregexp.New(`(?i)(\ssrc\s*=\s*)("attachment:[^"]*"|'attachment:[^']*')`)

// attachments leads the img elements that a text has as HTML to the attached pictures.
func (p *page) attachments(text string) string {
	if len(p.attached) == 0 {
		return text
	}
	return attachedInHTML.ReplaceAllStringFunc(text, func(m string) string {
		part := attachedInHTML.FindStringSubmatch(m)
		quoted := html.UnescapeString(part[2][1 : len(part[2])-1])
		if at, ok := p.attachment(quoted); ok {
			return part[1] + `"` + html.EscapeString(at) + `"`
		}
		return m
	})
}

// nameIn is the name under which an attachment is kept, for one that may be escaped.
func nameIn(attached map[string]map[string]any, name string) string {
	if _, ok := attached[name]; ok {
		return name
	}
	plain, err := url.PathUnescape(name)
	if err != nil {
		return name
	}
	return plain
}

func sortedNames(attached map[string]map[string]any) []string {
	var names []string
	for name := range attached {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}
