package arrays

import (
	"github.com/arrayrepl/arrayrepl/internal/reading"
)

// LoadColumns reads a table from a file as [LoadCSV] does, but each column by itself, under its name or, without a
// header, its number from 0. What all cells of a column are decides its dtype: whole numbers are int64, or uint64 where
// one is beyond that, numbers float64, True and False bool, dates (2006-01-02, 2006-01-02T15:04:05.6) datetime64 as
// precise as the most precise of them, all else text. A missing cell, empty or a word of [Missing], is NaN, NaT or
// empty text; it makes a column of whole numbers float64, and one of bools text. Whole numbers that no dtype holds
// exactly, beyond 64 bits or beyond 2^53 with a missing one, are text. In quotes a word of [Missing] is text in a
// column of text. There are no comments but with [Comment]. [ColumnType] sets a dtype. Files of Arrow, NumPy's records
// and JSON are read as [LoadTable] does.
func LoadColumns(path string, opts ...CSVOption) (map[string]*Array, error) {
	names, columns, err := LoadTable(path, opts...)
	if err != nil {
		return nil, err
	}
	out := make(map[string]*Array, len(names))
	for i, name := range names {
		out[name] = columns[i]
	}
	return out, nil
}

// LoadTable is [LoadColumns] with the columns in the order of the file. A file that ends in .arrow, .arrows or .feather
// is read by [LoadArrow], one in .npy as NumPy's structured arrays, each field a column, and one in .json, .jsonl or
// .ndjson by [ReadRecords].
func LoadTable(path string, opts ...CSVOption) (names []string, columns []*Array, err error) {
	o := gather(opts)
	op, load := "loadcsv", loadText
	if isArrow(path) {
		op, load = "loadarrow", loadArrow
	} else if isNPY(path) {
		op, load = "load", loadRecords
	} else if is, _ := isJSON(path); is {
		op, load = "loadjson", loadJSONRecords
	}
	defer reading.Guard[*Error](&err, readerError(op, path))
	if name := o.textOnly(); name != "" && op != "loadcsv" {
		return nil, nil, badFile(nil, "%s is for files of text; leave it out", name)
	}
	return load(path, o)
}
