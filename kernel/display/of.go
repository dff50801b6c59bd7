package display

import (
	"fmt"
	"reflect"
	"runtime/debug"
)

// Bundler is implemented by values that make their whole bundle themselves. It wins over all other methods.
type Bundler interface{ MIMEBundle() Bundle }

// HTMLer, SVGer, Markdowner, LaTeXer, PNGer and JPEGer are implemented by values with one rich form each; a value may
// have several. The plain text comes from fmt's %v.
type (
	HTMLer     interface{ HTML() string }
	SVGer      interface{ SVG() string }
	Markdowner interface{ Markdown() string }
	LaTeXer    interface{ LaTeX() string }
	PNGer      interface{ PNG() []byte }
	JPEGer     interface{ JPEG() []byte }
)

// Of returns the bundle that displays v, by the first of the rules in rules.go that knows it. It evaluates v where that
// is what displaying means (a lazy array). A panic in one of v's methods becomes the returned error, so that showing a
// value can never take the session with it; a typed panic value that is an error is returned as it is. So is what JSON
// cannot say, such as a NaN or a function. Plain text above 64 KB is cut, and other forms above 32 MB are left out.
func Of(v any) (Bundle, error) { return OfWith(v, Options{}) }

// Options say what a value alone does not.
type Options struct {
	Runes bool // numbers of type int32 are characters: the cell calls their type rune
	Fmt   bool // the text of what has no form of its own is that of fmt.Println, for comparison with compiled programs
}

// OfWith is [Of] with options.
func OfWith(v any, o Options) (b Bundle, err error) {
	switch v.(type) {
	case nil, int, float64, bool:
		if !o.Fmt {
			return Text(goText(v, false)), nil
		}
	}
	defer func() {
		if p := recover(); p != nil {
			b, err = Bundle{}, panicError(p)
			if rv := reflect.ValueOf(v); rv.Kind() == reflect.Pointer && rv.IsNil() {
				b, err = Text(plain(v, o)), nil // its methods do not expect that
			}
		}
	}()
	b, err = of(v, o)
	if err == nil {
		b, err = encoded(b)
	}
	return bounded(b), err
}

// of is OfWith without bounds, and with panics.
func of(v any, o Options) (b Bundle, err error) {
	rv := reflect.ValueOf(v)
	for i := range rules {
		if o.Fmt && rules[i].name == firstOfKind {
			break
		}
		if b, ok, err := rules[i].show(v, rv, o); ok || err != nil {
			return b, err
		}
	}
	table := tableOf(v, o.Runes)
	b = Text(clip(fitted(plain(v, o), table, CurrentScreen().Columns)))
	if table != nil {
		b.Data[TypeHTML] = table.html()
	}
	return b, nil
}

// forms calls the methods of v that make one form each.
func forms(v any) map[string]any {
	data := map[string]any{}
	if m, ok := v.(HTMLer); ok {
		data[TypeHTML] = m.HTML()
	}
	if m, ok := v.(SVGer); ok {
		data[TypeSVG] = m.SVG()
	}
	if m, ok := v.(Markdowner); ok {
		data[TypeMarkdown] = m.Markdown()
	}
	if m, ok := v.(LaTeXer); ok {
		data[TypeLaTeX] = m.LaTeX()
	} else if m, ok := v.(Latexer); ok {
		data[TypeLaTeX] = m.Latex()
	}
	if m, ok := v.(PNGer); ok {
		data[TypePNG] = m.PNG()
	}
	if m, ok := v.(JPEGer); ok {
		data[TypeJPEG] = m.JPEG()
	}
	if m, ok := v.(JavaScripter); ok {
		data[TypeJavaScript] = m.JavaScript()
	}
	if m, ok := v.(JSONer); ok {
		data[TypeJSON] = m.JSON()
	}
	if m, ok := v.(PDFer); ok {
		data[TypePDF] = m.PDF()
	}
	return data
}

// PanicError is the panic of a value's display method, with the stack where it happened.
type PanicError struct {
	Value any
	Stack []byte
}

func (e *PanicError) Error() string { return fmt.Sprintf("displaying the value panicked: %v", e.Value) }

// Panicked returns what the method panicked with.
func (e *PanicError) Panicked() any { return e.Value }

// panicError is the panic itself where it says what it is about: an error, but Go's own that names no function.
func panicError(p any) error {
	if err, ok := p.(error); ok {
		if _, own := err.(interface{ RuntimeError() }); !own {
			return err
		}
	}
	return &PanicError{Value: p, Stack: debug.Stack()}
}

// plain is the text of [GoText], but of a function its type: who forgot to call it sees what it wants and gives.
func plain(v any, o Options) string {
	if o.Fmt && Endless(v) {
		return fmt.Sprintf("%T (a value that contains itself: its text has no end)", v)
	}
	if _, named := v.(fmt.Stringer); !named {
		if t := reflect.TypeOf(v); t != nil && t.Kind() == reflect.Func {
			return typeName(t, o.Runes)
		}
	}
	if o.Fmt {
		return fmt.Sprint(v)
	}
	return goText(v, o.Runes)
}
