package arrays

import (
	"fmt"
	"math"
	"slices"
	"unsafe"

	"github.com/apache/arrow-go/v18/arrow"
)

// arrowKinds are the types whose values lie as ours do.
var arrowKinds = map[arrow.Type]DType{
	arrow.INT8: Int8, arrow.INT16: Int16, arrow.INT32: Int32, arrow.INT64: Int64, arrow.UINT8: Uint8, arrow.UINT16: Uint16, arrow.UINT32: Uint32, arrow.UINT64: Uint64,
	arrow.FLOAT16: Float16, arrow.FLOAT32: Float32, arrow.FLOAT64: Float64, arrow.DATE64: DateTime(Millisecond),
}

var arrowUnits = [...]Unit{arrow.Second: Second, arrow.Millisecond: Millisecond, arrow.Microsecond: Microsecond, arrow.Nanosecond: Nanosecond}

// arrowPlain returns the dtype of values that lie as ours do.
func arrowPlain(t arrow.DataType) (DType, bool) {
	switch t := t.(type) {
	case *arrow.TimestampType:
		return DateTime(arrowUnits[t.Unit]), true
	case *arrow.DurationType:
		return TimeDelta(arrowUnits[t.Unit]), true
	}
	d, ok := arrowKinds[t.ID()]
	return d, ok
}

// arrowColumn makes an array of the chunks of a column. Nothing in them is believed: every size is checked against the
// bytes that are there before memory is taken, and what is out of bounds panics and is told as damage. gone, if it is
// there, gets which are missing.
func arrowColumn(t arrow.DataType, chunks []arrow.ArrayData, gone *arrowGone) (*Array, error) {
	if plain, ok := arrowPlain(t); ok {
		return withMissing(arrowValues(plain, chunks), arrowMissing(chunks), gone)
	}
	switch t := t.(type) {
	case *arrow.BooleanType:
		return withMissing(arrowBools(chunks), arrowMissing(chunks), gone)
	case *arrow.Date32Type:
		return withMissing(arrowValues(Int32, chunks).AsType(DateTime(Day)), arrowMissing(chunks), nil)
	case *arrow.StringType:
		return arrowTexts(chunks, arrowMissing(chunks), func(c arrow.ArrayData) func(int) []byte { return textAt[int32](c) })
	case *arrow.LargeStringType:
		return arrowTexts(chunks, arrowMissing(chunks), func(c arrow.ArrayData) func(int) []byte { return textAt[int64](c) })
	case *arrow.StringViewType:
		return arrowTexts(chunks, arrowMissing(chunks), viewedTextAt)
	case *arrow.DictionaryType:
		return arrowDictionary(t, chunks)
	case *arrow.FixedSizeListType:
		return arrowLists(t, chunks)
	case arrow.ExtensionType:
		return arrowColumn(t.StorageType(), chunks, gone)
	}
	return nil, &Error{Msg: fmt.Sprintf("there is no dtype for values of type %v; numbers, bools, text, dates, durations, dictionaries and lists of one size are read", t)}
}

// arrowRows is the number of values of all chunks.
func arrowRows(chunks []arrow.ArrayData) int {
	n := 0
	for _, c := range chunks {
		n += c.Len()
	}
	return n
}

// arrowBuffer returns the values of size bytes of a chunk in its buffer i.
func arrowBuffer(c arrow.ArrayData, i, size int) []byte {
	var b []byte
	if buf := c.Buffers()[i]; buf != nil {
		b = buf.Bytes()
	}
	if n, from := c.Len(), c.Offset(); n < 0 || from < 0 || n > len(b)/size-from {
		panic(fmt.Sprintf("%d values are announced, and there are %d", n, len(b)/size))
	}
	return b[c.Offset()*size:][:c.Len()*size]
}

// arrowValues are the elements of chunks that lie as those of dtype do: the bytes of the file where it is one chunk.
func arrowValues(dtype DType, chunks []arrow.ArrayData) *Array {
	size := dtype.Size()
	if len(chunks) == 1 {
		b := arrowBuffer(chunks[0], 1, size)
		if uintptr(unsafe.Pointer(unsafe.SliceData(b)))%uintptr(dtype.align()) == 0 {
			return FromBytes(dtype, []int{chunks[0].Len()}, b)
		}
	}
	parts := make([][]byte, len(chunks))
	for i, c := range chunks {
		parts[i] = arrowBuffer(c, 1, size)
	}
	a := New(dtype, arrowRows(chunks))
	at := 0
	for _, p := range parts {
		at += copy(a.data[at:], p)
	}
	return a
}

