package frames

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// texts returns the values of a column of text.
func (c *Column) texts(op string) []string {
	if d := c.DType(); !d.IsString() {
		fail(op, "the column is %v; it must be text: AsType(Str(0)) of its Array makes text of other values", d)
	}
	return c.values.Strings()
}

// eachText returns a column of what f makes of each text; missing texts, which are empty, stay so.
func (c *Column) eachText(op string, f func(string) string) *Column {
	in := c.texts(op)
	out := make([]string, len(in))
	for i, s := range in {
		asks(i)
		if s != "" {
			out[i] = f(s)
		}
	}
	return ofTexts(out)
}

// ofEachText returns a column of what f says of each text, and missing where that is.
func ofEachText[T any](c *Column, op string, f func(string) T) *Column {
	in := c.texts(op)
	out := make([]T, len(in))
	for i, s := range in {
		asks(i)
		if s != "" {
			out[i] = f(s)
		}
	}
	return eager(out).without(c.missing())
}

// Lower returns the texts in small letters, by Unicode's simple mapping, one character for one. As all functions of
// text it panics with *arrays.Error when the column is not of text; missing texts stay missing, and empty ones are
// missing.
func (c *Column) Lower() *Column { return c.eachText("Lower", strings.ToLower) }

// Upper returns the texts in capitals, as [Column.Lower] has small letters; ß stays ß.
func (c *Column) Upper() *Column { return c.eachText("Upper", strings.ToUpper) }

// Strip returns the texts without the blanks and line ends at both ends, or without the characters of cutset where that
// is given.
func (c *Column) Strip(cutset ...string) *Column {
	return c.eachText("Strip", func(s string) string {
		if len(cutset) > 0 {
			return strings.Trim(s, strings.Join(cutset, ""))
		}
		return strings.TrimFunc(s, func(r rune) bool { return unicode.IsSpace(r) || r >= 0x1c && r <= 0x1f })
	})
}

// Replace returns the texts with all that is old, literally, replaced. An empty old is between all characters, as in Go
// and Python.
func (c *Column) Replace(old, replacement string) *Column {
	return c.eachText("Replace", func(s string) string { return strings.ReplaceAll(s, old, replacement) })
}

// Split cuts the texts at each sep and returns a column for each part: as many as the text with the most parts has, and
// where a text has fewer, the others are missing. It panics with *arrays.Error when sep is empty.
func (c *Column) Split(sep string) []*Column {
	in := c.texts("Split")
	if sep == "" {
		fail("Split", "the separator is empty; texts are cut at a text, such as \" \" or \",\"")
	}
	parts := [][]string{make([]string, len(in))}
	for i, s := range in {
		asks(i)
		if s == "" {
			continue
		}
		for k, part := range strings.Split(s, sep) {
			if k == len(parts) {
				parts = append(parts, make([]string, len(in)))
			}
			parts[k][i] = part
		}
	}
	out := make([]*Column, len(parts))
	for k, part := range parts {
		out[k] = ofTexts(part)
	}
	return out
}

// Contains says which texts have part in them, literally; missing where the text is.
func (c *Column) Contains(part string) *Column {
	return ofEachText(c, "Contains", func(s string) bool { return strings.Contains(s, part) })
}

// StartsWith says which texts begin with prefix; missing where the text is.
func (c *Column) StartsWith(prefix string) *Column {
	return ofEachText(c, "StartsWith", func(s string) bool { return strings.HasPrefix(s, prefix) })
}

// EndsWith says which texts end with suffix; missing where the text is.
func (c *Column) EndsWith(suffix string) *Column {
	return ofEachText(c, "EndsWith", func(s string) bool { return strings.HasSuffix(s, suffix) })
}

// Length returns the numbers of characters, in int64; missing where the text is.
func (c *Column) Length() *Column {
	return ofEachText(c, "Length", func(s string) int64 { return int64(utf8.RuneCountInString(s)) })
}
