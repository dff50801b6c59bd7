package main

import (
	"os"

	"github.com/arrayrepl/arrayrepl/internal/carried"
	"github.com/arrayrepl/arrayrepl/kernel/notebook"
)

// interim returns what writes nb to dest before each cell, as it would be if that cell ended the process: Go cannot catch all
// that a cell does wrong. A dest that takes text only once, such as a pipe, is left alone; so are failures, which the end of the
// run reports.
func interim(nb *notebook.Notebook, dest string, before carried.Set) func(notebook.Event) {
	if info, err := os.Stat(dest); err == nil && !info.Mode().IsRegular() {
		return func(notebook.Event) {}
	}
	return func(e notebook.Event) {
		if e.Done {
			return
		}
		cell := nb.Cells[e.Cell-1]
		count, outputs := cell.Count, cell.Outputs
		said := "the process ended while this cell ran; what it printed is lost, and the cells after it were not run"
		cell.Count, cell.Outputs = e.Index, []map[string]any{{"output_type": "error", "ename": "process ended", "evalue": said, "traceback": []any{said}}}
		nb.Keep(before)
		nb.WriteInterim(dest)
		cell.Count, cell.Outputs = count, outputs
	}
}
