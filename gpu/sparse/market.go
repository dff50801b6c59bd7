package sparse

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/internal/brief"
	"github.com/arrayrepl/arrayrepl/internal/budget"
	"github.com/arrayrepl/arrayrepl/internal/reading"
	"github.com/arrayrepl/arrayrepl/internal/replace"
	np "github.com/arrayrepl/arrayrepl/lazy"
)

// Load reads a matrix from a file in the exchange format of the Matrix Market: coordinates or a full array, of real or
// integer values, or of none (pattern), which are 1; general, symmetric or skew-symmetric, of which both halves are
// made. Values are float64, or int64 where the file says integer. Complex matrices are refused.
func Load(path string) (m *Matrix, err error) {
	defer reading.Guard[*Error](&err, func(cause error) error {
		return &Error{Op: "sparse.Load", Msg: brief.Path(path) + ": " + reading.Reason(path, cause), Err: cause}
	})
	text, err := budget.ReadFile(path, "the file", 0)
	if err != nil {
		return nil, err
	}
	return parseMarket(text)
}

// market is a file that is being read.
type market struct {
	rest                    []byte
	line                    int
	array, pattern, integer bool
	symmetric, skew         bool
	rows, cols, entries     int
	is, js                  []int64
	floats                  []float64
	ints                    []int64
}

func parseMarket(text []byte) (*Matrix, error) {
	p := &market{rest: text}
	if err := p.header(); err != nil {
		return nil, err
	}
	var err error
	if p.array {
		err = p.column()
	} else {
		err = p.coordinates()
	}
	if err != nil {
		return nil, err
	}
	var values any = p.floats
	if p.integer {
		values = p.ints
	}
	return FromTriplets(p.rows, p.cols, p.is, p.js, values), nil
}

// next returns the words of the next line that is neither a comment nor empty; nil at the end.
func (p *market) next() [][]byte {
	for len(p.rest) > 0 {
		line, rest, _ := bytes.Cut(p.rest, []byte("\n"))
		p.rest = rest
		p.line++
		if words := bytes.Fields(line); len(words) > 0 && words[0][0] != '%' {
			return words
		}
	}
	return nil
}

func (p *market) header() error {
	first, rest, _ := bytes.Cut(p.rest, []byte("\n"))
	p.rest, p.line = rest, 1
	words := strings.Fields(strings.ToLower(string(first[:min(len(first), 200)])))
	if len(words) != 5 || words[0] != "%%matrixmarket" || words[1] != "matrix" {
		return fmt.Errorf("the file does not begin with %%%%MatrixMarket matrix and three words, but with %s", brief.Quoted(first))
	}
	known := func(word string, of ...string) error {
		for _, w := range of {
			if w == word {
				return nil
			}
		}
		return fmt.Errorf("the file says %q where this reader knows %s", word, strings.Join(of, ", "))
	}
	for i, of := range [][]string{{"coordinate", "array"}, {"real", "double", "integer", "pattern"}, {"general", "symmetric", "skew-symmetric"}} {
		if err := known(words[2+i], of...); err != nil {
			return err
		}
	}
	p.array, p.pattern, p.integer = words[2] == "array", words[3] == "pattern", words[3] == "integer"
	p.skew = words[4] == "skew-symmetric"
	p.symmetric = p.skew || words[4] == "symmetric"
	if p.array && p.pattern {
		return fmt.Errorf("the file is an array of a pattern, which has no values")
	}
	sizes := p.next()
	want := 3
	if p.array {
		want = 2
	}
	if len(sizes) != want {
		return fmt.Errorf("line %d: there are %d sizes; %d are due", p.line, len(sizes), want)
	}
	for i, to := range []*int{&p.rows, &p.cols, &p.entries}[:want] {
		n, err := strconv.Atoi(string(sizes[i]))
		if err != nil || n < 0 {
			return fmt.Errorf("line %d: %s is not a size", p.line, brief.Quoted(sizes[i]))
		}
		*to = n
	}
	if p.symmetric && p.rows != p.cols {
		return fmt.Errorf("the matrix is symmetric, and has %d rows and %d columns", p.rows, p.cols)
	}
	checkShape("sparse.Load", p.rows, p.cols)
	return budget.For(fmt.Sprintf("the offsets of %d rows", p.rows), budget.Product(p.rows, 8))
}

