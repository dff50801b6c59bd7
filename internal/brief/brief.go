// Package brief writes what comes from data into messages: a cell or a name may have a hundred million characters, and there may be a
// million names.
package brief

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

const (
	// Most is how many characters of a text a message has.
	Most  = 60
	names = 20 // how many of a list
)

// Text is the beginning of s, with … where there is more.
func Text[T ~string | ~[]byte](s T) string {
	at := 0
	for range Most {
		if at == len(s) {
			return string(s)
		}
		_, n := utf8.DecodeRuneInString(string(s[at:min(at+utf8.UTFMax, len(s))]))
		at += n
	}
	if at == len(s) {
		return string(s)
	}
	return string(s[:at]) + "…"
}

// Quoted is [Text] in quotes, with escapes for what cannot be seen.
func Quoted[T ~string | ~[]byte](s T) string { return strconv.Quote(Text(s)) }

// List is the beginning of a list, each name quoted, and how many there are when that is not all.
func List(list []string) string {
	parts := make([]string, min(len(list), names))
	for i := range parts {
		parts[i] = Quoted(list[i])
	}
	text := strings.Join(parts, ", ")
	if len(list) > names {
		text += fmt.Sprintf(" … (%d in all)", len(list))
	}
	return text
}
