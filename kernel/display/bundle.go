package display

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"strconv"
	"strings"
)

// MIME types that the project produces.
const (
	TypeText       = "text/plain"
	TypeHTML       = "text/html"
	TypeMarkdown   = "text/markdown"
	TypeLaTeX      = "text/latex"
	TypeSVG        = "image/svg+xml"
	TypePNG        = "image/png"
	TypeJPEG       = "image/jpeg"
	TypeJSON       = "application/json"
	TypeJavaScript = "application/javascript"
	TypePDF        = "application/pdf"
)

// Bundle is one value in several forms. Data maps a MIME type to a string (text types, SVG), a []byte (pictures; sent
// as base64) or any value that encoding/json accepts (JSON types). Metadata is keyed the same way and may be nil.
// Transient is not kept in a notebook; its "display_id" is what [Show] shows the bundle under, as [ShowAs] does.
type Bundle struct {
	Data      map[string]any
	Metadata  map[string]any
	Transient map[string]any
}

// MIMEBundle returns b: a bundle is a [Bundler] too.
func (b Bundle) MIMEBundle() Bundle { return b }

// Text returns the bundle of plain text alone.
func Text(s string) Bundle { return Bundle{Data: map[string]any{TypeText: s}} }

// Empty reports whether b has nothing to show.
func (b Bundle) Empty() bool { return len(b.Data) == 0 }

// Text returns the plain-text form, or "" when there is none.
func (b Bundle) Text() string {
	s, _ := b.Data[TypeText].(string)
	return s
}

// encoded returns b with its forms of JSON encoded, or an error that says which one cannot be.
func encoded(b Bundle) (Bundle, error) {
	var data map[string]any
	for typ, v := range b.Data {
		switch v := v.(type) {
		case string, []byte:
			continue
		case json.RawMessage:
			if json.Valid(v) {
				continue
			}
			var any any
			return Bundle{}, fmt.Errorf("display: the %s form of a value is not JSON: %w; it begins with %s", typ, json.Unmarshal(v, &any), strconv.Quote(cutAt(string(v), 40)))
		}
		raw, err := marshal(v)
		if err != nil {
			return Bundle{}, fmt.Errorf("display: the %s form of a value: %w", typ, err)
		}
		if data == nil {
			data = maps.Clone(b.Data)
		}
		data[typ] = json.RawMessage(raw)
	}
	if data != nil {
		b.Data = data
	}
	return b, nil
}

// MarshalData returns Data as the protocol and .ipynb files carry it: strings as they are, pictures as base64, the rest
// as JSON. Metadata needs no such step.
func (b Bundle) MarshalData() (map[string]json.RawMessage, error) {
	out := make(map[string]json.RawMessage, len(b.Data))
	for typ, v := range b.Data {
		if pic, ok := v.([]byte); ok {
			if strings.HasPrefix(typ, "text/") || typ == TypeSVG {
				v = string(pic)
			} else {
				v = base64.StdEncoding.EncodeToString(pic)
			}
		}
		raw, ok := v.(json.RawMessage)
		if !ok {
			var err error
			if raw, err = marshal(v); err != nil {
				return nil, fmt.Errorf("display: %s form of a value: %w", typ, err)
			}
		}
		out[typ] = raw
	}
	return out, nil
}

// marshal is json.Marshal without the escapes for HTML, which would double the size of a chart.
func marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(v)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}
