package display

import (
	"encoding/base64"
	"fmt"
	"html"
	"reflect"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Row returns a value that displays values one beside the other.
func Row(values ...any) Bundle { return mustArrange(values, true) }

// Column returns a value that displays values one below the other.
func Column(values ...any) Bundle { return mustArrange(values, false) }

func mustArrange(values []any, beside bool) Bundle {
	b, err := arrange(values, nil, beside)
	if err != nil {
		panic(err)
	}
	return b
}

// arrange makes one bundle of those of several values, below labels where there are some.
func arrange(values, labels []any, beside bool) (Bundle, error) {
	var text []string
	var page strings.Builder
	var bundles []Bundle
	page.WriteString(map[bool]string{true: `<div style="display:flex;flex-wrap:wrap;gap:12px;align-items:flex-start">`, false: `<div style="display:flex;flex-direction:column;gap:12px;align-items:flex-start">`}[beside])
	for i, v := range values {
		b, err := Of(v)
		if err != nil {
			return Bundle{}, err
		}
		h, _ := b.fragment()
		if labels != nil {
			label := fmt.Sprint(labels[i])
			h = "<b>" + html.EscapeString(label) + "</b><br>" + h
			text = append(text, label+":")
		}
		bundles = append(bundles, b)
		page.WriteString(`<div style="max-width:100%">` + h + "</div>")
		text = append(text, b.Text())
	}
	page.WriteString("</div>")
	b := Text(clip(strings.Join(text, "\n")))
	if s, ok := marked(bundles, labels); ok {
		b.Data[TypeMarkdown] = s
	} else {
		b.Data[TypeHTML] = page.String()
	}
	return b, nil
}

// marked is Markdown that shows several values one below the other, below labels where there are some: where Markdown
// or a formula is the best form of one of them, and HTML of none.
func marked(bundles []Bundle, labels []any) (s string, ok bool) {
	var parts []string
	for i, b := range bundles {
		if labels != nil {
			parts = append(parts, "**"+fenced(fmt.Sprint(labels[i]), "`")+"**")
		}
		if _, rich := b.fragment(); rich {
			return "", false
		}
		if s, own := b.ownMarkdown(); own {
			parts, ok = append(parts, s), true
		} else {
			parts = append(parts, fenced(b.Text(), "```\n"))
		}
	}
	return strings.Join(parts, "\n\n"), ok
}

// ownMarkdown is b's Markdown, of which a formula in dollars is a part.
func (b Bundle) ownMarkdown() (s string, ok bool) {
	for _, typ := range []string{TypeMarkdown, TypeLaTeX} {
		if s, ok := b.Data[typ].(string); ok {
			return s, true
		}
	}
	return "", false
}

// fenced is text that Markdown shows as it is, between fences that it does not contain: "`" within a line, "```\n" for
// lines.
func fenced(text, fence string) string {
	open, end := strings.TrimSuffix(fence, "\n"), fence[len(strings.TrimSuffix(fence, "\n")):]
	for strings.Contains(text, open) {
		open += "`"
	}
	return open + end + strings.TrimSuffix(text, "\n") + end + open
}

// fragment is HTML that shows the best form of b that HTML can; rich says that it is more than the text.
func (b Bundle) fragment() (s string, rich bool) {
	if s, ok := b.Data[TypeHTML].(string); ok {
		return s, true
	}
	if s, ok := b.Data[TypeSVG].(string); ok { // an element of the page would not live in one that is not trusted
		return `<img style="max-width:100%" alt="` + html.EscapeString(cutAt(b.Text(), tableText)) + `" src="data:image/svg+xml;base64,` + base64.StdEncoding.EncodeToString([]byte(s)) + `">`, true
	}
	for _, typ := range []string{TypePNG, TypeJPEG, "image/gif"} {
		if pic, ok := b.Data[typ].([]byte); ok {
			size := ""
			if m, ok := b.Metadata[typ].(MIMEMap); ok && m["width"] != nil {
				size = fmt.Sprintf(` width="%v"`, m["width"])
			}
			return fmt.Sprintf(`<img style="max-width:100%%"%s alt="%s" src="data:%s;base64,%s">`, size, html.EscapeString(cutAt(b.Text(), tableText)), typ, base64.StdEncoding.EncodeToString(pic)), true
		}
	}
	return `<pre style="margin:0">` + html.EscapeString(b.Text()) + "</pre>", false
}

// Join makes one bundle of those of several values: their texts with commas between, an error on a line of its own, and
// a page where one of them is more than text.
func Join(values []any, bundles []Bundle, o Options) Bundle {
	if len(bundles) < 2 {
		if len(bundles) == 0 {
			return Bundle{}
		}
		return bundles[0]
	}
	var text strings.Builder
	var page []string
	anyRich := false
	lines := false
	for i, b := range bundles {
		s := b.Text()
		if v := values[i]; !o.Fmt && v != nil && reflect.TypeOf(v).Kind() == reflect.String && !printsItself(v) && utf8.RuneCountInString(s) < tableText {
			s = strconv.Quote(s)
		}
		_, failed := values[i].(error)
		many := strings.Contains(s, "\n")
		switch {
		case i == 0:
		case o.Fmt:
			text.WriteString(" ")
		case failed || many || lines:
			text.WriteString("\n")
		default:
			text.WriteString(", ")
		}
		lines = many
		text.WriteString(s)
		h, rich := b.fragment()
		if !rich {
			h = "<pre>" + html.EscapeString(s) + "</pre>"
		}
		anyRich = anyRich || rich
		page = append(page, h)
	}
	out := Text(clip(text.String()))
	if anyRich {
		out.Data[TypeHTML] = strings.Join(page, "\n")
	} else if s, ok := marked(bundles, nil); ok {
		out.Data[TypeMarkdown] = s
	}
	return out
}
