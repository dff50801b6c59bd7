package csvtable

import (
	"bufio"
	"bytes"
	endian "encoding/binary"
	"io"
	"slices"
	"sync"

	"github.com/arrayrepl/arrayrepl/internal/workers"
)

// piecesAtOnce is how many pieces are read before take gets them: some tenths of a second of work, so that processors
// rarely wait for the last of them.
const piecesAtOnce = 64

// readTable reads a table in pieces of whole lines, several at the same time: read makes something of the rows of a
// piece, whose text it may keep if it says so, and take gets that in the order of the file. From the first quote on, as
// there may be line ends inside of cells, the rest is read by one processor.
func readTable[P any](in io.Reader, o Options, read func(*table, *rowReader) (P, error), take func(P)) (*table, error) {
	t, err := newTable(in, o)
	if t == nil {
		return nil, err
	}
	if err == io.EOF {
		return t, nil
	}
	cut := cutter{rest: t.rows, begun: slices.Clone(t.rows.raw)} // the first row is the beginning of the first piece
	t.rows.line = t.rows.at - 1
	var made [piecesAtOnce]P
	var faults [piecesAtOnce]error
	for !cut.ended {
		cut.count = 0
		first, _ := cut.next()
		pieces := piecesAtOnce
		if cut.rest == nil || cut.ended { // a small file is not worth waking others
			pieces = 1
		}
		workers.Do(pieces, func(k int) { // one reads the file while others read numbers
			rows, i := first, 0
			if k > 0 {
				rows, i = cut.next()
			}
			if rows == nil {
				return
			}
			made[i], faults[i] = read(t, rows)
			cut.done(rows, faults[i])
		}, o.Poll)
		for i := range cut.count {
			if faults[i] != nil {
				return nil, faults[i]
			}
			take(made[i])
		}
	}
	if cut.fault != nil {
		return nil, unreadable(cut.fault)
	}
	for _, text := range cut.texts {
		spareTexts.Put(&text)
	}
	for cut.rest != nil && !cut.rest.ended {
		some, err := read(t, cut.rest)
		if err != nil {
			return nil, err
		}
		take(some)
		o.Poll()
	}
	return t, nil
}

// restRows and restBytes are how many rows are read at a time where there are no pieces, and of about how much text.
const restRows, restBytes = 4096, 1 << 28

// each calls f with the rows of a piece, or with some of those that are not in pieces.
func (t *table) each(rows *rowReader, f func(row []string) error) error {
	size := 0
	for n := 0; rows.in == nil || n < restRows && size < restBytes; n++ {
		row, err := rows.next()
		if err == io.EOF {
			rows.ended = true
			return nil
		} else if err != nil {
			return err
		}
		if err := f(row); err != nil {
			return err
		}
		size += len(rows.raw)
	}
	return nil
}

var spareTexts sync.Pool // of *[]byte, for pieces

// cutter cuts what is left of a table into pieces, for several that read them at the same time.
type cutter struct {
	sync.Mutex
	rest  *rowReader // nil when pieces have had it all
	ended bool       // no pieces follow, but rest may be there
	count int        // of the pieces since who reads the table has set it to 0
	texts [][]byte   // of pieces that were read, to be used again
	begun []byte     // a line that has begun in the last piece
	fault error      // of the text behind the last piece
}

// next returns a piece and how many there were before it, or none.
func (c *cutter) next() (rows *rowReader, before int) {
	c.Lock()
	defer c.Unlock()
	if c.ended = c.ended || c.rest == nil; c.ended {
		return nil, 0
	}
	var text []byte
	if n := len(c.texts); n > 0 {
		text, c.texts = c.texts[n-1], c.texts[:n-1]
	} else if spare, _ := spareTexts.Get().(*[]byte); spare != nil {
		text = *spare
	}
	if rows = c.piece(text); rows != nil {
		c.count++
	}
	return rows, c.count - 1
}

