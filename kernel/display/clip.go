package display

import (
	"encoding/json"
	"fmt"
	"maps"
	"unicode/utf8"
)

// What a value shows is bounded: a notebook output is read by a person, and a 100 MB slice must not become a 1 GB file.
const (
	maxText = 64 << 10 // bytes of plain text
	maxForm = 32 << 20 // bytes of any other form; a larger one would make the notebook's file too large to open
)

// Clip returns text cut to what an output shows of it, and says how much is left out.
func Clip(text string) string { return clipWith(text, "") }

func clip(text string) string { return clipWith(text, "; fmt.Println shows all of it") }

func clipWith(text, hint string) string {
	if len(text) <= maxText {
		return text
	}
	n := maxText
	for n > maxText-utf8.UTFMax && !utf8.RuneStart(text[n]) {
		n--
	}
	return text[:n] + fmt.Sprintf("\n… %d more bytes%s", len(text)-n, hint)
}

// bounded returns b with its forms as they are shown: plain text is cut, and what cannot be cut is left out when it is
// too large, of which the plain text then tells.
func bounded(b Bundle) Bundle {
	fits := true
	for typ, v := range b.Data {
		fits = fits && (typ == TypeText && sizeOf(v) <= maxText || typ != TypeText && sizeOf(v) <= maxForm)
	}
	if fits {
		return b
	}
	b.Data = maps.Clone(b.Data)
	left := ""
	for _, typ := range sortedKeys(b.Data) {
		if n := sizeOf(b.Data[typ]); typ != TypeText && n > maxForm {
			left += fmt.Sprintf("\n<the %s form is not shown: it has %d bytes, and %d are the limit>", typ, n, maxForm)
			delete(b.Data, typ)
		}
	}
	if text, ok := b.Data[TypeText].(string); ok || left != "" {
		b.Data[TypeText] = clip(text) + left
	}
	return b
}

// sizeOf is the size of a form, where that can be told without encoding it.
func sizeOf(form any) int {
	switch v := form.(type) {
	case string:
		return len(v)
	case []byte:
		return len(v)
	case json.RawMessage:
		return len(v)
	}
	return 0
}
