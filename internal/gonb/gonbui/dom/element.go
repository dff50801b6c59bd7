package dom

import (
	"regexp"
	"strings"
)

// element is where an element stands in a text of HTML: as a whole, and what is in it.
type element struct{ start, inner, innerEnd, end int }

// tag is an opening or closing tag, or a comment.
var tag = regexp.MustCompile(`(?s)<!--.*?-->|<(/?)([A-Za-z][\w-]*)((?:\s+[^\s=>/"']+(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'>]+))?|\s+|/)*)>`)

// idOf finds an element's id among its attributes.
var idOf = regexp.MustCompile(`(?:^|\s)(?i:id)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))`)

// void are the elements without content.
var void = map[string]bool{
	"area": true, "base": true, "br": true, "col": true, "embed": true, "hr": true, "img": true, "input": true, "link": true,
	"meta": true, "source": true, "track": true, "wbr": true,
}

// find finds the element with an id.
func find(text, id string) (at element, ok bool) {
	depth, name := 0, ""
	for _, m := range tag.FindAllStringSubmatchIndex(text, -1) {
		if m[4] < 0 { // a comment
			continue
		}
		this := strings.ToLower(text[m[4]:m[5]])
		closing, attributes := m[2] < m[3], text[m[6]:m[7]]
		alone := void[this] || strings.HasSuffix(attributes, "/")
		switch {
		case name == "":
			got := idOf.FindStringSubmatch(attributes)
			if closing || got == nil || got[1]+got[2]+got[3] != id {
				continue
			}
			at, name, depth = element{start: m[0], inner: m[1], innerEnd: m[1], end: m[1]}, this, 1
			if alone {
				return at, true
			}
		case this != name || alone:
		case closing:
			if depth--; depth == 0 {
				at.innerEnd, at.end = m[0], m[1]
				return at, true
			}
		default:
			depth++
		}
	}
	if name != "" { // it is never closed: all that follows is in it
		at.innerEnd, at.end = len(text), len(text)
	}
	return at, name != ""
}
