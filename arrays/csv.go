package arrays

import (
	"io"

	"github.com/arrayrepl/arrayrepl/internal/csvtable"
	"github.com/arrayrepl/arrayrepl/internal/reading"
)

// LoadCSV reads a file of comma-separated numbers as a 2-d float64 array, one row for each line. A header row is found
// by itself, see [Header]; lines that begin with # are comments, unless [Columns] chooses some, as others may hold it;
// an empty cell is NaN, and so are NA and the other words of [Missing]; a file that ends in .gz is decompressed (see
// [SetUnpackTimes]). The error names path, line, column and value.
func LoadCSV(path string, opts ...CSVOption) (a *Array, err error) {
	defer reading.Guard[*Error](&err, readerError("loadcsv", path))
	in, err := csvtable.Open(path)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	return readCSV(in, opts...)
}

// ReadCSV is [LoadCSV] of what in yields; nothing is decompressed.
func ReadCSV(in io.Reader, opts ...CSVOption) (a *Array, err error) {
	defer reading.Guard[*Error](&err, readerError("loadcsv", "input"))
	return readCSV(in, opts...)
}

func readCSV(in io.Reader, opts ...CSVOption) (*Array, error) {
	o := gather(opts)
	if o.types != nil || o.masks != nil {
		return nil, badFile(nil, "ColumnType and MissingInto are for columns by themselves: use LoadColumns; an array has one dtype")
	}
	n, report, err := csvtable.ReadNumbers(in, o.Options)
	if err != nil {
		return nil, err
	}
	o.tell(report)
	a := newUnset(Float64, []int{n.Rows, n.Width})
	n.Into(elements[float64](a.data))
	return a, nil
}
