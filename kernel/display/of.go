package display

import (
	"fmt"
	"reflect"
	"runtime/debug"
	"strings"
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

// Of returns the bundle that displays v. It evaluates v where that is what displaying means (a lazy array). Values
// without methods of their own have these views: pictures (image.Image, the bytes of a PNG, JPEG or GIF file), tables
// (a struct, a map, a slice of structs), and the text of fmt for the rest. A panic in one of v's methods becomes the
// returned error, so that showing a value can never take the session with it; a typed panic value that is an error is
// returned as it is. Plain text above 64 KB is cut, and other forms above 32 MB are left out.
func Of(v any) (b Bundle, err error) {
	defer func() {
		if p := recover(); p != nil {
			b, err = Bundle{}, panicError(p)
			if rv := reflect.ValueOf(v); rv.Kind() == reflect.Pointer && rv.IsNil() {
				b, err = Text("<nil>"), nil // as fmt prints nil pointers whose methods do not expect them
			}
		}
	}()
	b, err = of(v)
	return bounded(b), err
}

// of is Of without bounds, and with panics.
func of(v any) (b Bundle, err error) {
	switch v := v.(type) {
	case Bundle:
		return v, nil
	case Bundler:
		return v.MIMEBundle(), nil
	}
	if Endless(v) {
		return Text(fmt.Sprintf("%T (a value that contains itself: its text has no end)", v)), nil
	}
	if b, ok := rendered(v); ok {
		return b, nil
	}
	if data := forms(v); len(data) > 0 {
		data[TypeText] = text(v)
		return Bundle{Data: data}, nil
	}
	if b, ok, err := picture(v); ok || err != nil {
		return b, err
	}
	table := tableOf(v)
	b = Text(clip(fitted(v, plain(v), table, CurrentScreen().Columns)))
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

// text is the plain text of v.
func text(v any) string { return clip(plain(v)) }

// plain is what fmt prints of v, but of a function its type: who forgot to call it sees what it wants and gives.
func plain(v any) string {
	if _, named := v.(fmt.Stringer); !named && reflect.ValueOf(v).Kind() == reflect.Func {
		return strings.ReplaceAll(fmt.Sprintf("%T", v), "interface {}", "any")
	}
	return fmt.Sprint(v)
}
