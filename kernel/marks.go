package kernel

import (
	"bytes"
	"crypto/rand"
	"encoding/binary"
	"unicode/utf8"
)

// What a process writes to a stream travels as it is. Between the text stand marks: a prefix that no text contains, a
// kind and a number. A mark is short enough for a pipe to pass it in one piece, whoever else writes.
type markKind byte

const (
	markHere  markKind = 'h' // a moment with a number
	markOwner markKind = 'o' // what follows belongs to the cell with this number
	// the next bytes belong to the cell with this number; four more bytes of the mark say how many
	markSpan markKind = 's'
)

// markPrefix begins all marks of one pair of streams.
type markPrefix []byte

// newMarkPrefix returns a prefix of its own. 0xff begins no character of UTF-8 text, so that looking for marks delays
// none.
func newMarkPrefix() markPrefix { return append([]byte{0xff}, rand.Text()...) }

// mark returns a mark.
func (p markPrefix) mark(kind markKind, number uint64) []byte {
	m := make([]byte, 0, p.size()+4)
	return binary.BigEndian.AppendUint64(append(append(m, p...), byte(kind)), number)
}

// size is the length of a mark, but for a span's.
func (p markPrefix) size() int { return len(p) + 1 + 8 }

// span returns text as one that belongs to owner, in pieces that a pipe passes whole, cut between characters where it
// can.
func (p markPrefix) span(owner uint64, text []byte) (pieces [][]byte) {
	room := atomicWrite - p.size() - 4
	for len(text) > 0 {
		n := min(len(text), room)
		for cut := n; cut < len(text) && cut > n-utf8.UTFMax; cut-- {
			if utf8.RuneStart(text[cut]) {
				n = cut
				break
			}
		}
		m := binary.BigEndian.AppendUint32(p.mark(markSpan, owner), uint32(n))
		pieces, text = append(pieces, append(m, text[:n]...)), text[n:]
	}
	return pieces
}

// demux takes a stream with marks apart.
type demux struct {
	prefix markPrefix
	text   func(owner uint64, text string) // gets the text in whole characters
	here   func(number uint64) (stop bool) // a moment is met; what follows is kept until resume when it returns true

	stopped bool
	data    []byte // read and not delivered
	owner   uint64 // of text that stands in no span
	in      uint64 // owner of the span
	left    int    // of the span
}

// add takes what was read next.
func (d *demux) add(b []byte) {
	d.data = append(d.data, b...)
	for !d.stopped && d.step() {
	}
}

// resume goes on after a moment at which it stopped.
func (d *demux) resume() {
	d.stopped = false
	d.add(nil)
}

// step delivers up to the next mark or the end of a span, and reports whether more may be delivered.
func (d *demux) step() bool {
	if d.left > 0 {
		n := min(d.left, len(d.data))
		if n < d.left {
			n = characters(d.data)
		}
		d.deliver(d.in, n)
		d.left -= n
		return d.left == 0 && len(d.data) > 0
	}
	i := bytes.Index(d.data, d.prefix)
	if i < 0 {
		d.deliver(d.owner, d.whole())
		return false
	}
	d.deliver(d.owner, i)
	size := d.prefix.size()
	if len(d.data) < size {
		return false
	}
	kind, number := markKind(d.data[size-9]), binary.BigEndian.Uint64(d.data[size-8:])
	switch kind {
	case markSpan:
		if len(d.data) < size+4 {
			return false
		}
		d.in, d.left = number, int(binary.BigEndian.Uint32(d.data[size:]))
		size += 4
	case markOwner:
		d.owner = number
	case markHere:
		d.stopped = d.here(number)
	}
	d.data = d.data[size:]
	return len(d.data) > 0
}

// end delivers what is left when the stream has ended.
func (d *demux) end() {
	d.resume()
	d.deliver(d.owner, len(d.data))
}

// deliver takes the first n bytes of data out.
func (d *demux) deliver(owner uint64, n int) {
	if n == 0 {
		return
	}
	d.text(owner, string(d.data[:n]))
	if d.data = d.data[n:]; len(d.data) == 0 {
		d.data = nil // the text may have been large
	}
}

// whole is how much of data is neither the beginning of a mark nor that of a character.
func (d *demux) whole() int {
	for i := max(0, len(d.data)-len(d.prefix)+1); i < len(d.data); i++ {
		if bytes.HasPrefix(d.prefix, d.data[i:]) {
			return i
		}
	}
	return characters(d.data)
}

// characters is how much of text is whole characters.
func characters(text []byte) int {
	for i := len(text) - 1; i >= max(0, len(text)-utf8.UTFMax); i-- {
		if utf8.RuneStart(text[i]) {
			if !utf8.FullRune(text[i:]) {
				return i
			}
			break
		}
	}
	return len(text)
}