// done takes back a piece, with what was wrong with it: then none follow.
func (c *cutter) done(rows *rowReader, fault error) {
	c.Lock()
	defer c.Unlock()
	c.ended = c.ended || fault != nil
	if !rows.keep {
		c.texts = append(c.texts, rows.all[:0])
	}
}

// piece reads whole lines into text. Where they cannot be read so, rest has them and all that follows, and there is no
// piece.
func (c *cutter) piece(text []byte) *rowReader {
	r := c.rest
	// of a wide table more, as a piece takes some memory for each of its columns
	more := max(r.pieceBytes, min(16*r.pieceBytes, 32*r.width))
	b := append(text, c.begun...)
	end, seen := 0, 0
	for end == 0 {
		had := len(b)
		if had > maxLine {
			c.fault = lineTooLong(r.line + 1)
		} else {
			c.fault = longLine(r.line+1, had)
		}
		if c.fault != nil {
			c.rest, c.ended = nil, true
			return nil
		}
		if cap(b) < had+more {
			b = append(r.Reserve(had + max(had, more))[:0], b...)
		}
		n, err := readFull(r.in, b[had:had+more])
		b = b[:had+n]
		last := err == io.EOF
		if err != nil && !last || r.quote != 0 && bytes.IndexByte(b[seen:], r.quote) >= 0 {
			c.rest, c.ended = r, true
			r.in = bufio.NewReaderSize(io.MultiReader(bytes.NewReader(b), r.in), bufferBytes)
			return nil
		}
		seen = onlyNewlines(b, seen, last)
		if last {
			end, c.rest = len(b), nil
			break
		}
		end = bytes.LastIndexByte(b, '\n') + 1
	}
	c.begun = append(c.begun[:0], b[end:]...)
	whole := b[:end]
	lines := bytes.Count(whole, []byte("\n"))
	// a cell has a byte with what ends it, but for the last of a file; of wide tables, most lines may be empty
	most := min(lines, len(whole)/max(r.width, 1)) + 1
	p := &rowReader{text: whole, all: whole, lines: most, dialect: r.dialect, width: r.width, line: r.line}
	r.line += lines
	return p
}

// readFull fills b as far as there is text. [io.ReadFull] says io.ErrUnexpectedEOF at a text's end, as damaged files do
// in their middle.
func readFull(in io.Reader, b []byte) (n int, err error) {
	for n < len(b) && err == nil {
		var more int
		more, err = in.Read(b[n:])
		n += more
	}
	return n, err
}

// onlyNewlines makes \n of each \r that ends a line by itself, in b from a place on, and returns from where on to go on
// when there is more of it.
func onlyNewlines(b []byte, from int, last bool) int {
	for {
		n := bytes.IndexByte(b[from:], '\r')
		if n >= 0 {
			if to := pairedUpTo(b, from+n); to > from+n {
				from = to
				continue
			}
		}
		switch {
		case n < 0:
			return len(b)
		case from+n+1 == len(b):
			if last {
				b[from+n] = '\n'
			}
			return from + n
		case b[from+n+1] != '\n':
			b[from+n] = '\n'
		}
		from += n + 1
	}
}

// pairedUpTo returns a place from which on it is not known that \n follows each \r, eight bytes at a time: in files
// with \r\n lines are short, and finding one \r after the other takes longer than all else.
func pairedUpTo(b []byte, from int) int {
	const ones, high = 0x0101010101010101, 0x8080808080808080
	for ; from+9 <= len(b); from += 8 {
		x := endian.LittleEndian.Uint64(b[from:]) ^ '\r'*ones
		returns := (x - ones) &^ x & high // the lowest is right; one above it may be no \r
		if returns == 0 {
			continue
		}
		y := endian.LittleEndian.Uint64(b[from+1:]) ^ '\n'*ones
		newlines := ^((y&^high + (high - ones)) | y | ^uint64(high))
		if returns&^newlines != 0 {
			break
		}
	}
	return from
}
