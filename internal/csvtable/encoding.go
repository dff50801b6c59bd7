package csvtable

import (
	"bufio"
	"bytes"
	endian "encoding/binary"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/encoding/unicode/utf32"

	"github.com/arrayrepl/arrayrepl/internal/reading"
)

// wideEncodings have more bytes than one for a character of ASCII. Their names are those of the web,
// https://encoding.spec.whatwg.org.
var wideEncodings = map[string]encoding.Encoding{
	"utf-16le": unicode.UTF16(unicode.LittleEndian, unicode.UseBOM), "utf-16be": unicode.UTF16(unicode.BigEndian, unicode.UseBOM),
	"utf-32le": utf32.UTF32(utf32.LittleEndian, utf32.UseBOM), "utf-32be": utf32.UTF32(utf32.BigEndian, utf32.UseBOM),
}

// otherNames are encodings by further names of theirs, without what is not a letter or digit.
var otherNames = map[string]string{
	"utf16": "utf-16le", "utf32": "utf-32le", "latin1": "iso-8859-1", "latin2": "iso-8859-2", "latin9": "iso-8859-15", "ansi": "windows-1252", "cp1252": "windows-1252", "cp1250": "windows-1250",
	"cp1251": "windows-1251", "cp437": "ibm-code-page-437", "cp850": "ibm-code-page-850", "macroman": "macintosh", "utf8sig": "utf-8", "ascii": "utf-8", "usascii": "utf-8",
}

// byName returns the encoding of a name, whatever its case and marks; nil for UTF-8.
func byName(name string) (encoding.Encoding, string, error) {
	letters := func(s string) string {
		return strings.Map(func(r rune) rune {
			if r >= '0' && r <= '9' || r >= 'a' && r <= 'z' {
				return r
			}
			return -1
		}, strings.ToLower(s))
	}
	asked := letters(name)
	if other, ok := otherNames[asked]; ok {
		asked = letters(other)
	}
	if asked == "utf8" {
		return nil, "utf-8", nil
	}
	for known, e := range wideEncodings {
		if letters(known) == asked {
			return e, known, nil
		}
	}
	var names []string
	for _, e := range charmap.All {
		c, ok := e.(*charmap.Charmap)
		if !ok {
			continue
		}
		known := strings.ToLower(strings.ReplaceAll(c.String(), " ", "-"))
		if letters(known) == asked {
			return c, known, nil
		}
		names = append(names, known)
	}
	slices.Sort(names)
	return nil, "", fmt.Errorf("the encoding %.60q is not known; there are utf-8, utf-16, utf-16le, utf-16be, utf-32, %s; others are for iconv: iconv -f %.60s -t utf-8", name, strings.Join(names, ", "), name)
}

// textReader returns what in yields as UTF-8, without a byte order mark, and the name of its encoding. Without a name
// marks and zeros tell it; then sure is false where it may be one that has a byte for each character instead.
func textReader(in io.Reader, name string) (text *bufio.Reader, encoding string, sure bool, err error) {
	text = bufio.NewReaderSize(in, bufferBytes)
	head, _ := text.Peek(4096)
	if name == "" {
		name = sniff(head)
		sure = name != ""
	} else {
		sure = true
	}
	if name == "" {
		return text, "utf-8", false, nil
	}
	e, encoding, err := byName(name)
	switch {
	case err != nil:
		return nil, "", false, err
	case e == nil:
		if bytes.HasPrefix(head, []byte("\ufeff")) {
			_, _ = text.Discard(3)
		}
		return text, encoding, sure, nil
	}
	return bufio.NewReaderSize(e.NewDecoder().Reader(text), bufferBytes), encoding, true, nil
}

// bufferBytes is how many bytes are read at a time where there are no pieces.
const bufferBytes = 1 << 18

// sniff names the encoding that the beginning of a text has for sure, or nothing.
func sniff(head []byte) string {
	for _, mark := range []struct{ bytes, name string }{
		{"\xef\xbb\xbf", "utf-8"}, {"\xff\xfe\x00\x00", "utf-32le"}, {"\x00\x00\xfe\xff", "utf-32be"}, {"\xff\xfe", "utf-16le"}, {"\xfe\xff", "utf-16be"},
	} {
		if bytes.HasPrefix(head, []byte(mark.bytes)) {
			return mark.name
		}
	}
	var zeros [4]int // by place: line ends and delimiters of UTF-16 have one, whatever the script
	for i, c := range head {
		if c == 0 {
			zeros[i%4]++
		}
	}
	quarter := len(head) / 4
	switch even, odd := zeros[0]+zeros[2], zeros[1]+zeros[3]; {
	case even+odd == 0, quarter == 0, 3*(even+odd) < len(head) && beginsUTF8(head): // a zero in some text
		return ""
	case zeros[3] == quarter && zeros[2] == quarter && zeros[0] == 0:
		return "utf-32le"
	case zeros[0] == quarter && zeros[1] == quarter && zeros[3] == 0:
		return "utf-32be"
	}
	little, big := asciiOf16(head, endian.LittleEndian), asciiOf16(head, endian.BigEndian)
	switch {
	case little > max(big, 0):
		return "utf-16le"
	case big > max(little, 0):
		return "utf-16be"
	}
	return ""
}

