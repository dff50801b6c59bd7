// Package arrowtable reads and writes tables of the Arrow columnar format, its IPC files and streams, as columns that
// know no arrays: https://arrow.apache.org/docs/format/Columnar.html. Whoever imports it has registered it with package
// tables.
package arrowtable

import (
	"bytes"
	"errors"
	"fmt"
	"slices"

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
	if err := foreign(data); err != nil {
		return nil, err
	}
	if !beginsArrow(data) {
		return nil, errors.New("cannot be read as Arrow: it begins neither with ARROW1 nor with a message")
	}
	checkArrow(data)
	memory := &packedMemory{packed: int64(len(data)), Memory: m}
	schema, batches, err := allBatches(data, memory)
	if memory.refused != nil {
		return nil, memory.refused
	} else if err != nil {
		return nil, reading.Fault(err, "cannot be read as Arrow: %s", brief.Reason(err))
	}
	fields := schema.Fields()
	have := make([]string, len(fields))
	for i, f := range fields {
		have[i] = f.Name
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
			return nil, fmt.Errorf("there is no column %s; the table has %s", brief.Quoted(name), brief.List(have))
		case seen[name]:
			return nil, fmt.Errorf("two columns are named %s", brief.Quoted(name))
		}
		seen[name] = true
		chunks := make([]arrow.ArrayData, len(batches))
		for i, b := range batches {
			chunks[i] = b.Column(at).Data()
		}
		c, err := (&reader{m}).column(fields[at].Type, chunks)
		if err != nil {
			return nil, tables.Fault(name, err)
		}
		c.Name = name
		columns = append(columns, c)
	}
	return columns, nil
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
