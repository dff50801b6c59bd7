// Package protocol has the names of what gonbui sends.
package protocol

// MIMEType is the type of a form of what is displayed.
type MIMEType string

// The types that notebooks use.
const (
	MIMETextHTML       MIMEType = "text/html"
	MIMETextJavascript MIMEType = "text/javascript"
	MIMETextMarkdown   MIMEType = "text/markdown"
	MIMETextPlain      MIMEType = "text/plain"
	MIMEImagePNG       MIMEType = "image/png"
	MIMEImageSVG       MIMEType = "image/svg+xml"
)

// The variables of the environment that GoNB sets.
const (
	GONB_DIR_ENV          = "GONB_DIR"
	GONB_TMP_DIR_ENV      = "GONB_TMP_DIR"
	GONB_JUPYTER_ROOT_ENV = "GONB_JUPYTER_ROOT"
)

// DisplayData is something to display, in several forms.
type DisplayData struct {
	Data      map[MIMEType]any
	Metadata  map[string]any
	DisplayID string // what is displayed with the same one is replaced
}

// CommValueTypes are the types of values that go between cells and widgets.
type CommValueTypes interface {
	int | float64 | string | []int | []float64 | []string |
		map[string]int | map[string]float64 | map[string]string
}
