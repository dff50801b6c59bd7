package langserver

import (
	"encoding/json"
	"strconv"
	"strings"

	"github.com/arrayrepl/arrayrepl/internal/lazyregexp"
)

// direction is which way positions are mapped.
type direction bool

const (
	toFile  direction = true
	toCells direction = false
)

var marks = lazyregexp.New(mark + `\d+`)

// added is what stands for an edit or a place in what is not the cells' own: it is left out.
type added struct{}

// mapped rewrites a value of a message: addresses of notebooks, positions in them, and, on the way to the editor, names
// as cells have them. nb is the notebook that positions without an address are in.
func (p *Proxy) mapped(v any, nb *notebook, way direction) any {
	switch v := v.(type) {
	case string:
		if nb := p.known(v, way); nb != nil {
			return nb.address(way)
		}
		if way == toCells && strings.Contains(v, mark) {
			return marks.ReplaceAllString(v, "")
		}
		return v
	case []any:
		out := make([]any, 0, len(v))
		for _, e := range v {
			if e := p.mapped(e, nb, way); e != (any)(added{}) {
				out = append(out, e)
			}
		}
		return out
	case message:
		return p.mappedObject(v, nb, way)
	}
	return v
}

func (p *Proxy) mappedObject(m message, nb *notebook, way direction) any {
	if _, ok := m["character"]; ok && len(m) == 2 {
		return nb.position(m, way)
	}
	if d, ok := m["textDocument"].(message); ok {
		nb = p.at(d["uri"], nb, way)
	}
	nb = p.at(m["uri"], nb, way)
	if way == toCells && nb != nil {
		r, _ := m["range"].(message)
		if r == nil {
			r, _ = m["insert"].(message)
		}
		if r != nil && !(nb.own(r["start"]) && nb.own(r["end"])) {
			return added{}
		}
	}
	target := p.at(m["targetUri"], nb, way)
	out := make(message, len(m))
	for key, v := range m {
		switch in := nb; {
		case key == "changes": // edits by addresses
			changes, _ := v.(message)
			all := message{}
			for uri, edits := range changes {
				if known := p.known(uri, way); known != nil {
					all[known.address(way)] = p.mapped(edits, known, way)
				} else {
					all[uri] = edits
				}
			}
			out[key] = all
		case key == "data": // gopls' own
			out[key] = v
		default:
			if strings.HasPrefix(key, "target") {
				in = target
			}
			if e := p.mapped(v, in, way); e != (any)(added{}) {
				out[key] = e
			}
		}
	}
	return out
}

// known is the notebook of an address, nil for another file's.
func (p *Proxy) known(uri string, way direction) *notebook {
	if way == toFile {
		return p.open[uri]
	}
	return p.files[uri]
}

// at is the notebook in which positions beside an address are: nil where it is another file's.
func (p *Proxy) at(uri any, nb *notebook, way direction) *notebook {
	if s, ok := uri.(string); ok {
		return p.known(s, way)
	}
	return nb
}

func (nb *notebook) address(way direction) string {
	if way == toFile {
		return nb.file
	}
	return nb.uri
}

func (nb *notebook) position(m message, way direction) message {
	if nb == nil {
		return m
	}
	line, column := place(m)
	if way == toFile {
		line, column = nb.doc.ToFile(line, column)
	} else {
		line, column, _ = nb.doc.ToCells(line, column)
	}
	return message{"line": json.Number(strconv.Itoa(line)), "character": json.Number(strconv.Itoa(column))}
}

// own reports whether a position of the file lies in the cells' text.
func (nb *notebook) own(v any) bool {
	line, column := place(v)
	_, _, ok := nb.doc.ToCells(line, column)
	return ok
}
