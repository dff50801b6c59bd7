package main

import (
	"os"
	"time"

	"github.com/arrayrepl/arrayrepl/internal/carried"
	"github.com/arrayrepl/arrayrepl/kernel/notebook"
)

// What is written before each cell: what takes no more time than unnoticed, or has no more bytes than small, which
// take longer only now and then, on a busy machine.
const (
	unnoticed = 20 * time.Millisecond
	small     = 256 << 10
)

// interim returns what writes nb to dest before each cell, as it would be if that cell ended the process: Go cannot
// catch all that a cell does wrong. A dest that takes text only once, such as a pipe, is left alone; so are failures,
// which the end of the run reports. It takes at most a tenth of the time: with many MB of outputs some cells go
// without.
func interim(nb *notebook.Notebook, dest string, before carried.Set) func(notebook.Event) {
	if info, err := os.Stat(dest); err == nil && !info.Mode().IsRegular() {
		return func(notebook.Event) {}
	}
	var took time.Duration // the last time
	var size int64
	next := time.Now()
	return func(e notebook.Event) {
		begin := time.Now()
		if e.Done || begin.Before(next) && took > unnoticed && size > small {
			return
		}
		cell := nb.Cells[e.Cell-1]
		count, outputs := cell.Count, cell.Outputs
		said := "the process ended while this cell ran; what it printed is lost, and the cells after it were not run"
		cell.Count, cell.Outputs = e.Index, []map[string]any{{"output_type": "error", "ename": "process ended", "evalue": said, "traceback": []any{said}}}
		nb.Keep(before)
		nb.WriteInterim(dest)
		cell.Count, cell.Outputs = count, outputs
		took, size = time.Since(begin), 0
		if info, err := os.Stat(dest); err == nil {
			size = info.Size()
		}
		next = begin.Add(10 * took)
	}
}