// asciiOf16 counts the characters of ASCII in text of UTF-16, of which the last may be cut off; -1 is for what is not
// such text.
func asciiOf16(text []byte, order endian.ByteOrder) (n int) {
	high := false // the last was the first half of a pair
	for ; len(text) >= 2; text = text[2:] {
		c := rune(order.Uint16(text))
		switch low := c >= 0xdc00 && c < 0xe000; {
		case c == 0 || low != high:
			return -1
		case c < utf8.RuneSelf:
			n++
		}
		high = c >= 0xd800 && c < 0xdc00
	}
	return n
}

// beginsUTF8 reports whether text is UTF-8, the last character of which may be cut off.
func beginsUTF8(text []byte) bool {
	for cut := range min(utf8.UTFMax, len(text)) {
		if utf8.Valid(text[:len(text)-cut]) {
			return true
		}
	}
	return len(text) == 0
}

// decideEncoding looks at texts that are not UTF-8, of which Cells.odd tells.
func (t *table) decideEncoding(pieces [][]Cells) error {
	var texts [][]byte
	read := t.names
	if t.options.Names != nil { // they are not of the file
		read = nil
	}
	odd := !validNames(read)
	for _, lists := range pieces {
		for i := range lists {
			if l := &lists[i]; l.odd {
				odd, texts = true, append(texts, l.text)
			}
		}
	}
	if !odd {
		return nil
	}
	wide := slices.ContainsFunc(read, func(name string) bool { return hasWide([]byte(name)) })
	if t.sure || wide || slices.ContainsFunc(texts, hasWide) {
		return reading.Fault(nil, "%s: the text is not UTF-8 here, and elsewhere it is: if it is damaged, Encoding(\"windows-1252\") reads every byte as a character", t.oddPlace())
	}
	t.narrowNames()
	for _, lists := range pieces {
		for i := range lists {
			lists[i].narrow = true
		}
	}
	return nil
}

func validNames(names []string) bool {
	return !slices.ContainsFunc(names, func(s string) bool { return !utf8.ValidString(s) })
}

// narrowNames reads the header as Windows-1252, and says so.
func (t *table) narrowNames() {
	t.report.Encoding = "windows-1252"
	t.report.Notes = append(t.report.Notes, "the text is not UTF-8 and was read as Windows-1252, of which Latin-1 is a part: Encoding(\"windows-1252\") says so, Encoding(name) another one")
	if t.options.Names != nil {
		return
	}
	t.names = slices.Clone(t.names)
	for i, name := range t.names {
		t.names[i] = narrow(name)
	}
}

// oddPlace says where the first text is that is not UTF-8.
func (t *table) oddPlace() string {
	if in, err := Open(t.path); err == nil {
		defer in.Close()
		lines := bufio.NewReaderSize(in, bufferBytes)
		for n := 1; ; n++ {
			line, err := lines.ReadString('\n')
			if !utf8.ValidString(line) {
				return fmt.Sprintf("line %d", n)
			} else if err != nil {
				break
			}
		}
	}
	return "a cell or a name"
}

// narrow returns text of Windows-1252 as UTF-8. The bytes 0x81, 0x8d, 0x8f, 0x90 and 0x9d, which it does not have, are
// control characters, as in Latin-1.
func narrow(text string) string {
	for i := range len(text) {
		if text[i] >= utf8.RuneSelf {
			out, _ := charmap.Windows1252.NewDecoder().String(text) // it has a rune for every byte
			return out
		}
	}
	return text
}

// hasWide reports whether text, which may have bytes that are not UTF-8, has characters of several bytes that are.
func hasWide(text []byte) bool {
	for i := 0; i < len(text); i++ {
		if text[i] >= utf8.RuneSelf {
			if _, n := utf8.DecodeRune(text[i:]); n > 1 {
				return true
			}
		}
	}
	return false
}
