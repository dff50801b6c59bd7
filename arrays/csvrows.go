package arrays

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"unicode"
	"unicode/utf8"
	"unsafe"

	"github.com/arrayrepl/arrayrepl/internal/brief"
	"github.com/arrayrepl/arrayrepl/internal/budget"
)

// csvRows reads the rows of a table. Lines without quotes, which are nearly all lines of numbers, are split here; from the first
// quote on encoding/csv reads, and both follow its rules: empty lines and lines that begin with # are no rows, spaces before a
// cell do not count, all rows have as many cells as the first.
type csvRows struct {
	in      *bufio.Reader
	text    []byte   // in place of in: whole lines without a quote, those that were not read yet
	whole   []byte   // all of text
	lines   int      // how many lines text has at most
	keep    bool     // text is kept by who reads the rows
	raw     []byte   // the line of the row that was read last, until the next is read; nil of one that encoding/csv read
	again   []string // a row that next returns once more
	ended   bool     // for who reads a number of rows at a time
	comma   rune
	trim    bool
	width   int // of the first row
	line    int // of the row that was read last, from 1 and with those that were skipped before the table
	long    []byte
	cells   []string
	careful *csv.Reader
	before  int // lines that careful has not seen
}

// newCSVRows reads rows of in, of which that many lines were skipped.
func newCSVRows(in io.Reader, comma rune, skipped int) *csvRows {
	r := &csvRows{in: bufio.NewReaderSize(in, 1<<18), line: skipped, before: skipped, comma: comma, trim: comma != '\t'} // or an empty cell would be skipped with its tab
	if comma >= utf8.RuneSelf || comma < ' ' && comma != '\t' || comma == '"' || comma == '#' {
		r.beCareful(nil)
	}
	return r
}

// beCareful lets encoding/csv read from here on: first what was read already.
func (r *csvRows) beCareful(read []byte) {
	r.raw = nil
	r.careful = csv.NewReader(io.MultiReader(bytes.NewReader(slices.Clone(read)), r.in))
	r.careful.Comma, r.careful.Comment, r.careful.TrimLeadingSpace, r.careful.ReuseRecord = r.comma, '#', r.trim, true
	r.careful.FieldsPerRecord = r.width
}

// next returns the cells of the next row, which are good until the following call; at the end io.EOF. Other errors are for
// people, without the file's name.
func (r *csvRows) next() ([]string, error) {
	if row := r.again; row != nil {
		r.again = nil
		return row, nil
	}
	for r.careful == nil {
		read, err := r.readLine()
		switch {
		case err == io.EOF && len(read) == 0:
			return nil, io.EOF
		case err != nil && err != io.EOF:
			return nil, unreadable(err)
		}
		line := bytes.TrimSuffix(read, []byte("\n"))
		line = bytes.TrimSuffix(line, []byte("\r"))
		if r.in != nil && bytes.IndexByte(line, '"') >= 0 {
			r.before = r.line
			r.beCareful(read)
			break
		}
		r.line++
		if len(line) == 0 || line[0] == '#' {
			continue
		}
		r.split(line)
		r.raw = read
		if r.width == 0 {
			r.width = len(r.cells)
		}
		if len(r.cells) != r.width {
			return nil, r.uneven(r.line, len(r.cells))
		}
		return r.cells, nil
	}
	row, err := r.careful.Read()
	var bad *csv.ParseError
	switch {
	case err == nil:
		line, _ := r.careful.FieldPos(0)
		r.line = line + r.before
		return row, nil
	case err == io.EOF:
		return nil, err
	case errors.As(err, &bad) && errors.Is(err, csv.ErrFieldCount):
		r.width = r.careful.FieldsPerRecord
		return nil, r.uneven(bad.Line+r.before, len(row))
	case errors.As(err, &bad):
		return nil, fmt.Errorf("line %d, column %d: %w", bad.Line+r.before, bad.Column, bad.Err)
	}
	return nil, unreadable(err)
}

func unreadable(err error) error {
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return fmt.Errorf("cannot be read: %s", brief.Reason(err))
	}
	return fmt.Errorf("cannot be read: %w", err)
}

func (r *csvRows) uneven(line, cells int) error {
	return fmt.Errorf("line %d has %d cells, the first row has %d; check the delimiter or leave lines out with SkipLines", line, cells, r.width)
}

// maxLine is how many bytes a line may have: places of cells are kept as 32 bits.
const maxLine = 1 << 30

// readLine returns the next line with its end; what is not empty comes with io.EOF when it has none.
func (r *csvRows) readLine() ([]byte, error) {
	if r.in == nil {
		end := bytes.IndexByte(r.text, '\n') + 1
		if end == 0 && len(r.text) == 0 {
			return nil, io.EOF
		} else if end == 0 {
			end = len(r.text)
		}
		line := r.text[:end]
		r.text = r.text[end:]
		return line, nil
	}
	line, err := r.in.ReadSlice('\n')
	if err != bufio.ErrBufferFull {
		return line, err
	}
	r.long = append(r.long[:0], line...)
	asked := 8 << 20 // bytes that there is memory for
	for err == bufio.ErrBufferFull {
		if len(r.long) > asked {
			asked *= 2
			if err := longLine(r.line+1, asked); err != nil {
				return nil, err
			}
		}
		if len(r.long) > maxLine {
			return nil, fmt.Errorf("line %d has more than %s: is it the right file?", r.line+1, budget.Bytes(maxLine))
		}
		line, err = r.in.ReadSlice('\n')
		r.long = append(r.long, line...)
	}
	return r.long, err
}

// longLine returns an error when there is no memory for a line of so many bytes, which is copied as it grows.
func longLine(line, bytes int) error { return budget.For(fmt.Sprintf("line %d", line), 3*int64(bytes)) }

// split cuts a line into cells, which are parts of it.
func (r *csvRows) split(line []byte) {
	if r.cells = r.cells[:0]; cap(r.cells) == 0 {
		r.cells = make([]string, 0, bytes.Count(line, []byte{byte(r.comma)})+1)
	}
	for {
		if r.trim && len(line) > 0 && (line[0] <= ' ' || line[0] >= utf8.RuneSelf) {
			line = bytes.TrimLeftFunc(line, unicode.IsSpace)
		}
		cell := line
		end := bytes.IndexByte(line, byte(r.comma))
		if end >= 0 {
			cell = line[:end]
		}
		r.cells = append(r.cells, unsafe.String(unsafe.SliceData(cell), len(cell)))
		if end < 0 {
			return
		}
		line = line[end+1:]
	}
}
