package csvtable

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"

	"github.com/arrayrepl/arrayrepl/internal/brief"
	"github.com/arrayrepl/arrayrepl/internal/reading"
	"github.com/arrayrepl/arrayrepl/internal/workers"
)

// Maker makes what the caller wants of columns.
type Maker interface {
	// Begin says how many columns there are, before any is made. If the file has to be read again, it is called again.
	Begin(columns int)
	// Batch returns what makes some columns, one after the other, for which it may keep memory of its own: several
	// batches are made at the same time. The column is the caller's until the function returns.
	Batch() func(i int, c *Column) error
}

// ReadColumns reads each column of a file by itself. The names are all different.
func ReadColumns(path string, o Options, m Maker) (names []string, report Report, err error) {
	info, err := os.Stat(path)
	forgetful := err == nil && info.Mode().IsRegular() && o.Typed == nil && !o.KeepText
	names, report, err = readColumns(path, o, m, forgetful)
	if err == errForgotten {
		return readColumns(path, o, m, false)
	}
	return names, report, err
}

// errForgotten says that a column's cells are wanted as text, of which some are gone.
var errForgotten = errors.New("the text of some cells has not been kept")

// readColumns is ReadColumns. A forgetful one keeps neither text nor places of lines all of whose cells are numbers,
// which would take most of the memory of a table of them; it fails with errForgotten where these turn out to be needed.
func readColumns(path string, o Options, m Maker, forgetful bool) (names []string, report Report, err error) {
	in, err := Open(path)
	if err != nil {
		return nil, Report{}, err
	}
	defer in.Close()
	var pieces [][]Cells // of each piece of the file, each column's cells
	var sheets []*pieceSheets
	t, err := readTable(in, o, func(t *table, rows *rowReader) (pieceCells, error) {
		return t.cells(rows, forgetful)
	}, func(cells pieceCells) {
		pieces = append(pieces, cells.lists)
		if cells.sheets != nil && len(sheets) < piecesAtOnce {
			sheets = append(sheets, cells.sheets)
		}
	})
	if err != nil {
		return nil, Report{}, err
	}
	t.path = path
	if err := t.decideEncoding(pieces); err != nil {
		return nil, Report{}, err
	}
	if names, err = t.columnNames(); err != nil {
		return nil, Report{}, err
	}
	m.Begin(len(t.columns))
	notes, at, fault := t.makeColumns(m, pieces)
	pieces = nil
	for _, s := range sheets {
		spareSheets.Put(s)
	}
	var bad *CellFault
	switch {
	case fault == errForgotten:
		return nil, Report{}, fault
	case errors.As(fault, &bad):
		return nil, Report{}, reading.Fault(nil, "%s, column %d (%s): %s", t.placeOf(bad.Row), t.columns[at]+1, brief.Text(names[at]), bad.Msg)
	case fault != nil:
		return nil, Report{}, reading.Fault(fault, "column %s: %v", brief.Text(names[at]), fault)
	}
	for _, n := range notes {
		t.report.Notes = append(t.report.Notes, fmt.Sprintf("column %s %s", brief.Text(names[n.column]), n.text))
	}
	return names, t.found(), nil
}

// columnNote is what is to be said of a column.
type columnNote struct {
	column int
	text   string
}

// batchColumns is how many columns are made together, and let go together when they are small. Of few long columns each
// is made by itself, by several processors.
const batchColumns = 64

// makeColumns has columns made of their cells in all pieces. Of faults it returns that of the first column, with its
// place.
func (t *table) makeColumns(m Maker, pieces [][]Cells) (notes []columnNote, at int, fault error) {
	step, count := batchColumns, len(t.columns)
	if count < 2*batchColumns && len(pieces) > 0 && pieces[0][0].Len() > restRows {
		step = 1
	}
	batches := (count + step - 1) / step
	faults, places, found := make([]error, batches), make([]int, batches), make([][]columnNote, batches)
	workers.Do(batches, func(k int) {
		makeColumn := m.Batch()
		c := &Column{table: t, lists: make([]*Cells, len(pieces))}
		for i := k * step; i < min((k+1)*step, count) && faults[k] == nil; i++ {
			for p := range pieces {
				c.lists[p] = &pieces[p][i]
			}
			c.begin(i)
			faults[k] = makeColumn(i, c)
			if c.note != "" {
				found[k] = append(found[k], columnNote{i, c.note})
			}
			places[k] = i
		}
	}, t.options.Poll)
	for k, err := range faults {
		if err != nil && (fault == nil || err == errForgotten) { // then all are read again
			at, fault = places[k], err
		}
	}
	return slices.Concat(found...), at, fault
}

// columnNames are those of the columns that are read, which are all different.
func (t *table) columnNames() ([]string, error) {
	names := make([]string, len(t.columns))
	var seen map[string]bool // of a header; numbers are different
	if t.names != nil {
		seen = make(map[string]bool, len(names))
	}
	for i := range names {
		names[i] = t.name(i)
		if t.names == nil {
			continue
		}
		if seen[names[i]] {
			return nil, reading.Fault(nil, "two columns are named %s; give all columns other names with Names(names...), or read without the header: SkipLines(1), Header(false)", brief.Quoted(names[i]))
		}
		seen[names[i]] = true
	}
	for name := range t.options.Typed {
		if !slices.Contains(names, name) {
			return nil, reading.Fault(nil, "ColumnType names a column %s, which is not read; there are %s", brief.Quoted(name), brief.List(names))
		}
	}
	return names, nil
}

// placeOf says on which line a row is, from 0 and without the header. The file is read once more for it.
func (t *table) placeOf(row int) string {
	if in, err := Open(t.path); err == nil {
		defer in.Close()
		if again, err := newTable(in, t.options); err == nil {
			for n := 0; n < row; n++ {
				if _, err := again.rows.next(); err != nil {
					break
				}
			}
			return fmt.Sprintf("line %d", again.rows.at)
		}
	}
	return fmt.Sprintf("row %d", row+1)
}

// name is that of the i-th of the columns that are read: without a header, its number in the file.
func (t *table) name(i int) string {
	if t.names == nil {
		return strconv.Itoa(t.columns[i])
	}
	return t.names[t.columns[i]]
}
