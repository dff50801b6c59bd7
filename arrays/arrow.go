package arrays

import (
	"bytes"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/arrayrepl/arrayrepl/internal/brief"
	"github.com/arrayrepl/arrayrepl/internal/budget"
	"github.com/arrayrepl/arrayrepl/internal/mmap"
	"github.com/arrayrepl/arrayrepl/internal/reading"
	"github.com/arrayrepl/arrayrepl/internal/replace"
)

// The Arrow columnar format, its IPC files and streams: https://arrow.apache.org/docs/format/Columnar.html

// LoadArrow reads a table from an Arrow IPC file, which is also Feather of version 2, or from a file that holds an IPC
// stream: the named columns in this order, all when none are named. Each value of a column is an element of the first
// axis; lists of one fixed size give the further ones. Dates and timestamps become datetime64 (of UTC where a time zone
// is given), durations timedelta64; a dictionary gives its values. A missing value is NaN, NaT or empty text; it makes
// a column of whole numbers float64, and is an error where that would round them, beyond 2^53. Other types, files that
// are damaged, and bools with missing values are an error that names the column.
func LoadArrow(path string, columns ...string) (names []string, values []*Array, err error) {
	defer reading.Guard[*Error](&err, readerError("loadarrow", path))
	return loadArrow(path, csvOptions{columns: columns})
}

// loadArrow is LoadArrow that fills masks as [MissingInto] says, if there are any.
func loadArrow(path string, o csvOptions) (names []string, values []*Array, err error) {
	data, done, err := mapFile(path)
	if err != nil {
		return nil, nil, err
	}
	defer done(false)
	err = mmap.Read(func() (err error) {
		names, values, err = readArrow(data, o.columns, o.masks)
		for i, a := range values {
			values[i] = a.Copy() // what is returned must not lie in the file, which is let go
		}
		return err
	})
	return names, values, err
}

// MapArrow is [LoadArrow] without reading: columns of numbers, dates and durations lie in the file itself, and the
// system brings in what is touched, so that a file may be larger than memory. Writing to such an array leaves the file
// as it is. Columns with missing values, of bools or text, in several record batches or compressed cannot be used as
// they lie and are copied, and so is a file with a dictionary. The file stays mapped until [Array.Close] of one of
// them, and must not be cut or overwritten until then. Where files cannot be mapped (Windows) it is read.
func MapArrow(path string, columns ...string) (names []string, values []*Array, err error) {
	defer reading.Guard[*Error](&err, readerError("maparrow", path))
	data, done, err := mapFile(path)
	if err != nil {
		return nil, nil, err
	}
	lies := false
	defer func() { done(lies) }()
	err = mmap.Read(func() (err error) { names, values, err = readArrow(data, columns, nil); return err })
	lies = err == nil
	return names, values, err
}

// ReadArrow is [LoadArrow] of what in yields, up to its end, a file or a stream. The columns share the memory that was
// read.
func ReadArrow(in io.Reader, columns ...string) (names []string, values []*Array, err error) {
	defer reading.Guard[*Error](&err, readerError("readarrow", "input"))
	data, err := budget.ReadAll(polledReader{in}, "the input", 0)
	if err != nil {
		return nil, nil, badFile(err, "cannot be read: %v", err)
	}
	return readArrow(data, columns, nil)
}

// isArrow reports whether the name of a file says that it is Arrow's.
func isArrow(path string) bool {
	return slices.Contains([]string{".arrow", ".arrows", ".feather"}, strings.ToLower(filepath.Ext(path)))
}

// readArrow reads a table whose bytes are data; its columns may lie in them.
func readArrow(data []byte, columns []string, masks []map[string][]bool) (names []string, values []*Array, err error) {
	defer func() {
		if err != nil {
			names, values = nil, nil
		}
	}()
	defer reading.Decoder[*Error](&err)
	if err := foreignTable(data); err != nil {
		return nil, nil, err
	}
	if !beginsArrow(data) {
		return nil, nil, badFile(nil, "cannot be read as Arrow: it begins neither with ARROW1 nor with a message")
	}
	checkArrow(data)
	memory := &arrowMemory{packed: int64(len(data))}
	schema, batches, err := arrowBatches(data, memory)
	if memory.refused != nil {
		return nil, nil, badFile(memory.refused, "%v", memory.refused)
	} else if err != nil {
		return nil, nil, badFile(err, "cannot be read as Arrow: %s", brief.Reason(err))
	}
	fields := schema.Fields()
	have := make([]string, len(fields))
	for i, f := range fields {
		have[i] = f.Name
	}
	if len(columns) == 0 {
		columns = have
	}
	for _, name := range columns {
		at := slices.Index(have, name)
		switch {
		case at < 0:
			return nil, nil, badFile(nil, "there is no column %s; the table has %s", brief.Quoted(name), brief.List(have))
		case slices.Contains(names, name):
			return nil, nil, badFile(nil, "two columns are named %s", brief.Quoted(name))
		}
		chunks := make([]arrow.ArrayData, len(batches))
		for i, b := range batches {
			chunks[i] = b.Column(at).Data()
		}
		gone := &arrowGone{masked: masks != nil}
		a, err := arrowColumn(fields[at].Type, chunks, gone)
		if err != nil {
			return nil, nil, badFile(err, "column %s: %v; other columns can be read by naming them", brief.Quoted(name), err)
		}
		if gone.mask != nil {
			for _, m := range masks {
				m[name] = gone.mask.Bools()
			}
		}
		names, values = append(names, name), append(values, a)
	}
	return names, values, nil
}

