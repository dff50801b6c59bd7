package main

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
)

// sizes are numbers at which readers that do not check go wrong.
var sizes = []uint64{0, 1, 255, 256, 1<<15 - 1, 1 << 15, 1<<16 - 1, 1 << 16, 1 << 24, 1<<31 - 1, 1 << 31, 1<<32 - 1, 1 << 32, 1 << 33, 1 << 48, 1 << 61, 1 << 62, 1<<63 - 1, 1 << 63, 1<<64 - 1}

// texts are the same as texts, and more that numbers are not.
func sizeText(r *rand.Rand) string {
	n := sizes[r.IntN(len(sizes))]
	switch r.IntN(8) {
	case 0:
		return strconv.FormatInt(int64(n), 10) // negative
	case 1:
		return []string{"-0", "1e999", "1e-999", "0x10", "1_000", "NaN", "Infinity", "1.5", "+1", "٣", "00", "9" + strings.Repeat("0", 400)}[r.IntN(12)]
	}
	return strconv.FormatUint(n, 10)
}

type faultFunc func(r *rand.Rand, data *[]byte) (name string)

var binaryFaults = append(slices.Clone(transfers), number, number, number, someBytes, cut, remove, repeat, insertZeros)

var textFaults = append(slices.Clone(transfers), digits, digits, digits, digits, someBytes, cut, remove, repeat, repeatLine, insertText, insertText, swap)

// transfers are what copies, disks and other programs do to files.
var transfers = []faultFunc{zeroTail, misplaced, textMode, sevenBits, pairs, replaced}

// number writes a size over 1, 2, 4 or 8 bytes.
func number(r *rand.Rand, data *[]byte) string {
	b := *data
	width := 1 << r.IntN(4)
	if len(b) < width {
		return "nothing"
	}
	at := r.IntN(len(b) - width + 1)
	if r.IntN(2) == 0 {
		at -= at % width
	}
	n, order := sizes[r.IntN(len(sizes))], "little"
	var raw [8]byte
	binary.LittleEndian.PutUint64(raw[:], n)
	part := raw[:width]
	if r.IntN(2) == 0 {
		order = "big"
		for i := range width / 2 {
			part[i], part[width-1-i] = part[width-1-i], part[i]
		}
	}
	copy(b[at:], part)
	return fmt.Sprintf("%#x in %d bytes (%s-endian) at %d", n, width, order, at)
}

func someBytes(r *rand.Rand, data *[]byte) string {
	b := *data
	at, n := r.IntN(len(b)), 1+r.IntN(4)
	for i := at; i < min(at+n, len(b)); i++ {
		b[i] = byte(r.Uint32())
	}
	return fmt.Sprintf("%d random bytes at %d", n, at)
}

func cut(r *rand.Rand, data *[]byte) string {
	at := r.IntN(len(*data))
	*data = (*data)[:at]
	return fmt.Sprintf("cut at %d", at)
}

// span is a piece of at most 64 bytes.
func span(r *rand.Rand, b []byte) (from, to int) {
	from = r.IntN(len(b))
	return from, min(from+1+r.IntN(64), len(b))
}

func remove(r *rand.Rand, data *[]byte) string {
	from, to := span(r, *data)
	*data = append((*data)[:from:from], (*data)[to:]...)
	return fmt.Sprintf("without the bytes %d to %d", from, to)
}

func repeat(r *rand.Rand, data *[]byte) string {
	from, to := span(r, *data)
	n := []int{1, 2, 1000}[r.IntN(3)]
	*data = bytes.Join([][]byte{(*data)[:to], bytes.Repeat((*data)[from:to], n), (*data)[to:]}, nil)
	return fmt.Sprintf("the bytes %d to %d repeated %d times", from, to, n)
}

func repeatLine(r *rand.Rand, data *[]byte) string {
	lines := bytes.SplitAfter(*data, []byte("\n"))
	at := r.IntN(len(lines))
	lines[at] = bytes.Repeat(lines[at], 2)
	*data = bytes.Join(lines, nil)
	return fmt.Sprintf("line %d twice", at+1)
}

func swap(r *rand.Rand, data *[]byte) string {
	lines := bytes.SplitAfter(*data, []byte("\n"))
	i, k := r.IntN(len(lines)), r.IntN(len(lines))
	lines[i], lines[k] = lines[k], lines[i]
	*data = bytes.Join(lines, nil)
	return fmt.Sprintf("lines %d and %d swapped", i+1, k+1)
}

func insertZeros(r *rand.Rand, data *[]byte) string {
	at := r.IntN(len(*data))
	*data = bytes.Join([][]byte{(*data)[:at], make([]byte, 16), (*data)[at:]}, nil)
	return fmt.Sprintf("16 zero bytes at %d", at)
}

// zeroTail is a file of the right length whose end has never been written.
func zeroTail(r *rand.Rand, data *[]byte) string {
	at := r.IntN(len(*data))
	copy((*data)[at:], make([]byte, len(*data)-at))
	return fmt.Sprintf("zeros from %d on", at)
}

// misplaced has a block in the place of another one.
func misplaced(r *rand.Rand, data *[]byte) string {
	n := 1 + r.IntN(min(len(*data), 512))
	from, to := r.IntN(len(*data)-n+1), r.IntN(len(*data)-n+1)
	copy((*data)[to:to+n], (*data)[from:from+n])
	return fmt.Sprintf("%d bytes at %d also at %d", n, from, to)
}

