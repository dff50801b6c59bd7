package frames

import (
	"strings"

	"github.com/arrayrepl/arrayrepl/arrays"
	np "github.com/arrayrepl/arrayrepl/lazy"
)

// Read reads a table from a file of comma-separated values, of values between tabs when its name ends in .tsv or .tsv.gz, or
// of Arrow's format when it ends in .arrow, .arrows or .feather: see [arrays.LoadArrow]. Each column of text gets the dtype that all
// its cells have: see [arrays.LoadColumns] for which, and [arrays.CSVOption] for choosing columns, another delimiter, a header.
// Without a header the names are numbers from 0.
func Read(path string, opts ...np.CSVOption) (*Table, error) {
	if strings.HasSuffix(strings.TrimSuffix(path, ".gz"), ".tsv") {
		opts = append([]np.CSVOption{arrays.Delimiter('\t')}, opts...)
	}
	names, columns, err := np.LoadTable(path, opts...)
	if err != nil {
		return nil, err
	}
	t := &Table{names: names, columns: columns}
	if len(columns) > 0 {
		t.rows = columns[0].Len()
	}
	return t, nil
}

// Must returns t, or panics with err: t := frames.Must(frames.Read(path)).
func Must(t *Table, err error) *Table {
	if err != nil {
		panic(err)
	}
	return t
}