// foreignTable recognises files of other formats, to say what to do with them.
func foreignTable(data []byte) error {
	const again = `import pyarrow.parquet, pyarrow.feather as f; f.write_feather(pyarrow.parquet.read_table("x.parquet"), "x.arrow")`
	switch {
	case bytes.HasPrefix(data, []byte("PAR1")):
		return badFile(nil, "this is a Parquet file, which is not read here: its decoder would nearly double the program; write it as Arrow once, in Python: %s", again)
	case bytes.HasPrefix(data, []byte("FEA1")):
		return badFile(nil, "this is Feather of version 1; write it as version 2, in Python: pyarrow.feather.write_feather(table, path)")
	case len(data) == 0:
		return badFile(nil, "the file is empty")
	}
	return nil
}

// arrowBatches decodes the messages of a file or stream. Batches are valid as long as data is.
func arrowBatches(data []byte, memory *arrowMemory) (*arrow.Schema, []arrow.RecordBatch, error) {
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
			poll()
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
		poll()
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

// arrowMemory is where what is decompressed goes. A damaged size must not take all memory: all buffers together are
// bounded by the size of the file, as what is unpacked elsewhere.
type arrowMemory struct {
	packed, content int64
	refused         error // why: arrow-go tells panics of its allocator as unknown errors
}

// Allocate implements arrow-go's Allocator.
func (m *arrowMemory) Allocate(n int) []byte {
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
	return allocate(n)
}

// Reallocate implements arrow-go's Allocator.
func (m *arrowMemory) Reallocate(n int, b []byte) []byte {
	if n <= cap(b) {
		return b[:n]
	}
	grown := m.Allocate(n)
	copy(grown, b)
	return grown
}

// Free implements arrow-go's Allocator; the collector frees.
func (*arrowMemory) Free([]byte) {}

// SaveArrow writes columns of one length under their names to an Arrow IPC file (Feather of version 2), which pandas,
// polars and DuckDB read. Columns of more axes are lists of a fixed size. NaT is a missing value; NaN stays a number.
// Complex numbers and spans of months or years have no type there and are an error. A path that ends in .arrows gets
// the stream format. The file that was there before stays as it is when writing fails.
func SaveArrow(path string, names []string, columns []*Array) (err error) {
	defer catch(&err)
	return saveArrow(path, names, columns, new(csvOptions))
}

// saveArrow is SaveArrow of columns of which some elements are missing, as o says.
func saveArrow(path string, names []string, columns []*Array, o *csvOptions) error {
	r, err := arrowRecord(names, columns, o)
	if err != nil {
		return err
	}
	return replace.File(path, false, func(w io.Writer) error {
		if strings.EqualFold(filepath.Ext(path), ".arrows") {
			return writeArrowStream(w, r)
		}
		f, err := ipc.NewFileWriter(w, ipc.WithSchema(r.Schema()))
		if err != nil {
			return err
		}
		if err := f.Write(r); err != nil {
			return err
		}
		return f.Close()
	})
}

// WriteArrow is [SaveArrow] to w, in the stream format, which needs no file.
func WriteArrow(w io.Writer, names []string, columns []*Array) (err error) {
	defer catch(&err)
	r, err := arrowRecord(names, columns, new(csvOptions))
	if err != nil {
		return err
	}
	return writeArrowStream(w, r)
}

func writeArrowStream(w io.Writer, r arrow.RecordBatch) error {
	s := ipc.NewWriter(w, ipc.WithSchema(r.Schema()))
	if err := s.Write(r); err != nil {
		return err
	}
	return s.Close()
}
