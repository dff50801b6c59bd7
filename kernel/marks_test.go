package kernel

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"
)

// lengths says how much text each cell has.
func lengths(texts map[uint64]string) string {
	n := map[uint64]int{}
	for cell, text := range texts {
		if cell < 100 && text != "" {
			n[cell] = len(text)
		}
	}
	return fmt.Sprint(n)
}

// FuzzDemux writes text of two cells, spans and moments, and reads it in pieces of any size: nothing may be lost,
// nothing may go to another cell, nothing that follows a moment may come before it is resumed, and no character may be
// cut.
func FuzzDemux(f *testing.F) {
	f.Add([]byte("plain text"), uint8(1))
	f.Add([]byte("1é2語h🙂sé語🙂o plain"), uint8(3))
	f.Add([]byte("\xff\xfe1s\xffh2"), uint8(7))
	f.Add([]byte(strings.Repeat("s0123456789é", 1000)), uint8(200))
	f.Fuzz(func(t *testing.T, script []byte, size uint8) {
		prefix := newMarkPrefix()
		var stream bytes.Buffer
		want := map[uint64]string{}
		owner, moments := uint64(0), uint64(0)
		for i, part := range bytes.SplitAfter(script, []byte("h")) {
			switch text := part; i % 4 {
			case 0:
				stream.Write(text)
				want[owner] += string(text)
			case 1:
				for _, piece := range prefix.span(9, text) {
					if len(piece) > atomicWrite {
						t.Fatalf("a piece of %d bytes", len(piece))
					}
					stream.Write(piece)
				}
				want[9] += string(text)
			case 2:
				owner++
				stream.Write(prefix.mark(markOwner, owner))
				stream.Write(text)
				want[owner] += string(text)
			case 3:
				moments++
				stream.Write(prefix.mark(markHere, moments))
				want[100+moments] = lengths(want) // what there is then
				stream.Write(text)
				want[owner] += string(text)
			}
		}
		got, met := map[uint64]string{}, uint64(0)
		valid := utf8.Valid(script)
		d := demux{prefix: prefix}
		d.text = func(owner uint64, text string) {
			if d.stopped {
				t.Fatal("text after a moment")
			}
			if valid && !utf8.ValidString(text) {
				t.Fatalf("a character is cut: %q", text)
			}
			got[owner] += text
		}
		d.here = func(number uint64) bool {
			met++
			if number != met {
				t.Fatalf("moment %d, want %d", number, met)
			}
			got[100+number] = lengths(got)
			return true
		}
		for raw := stream.Bytes(); len(raw) > 0; {
			n := min(int(size)+1, len(raw))
			d.add(raw[:n])
			raw = raw[n:]
			for d.stopped {
				d.resume()
			}
		}
		d.end()
		for k, v := range want {
			if v != "" && got[k] != v {
				t.Fatalf("%d: got %q, want %q", k, got[k], v)
			}
		}
	})
}
