package arrowtable

import (
	endian "encoding/binary"
	"fmt"

	"github.com/apache/arrow-go/v18/arrow/ipc"
	flatbuffers "github.com/google/flatbuffers/go"
	"github.com/klauspost/compress/zstd"
)

// checker looks through the metadata of an Arrow file or stream before arrow-go reads it: arrow-go 18.8.0 takes
// memory for as many fields, entries and buffers as the metadata says there are, and a damaged count would take all
// there is. It panics at what cannot be, as reading past the end does. The numbers of slots are those of
// format/Schema.fbs, Message.fbs and File.fbs of the Arrow project.
type checker struct {
	data []byte
	left int // entries that metadata of this size can have

	columns      counts           // what a record batch of the schema needs
	dictionaries map[int64]counts // and what a dictionary needs
}

// counts is how many entries a batch must have at least, as arrow-go reads what follows where there are fewer.
type counts struct {
	nodes int // columns, with those that are nested in them
	views int // of them those of texts or bytes in views, each of which has a number of buffers
}

func (n counts) and(o counts) counts {
	return counts{n.nodes + o.nodes, n.views + o.views}
}

// maxNested is how deep columns may be nested in columns.
const maxNested = 64

// checkArrow checks all metadata of data.
func checkArrow(data []byte) {
	c := &checker{data: data, left: len(data), dictionaries: map[int64]counts{}}
	if len(data) >= len(ipc.Magic) && string(data[:len(ipc.Magic)]) == string(ipc.Magic) {
		c.file()
		return
	}
	for at := 0; at >= 0 && at+4 <= len(data); {
		at = c.message(at)
	}
}

// beginsArrow reports whether data begins with what a file of Arrow's begins with, or with a message that is in it.
func beginsArrow(data []byte) bool {
	if len(data) < 8 || string(data[:len(ipc.Magic)]) == string(ipc.Magic) {
		return true // what is too short, arrow-go says
	}
	size := endian.LittleEndian.Uint32(data)
	if size == 0xFFFFFFFF {
		size = endian.LittleEndian.Uint32(data[4:])
	}
	return int64(size) < int64(len(data))
}

// file checks the footer, which ends with its length and the magic bytes, and the messages that it names.
func (c *checker) file() {
	end := len(c.data) - len(ipc.Magic) - 4
	size := int(int32(endian.LittleEndian.Uint32(c.data[end:])))
	footer := root(c.data[end-size : end])
	if schema, ok := tableIn(footer, 1); ok {
		c.schema(schema)
	}
	c.vector(footer, 4, 4)
	for _, slot := range []int{2, 3} { // dictionaries, record batches
		at, n := c.vector(footer, slot, 24)
		for i := range n {
			c.message(int(footer.GetInt64(at + flatbuffers.UOffsetT(24*i))))
		}
	}
}

// message checks the one that begins at, and returns where the next does; -1 after the last.
func (c *checker) message(at int) int {
	size := endian.LittleEndian.Uint32(c.data[at:])
	at += 4
	if size == 0xFFFFFFFF { // before version 0.15 of the format there was the length alone
		size = endian.LittleEndian.Uint32(c.data[at:])
		at += 4
	}
	if size == 0 { // the end
		return -1
	}
	if int64(at)+int64(size) > int64(len(c.data)) { // arrow-go takes memory for it before it looks for it
		panic(fmt.Sprintf("what is said of a message has %d bytes, more than the file", size))
	}
	m := root(c.data[at : at+int(size)])
	c.vector(m, 4, 4)
	body := m.GetInt64Slot(slotOffset(3), 0)
	next := int64(at) + int64(size) + body
	if body < 0 || next < 0 || next > int64(len(c.data)) {
		panic(fmt.Sprintf("a message with %d bytes is longer than the file", body))
	}
	packed := c.data[at+int(size) : next]
	if header, ok := tableIn(m, 2); ok {
		switch m.GetByteSlot(slotOffset(1), 0) {
		case 1:
			c.schema(header)
		case 2:
			if batch, ok := tableIn(header, 1); ok {
				c.batch(batch, packed, c.dictionaries[header.GetInt64Slot(slotOffset(0), 0)])
			}
		case 3:
			c.batch(header, packed, c.columns)
		}
	}
	return int(next)
}

func (c *checker) schema(t flatbuffers.Table) {
	c.vector(t, 2, 4)
	c.vector(t, 3, 8)
	c.columns = c.fields(t, 1, 0)
}

