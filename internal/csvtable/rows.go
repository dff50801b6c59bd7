package csvtable

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"sync/atomic"
	"unicode/utf8"
	"unsafe"

	"github.com/arrayrepl/arrayrepl/internal/brief"
	"github.com/arrayrepl/arrayrepl/internal/budget"
)

// dialect says how text is cut into rows and cells.
type dialect struct {
	comma   rune
	quote   byte   // 0 for none
	comment string // empty for none
	whole   bool   // comments are whole lines, and not those that begin with a word for a missing value
	ragged  Ragged
	skipped *atomic.Int64 // rows that RaggedSkipped has left out

	pieceBytes int // see Options
	Host
}

// isComment reports whether a line is nothing else.
func (d *dialect) isComment(line []byte) bool {
	if d.comment == "" {
		return false
	}
	for len(line) > 0 && d.isBlankAt(line, 0) {
		line = line[1:]
	}
	if !bytes.HasPrefix(line, []byte(d.comment)) {
		return false
	}
	if d.whole {
		cell := line[:d.cellEnd(line)]
		switch string(trimmed(cell)) {
		case "#N/A", "#NA", "#N/A N/A":
			return false
		}
	}
	return true
}

// isBlankAt reports whether a byte of a line is a space or tab that belongs to nothing.
func (d *dialect) isBlankAt(line []byte, i int) bool {
	return line[i] == ' ' || line[i] == '\t' && d.comma != '\t'
}

// isDelimiterAt reports whether a cell ends there.
func (d *dialect) isDelimiterAt(line []byte, i int) bool {
	if d.comma < utf8.RuneSelf {
		return line[i] == byte(d.comma) || d.comma == ' ' && line[i] == '\t'
	}
	return bytes.HasPrefix(line[i:], []byte(string(d.comma)))
}

// cellEnd is where the cell at the beginning of text ends, if it is not in quotes.
func (d *dialect) cellEnd(text []byte) int {
	n := -1
	switch {
	case d.comma == ' ':
		n = bytes.IndexAny(text, " \t")
	case d.comma < utf8.RuneSelf:
		n = bytes.IndexByte(text, byte(d.comma))
	default:
		n = bytes.Index(text, []byte(string(d.comma)))
	}
	if n < 0 {
		return len(text)
	}
	return n
}

// commentAt returns where a comment begins behind cells, or -1.
func (d *dialect) commentAt(text []byte) int {
	if d.comment == "" || d.whole {
		return -1
	}
	return bytes.Index(text, []byte(d.comment))
}

func newDialect(o *Options) dialect {
	d := dialect{comma: o.Delimiter, quote: byte(o.Quote), ragged: o.Ragged, skipped: new(atomic.Int64), whole: o.WholeComments, pieceBytes: o.PieceBytes, Host: o.Host}
	if o.Comment != nil {
		d.comment = *o.Comment
	}
	return d
}

// rowReader reads the rows of a table. A line ends with \n, \r\n or \r. Lines of blanks alone and of comments are not
// rows; blanks around a cell do not count but in quotes, and where a space separates cells, one or many of them do; all
// rows have as many cells as the first.
type rowReader struct {
	dialect
	in     *bufio.Reader
	text   []byte // in place of in: whole lines without a quote, those that were not read yet, which end with \n
	all    []byte // all of text
	lines  int    // how many lines text has at most
	keep   bool   // text is kept by who reads the rows
	raw    []byte // the row that was read last, until the next is read
	cutOff bool   // the text has ended in quotes
	ended  bool   // for who reads a number of rows at a time
	width  int    // of the first row
	line   int    // how many lines were read, with those that were skipped before the table
	at     int    // the first line of the row that was read last
	long   []byte
	cells  []string
	quoted []bool // the cells of the row that was read last that stand in quotes; nil for none

	record, out []byte // of a row with quotes: its bytes, and its cells one behind the other
	ends        []int
	marks       []bool
}

// newRowReader reads rows of in.
func newRowReader(in io.Reader, d dialect) *rowReader {
	return &rowReader{in: bufio.NewReaderSize(in, bufferBytes), dialect: d}
}

// next returns the cells of the next row, which are good until the following call; at the end io.EOF. Other errors are
// for people, without the file's name.
func (r *rowReader) next() ([]string, error) {
	for {
		read, err := r.readLine()
		switch {
		case err == io.EOF && len(read) == 0:
			return nil, io.EOF
		case err != nil && err != io.EOF:
			return nil, unreadable(err)
		}
		r.line++
		r.at, r.quoted = r.line, nil
		line := withoutEnd(read)
		hasQuotes := r.in != nil && r.quote != 0 && bytes.IndexByte(line, r.quote) >= 0
		if isBlank(line, r.comma) || r.isComment(line) {
			r.skipEmpty()
			continue
		}
		if hasQuotes {
			if err := r.splitQuoted(read); err != nil {
				return nil, err
			}
		} else {
			r.raw = read
			if i := r.commentAt(line); i >= 0 {
				line = line[:i]
			}
			r.split(line)
		}
		if r.width == 0 {
			r.width = len(r.cells)
		}
		if len(r.cells) != r.width {
			switch r.ragged {
			case RaggedSkipped:
				r.skipped.Add(1)
				continue
			case RaggedFilled:
				r.even()
			}
		}
		if len(r.cells) != r.width {
			return nil, r.uneven()
		}
		return r.cells, nil
	}
}

