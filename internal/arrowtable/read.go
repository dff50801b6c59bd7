// Package arrowtable reads and writes tables of the Arrow columnar format, its IPC files and streams, as columns that
// know no arrays: https://arrow.apache.org/docs/format/Columnar.html. Whoever imports it has registered it with package
// tables.
package arrowtable

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"unsafe"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/ipc"

	"github.com/arrayrepl/arrayrepl/internal/brief"
	"github.com/arrayrepl/arrayrepl/internal/budget"
	"github.com/arrayrepl/arrayrepl/internal/reading"
	"github.com/arrayrepl/arrayrepl/internal/tables"
)

func init() { tables.RegisterArrow(format{}) }

// format implements [tables.Format].
type format struct{}

// Read implements tables.Format.
func (format) Read(data []byte, names []string, m tables.Memory) ([]tables.Column, error) {
	fields, have, batches, err := open(data, m)
	if err != nil {
		return nil, err
	}
	if len(names) == 0 {
		names = have
	}
	columns := make([]tables.Column, 0, len(names))
	seen := map[string]bool{}
	for _, name := range names {
		at := slices.Index(have, name)
		switch {
		case at < 0:
			return nil, noColumn(name, have)
		case seen[name]:
			return nil, fmt.Errorf("two columns are named %s", brief.Quoted(name))
		}
		seen[name] = true
		c, err := (&reader{m}).column(fields[at].Type, chunksOf(batches, at))
		if err != nil {
			return nil, tables.Fault(name, err)
		}
		c.Name = name
		columns = append(columns, c)
	}
	return columns, nil
}

// open decodes what is not values of a file or stream.
func open(data []byte, m tables.Memory) (fields []arrow.Field, names []string, batches []arrow.RecordBatch, err error) {
	if err := foreign(data); err != nil {
		return nil, nil, nil, err
	}
	if !beginsArrow(data) {
		return nil, nil, nil, errors.New("cannot be read as Arrow: it begins neither with ARROW1 nor with a message")
	}
	checkArrow(data)
	memory := &packedMemory{packed: int64(len(data)), Memory: m}
	schema, batches, err := allBatches(data, memory)
	if memory.refused != nil {
		return nil, nil, nil, memory.refused
	} else if err != nil {
		return nil, nil, nil, reading.Fault(err, "cannot be read as Arrow: %s", brief.Reason(err))
	}
	for _, f := range schema.Fields() {
		names = append(names, f.Name)
	}
	return schema.Fields(), names, batches, nil
}

func noColumn(name string, have []string) error {
	return fmt.Errorf("there is no column %s; the table has %s", brief.Quoted(name), brief.List(have))
}

// chunksOf are the values of a column, batch by batch.
func chunksOf(batches []arrow.RecordBatch, column int) []arrow.ArrayData {
	chunks := make([]arrow.ArrayData, len(batches))
	for i, b := range batches {
		chunks[i] = b.Column(column).Data()
	}
	return chunks
}

// Lies implements tables.Format.
func (format) Lies(data []byte, name string, m tables.Memory) (c tables.Column, parts [][2]int64, err error) {
	fields, have, batches, err := open(data, m)
	if err != nil {
		return c, nil, err
	}
	at := slices.Index(have, name)
	if at < 0 {
		return c, nil, noColumn(name, have)
	}
	t := fields[at].Type
	if e, is := t.(arrow.ExtensionType); is {
		t = e.StorageType()
	}
	kind, size, ok := plainType(t)
	if !ok {
		return c, nil, tables.Fault(name, fmt.Errorf("values of type %v do not lie in the file as elements of an array do", t))
	}
	chunks := chunksOf(batches, at)
	if missing(chunks) != nil {
		return c, nil, tables.Fault(name, errors.New("it has missing values, which an array in a file has not"))
	}
	begin := uintptr(unsafe.Pointer(unsafe.SliceData(data)))
	for _, chunk := range chunks {
		b := buffer(chunk, 1, size)
		if len(b) == 0 {
			continue
		}
		lo := uintptr(unsafe.Pointer(unsafe.SliceData(b)))
		if lo < begin || lo-begin+uintptr(len(b)) > uintptr(len(data)) {
			return c, nil, tables.Fault(name, errors.New("it is compressed, or in a stream or a file with a dictionary, and is read as a whole: use LoadArrow"))
		}
		parts = append(parts, [2]int64{int64(lo - begin), int64(lo-begin) + int64(len(b))})
	}
	return tables.Column{Name: name, Type: kind, Rows: rows(chunks)}, parts, nil
}

