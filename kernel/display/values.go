package display

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

// SVG returns a value that displays as the picture s, an svg element.
func SVG(s string) Bundler { return rich(TypeSVG, s, "<svg picture>") }

// PNG returns a value that displays as the PNG file b.
func PNG(b []byte) Bundler { return rich(TypePNG, b, "<PNG picture>") }

// JPEG returns a value that displays as the JPEG file b.
func JPEG(b []byte) Bundler { return rich(TypeJPEG, b, "<JPEG picture>") }

// JSON returns a value that displays as the tree of v, which encoding/json must accept.
func JSON(v any) Bundler { return rich(TypeJSON, v, "<JSON>") }
