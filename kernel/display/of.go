package display

import (
	"errors"
	"fmt"
	"runtime/debug"
)

// Bundler is implemented by values that make their whole bundle themselves. It wins over all other methods.
type Bundler interface{ MIMEBundle() Bundle }

// HTMLer, SVGer, MarkdownEr, LaTeXer, PNGer and JPEGer are implemented by values with one rich form each; a value may have
// several. The plain text comes from fmt's %v.
type (
	HTMLer     interface{ HTML() string }
	SVGer      interface{ SVG() string }
	MarkdownEr interface{ Markdown() string }
	LaTeXer    interface{ LaTeX() string }
	PNGer      interface{ PNG() []byte }
	JPEGer     interface{ JPEG() []byte }
)

// maxText bounds the plain text of a value that has no method of its own: a notebook output is read by a person, and a
// 100 MB slice must not become a 1 GB file.
const maxText = 64 << 10

// Of returns the bundle that displays v. It evaluates v where that is what displaying means (a lazy array). A panic in one
// of v's methods becomes the returned error, so that showing a value can never take the session with it; a typed panic
// value that is an error is returned as it is.
func Of(v any) (b Bundle, err error) {
	defer func() {
		if p := recover(); p != nil {
			b, err = Bundle{}, panicError(p)
		}
	}()
	if m, ok := v.(Bundler); ok {
		return m.MIMEBundle(), nil
	}
	b = Text(clip(fmt.Sprint(v)))
	if m, ok := v.(HTMLer); ok {
		b.Data[TypeHTML] = m.HTML()
	}
	if m, ok := v.(SVGer); ok {
		b.Data[TypeSVG] = m.SVG()
	}
	if m, ok := v.(MarkdownEr); ok {
		b.Data[TypeMarkdown] = m.Markdown()
	}
	if m, ok := v.(LaTeXer); ok {
		b.Data[TypeLaTeX] = m.LaTeX()
	}
	if m, ok := v.(PNGer); ok {
		b.Data[TypePNG] = m.PNG()
	}
	if m, ok := v.(JPEGer); ok {
		b.Data[TypeJPEG] = m.JPEG()
	}
	return b, nil
}

// PanicError is the panic of a value's display method, with the stack where it happened.
type PanicError struct {
	Value any
	Stack []byte
}

func (e *PanicError) Error() string { return fmt.Sprintf("displaying the value panicked: %v", e.Value) }

func panicError(p any) error {
	if err, ok := p.(error); ok {
		var re interface{ RuntimeError() }
		if !errors.As(err, &re) {
			return err
		}
	}
	return &PanicError{Value: p, Stack: debug.Stack()}
}

func clip(s string) string {
	if len(s) <= maxText {
		return s
	}
	return s[:maxText] + fmt.Sprintf("\n… %d more bytes; fmt.Println shows all of it", len(s)-maxText)
}