// textMode is a transfer that takes bytes for line ends, in one direction or the other.
func textMode(r *rand.Rand, data *[]byte) string {
	old, with := "\n", "\r\n"
	switch r.IntN(3) {
	case 0:
		old, with = "\r\n", "\n"
	case 1:
		old, with = "\r", "\n"
	}
	*data = bytes.ReplaceAll(*data, []byte(old), []byte(with))
	return fmt.Sprintf("%q for each %q", with, old)
}

func sevenBits(_ *rand.Rand, data *[]byte) string {
	for i := range *data {
		(*data)[i] &= 0x7f
	}
	return "without the highest bit of each byte"
}

func pairs(r *rand.Rand, data *[]byte) string {
	b := *data
	at := r.IntN(len(b))
	for i := at; i+1 < len(b); i += 2 {
		b[i], b[i+1] = b[i+1], b[i]
	}
	return fmt.Sprintf("pairs of bytes exchanged from %d on", at)
}

// replaced is what a program leaves that reads bytes as UTF-8, or as Latin-1, and writes UTF-8.
func replaced(r *rand.Rand, data *[]byte) string {
	if r.IntN(2) == 0 {
		*data = bytes.ToValidUTF8(*data, []byte("\ufffd"))
		return "read as UTF-8"
	}
	var out []rune
	for _, b := range *data {
		out = append(out, rune(b))
	}
	*data = []byte(string(out))
	return "read as Latin-1"
}

var digitRun = regexp.MustCompile(`\d+`)

// digits replaces a number by a size.
func digits(r *rand.Rand, data *[]byte) string {
	at := digitRun.FindAllIndex(*data, -1)
	if len(at) == 0 {
		return "nothing"
	}
	where, n := at[r.IntN(len(at))], sizeText(r)
	*data = bytes.Join([][]byte{(*data)[:where[0]], []byte(n), (*data)[where[1]:]}, nil)
	return fmt.Sprintf("%.30s for the number at %d", n, where[0])
}

// insertions are pieces that end, begin or confuse something.
var insertions = []string{"\x00", "\ufeff", "\xff", "\xed\xa0\x80", "\u2028", "\x1b[31m", "\"", "'", "\\", "\\u0000", "\\ud800", "{", "}", "[", "]", "(", ")", ",", ":", ";", "\n", "\r", "/*", "//", "#",
	"null", "true", "{}", "[]", "\"\"", "../../../etc/passwd", "/etc/passwd", "C:\\x", "..\\..\\x", "%s%n", "<script>", "</script>", strings.Repeat("[", 300), strings.Repeat("(", 300), strings.Repeat("a", 3000)}

func insertText(r *rand.Rand, data *[]byte) string {
	at, what := r.IntN(len(*data)+1), insertions[r.IntN(len(insertions))]
	*data = bytes.Join([][]byte{(*data)[:at], []byte(what), (*data)[at:]}, nil)
	return fmt.Sprintf("%.20q inserted at %d", what, at)
}

// cuts are s cut short at n places, and at the first and last few. Where the format has checksums, what is left must
// not pass for another value.
func (f *format) cuts(s input, n int) (all []input) {
	must := clear
	if f.checked {
		must = unchanged
	}
	last := -1
	for i := range n + 8 {
		at := len(s.data) * i / (n + 8)
		if i < 4 {
			at = i
		} else if i >= n+4 {
			at = len(s.data) - (n + 8 - i)
		}
		if at <= last || at >= len(s.data) {
			continue
		}
		last = at
		c := s
		c.of = s.name
		c.name, c.data, c.must = fmt.Sprintf("%s, shortened to %d of %d", s.name, at, len(s.data)), s.data[:at:at], must
		all = append(all, c)
	}
	return all
}

// encodings are a text in others than UTF-8.
func encodings(s input) (all []input) {
	add := func(name string, data []byte) {
		c := s
		c.name, c.data = s.name+", "+name, data
		all = append(all, c)
	}
	units := utf16.Encode([]rune(string(s.data)))
	little, big := []byte{0xff, 0xfe}, []byte{0xfe, 0xff}
	for _, u := range units {
		little, big = binary.LittleEndian.AppendUint16(little, u), binary.BigEndian.AppendUint16(big, u)
	}
	add("UTF-16 little-endian", little)
	add("UTF-16 big-endian", big)
	add("byte order mark", append([]byte("\ufeff"), s.data...))
	add("two byte order marks", append([]byte("\ufeff\ufeff"), s.data...))
	add("a NUL at its end", append(append([]byte{}, s.data...), 0))
	add("another of it behind it", append(append([]byte{}, s.data...), s.data...))
	add("line ends of Windows", bytes.ReplaceAll(s.data, []byte("\n"), []byte("\r\n")))
	add("line ends of old Macs", bytes.ReplaceAll(s.data, []byte("\n"), []byte("\r")))
	add("one line", bytes.ReplaceAll(s.data, []byte("\n"), []byte(" ")))
	add("Latin-1", []byte("caf\xe9 "+string(s.data)))
	add("nothing but zero bytes", make([]byte, 100_000))
	add("nothing but spaces", bytes.Repeat([]byte(" "), 1_000_000))
	add("an endless line", bytes.Repeat([]byte("a"), 4_000_000))
	for _, open := range []string{"[", "{", "(", "{\"a\":", "\"", "/*", "-", "!", "~", "*", "[{\"a\":["} {
		add(fmt.Sprintf("%q 100,000 times", open), []byte(strings.Repeat(open, 100_000)))
	}
	return all
}
