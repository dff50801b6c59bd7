package frames

import (
	"fmt"
	"strings"

	"github.com/arrayrepl/arrayrepl/arrays"
	np "github.com/arrayrepl/arrayrepl/lazy"
)

// Write writes t as comma-separated values, with tabs when path ends in .tsv or .tsv.gz, with a header, as
// [arrays.SaveTable] does; as [arrays.SaveArrow] does when it ends in .arrow, .arrows or .feather; or as
// [Table.MarshalJSON] does when it ends in .json, and with a record on each line when it ends in .jsonl or .ndjson. A
// file that is there is replaced when all is written, not before. [Read] gives back what is written, in int64, uint64,
// float64, bool, text and dates of a day or finer units; see [arrays.LoadTable].
func (t *Table) Write(path string) error {
	values, masks := t.parts()
	opts := []np.CSVOption{arrays.MissingInto(masks)}
	if strings.HasSuffix(strings.TrimSuffix(path, ".gz"), ".tsv") {
		opts = append(opts, arrays.Delimiter('\t'))
	}
	if err := np.SaveTable(path, t.names, values, opts...); err != nil {
		return fmt.Errorf("frames.Write: %w", err)
	}
	return nil
}

// parts are the values of the columns, and which are missing where no value says so.
func (t *Table) parts() (values []*np.Array, masks map[string][]bool) {
	values, masks = make([]*np.Array, len(t.columns)), map[string][]bool{}
	for i, c := range t.columns {
		values[i] = c.values
		if c.gone != nil {
			masks[t.names[i]] = c.gone.Bools()
		}
	}
	return values, masks
}
