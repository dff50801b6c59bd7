package display

import (
	"fmt"
	"image"
	"os"
	"strings"
)

// form is a value that is nothing but its bundle.
type form struct{ b Bundle }

func (f form) MIMEBundle() Bundle { return f.b }

func rich(typ string, v any, text string) Bundler {
	return form{Bundle{Data: map[string]any{typ: v, TypeText: text}}}
}

// HTML returns a value that displays as the HTML fragment s.
func HTML(s string) Bundler { return rich(TypeHTML, s, s) }

// Markdown returns a value that displays as the Markdown text s.
func Markdown(s string) Bundler { return rich(TypeMarkdown, s, s) }

// LaTeX returns a value that displays as the formula s, dollar signs included.
func LaTeX(s string) Bundler { return rich(TypeLaTeX, s, s) }

// Latex returns a value that displays as the formula s in a line of text, dollar signs or not.
func Latex(s string) Bundler { return rich(TypeLaTeX, "$"+strings.Trim(s, "$")+"$", s) }

// Math returns a value that displays as the formula s on a line of its own, dollar signs or not.
func Math(s string) Bundler { return rich(TypeLaTeX, "$$"+strings.Trim(s, "$")+"$$", s) }

// SVG returns a value that displays as the picture s, an svg element.
func SVG(s string) Bundler { return rich(TypeSVG, s, "<svg picture>") }

// PNG returns a value that displays as the PNG file b.
func PNG(b []byte) Bundler { return rich(TypePNG, b, "<PNG picture>") }

// JPEG returns a value that displays as the JPEG file b.
func JPEG(b []byte) Bundler { return rich(TypeJPEG, b, "<JPEG picture>") }

// PDF returns a value that displays as the PDF file b, where the client can show one.
func PDF(b []byte) Bundler { return rich(TypePDF, b, "<PDF document>") }

// JSON returns a value that displays as the tree of v, which encoding/json must accept.
func JSON(v any) Bundler { return rich(TypeJSON, v, "<JSON>") }

// JavaScript returns a value that runs the script s where it is shown, in clients that allow it.
func JavaScript(s string) Bundler { return rich(TypeJavaScript, s, "<script>") }

// Image returns a value that displays as the picture m. A picture displays so by itself, too; Image is for those that also
// have methods of other forms.
func Image(m image.Image) Bundler {
	b, err := pictureBundle(m)
	if err != nil {
		return form{Text(err.Error())}
	}
	return form{b}
}

// MIME returns a value that displays as data, which maps MIME types to forms; metadata may be nil.
func MIME(data, metadata MIMEMap) Bundler {
	b := Bundle{Data: MIMEMap{}, Metadata: metadata}
	for typ, v := range data {
		b.Data[typ] = v
	}
	if _, ok := b.Data[TypeText]; !ok {
		b.Data[TypeText] = "<" + strings.Join(sortedKeys(data), ", ") + ">"
	}
	return form{b}
}

// Any returns a value that displays v as the form that typ names; v is a string, a []byte or what encoding/json accepts.
// With typ "" it displays v as [Auto] does.
func Any(typ string, v any) Bundler {
	if typ == "" {
		return Auto(v)
	}
	return rich(typ, v, "<"+typ+">")
}

// Auto returns a value that displays as v does by itself.
func Auto(v any) Bundler {
	b, err := Of(v)
	if err != nil {
		panic(err)
	}
	return form{b}
}

// MakeData returns a value with one form and plain text made by fmt.
func MakeData(typ string, v any) Bundler { return rich(typ, v, clip(fmt.Sprint(v))) }

// MakeData3 returns a value with one form and the plain text given.
func MakeData3(typ, text string, v any) Bundler { return rich(typ, v, text) }

// File returns a value that displays the content of the file at path as the form that typ names, "" for a picture whose
// first bytes tell. It panics when the file cannot be read.
func File(typ, path string) Bundler {
	b, err := os.ReadFile(path)
	if err != nil {
		panic(err)
	}
	return Any(typ, b)
}