// arrowBits are the bits of buffer i of a chunk, 0 or 1 in a byte each.
func arrowBits(out []byte, c arrow.ArrayData, i int) {
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

func arrowBools(chunks []arrow.ArrayData) *Array {
	for _, c := range chunks {
		if c.Len() > 0 {
			checkBits(c, 1)
		}
	}
	a := New(Bool, arrowRows(chunks))
	at := 0
	for _, c := range chunks {
		arrowBits(a.data[at:at+c.Len()], c, 1)
		at += c.Len()
	}
	return a
}

// arrowMissing is the mask of values that are missing, or nil when all are there. It must be asked for after the values
// were found to be as many as announced.
func arrowMissing(chunks []arrow.ArrayData) func() *Array {
	return func() *Array {
		var mask *Array
		at := 0
		for _, c := range chunks {
			n := c.Len()
			if valid := c.Buffers()[0]; n > 0 && c.NullN() != 0 && valid != nil && valid.Len() > 0 {
				checkBits(c, 0)
				if mask == nil {
					mask = New(Bool, arrowRows(chunks))
				}
				part := mask.data[at : at+n]
				arrowBits(part, c, 0)
				for i := range part {
					part[i] ^= 1
				}
			}
			at += n
		}
		return mask
	}
}

// arrowGone gets, when it is masked, which values of whole numbers and bools are missing, which then stay what they
// are.
type arrowGone struct {
	masked bool
	mask   *Array
}

// withMissing marks missing values in a.
func withMissing(a *Array, missing func() *Array, gone *arrowGone) (*Array, error) {
	mask := missing()
	if mask == nil || !mask.Any().Bool() {
		return a, nil
	}
	switch d := a.dtype; {
	case gone != nil && gone.masked && (d.IsBool() || d.IsInt() && !d.IsTime()):
		gone.mask = mask
		return Where(mask, New(d), a), nil
	case d.IsBool():
		return nil, &Error{Msg: "it has bools that are missing, which no dtype holds; fill them, write 0 and 1, or read them with LoadTable and MissingInto(masks)"}
	case d.isDate() || d.isSpan():
		nat := New(d)
		elements[int64](nat.data)[0] = notATime
		return Where(mask, nat, a), nil
	case d.IsString():
		return Where(mask, "", a), nil
	case d.IsInt():
		if d.Size() == 8 { // what is missing may be anything
			there := Where(mask, New(d), a)
			if wide := there.Abs().Max(); d == Int64 && there.Min().Int64s()[0] == math.MinInt64 || wide.AsType(Uint64).Uint64s()[0] > 1<<53 {
				return nil, &Error{Msg: "it has missing values, and whole numbers beyond 2^53, which float64 would round: LoadTable with MissingInto(masks) leaves them as they are"}
			}
			a = there
		}
		a = a.AsType(Float64)
	}
	return Where(mask, math.NaN(), a), nil
}

// arrowDictionary looks up the values of each chunk in its dictionary.
func arrowDictionary(t *arrow.DictionaryType, chunks []arrow.ArrayData) (*Array, error) {
	index, ok := arrowPlain(t.IndexType)
	if !ok || !index.IsInt() {
		return nil, &Error{Msg: fmt.Sprintf("its dictionary is indexed by %v", t.IndexType)}
	}
	if len(chunks) == 0 {
		return arrowColumn(t.ValueType, nil, nil)
	}
	parts := make([]any, len(chunks))
	for i, c := range chunks {
		values, err := arrowColumn(t.ValueType, []arrow.ArrayData{c.Dictionary()}, nil)
		if err != nil {
			return nil, err
		}
		at := arrowValues(index, chunks[i:i+1]).AsType(Int64)
		missing := arrowMissing(chunks[i : i+1])
		if mask := missing(); mask != nil {
			at = Where(mask, 0, at)
			if values.Len() == 0 {
				values = New(values.dtype, 1)
			}
		}
		if at.Size() > 0 && (at.Min().Int() < 0 || at.Max().Int() >= values.Len()) {
			return nil, &Error{Msg: "an index is outside of its dictionary"}
		}
		part, err := withMissing(Take(values, at, 0), missing, nil)
		if err != nil {
			return nil, err
		}
		parts[i] = part
	}
	if len(parts) == 1 {
		return parts[0].(*Array), nil
	}
	return Concat(0, parts...), nil
}

// arrowLists makes a further axis of lists that all have one size.
func arrowLists(t *arrow.FixedSizeListType, chunks []arrow.ArrayData) (*Array, error) {
	if mask := arrowMissing(chunks); slices.ContainsFunc(chunks, func(c arrow.ArrayData) bool { return c.NullN() != 0 }) && mask() != nil {
		return nil, &Error{Msg: "it has lists that are missing"}
	}
	size := int(t.Len())
	inner := make([]arrow.ArrayData, len(chunks))
	for i, c := range chunks {
		inner[i] = c.Children()[0]
		if c.Offset() != 0 || size < 0 || size > 0 && inner[i].Len()/size != c.Len() || inner[i].Len() != size*c.Len() {
			panic(fmt.Sprintf("%d lists of %d are announced, and there are %d values", c.Len(), size, inner[i].Len()))
		}
	}
	a, err := arrowColumn(t.Elem(), inner, nil)
	if err != nil {
		return nil, err
	}
	return a.Reshape(append([]int{arrowRows(chunks), size}, a.Shape()[1:]...)...), nil
}
