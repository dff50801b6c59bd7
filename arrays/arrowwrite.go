package arrays

import (
	"fmt"
	"math"
	"slices"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"github.com/arrayrepl/arrayrepl/internal/brief"
)

// arrowRecord is a table as one record batch; numbers are not copied. Columns may have gaps, as o says.
func arrowRecord(names []string, columns []*Array, o *csvOptions) (arrow.RecordBatch, error) {
	bad := func(format string, args ...any) (arrow.RecordBatch, error) {
		return nil, &Error{Op: "savearrow", Msg: fmt.Sprintf(format, args...)}
	}
	if len(names) != len(columns) || len(columns) == 0 {
		return bad("%d names are given for %d columns; give each its name, and at least one", len(names), len(columns))
	}
	fields, seen := make([]arrow.Field, len(columns)), make(map[string]bool, len(names))
	data := make([]arrow.Array, len(columns))
	rows := 0
	for i, a := range columns {
		name := brief.Quoted(names[i])
		if a == nil {
			return bad("column %s is nil; was it never assigned?", name)
		}
		if a.NDim() == 0 {
			return bad("column %s is 0-d; a column has its values along the first axis", name)
		}
		n := a.Len()
		if i == 0 {
			rows = n
		}
		switch {
		case seen[names[i]]:
			return bad("two columns are named %s", name)
		case n != rows:
			return bad("column %s has %d values, column %s has %d", name, n, brief.Quoted(names[0]), rows)
		}
		seen[names[i]] = true
		d, err := arrowData(a)
		if err != nil {
			return bad("column %s: %v", name, err)
		}
		if gone := o.gaps(names[i]); gone != nil {
			if len(gone) != n {
				return bad("column %s has %d values, and %d are said to be missing or not", name, n, len(gone))
			}
			d = arrowGaps(d, gone)
		}
		fields[i] = arrow.Field{Name: names[i], Type: d.DataType(), Nullable: true}
		data[i] = array.MakeFromData(d)
	}
	return array.NewRecordBatch(arrow.NewSchema(fields, nil), data, int64(rows)), nil
}

// arrowData is a as an Arrow array over its first axis.
func arrowData(a *Array) (arrow.ArrayData, error) {
	n := a.Len()
	if a.NDim() > 1 {
		size := a.layout.Shape[1]
		if size > math.MaxInt32 {
			return nil, &Error{Msg: fmt.Sprintf("its second axis has %d elements; lists have 2147483647 at most", size)}
		}
		inner, err := arrowData(a.Reshape(append([]int{n * size}, a.layout.Shape[2:]...)...))
		if err != nil {
			return nil, err
		}
		return array.NewData(arrow.FixedSizeListOf(int32(size), inner.DataType()), n, []*memory.Buffer{nil}, []arrow.ArrayData{inner}, 0, 0), nil
	}
	switch d := a.dtype; {
	case d.IsComplex():
		return nil, &Error{Msg: "Arrow has no complex numbers; save Real(x) and Imag(x) as two columns"}
	case d.IsBool():
		return array.NewData(arrow.FixedWidthTypes.Boolean, n, []*memory.Buffer{nil, memory.NewBufferBytes(bitmap(a.Bytes()))}, nil, 0, 0), nil
	case d.IsString():
		return arrowText(a.Strings())
	case d.isDate() || d.isSpan():
		return arrowTime(a)
	}
	for id, d := range arrowKinds {
		if d == a.dtype {
			return array.NewData(arrowTypes[id], n, []*memory.Buffer{nil, memory.NewBufferBytes(a.Bytes())}, nil, 0, 0), nil
		}
	}
	return nil, &Error{Msg: fmt.Sprintf("%v has no type in Arrow", a.dtype)}
}

