package frames

import (
	"fmt"
	"strings"

	"github.com/arrayrepl/arrayrepl/arrays"
	np "github.com/arrayrepl/arrayrepl/lazy"
)

// Write writes t as comma-separated values, with tabs when path ends in .tsv or .tsv.gz, with a header, as [arrays.SaveTable] does; or as
// [arrays.SaveArrow] does when it ends in .arrow, .arrows or .feather. A file that is there is replaced when all is written, not before.
// [Read] gives back what is written, in int64, uint64, float64, bool, text and dates of a day or finer units; see [arrays.LoadTable].
func (t *Table) Write(path string) error {
	var opts []np.CSVOption
	if strings.HasSuffix(strings.TrimSuffix(path, ".gz"), ".tsv") {
		opts = append(opts, arrays.Delimiter('\t'))
	}
	if err := np.SaveTable(path, t.names, t.columns, opts...); err != nil {
		return fmt.Errorf("frames.Write: %w", err)
	}
	return nil
}