// foreign recognises files of other formats, to say what to do with them.
func foreign(data []byte) error {
	const again = `import pyarrow.parquet, pyarrow.feather as f; f.write_feather(pyarrow.parquet.read_table("x.parquet"), "x.arrow")`
	switch {
	case bytes.HasPrefix(data, []byte("PAR1")):
		return fmt.Errorf("this is a Parquet file, which is not read here: its decoder would nearly double the program; write it as Arrow once, in Python: %s", again)
	case bytes.HasPrefix(data, []byte("FEA1")):
		return errors.New("this is Feather of version 1; write it as version 2, in Python: pyarrow.feather.write_feather(table, path)")
	case len(data) == 0:
		return errors.New("the file is empty")
	}
	return nil
}

// allBatches decodes the messages of a file or stream. Batches are valid as long as data is.
func allBatches(data []byte, memory *packedMemory) (*arrow.Schema, []arrow.RecordBatch, error) {
	size := int64(len(data))
	options := []ipc.Option{ipc.WithAllocator(memory), ipc.WithMetadataSizeLimit(size), ipc.WithBodySizeLimit(size)}
	var batches []arrow.RecordBatch
	if bytes.HasPrefix(data, ipc.Magic) {
		file, err := ipc.NewFileReader(bytes.NewReader(data), options...)
		// arrow-go 18.8.0 panics at dictionaries of mapped files
		if err == nil && !slices.ContainsFunc(file.Schema().Fields(), hasDictionary) {
			file, err = ipc.NewMappedFileReader(data, options...)
		}
		if err != nil {
			return nil, nil, err
		}
		for i := range file.NumRecords() {
			memory.Poll()
			b, err := file.RecordBatchAt(i)
			if err != nil {
				return nil, nil, err
			}
			batches = append(batches, b)
		}
		return file.Schema(), batches, nil
	}
	stream, err := ipc.NewReader(bytes.NewReader(data), options...)
	if err != nil {
		return nil, nil, err
	}
	for stream.Next() {
		memory.Poll()
		b := stream.RecordBatch()
		b.Retain()
		batches = append(batches, b)
	}
	return stream.Schema(), batches, stream.Err()
}

// hasDictionary reports whether a column, or what is nested in it, is one of indices into a dictionary.
func hasDictionary(f arrow.Field) bool {
	switch t := f.Type.(type) {
	case *arrow.DictionaryType:
		return true
	case arrow.ExtensionType:
		return hasDictionary(arrow.Field{Type: t.StorageType()})
	case arrow.NestedType:
		return slices.ContainsFunc(t.Fields(), hasDictionary)
	}
	return false
}

// packedMemory is where what is decompressed goes. A damaged size must not take all memory: all buffers together are
// bounded by the size of the file, as what is unpacked elsewhere.
type packedMemory struct {
	tables.Memory
	packed, content int64
	refused         error // why: arrow-go tells panics of its allocator as unknown errors
}

// Allocate implements arrow-go's Allocator.
func (m *packedMemory) Allocate(n int) []byte {
	if n < 0 {
		panic(fmt.Sprintf("a buffer of %d bytes", n))
	}
	m.content += int64(n)
	err := budget.Unpacks("the file", m.packed, m.content)
	if err == nil {
		err = budget.For("the content of the file", int64(n))
	}
	if err != nil {
		m.refused = err
		panic(budget.Refused{Err: err})
	}
	return m.Memory.Allocate(n)
}

// Reallocate implements arrow-go's Allocator.
func (m *packedMemory) Reallocate(n int, b []byte) []byte {
	if n <= cap(b) {
		return b[:n]
	}
	grown := m.Allocate(n)
	copy(grown, b)
	return grown
}

// Free implements arrow-go's Allocator; the collector frees.
func (*packedMemory) Free([]byte) {}
