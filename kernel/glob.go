package kernel

import (
	"strings"
	"unicode/utf8"
)

// globMatches reports whether a whole text is what glob says: * stands for any text, ? for any character. Each part
// between two stars is looked for once, where the one before it ends, so that a pattern of many stars takes no longer
// than its length times that of the text.
func globMatches(glob, text string) bool {
	parts := strings.Split(glob, "*")
	first, last := parts[0], parts[len(parts)-1]
	n, ok := globPart(first, text)
	if !ok || len(parts) == 1 {
		return ok && n == len(text)
	}
	text = text[n:]
	end := len(text)
	for range utf8.RuneCountInString(last) {
		if end == 0 {
			return false
		}
		_, n := utf8.DecodeLastRuneInString(text[:end])
		end -= n
	}
	if _, ok := globPart(last, text[end:]); !ok {
		return false
	}
	text = text[:end]
	for _, part := range parts[1 : len(parts)-1] {
		if text, ok = behind(part, text); !ok {
			return false
		}
	}
	return true
}

// behind returns what follows the first place in text where part stands.
func behind(part, text string) (rest string, ok bool) {
	if !strings.Contains(part, "?") {
		_, rest, ok = strings.Cut(text, part)
		return rest, ok
	}
	for {
		if n, ok := globPart(part, text); ok {
			return text[n:], true
		}
		if text == "" {
			return "", false
		}
		_, n := utf8.DecodeRuneInString(text)
		text = text[n:]
	}
}

// globPart returns how many bytes at the beginning of text a part without stars stands for.
func globPart(part, text string) (n int, ok bool) {
	for _, c := range part {
		if n == len(text) {
			return 0, false
		}
		r, size := utf8.DecodeRuneInString(text[n:])
		if c != '?' && c != r {
			return 0, false
		}
		n += size
	}
	return n, true
}