// skipEmpty goes past the empty lines that follow: there may be hundreds of millions.
func (r *rowReader) skipEmpty() {
	for {
		ahead := r.text
		if r.in != nil {
			ahead, _ = r.in.Peek(r.in.Buffered())
		}
		n := len(ahead) - len(bytes.TrimLeft(ahead, "\n"))
		r.line += n
		if r.in == nil {
			r.text = r.text[n:]
			return
		}
		_, _ = r.in.Discard(n)
		if n == 0 || n < len(ahead) {
			return
		}
		r.Poll()
		if _, err := r.in.Peek(1); err != nil { // the next line finds it too
			return
		}
	}
}

// isBlank reports whether a line has nothing but spaces, and tabs where they do not separate cells.
func isBlank(line []byte, comma rune) bool {
	for _, c := range line {
		if c != ' ' && (c != '\t' || comma == '\t') {
			return false
		}
	}
	return true
}

// withoutEnd is a line without what ends it.
func withoutEnd(line []byte) []byte {
	n := len(line)
	if n > 0 && line[n-1] == '\n' {
		n--
	}
	if n > 0 && line[n-1] == '\r' {
		n--
	}
	return line[:n]
}

// even gives a short row missing cells, and takes empty ones from the end of a long one.
func (r *rowReader) even() {
	for len(r.cells) < r.width {
		r.cells = append(r.cells, "")
		if r.quoted != nil {
			r.quoted = append(r.quoted, false)
		}
	}
	for len(r.cells) > r.width && r.cells[len(r.cells)-1] == "" {
		r.cells = r.cells[:len(r.cells)-1]
	}
}

func unreadable(err error) error {
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return fmt.Errorf("cannot be read: %s", brief.Reason(err))
	}
	return fmt.Errorf("cannot be read: %w", err)
}

func (r *rowReader) uneven() error {
	return fmt.Errorf("line %d has %d cells, the first row has %d; check the delimiter, leave lines before the table out with SkipLines or comments with Comment(\"#\"), or say Ragged(RaggedFilled) or Ragged(RaggedSkipped)",
		r.at, len(r.cells), r.width)
}

// maxLine is how many bytes a line may have, or a row with quotes. What has no line ends, as a device or a file of
// another kind, is noticed there, before it has taken much memory. Places of cells are kept as 31 bits.
const maxLine = 1 << 27

// lineTooLong is the error of a line that has more than maxLine.
func lineTooLong(line int) error {
	return fmt.Errorf("line %d has more than %s: is it the right file?", line, budget.Bytes(maxLine))
}

// grown appends b to line, with twice the room where there is too little: append adds a quarter at a time, and copies
// five times as much.
func grown(line, b []byte) []byte {
	if need := len(line) + len(b); need > cap(line) {
		line = append(make([]byte, 0, max(need, 2*cap(line))), line...)
	}
	return append(line, b...)
}

// readLine returns the next line with its end; what is not empty comes with io.EOF when it has none.
func (r *rowReader) readLine() ([]byte, error) {
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
	r.long = r.long[:0]
	asked := 8 << 20 // bytes that there is memory for
	for {
		if _, err := r.in.Peek(1); err != nil {
			return r.long, err
		}
		b, _ := r.in.Peek(r.in.Buffered())
		if last := len(r.long) - 1; last >= 0 && r.long[last] == '\r' {
			if b[0] == '\n' {
				r.long = append(r.long, '\n')
				_, _ = r.in.Discard(1)
			}
			return r.long, nil
		}
		n, whole := lineEnd(b)
		if !whole && b[n-1] == '\r' && n < r.in.Size() { // one more byte tells what ends the line
			b, _ = r.in.Peek(n + 1)
			n, whole = lineEnd(b)
			whole = whole || n == len(b)
		}
		if whole && len(r.long) == 0 {
			_, _ = r.in.Discard(n)
			return b[:n], nil
		}
		r.long = grown(r.long, b[:n])
		_, _ = r.in.Discard(n)
		if whole {
			return r.long, nil
		}
		if len(r.long) > maxLine {
			return nil, lineTooLong(r.line + 1)
		}
		if len(r.long) > asked {
			asked *= 2
			if err := longLine(r.line+1, asked); err != nil {
				return nil, err
			}
		}
	}
}