var arrowTypes = map[arrow.Type]arrow.DataType{
	arrow.INT8: arrow.PrimitiveTypes.Int8, arrow.INT16: arrow.PrimitiveTypes.Int16, arrow.INT32: arrow.PrimitiveTypes.Int32, arrow.INT64: arrow.PrimitiveTypes.Int64,
	arrow.UINT8: arrow.PrimitiveTypes.Uint8, arrow.UINT16: arrow.PrimitiveTypes.Uint16, arrow.UINT32: arrow.PrimitiveTypes.Uint32, arrow.UINT64: arrow.PrimitiveTypes.Uint64,
	arrow.FLOAT16: arrow.FixedWidthTypes.Float16, arrow.FLOAT32: arrow.PrimitiveTypes.Float32, arrow.FLOAT64: arrow.PrimitiveTypes.Float64,
}

// bitmap packs bools, bytes 0 and 1, into bits, the lowest first.
func bitmap(bools []byte) []byte {
	bits := make([]byte, (len(bools)+7)/8)
	for i, b := range bools {
		bits[i/8] |= b << (i % 8)
	}
	return bits
}

// arrowGaps is d, values of one buffer without a mask, where gone values are missing.
func arrowGaps(d arrow.ArrayData, gone []bool) arrow.ArrayData {
	valid, missing := make([]byte, len(gone)), 0
	for i, g := range gone {
		valid[i] = bit(!g)
		missing += int(bit(g))
	}
	if missing == 0 {
		return d
	}
	return array.NewData(d.DataType(), d.Len(), append([]*memory.Buffer{memory.NewBufferBytes(bitmap(valid))}, d.Buffers()[1:]...), d.Children(), missing, 0)
}

// arrowText is strings with offsets of 4 bytes, or of 8 where the text is long.
func arrowText(v []string) (arrow.ArrayData, error) {
	offsets := make([]int64, 1, len(v)+1)
	var text []byte
	for _, s := range v {
		text = append(text, s...)
		offsets = append(offsets, int64(len(text)))
	}
	if len(text) > math.MaxInt32 {
		return array.NewData(arrow.BinaryTypes.LargeString, len(v), []*memory.Buffer{nil, memory.NewBufferBytes(bytesOf(offsets)), memory.NewBufferBytes(text)}, nil, 0, 0), nil
	}
	short := make([]int32, len(offsets))
	for i, o := range offsets {
		short[i] = int32(o)
	}
	return array.NewData(arrow.BinaryTypes.String, len(v), []*memory.Buffer{nil, memory.NewBufferBytes(bytesOf(short)), memory.NewBufferBytes(text)}, nil, 0, 0), nil
}

// arrowTime is dates and spans: days as date32, what is between days and seconds in seconds.
func arrowTime(a *Array) (arrow.ArrayData, error) {
	u, span := a.dtype.unit(), a.dtype.isSpan()
	var t arrow.DataType
	switch {
	case span && u.varies():
		return nil, &Error{Msg: fmt.Sprintf("spans of a %v have no type in Arrow; convert them: AsType(TimeDelta(Day))", u)}
	case !span && u <= Day:
		a, t = a.AsType(DateTime(Day)), arrow.FixedWidthTypes.Date32
	case u < Second && span:
		a = a.AsType(TimeDelta(Second))
	case u < Second:
		a = a.AsType(DateTime(Second))
	}
	if t == nil {
		unit := arrow.TimeUnit(slices.Index(arrowUnits[:], a.dtype.unit()))
		t = &arrow.TimestampType{Unit: unit}
		if span {
			t = &arrow.DurationType{Unit: unit}
		}
	}
	v := elements[int64](a.Bytes())
	valid := make([]byte, len(v))
	missing := 0
	for i, x := range v {
		valid[i] = bit(x != notATime)
		missing += int(1 - valid[i])
	}
	var mask *memory.Buffer
	if missing > 0 {
		mask = memory.NewBufferBytes(bitmap(valid))
	}
	values := bytesOf(v)
	if t.ID() == arrow.DATE32 {
		days := make([]int32, len(v))
		for i, x := range v {
			if days[i] = int32(x); x != notATime && int64(days[i]) != x {
				return nil, &Error{Msg: fmt.Sprintf("day %d from 1970 does not fit Arrow's date32", x)}
			}
		}
		values = bytesOf(days)
	}
	return array.NewData(t, len(v), []*memory.Buffer{mask, memory.NewBufferBytes(values)}, nil, missing, 0), nil
}
