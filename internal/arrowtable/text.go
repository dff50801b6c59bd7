package arrowtable

import (
	endian "encoding/binary"
	"fmt"
	"unsafe"

	"github.com/apache/arrow-go/v18/arrow"

	"github.com/arrayrepl/arrayrepl/internal/tables"
)

// textAt reads texts that lie one after the other: T is the type of the offsets at which they begin.
func textAt[T int32 | int64](c arrow.ArrayData) func(i int) []byte {
	if c.Len() == 0 {
		return nil
	}
	size := int(unsafe.Sizeof(T(0)))
	offsets, text := c.Buffers()[1].Bytes(), c.Buffers()[2].Bytes()
	if c.Len() < 0 || c.Len() >= len(offsets)/size-c.Offset() {
		panic(fmt.Sprintf("%d texts are announced, and there are %d offsets", c.Len(), len(offsets)/size))
	}
	offset := func(i int) int {
		if b := offsets[(c.Offset()+i)*size:]; size == 8 {
			return int(endian.LittleEndian.Uint64(b))
		} else {
			return int(endian.LittleEndian.Uint32(b))
		}
	}
	return func(i int) []byte { return text[offset(i):offset(i+1):len(text)] }
}

// viewedTextAt reads texts by views of 16 bytes each: the length, and the text itself up to 12 bytes, else its first 4
// bytes, the buffer and the offset in it.
func viewedTextAt(c arrow.ArrayData) func(i int) []byte {
	if c.Len() == 0 {
		return nil
	}
	views := buffer(c, 1, 16)
	return func(i int) []byte {
		v := views[16*i : 16*i+16]
		word := func(k int) int { return int(int32(endian.LittleEndian.Uint32(v[4*k:]))) }
		n := word(0)
		if n <= 12 {
			return v[4 : 4+n]
		}
		b := c.Buffers()[2+word(2)].Bytes()
		return b[word(3) : word(3)+n : len(b)]
	}
}

// texts is a column of the texts of chunks, which of returns one by one.
func (r *reader) texts(chunks []arrow.ArrayData, of func(c arrow.ArrayData) func(i int) []byte) tables.Column {
	readers := make([]func(int) []byte, len(chunks))
	for k, c := range chunks {
		readers[k] = of(c)
	}
	return tables.Column{Type: tables.Text, Rows: rows(chunks), Missing: missing(chunks), Texts: func(yield func(string) bool) {
		for k, c := range chunks {
			for i := range c.Len() {
				b := readers[k](i)
				if !yield(unsafe.String(unsafe.SliceData(b), len(b))) {
					return
				}
			}
		}
	}}
}
