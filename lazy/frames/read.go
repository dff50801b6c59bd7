package frames

import (
	"fmt"
	"slices"
	"strings"

	"github.com/arrayrepl/arrayrepl/arrays"
	np "github.com/arrayrepl/arrayrepl/lazy"
)

// Read reads a table from a file of comma-separated values, of values between tabs when its name ends in .tsv or
// .tsv.gz, of Arrow's format when it ends in .arrow, .arrows or .feather: see [arrays.LoadArrow]; of NumPy's records
// when it ends in .npy; or of records in JSON when it ends in .json, or in .jsonl or .ndjson, where each line is one:
// see [arrays.ReadRecords]. Missing whole numbers and bools leave a column what it is. Each column of text gets the
// dtype that all its cells have: see [arrays.LoadColumns] for which, and [arrays.CSVOption] for choosing columns,
// another delimiter, a header. Without a header the names are numbers from 0. What was found out by itself and could be
// otherwise, as whether the first row has names and which encoding the text has, is said below the table that is shown.
func Read(path string, opts ...np.CSVOption) (*Table, error) {
	if strings.HasSuffix(strings.TrimSuffix(path, ".gz"), ".tsv") {
		opts = append([]np.CSVOption{arrays.Delimiter('\t')}, opts...)
	}
	return made(func(more ...np.CSVOption) (names []string, values []*np.Array, err error) {
		return np.LoadTable(path, append(slices.Clip(opts), more...)...)
	})
}

// made makes a table of what a reader gives.
func made(load func(opts ...np.CSVOption) (names []string, values []*np.Array, err error)) (*Table, error) {
	var how np.CSVReport
	masks := map[string][]bool{}
	names, values, err := load(arrays.Report(&how), arrays.MissingInto(masks))
	if err != nil {
		return nil, err
	}
	t := &Table{names: names, columns: make([]*Column, len(values)), notes: notes(how)}
	for i, v := range values {
		t.columns[i] = &Column{values: v}
		if gone := masks[names[i]]; gone != nil {
			t.columns[i].gone = arrays.FromSlice(gone)
		}
		t.rows = t.columns[i].Len()
	}
	return t, nil
}

// notes are what a reader should see of how a file was read.
func notes(how np.CSVReport) []string {
	out := how.Notes
	switch {
	case how.Doubtful && how.Header:
		out = append(out, "the first row is taken for names, as "+how.Why+": Header(false) makes it data")
	case how.Doubtful:
		out = append(out, "the first row is taken for data, as "+how.Why+": Header(true) makes names of it")
	}
	if how.Skipped > 0 {
		out = append(out, fmt.Sprintf("%d rows with another number of cells are left out", how.Skipped))
	}
	return out
}

// Must returns t, or panics with err: t := frames.Must(frames.Read(path)).
func Must(t *Table, err error) *Table {
	if err != nil {
		panic(err)
	}
	return t
}
