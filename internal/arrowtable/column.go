package arrowtable

import (
	endian "encoding/binary"
	"errors"
	"fmt"
	"slices"
	"unsafe"

	"github.com/apache/arrow-go/v18/arrow"

	"github.com/arrayrepl/arrayrepl/internal/tables"
)

// plainTypes are the types whose values lie as NumPy's do, by NumPy's names.
var plainTypes = map[arrow.Type]string{
	arrow.INT8: "i1", arrow.INT16: "i2", arrow.INT32: "i4", arrow.INT64: "i8", arrow.UINT8: "u1", arrow.UINT16: "u2", arrow.UINT32: "u4", arrow.UINT64: "u8",
	arrow.FLOAT16: "f2", arrow.FLOAT32: "f4", arrow.FLOAT64: "f8", arrow.DATE64: "M8[ms]",
}

var unitNames = [...]string{arrow.Second: "s", arrow.Millisecond: "ms", arrow.Microsecond: "us", arrow.Nanosecond: "ns"}

// plainType returns NumPy's name and the bytes of values that lie as its do.
func plainType(t arrow.DataType) (name string, size int, ok bool) {
	switch t := t.(type) {
	case *arrow.TimestampType:
		return "M8[" + unitNames[t.Unit] + "]", 8, true
	case *arrow.DurationType:
		return "m8[" + unitNames[t.Unit] + "]", 8, true
	}
	name, ok = plainTypes[t.ID()]
	if fixed, is := t.(arrow.FixedWidthDataType); ok && is {
		size = fixed.Bytes()
	}
	return name, size, ok
}

// reader makes columns of what arrow-go has decoded.
type reader struct{ tables.Memory }

// column makes a column of its chunks. Nothing in them is believed: every size is checked against the bytes that are
// there before memory is taken, and what is out of bounds panics and is told as damage.
func (r *reader) column(t arrow.DataType, chunks []arrow.ArrayData) (tables.Column, error) {
	if name, size, ok := plainType(t); ok {
		return tables.Column{Type: name, Rows: rows(chunks), Data: r.values(size, chunks), Missing: missing(chunks)}, nil
	}
	switch t := t.(type) {
	case *arrow.BooleanType:
		return tables.Column{Type: "b1", Rows: rows(chunks), Data: r.bools(chunks), Missing: missing(chunks)}, nil
	case *arrow.Date32Type:
		return tables.Column{Type: "M8[D]", Rows: rows(chunks), Data: r.days(chunks), Missing: missing(chunks)}, nil
	case *arrow.StringType:
		return r.texts(chunks, textAt[int32]), nil
	case *arrow.LargeStringType:
		return r.texts(chunks, textAt[int64]), nil
	case *arrow.StringViewType:
		return r.texts(chunks, viewedTextAt), nil
	case *arrow.DictionaryType:
		return r.dictionary(t, chunks)
	case *arrow.FixedSizeListType:
		return r.lists(t, chunks)
	case arrow.ExtensionType:
		return r.column(t.StorageType(), chunks)
	}
	return tables.Column{}, fmt.Errorf("there is no dtype for values of type %v; numbers, bools, text, dates, durations, dictionaries and lists of one size are read", t)
}

// rows is the number of values of all chunks.
func rows(chunks []arrow.ArrayData) int {
	n := 0
	for _, c := range chunks {
		n += c.Len()
	}
	return n
}

// buffer returns the values of size bytes of a chunk in its buffer i.
func buffer(c arrow.ArrayData, i, size int) []byte {
	var b []byte
	if buf := c.Buffers()[i]; buf != nil {
		b = buf.Bytes()
	}
	if n, from := c.Len(), c.Offset(); n < 0 || from < 0 || n > len(b)/size-from {
		panic(fmt.Sprintf("%d values are announced, and there are %d", n, len(b)/size))
	}
	return b[c.Offset()*size:][:c.Len()*size]
}

// values are those of chunks, each of so many bytes: the bytes of the file where it is one chunk.
func (r *reader) values(size int, chunks []arrow.ArrayData) []byte {
	if len(chunks) == 1 {
		b := buffer(chunks[0], 1, size)
		if uintptr(unsafe.Pointer(unsafe.SliceData(b)))%uintptr(size) == 0 {
			return b
		}
	}
	parts := make([][]byte, len(chunks))
	for i, c := range chunks {
		parts[i] = buffer(c, 1, size)
	}
	out := r.Allocate(rows(chunks) * size)
	at := 0
	for _, p := range parts {
		at += copy(out[at:], p)
	}
	return out
}

