package display

// The names under which notebooks written for the kernel gophernotes give their values a form. They work as they do
// there.
type (
	// MIMEMap maps a MIME type to a form.
	MIMEMap = map[string]any
	// Data is what Render returns.
	Data = Bundle
	// Renderer is implemented by values that make their whole bundle.
	Renderer interface{ Render() Data }
	// SimpleRenderer is implemented by values that make all their forms.
	SimpleRenderer interface{ SimpleRender() MIMEMap }
	// JavaScripter, JSONer, Latexer and PDFer are implemented by values with that form.
	JavaScripter interface{ JavaScript() string }
	// JSONer is implemented by values with a tree of JSON.
	JSONer interface{ JSON() map[string]any }
	// Latexer is implemented by values with a formula, dollar signs included.
	Latexer interface{ Latex() string }
	// PDFer is implemented by values with a PDF document.
	PDFer interface{ PDF() []byte }
)

// The MIME types under gophernotes' names.
const (
	MIMETypeHTML       = TypeHTML
	MIMETypeJavaScript = TypeJavaScript
	MIMETypeJPEG       = TypeJPEG
	MIMETypeJSON       = TypeJSON
	MIMETypeLatex      = TypeLaTeX
	MIMETypeMarkdown   = TypeMarkdown
	MIMETypePNG        = TypePNG
	MIMETypePDF        = TypePDF
	MIMETypeSVG        = TypeSVG
	MIMETypeText       = TypeText
)

// rendered returns the forms of a Renderer or SimpleRenderer.
func rendered(v any, o Options) (b Bundle, ok bool) {
	switch v := v.(type) {
	case Renderer:
		b = v.Render()
	case SimpleRenderer:
		b = Bundle{Data: v.SimpleRender()}
	default:
		return Bundle{}, false
	}
	data := Text(clip(plain(v, o))).Data
	for typ, form := range b.Data {
		data[typ] = form
	}
	b.Data = data
	return b, true
}