// lineEnd returns how many bytes the first line of b has with its end, or all of b; whole is false where b does not
// tell.
func lineEnd(b []byte) (n int, whole bool) {
	n, whole = len(b), false
	if i := bytes.IndexByte(b, '\n'); i >= 0 {
		n, whole = i+1, true
	}
	if i := bytes.IndexByte(b[:n], '\r'); i >= 0 {
		switch {
		case i+1 == len(b):
			return i + 1, false
		case b[i+1] == '\n':
			return i + 2, true
		}
		return i + 1, true
	}
	return n, whole
}

// longLine returns an error when there is no memory for a line of so many bytes, which is copied as it grows.
func longLine(line, bytes int) error { return budget.For(fmt.Sprintf("line %d", line), 3*int64(bytes)) }

// split cuts a line into cells, which are parts of it. Blanks that separate cells count as one, and none before the
// first and behind the last.
func (r *rowReader) split(line []byte) {
	comma := utf8.RuneLen(r.comma)
	if r.cells = r.cells[:0]; cap(r.cells) == 0 {
		r.cells = make([]string, 0, bytes.Count(line, []byte(string(r.comma)))+1)
	}
	for {
		if r.comma == ' ' {
			if line = bytes.TrimLeft(line, " \t"); len(line) == 0 {
				return
			}
		}
		end := r.cellEnd(line)
		r.cells = append(r.cells, textOf(trimmed(line[:end])))
		if end == len(line) {
			return
		}
		line = line[end+comma:]
	}
}

// trimmed is bytes.TrimSpace, which takes its time to find that there is nothing to do.
func trimmed(cell []byte) []byte {
	if n := len(cell); n > 0 && (cell[0] <= ' ' || cell[0] >= utf8.RuneSelf || cell[n-1] <= ' ' || cell[n-1] >= utf8.RuneSelf) {
		return bytes.TrimSpace(cell)
	}
	return cell
}

func textOf(cell []byte) string { return unsafe.String(unsafe.SliceData(cell), len(cell)) }

// splitQuoted cuts a row that begins with a line into cells, some of which are in quotes. It reads further lines where
// these have line ends.
func (r *rowReader) splitQuoted(line []byte) error {
	r.record = append(r.record[:0], line...)
	r.out, r.ends, r.marks = r.out[:0], r.ends[:0], r.marks[:0]
	end := len(withoutEnd(r.record))
	isComment := func(at int) bool {
		return r.comment != "" && !r.whole && bytes.HasPrefix(r.record[at:end], []byte(r.comment))
	}
	endsCell := func(at int) bool { return at >= end || isComment(at) || r.isDelimiterAt(r.record, at) }
	for i := 0; ; {
		for i < end && r.isBlankAt(r.record, i) {
			i++
		}
		if r.comma == ' ' && (i >= end || isComment(i)) {
			break
		}
		quoted := i < end && r.record[i] == r.quote
		if quoted {
			begun := r.line
			for i++; ; i++ {
				n := bytes.IndexByte(r.record[i:], r.quote)
				if n < 0 {
					r.out = append(r.out, r.record[i:]...)
					i = len(r.record) - 1
					more, err := r.readLine()
					switch {
					case err == io.EOF && len(more) == 0:
						r.cutOff = true
						return fmt.Errorf("line %d, column %d: the quote that opens the cell is not closed: a quote inside of quotes is written twice; Quote(0) reads quotes as text", begun, len(r.ends)+1)
					case err != nil && err != io.EOF:
						return unreadable(err)
					case len(r.record) > maxLine:
						return fmt.Errorf("line %d, column %d: the cell has more than %s; is a quote missing?", begun, len(r.ends)+1, budget.Bytes(maxLine))
					case len(r.record) > 8<<20 && cap(r.record)-len(r.record) < len(more):
						if err := longLine(begun, 2*len(r.record)); err != nil {
							return err
						}
					}
					r.line++
					r.record = grown(r.record, more)
					end = len(withoutEnd(r.record))
					continue
				}
				r.out = append(r.out, r.record[i:i+n]...)
				i += n + 1
				if i >= len(r.record) || r.record[i] != r.quote {
					break
				}
				r.out = append(r.out, r.quote)
			}
			for !endsCell(i) && (r.record[i] == ' ' || r.record[i] == '\t') {
				i++
			}
			if !endsCell(i) {
				return fmt.Errorf("line %d, column %d: there is text behind the quote that closes the cell: a quote inside of quotes is written twice; Quote(0) reads quotes as text", r.line, len(r.ends)+1)
			}
		} else {
			cell := r.record[i:end]
			cell = cell[:r.cellEnd(cell)]
			if n := r.commentAt(cell); n >= 0 {
				cell = cell[:n]
			}
			i += len(cell)
			r.out = append(r.out, trimmed(cell)...)
		}
		r.ends, r.marks = append(r.ends, len(r.out)), append(r.marks, quoted)
		if i >= end || isComment(i) {
			break
		}
		i += utf8.RuneLen(r.comma)
	}
	r.cells = r.cells[:0]
	from := 0
	for _, to := range r.ends {
		r.cells = append(r.cells, textOf(r.out[from:to]))
		from = to
	}
	r.raw, r.quoted = r.record, r.marks
	return nil
}