// days are those of date32, as 8 bytes each.
func (r *reader) days(chunks []arrow.ArrayData) []byte {
	for _, c := range chunks {
		buffer(c, 1, 4) // checks that they are there
	}
	out := r.Allocate(8 * rows(chunks))
	at := 0
	for _, c := range chunks {
		for b := buffer(c, 1, 4); len(b) > 0; b = b[4:] {
			endian.LittleEndian.PutUint64(out[at:], uint64(int64(int32(endian.LittleEndian.Uint32(b)))))
			at += 8
		}
	}
	return out
}

// bitsOf are the bits of buffer i of a chunk, 0 or 1 in a byte each.
func bitsOf(out []byte, c arrow.ArrayData, i int) {
	if len(out) == 0 { // then there may be no buffer
		return
	}
	for k, b := 0, c.Buffers()[i].Bytes(); k < len(out); k++ {
		at := c.Offset() + k
		out[k] = b[at/8] >> (at % 8) & 1
	}
}

// checkBits panics when buffer i of a chunk has fewer bits than the chunk has values.
func checkBits(c arrow.ArrayData, i int) {
	if n, have := c.Len(), c.Buffers()[i].Len(); n < 0 || n > have*8-c.Offset() {
		panic(fmt.Sprintf("%d values are announced, and there are %d bits of them", n, have*8))
	}
}

func (r *reader) bools(chunks []arrow.ArrayData) []byte {
	for _, c := range chunks {
		if c.Len() > 0 {
			checkBits(c, 1)
		}
	}
	out := r.Allocate(rows(chunks))
	at := 0
	for _, c := range chunks {
		bitsOf(out[at:at+c.Len()], c, 1)
		at += c.Len()
	}
	return out
}

// missing says which values are missing, or is nil when all are there. It must be asked for after the values were found
// to be as many as announced.
func missing(chunks []arrow.ArrayData) []bool {
	var mask []bool
	at := 0
	for _, c := range chunks {
		n := c.Len()
		if valid := c.Buffers()[0]; n > 0 && c.NullN() != 0 && valid != nil && valid.Len() > 0 {
			checkBits(c, 0)
			if mask == nil {
				mask = make([]bool, rows(chunks))
			}
			part := make([]byte, n)
			bitsOf(part, c, 0)
			for i, there := range part {
				mask[at+i] = there == 0
			}
		}
		at += n
	}
	return mask
}

// dictionary has each chunk's numbers and the values that they choose.
func (r *reader) dictionary(t *arrow.DictionaryType, chunks []arrow.ArrayData) (tables.Column, error) {
	name, size, ok := plainType(t.IndexType)
	if !ok || name[0] != 'i' && name[0] != 'u' {
		return tables.Column{}, fmt.Errorf("its dictionary is indexed by %v", t.IndexType)
	}
	if len(chunks) == 0 {
		return r.column(t.ValueType, nil)
	}
	c := tables.Column{Rows: rows(chunks), Chosen: make([]tables.Chosen, len(chunks))}
	for i, chunk := range chunks {
		values, err := r.column(t.ValueType, []arrow.ArrayData{chunk.Dictionary()})
		if err != nil {
			return tables.Column{}, err
		}
		part := chunks[i : i+1]
		c.Chosen[i] = tables.Chosen{Index: tables.Column{Type: name, Rows: chunk.Len(), Data: r.values(size, part), Missing: missing(part)}, Values: values}
	}
	return c, nil
}

// lists has the values of lists that all have one size.
func (r *reader) lists(t *arrow.FixedSizeListType, chunks []arrow.ArrayData) (tables.Column, error) {
	if slices.ContainsFunc(chunks, func(c arrow.ArrayData) bool { return c.NullN() != 0 }) && missing(chunks) != nil {
		return tables.Column{}, errors.New("it has lists that are missing")
	}
	size := int(t.Len())
	inner := make([]arrow.ArrayData, len(chunks))
	for i, c := range chunks {
		inner[i] = c.Children()[0]
		if c.Offset() != 0 || size < 0 || size > 0 && inner[i].Len()/size != c.Len() || inner[i].Len() != size*c.Len() {
			panic(fmt.Sprintf("%d lists of %d are announced, and there are %d values", c.Len(), size, inner[i].Len()))
		}
	}
	values, err := r.column(t.Elem(), inner)
	return tables.Column{Rows: rows(chunks), Size: size, Lists: &values}, err
}
