package export

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/arrayrepl/arrayrepl/internal/lazyregexp"
	"github.com/arrayrepl/arrayrepl/kernel/display"
)

// formsHTML and formsMarkdown list MIME types, best first.
var (
	formsHTML     = []string{display.TypeHTML, display.TypeSVG, display.TypePNG, display.TypeJPEG, "image/gif", "image/webp", display.TypeMarkdown, display.TypeLaTeX, display.TypeJSON, display.TypeText}
	formsMarkdown = []string{display.TypePNG, display.TypeSVG, display.TypeJPEG, "image/gif", "image/webp", display.TypeMarkdown, display.TypeLaTeX, display.TypeText}
)

// extensions are those of the picture types.
var extensions = map[string]string{display.TypePNG: ".png", display.TypeJPEG: ".jpg", "image/gif": ".gif", "image/webp": ".webp", display.TypeSVG: ".svg"}

// choose returns the best form of an output's data; typ is "" when there is none.
func choose(data map[string]any, forms []string) (typ, content string) {
	for _, typ := range forms {
		switch v := data[typ].(type) {
		case nil:
		case string:
			return typ, v
		case []any:
			if text, ok := joinedText(v); ok && typ != display.TypeJSON {
				return typ, text
			}
			if extensions[typ] != "" {
				return typ, "" // it is not a picture
			}
			if text, err := json.MarshalIndent(v, "", "  "); err == nil {
				return typ, string(text)
			}
		default:
			if text, err := json.MarshalIndent(v, "", "  "); err == nil {
				return typ, string(text)
			}
		}
	}
	return "", ""
}

// joinedText is a list of texts as one.
func joinedText(list []any) (string, bool) {
	var b strings.Builder
	for _, part := range list {
		s, ok := part.(string)
		if !ok {
			return "", false
		}
		b.WriteString(s)
	}
	return b.String(), true
}

var (
	errNoText  = errors.New("its text is missing, or is not text")
	errNoForms = errors.New("its data is missing, or has no forms by type")
)

// pictureFile returns the bytes of a picture.
func pictureFile(typ, content string) ([]byte, error) {
	if typ == display.TypeSVG {
		return []byte(content), nil
	}
	b, err := base64.StdEncoding.DecodeString(strings.Join(strings.Fields(content), ""))
	if err == nil && len(b) == 0 {
		err = errors.New("it is empty")
	}
	if err != nil {
		return nil, fmt.Errorf("a picture of type %s: %w", typ, err)
	}
	return b, nil
}

// errorText is what an error output shows.
func errorText(o map[string]any) string {
	var lines []string
	list, _ := o["traceback"].([]any)
	for _, l := range list {
		s, _ := l.(string)
		lines = append(lines, s)
	}
	if ran, ok := o["traceback"].([]string); ok { // of a notebook that has just run
		lines = ran
	}
	if len(lines) == 0 {
		return fmt.Sprintf("%v: %v", o["ename"], o["evalue"])
	}
	return strings.Join(lines, "\n")
}

var ansi = lazyregexp.New("\x1b\\[[0-9;?]*[A-Za-z]")

// plain is text without colours and, of lines that were written over, the last state.
func plain(s string) string {
	lines := strings.Split(ansi.ReplaceAllString(s, ""), "\n")
	for i, l := range lines {
		l = strings.TrimSuffix(l, "\r")
		lines[i] = l[strings.LastIndex(l, "\r")+1:]
	}
	return strings.Join(lines, "\n")
}
