package arrowtable

import (
	endian "encoding/binary"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"github.com/arrayrepl/arrayrepl/internal/brief"
	"github.com/arrayrepl/arrayrepl/internal/tables"
)

// encoded is a table as one record batch.
type encoded struct{ arrow.RecordBatch }

// Encode implements tables.Format. Numbers are not copied.
func (format) Encode(columns []tables.Column) (tables.Encoded, error) {
	fields := make([]arrow.Field, len(columns))
	data := make([]arrow.Array, len(columns))
	for i, c := range columns {
		d, err := dataOf(c)
		if err != nil {
			return nil, fmt.Errorf("column %s: %w", brief.Quoted(c.Name), err)
		}
		if c.Missing != nil {
			d = withGaps(d, c.Missing)
		}
		fields[i] = arrow.Field{Name: c.Name, Type: d.DataType(), Nullable: true}
		data[i] = array.MakeFromData(d)
	}
	return encoded{array.NewRecordBatch(arrow.NewSchema(fields, nil), data, int64(columns[0].Rows))}, nil
}

// WriteFile implements tables.Encoded.
func (r encoded) WriteFile(w io.Writer) error {
	f, err := ipc.NewFileWriter(w, ipc.WithSchema(r.Schema()))
	if err != nil {
		return err
	}
	if err := f.Write(r.RecordBatch); err != nil {
		return err
	}
	return f.Close()
}

// WriteStream implements tables.Encoded.
func (r encoded) WriteStream(w io.Writer) error {
	s := ipc.NewWriter(w, ipc.WithSchema(r.Schema()))
	if err := s.Write(r.RecordBatch); err != nil {
		return err
	}
	return s.Close()
}

// dataOf is a column as Arrow has it, whose values are all there.
func dataOf(c tables.Column) (arrow.ArrayData, error) {
	of := func(t arrow.DataType, buffers ...[]byte) arrow.ArrayData {
		all := []*memory.Buffer{nil}
		for _, b := range buffers {
			all = append(all, memory.NewBufferBytes(b))
		}
		return array.NewData(t, c.Rows, all, nil, 0, 0)
	}
	if c.Lists != nil {
		if c.Size > math.MaxInt32 {
			return nil, fmt.Errorf("its second axis has %d elements; lists have 2147483647 at most", c.Size)
		}
		inner, err := dataOf(*c.Lists)
		if err != nil {
			return nil, err
		}
		return array.NewData(arrow.FixedSizeListOf(int32(c.Size), inner.DataType()), c.Rows, []*memory.Buffer{nil}, []arrow.ArrayData{inner}, 0, 0), nil
	}
	switch name, unit, isTime := strings.Cut(strings.TrimSuffix(c.Type, "]"), "["); {
	case c.Type == "b1":
		return of(arrow.FixedWidthTypes.Boolean, bitmap(c.Data)), nil
	case c.Type == tables.Text:
		return textData(c, of), nil
	case isTime:
		return timeData(c, name == "m8", unit)
	}
	for id, name := range plainTypes {
		if name == c.Type {
			return of(numberTypes[id], c.Data), nil
		}
	}
	return nil, fmt.Errorf("%v has no type in Arrow", c.Type)
}

var numberTypes = map[arrow.Type]arrow.DataType{
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

// validity is the bitmap of n values that are there, and how many are not.
func validity(n int, gone func(i int) bool) (bits []byte, missing int) {
	bits = make([]byte, (n+7)/8)
	for i := range n {
		if gone(i) {
			missing++
		} else {
			bits[i/8] |= 1 << (i % 8)
		}
	}
	return bits, missing
}

// withGaps is d, values without a mask or with one that is replaced, where gone values are missing.
func withGaps(d arrow.ArrayData, gone []bool) arrow.ArrayData {
	valid, missing := validity(len(gone), func(i int) bool { return gone[i] })
	if missing == 0 {
		return d
	}
	return array.NewData(d.DataType(), d.Len(), append([]*memory.Buffer{memory.NewBufferBytes(valid)}, d.Buffers()[1:]...), d.Children(), missing, 0)
}

// textData is texts with offsets of 4 bytes, or of 8 where the text is long.
func textData(c tables.Column, of func(arrow.DataType, ...[]byte) arrow.ArrayData) arrow.ArrayData {
	var text []byte
	long := make([]byte, 8, 8*(c.Rows+1))
	for s := range c.Texts {
		text = append(text, s...)
		long = endian.LittleEndian.AppendUint64(long, uint64(len(text)))
	}
	if len(text) > math.MaxInt32 {
		return of(arrow.BinaryTypes.LargeString, long, text)
	}
	short := make([]byte, 0, len(long)/2)
	for ; len(long) > 0; long = long[8:] {
		short = append(short, long[:4]...)
	}
	return of(arrow.BinaryTypes.String, short, text)
}

// notATime is NumPy's NaT.
const notATime = math.MinInt64

// timeData is dates and spans: days as date32, others in one of Arrow's units. NaT is missing.
func timeData(c tables.Column, span bool, unit string) (arrow.ArrayData, error) {
	at := func(i int) int64 { return int64(endian.LittleEndian.Uint64(c.Data[8*i:])) }
	var t arrow.DataType
	values := c.Data
	switch of := slices.Index(unitNames[:], unit); {
	case of >= 0 && span:
		t = &arrow.DurationType{Unit: arrow.TimeUnit(of)}
	case of >= 0:
		t = &arrow.TimestampType{Unit: arrow.TimeUnit(of)}
	case unit == "D" && !span:
		t, values = arrow.FixedWidthTypes.Date32, make([]byte, 0, 4*c.Rows)
		for i := range c.Rows {
			x := at(i)
			if x != notATime && int64(int32(x)) != x {
				return nil, fmt.Errorf("day %d from 1970 does not fit Arrow's date32", x)
			}
			values = endian.LittleEndian.AppendUint32(values, uint32(x))
		}
	default:
		return nil, fmt.Errorf("%s has no type in Arrow", c.Type)
	}
	var mask *memory.Buffer
	valid, missing := validity(c.Rows, func(i int) bool { return at(i) == notATime })
	if missing > 0 {
		mask = memory.NewBufferBytes(valid)
	}
	return array.NewData(t, c.Rows, []*memory.Buffer{mask, memory.NewBufferBytes(values)}, nil, missing, 0), nil
}