// fields checks those that a slot of t lists, and what is nested in them, and returns what a batch has of them.
func (c *checker) fields(t flatbuffers.Table, slot, depth int) (all counts) {
	if depth > maxNested {
		panic(fmt.Sprintf("columns are nested more than %d deep", maxNested))
	}
	at, n := c.vector(t, slot, 4)
	for i := range n {
		field := flatbuffers.Table{Bytes: t.Bytes, Pos: t.Indirect(at + flatbuffers.UOffsetT(4*i))}
		c.vector(field, 6, 4)
		of := field.GetByteSlot(slotOffset(2), 0)
		if kind, ok := tableIn(field, 3); ok && of == 14 { // a union
			c.vector(kind, 1, 4)
		}
		n := c.fields(field, 5, depth+1)
		if n.nodes++; of == 23 || of == 24 { // bytes or text in views
			n.views++
		}
		if code, ok := tableIn(field, 4); ok { // the batch has numbers of entries of a dictionary
			c.dictionaries[code.GetInt64Slot(slotOffset(0), 0)] = n
			n = counts{nodes: 1}
		}
		all = all.and(n)
	}
	return all
}

// batch checks one that must have at least so much, and whose buffers are in body.
func (c *checker) batch(t flatbuffers.Table, body []byte, want counts) {
	_, nodes := c.vector(t, 1, 16)
	list, buffers := c.vector(t, 2, 16)
	if how, ok := tableIn(t, 3); ok {
		for i := range buffers {
			at := list + flatbuffers.UOffsetT(16*i)
			c.unpacks(how.GetByteSlot(slotOffset(0), 0), body, t.GetInt64(at), t.GetInt64(at+8))
		}
	}
	at, n := c.vector(t, 4, 8)
	if nodes < want.nodes || n < want.views {
		panic(fmt.Sprintf("a batch has %d columns, %d of them in views; its schema has %d and %d", nodes, n, want.nodes, want.views))
	}
	for i := range n { // how many buffers a column of text has
		if k := t.GetInt64(at + flatbuffers.UOffsetT(8*i)); k < 0 || k > int64(buffers) {
			panic(fmt.Sprintf("a column has %d buffers, and there are %d", k, buffers))
		}
	}
}

// unpacks checks what a packed buffer says of its size: memory is taken for that before it is unpacked. LZ4 makes a
// byte of 255 at best; Zstandard says the size once more.
func (c *checker) unpacks(codec byte, body []byte, at, size int64) {
	if size < 8 || at < 0 || at > int64(len(body))-size {
		return // it is empty, or arrow-go says that it is not there
	}
	n := int64(endian.LittleEndian.Uint64(body[at:]))
	switch rest := body[at+8 : at+size]; codec {
	case 0:
		if n > 255*size+1024 {
			panic(fmt.Sprintf("a buffer of %d bytes unpacks to %d, as it says, which LZ4 cannot do", size, n))
		}
	case 1:
		var h zstd.Header
		if n <= 0 { // nothing, or not packed
			return
		}
		if err := h.Decode(rest[:min(len(rest), zstd.HeaderMaxSize)]); err != nil {
			panic(err)
		}
		if !h.Skippable && h.HasFCS && h.FrameContentSize != uint64(n) {
			panic(fmt.Sprintf("a buffer unpacks to %d bytes, as it says; what is packed says %d", n, h.FrameContentSize))
		}
	}
}

// vector returns where the entries of a vector begin, and how many there are.
func (c *checker) vector(t flatbuffers.Table, slot, size int) (at flatbuffers.UOffsetT, n int) {
	o := flatbuffers.UOffsetT(t.Offset(slotOffset(slot)))
	if o == 0 {
		return 0, 0
	}
	at, n = t.Vector(o), t.VectorLen(o)
	if c.left -= n; n < 0 || int(at)+n*size > len(t.Bytes) || c.left < 0 {
		panic(fmt.Sprintf("a list of %d entries is longer than the file", n))
	}
	return at, n
}

// slotOffset is where the offset of a table's slot is in its vtable.
func slotOffset(slot int) flatbuffers.VOffsetT { return flatbuffers.VOffsetT(4 + 2*slot) }

// root returns the table that a flatbuffer is.
func root(b []byte) flatbuffers.Table {
	return flatbuffers.Table{Bytes: b[:len(b):len(b)], Pos: flatbuffers.GetUOffsetT(b)}
}

// tableIn returns the table in a slot.
func tableIn(t flatbuffers.Table, slot int) (flatbuffers.Table, bool) {
	o := flatbuffers.UOffsetT(t.Offset(slotOffset(slot)))
	if o == 0 {
		return flatbuffers.Table{}, false
	}
	return flatbuffers.Table{Bytes: t.Bytes, Pos: t.Indirect(o + t.Pos)}, true
}
