package yaegi

import (
	"encoding/json"
	"reflect"

	"github.com/arrayrepl/arrayrepl/kernel/display"
)

func init() { display.Extend(showBoxed) }

// shownBy are the methods by which a value says how it is shown, as package display knows them.
var shownBy = []struct{ method, mime string }{
	{"HTML", display.TypeHTML}, {"SVG", display.TypeSVG}, {"Markdown", display.TypeMarkdown}, {"LaTeX", display.TypeLaTeX},
	{"PNG", display.TypePNG}, {"JPEG", display.TypeJPEG},
}

// showBoxed shows a value of a cell's type by the methods of that type, which the value has beside it.
func showBoxed(v any) (display.Bundle, bool) {
	box, ok := v.(Boxed)
	if !ok {
		return display.Bundle{}, false
	}
	var whole display.Bundle
	if box.gives("MIMEBundle", whole) {
		box.call("MIMEBundle", []any{&whole})
		return whole, true
	}
	b := display.Bundle{Data: map[string]any{}}
	for _, by := range shownBy {
		var text string
		var file []byte
		switch {
		case box.gives(by.method, text):
			box.call(by.method, []any{&text})
			b.Data[by.mime] = text
		case box.gives(by.method, file):
			box.call(by.method, []any{&file})
			b.Data[by.mime] = file
		}
	}
	if len(b.Data) > 0 {
		b.Data[display.TypeText] = display.GoText(v)
		return b, true
	}
	if box.has("String") || box.has("Error") {
		return display.Bundle{}, false
	}
	if raw, ok := box.marshals("MarshalJSON"); ok {
		b, err := display.Of(json.RawMessage(raw))
		return b, err == nil
	}
	text, ok := box.marshals("MarshalText")
	return display.Text(string(text)), ok
}

// marshals calls one of the methods of package encoding, where v has it.
func (v Boxed) marshals(method string) (raw []byte, ok bool) {
	var err error
	if !v.gives(method, raw, err) {
		return nil, false
	}
	if v.call(method, []any{&raw, &err}); err != nil {
		panic(err)
	}
	return raw, true
}

// gives reports whether v has a method without parameters whose results have the types of some values; nil stands for
// an error.
func (v Boxed) gives(name string, results ...any) bool {
	m, ok := v.d.method(name)
	if !ok || m.Type().NumIn() != 1 || m.Type().NumOut() != len(results) {
		return false
	}
	for i, r := range results {
		want := reflect.TypeOf(r)
		if want == nil {
			want = reflect.TypeFor[error]()
		}
		if m.Type().Out(i) != want {
			return false
		}
	}
	return true
}
