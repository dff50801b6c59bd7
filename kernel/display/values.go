package display

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"io"
	"strings"

	"github.com/arrayrepl/arrayrepl/internal/budget"
)

func rich(typ string, v any, text string) Bundle {
	return Bundle{Data: map[string]any{typ: v, TypeText: text}}
}

// HTML returns a value that displays as the HTML fragment s.
func HTML(s string) Bundle { return rich(TypeHTML, s, s) }

// Markdown returns a value that displays as the Markdown text s.
func Markdown(s string) Bundle { return rich(TypeMarkdown, s, s) }

// LaTeX returns a value that displays as the formula s, dollar signs included.
func LaTeX(s string) Bundle { return rich(TypeLaTeX, s, s) }

// Latex returns a value that displays as the formula s in a line of text, dollar signs or not.
func Latex(s string) Bundle { return rich(TypeLaTeX, "$"+strings.Trim(s, "$")+"$", s) }

// Math returns a value that displays as the formula s on a line of its own, dollar signs or not.
func Math(s string) Bundle { return rich(TypeLaTeX, "$$"+strings.Trim(s, "$")+"$$", s) }

// SVG returns a value that displays as the picture s, an svg element.
func SVG(s string) Bundle { return rich(TypeSVG, s, "<svg picture>") }

// PNG returns a value that displays as the PNG file b.
func PNG(b []byte) Bundle { return rich(TypePNG, b, "<PNG picture>") }

// JPEG returns a value that displays as the JPEG file b.
func JPEG(b []byte) Bundle { return rich(TypeJPEG, b, "<JPEG picture>") }

// PDF returns a value that displays as the PDF file b, where the client can show one.
func PDF(b []byte) Bundle { return rich(TypePDF, b, "<PDF document>") }

// JSON returns a value that displays as the tree of v, which encoding/json must accept.
func JSON(v any) Bundle { return rich(TypeJSON, v, "<JSON>") }

// JavaScript returns a value that runs the script s where it is shown, in clients that allow it.
func JavaScript(s string) Bundle { return rich(TypeJavaScript, s, "<script>") }

// Image returns a value that displays as the picture m. A picture displays so by itself, too; Image is for those that
// also have methods of other forms.
func Image(m image.Image) Bundle {
	if isNil(m) {
		panic(errors.New("display.Image wants a picture, not nil"))
	}
	b, err := pictureBundle(m)
	if err != nil {
		return Text(err.Error())
	}
	return b
}

// MIME returns a value that displays as data, which maps MIME types to forms; metadata may be nil.
func MIME(data, metadata MIMEMap) Bundle {
	b := Bundle{Data: MIMEMap{}, Metadata: metadata}
	for typ, v := range data {
		b.Data[typ] = v
	}
	if _, ok := b.Data[TypeText]; !ok {
		b.Data[TypeText] = "<" + strings.Join(sortedKeys(data), ", ") + ">"
	}
	return b
}

// Any returns a value that displays v as the form that typ names; v is a string, a []byte, an io.Reader or io.WriterTo
// with its bytes, or what encoding/json accepts. With typ "" it displays v as [Auto] does, and bytes as what they begin
// as. It panics when reading fails.
func Any(typ string, v any) Bundle {
	switch from := v.(type) {
	case io.Reader:
		b, err := budget.ReadAll(from, "the data", 0)
		if err != nil {
			panic(err)
		}
		v = b
	case io.WriterTo:
		var buf bytes.Buffer
		if _, err := from.WriteTo(&buf); err != nil {
			panic(err)
		}
		v = buf.Bytes()
	}
	if typ == "" {
		return Auto(v)
	}
	return rich(typ, v, "<"+typ+">")
}

// Auto returns a value that displays as v does by itself.
func Auto(v any) Bundle {
	b, err := Of(v)
	if err != nil {
		panic(err)
	}
	return b
}

// MakeData returns a value with one form and plain text made by fmt.
func MakeData(typ string, v any) Bundle { return rich(typ, v, clip(fmt.Sprint(v))) }

// MakeData3 returns a value with one form and the plain text given.
func MakeData3(typ, text string, v any) Bundle { return rich(typ, v, text) }

// File returns a value that displays the content of the file at path as the form that typ names, "" for a picture whose
// first bytes tell. It panics when the file cannot be read.
func File(typ, path string) Bundle {
	b, err := budget.ReadFile(path, "the file", 0)
	if err != nil {
		panic(err)
	}
	return Any(typ, b)
}
