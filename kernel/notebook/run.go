package notebook

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/arrayrepl/arrayrepl/kernel"
	"github.com/arrayrepl/arrayrepl/kernel/display"
)

// Options is how Run runs. The zero value stops at the first error.
type Options struct {
	// AllowErrors goes on after a cell that failed. A cell tagged "raises-exception" may always fail.
	AllowErrors bool
	// Capture puts what is written to the file descriptors 1 and 2 into the cells' outputs. It needs a process of its
	// own while it runs.
	Capture bool
	// Print prints the plain text of outputs on the standard output and error of the process while cells run.
	Print bool
	// Progress is called before and after each cell, when not nil.
	Progress func(Event)
}

// Event tells of one code cell. Its fields from Elapsed on are set when Done is.
type Event struct {
	Cell     int       // from 1, all cells counted
	Index    int       // from 1, code cells that are run counted
	Total    int       // number of code cells that are run
	Terminal io.Writer // the standard error of the process, also while it is captured
	Done     bool
	Elapsed  time.Duration
	Err      error // of the cell, also when errors are allowed
}

// Run runs the code cells of nb in order through s and replaces their outputs, until a cell fails or ctx ends. The
// error names the cell, counted from 1 over all cells, and wraps its *kernel.CellError; the outputs up to there, the
// error's among them, are in nb. Cells after it keep what they had. Empty cells and those tagged "skip-execution" are
// not run.
func Run(ctx context.Context, nb *Notebook, s kernel.Session, o Options) error {
	out := &outputs{}
	out.session, _ = s.(kernel.Contexter)
	stdout, terminal := os.Stdout, os.Stderr
	if o.Capture {
		capture, err := kernel.StartCapture(out.Stream)
		if err != nil {
			return err
		}
		defer capture.Close()
		out.capture, stdout, terminal = capture, capture.Stdout(), capture.Stderr()
	}
	if o.Print {
		out.echo = &echo{stdout: stdout, stderr: terminal}
	}
	display.SetPublisher(out)
	defer display.SetPublisher(nil)
	nb.Metadata = orEmpty(nb.Metadata)
	nb.Metadata["language_info"] = s.Language().Info() // as Jupyter does on saving

	var cells []int
	for i, c := range nb.Cells {
		if c.Type == "code" && strings.TrimSpace(c.Source) != "" && !c.HasTag("skip-execution") {
			cells = append(cells, i)
		}
	}
	var last *Cell
	defer func() { // what goroutines wrote since it ended
		if last != nil {
			out.flush()
			last.Outputs = append(last.Outputs, out.take()...)
		}
	}()
	for n, i := range cells {
		c := nb.Cells[i]
		last = c
		event := Event{Cell: i + 1, Index: n + 1, Total: len(cells), Terminal: terminal}
		if o.Progress != nil {
			o.Progress(event)
		}
		start := time.Now()
		err := runCell(ctx, c, n+1, s, out)
		event.Done, event.Elapsed, event.Err = true, time.Since(start), err
		if o.Progress != nil {
			o.Progress(event)
		}
		if err != nil && (ctx.Err() != nil || !o.AllowErrors && !c.HasTag("raises-exception")) {
			if i != n { // the error may name the cell by its number of execution
				return fmt.Errorf("cell %d of the file: %w", i+1, err)
			}
			return fmt.Errorf("cell %d: %w", i+1, err)
		}
		if failed := (*kernel.CellError)(nil); errors.As(err, &failed) {
			out.echo.failure(failed.Traceback)
		}
	}
	return nil
}

// cellKey is where a running cell's context has its number.
type cellKey struct{}

// runCell runs one cell and stores its outputs.
func runCell(ctx context.Context, c *Cell, count int, s kernel.Session, out *outputs) error {
	out.begin(count)
	result, err := kernel.Execute(context.WithValue(ctx, cellKey{}, count), s, kernel.Cell{Code: c.Source, Count: count, ID: c.ID}, out)
	out.flush()
	if err != nil {
		out.fail(err)
	} else if !result.Empty() {
		out.add("execute_result", "", result, count)
	}
	c.Count, c.Outputs = count, out.take()
	return err
}