// coordinates reads a row, a column and a value from each line.
func (p *market) coordinates() error {
	want := 3
	if p.pattern {
		want = 2
	}
	for k := range p.entries {
		words := p.next()
		if words == nil {
			return fmt.Errorf("the file ends after %d of %d values", k, p.entries)
		}
		if len(words) != want {
			return fmt.Errorf("line %d: there are %d numbers; %d are due", p.line, len(words), want)
		}
		i, err := p.place(words[0], p.rows)
		if err != nil {
			return err
		}
		j, err := p.place(words[1], p.cols)
		if err != nil {
			return err
		}
		word := []byte("1")
		if !p.pattern {
			word = words[2]
		}
		if err := p.add(i, j, word); err != nil {
			return err
		}
	}
	return p.end()
}

// column reads all values, column by column; of symmetric matrices the lower half.
func (p *market) column() error {
	for j := range p.cols {
		from := 0
		switch {
		case p.skew:
			from = j + 1
		case p.symmetric:
			from = j
		}
		for i := from; i < p.rows; i++ {
			words := p.next()
			if words == nil {
				return fmt.Errorf("the file ends before row %d of column %d", i+1, j+1)
			}
			if len(words) != 1 {
				return fmt.Errorf("line %d: there are %d numbers; 1 is due", p.line, len(words))
			}
			if err := p.add(int64(i), int64(j), words[0]); err != nil {
				return err
			}
		}
	}
	return p.end()
}

func (p *market) end() error {
	if p.next() != nil {
		return fmt.Errorf("line %d: there are more values than the file says", p.line)
	}
	return nil
}

// place is a row or column, which the file counts from 1.
func (p *market) place(word []byte, n int) (int64, error) {
	k, err := strconv.Atoi(string(word))
	if err != nil || k < 1 || k > n {
		return 0, fmt.Errorf("line %d: %s is not one of the %d rows or columns, which count from 1", p.line, brief.Quoted(word), n)
	}
	return int64(k - 1), nil
}

func (p *market) add(i, j int64, word []byte) error {
	if len(p.is)%(1<<16) == 0 {
		arrays.Wiring{}.Poll()
		if err := budget.For("the values", 24*int64(len(p.is)+1<<16)); err != nil {
			return err
		}
	}
	mirrored := p.symmetric && i != j
	var x float64
	var k int64
	var err error
	if p.integer {
		k, err = strconv.ParseInt(string(word), 10, 64)
	} else {
		x, err = strconv.ParseFloat(string(word), 64)
	}
	if err != nil && !math.IsInf(x, 0) { // what is beyond float64 is infinite, as in every reader of numbers here
		kind := np.Float64
		if p.integer {
			kind = np.Int64
		}
		return fmt.Errorf("line %d: %s is not a number of %v", p.line, brief.Quoted(word), kind)
	}
	put := func(i, j int64, x float64, k int64) {
		p.is, p.js = append(p.is, i), append(p.js, j)
		if p.integer {
			p.ints = append(p.ints, k)
			return
		}
		p.floats = append(p.floats, x)
	}
	put(i, j, x, k)
	switch {
	case mirrored && p.skew:
		put(j, i, -x, -k)
	case mirrored:
		put(j, i, x, k)
	}
	return nil
}

// Save writes the matrix to a file in the exchange format of the Matrix Market, in coordinates.
func (m *Matrix) Save(path string) error {
	row, column, values := m.rowOfEach(), m.columns.AsType(np.Int64), m.values
	kind, wide := "real", np.Float64
	signed := m.DType() != np.Uint64
	switch {
	case !signed:
		kind, wide = "integer", np.Uint64
	case m.DType().IsInt():
		kind, wide = "integer", np.Int64
	}
	at := func(x *np.Array) []byte { return x.Array().Bytes() }
	i, j, v := at(row), at(column), at(values.AsType(wide))
	err := replace.File(path, false, func(w io.Writer) error {
		if _, err := fmt.Fprintf(w, "%%%%MatrixMarket matrix coordinate %s general\n%d %d %d\n", kind, m.rows, m.cols, m.NNZ()); err != nil {
			return err
		}
		var line []byte
		for k := 0; k < len(i); k += 8 {
			line = strconv.AppendUint(line[:0], binary.LittleEndian.Uint64(i[k:])+1, 10)
			line = strconv.AppendUint(append(line, ' '), binary.LittleEndian.Uint64(j[k:])+1, 10)
			bits := binary.LittleEndian.Uint64(v[k:])
			switch {
			case !signed:
				line = strconv.AppendUint(append(line, ' '), bits, 10)
			case kind == "integer":
				line = strconv.AppendInt(append(line, ' '), int64(bits), 10)
			default:
				line = strconv.AppendFloat(append(line, ' '), math.Float64frombits(bits), 'g', -1, 64)
			}
			if _, err := w.Write(append(line, '\n')); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return &Error{Op: "sparse.Save", Msg: brief.Path(path) + ": " + brief.Reason(err), Err: err}
	}
	return nil
}
