package notebook

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/internal/teststreams"
	"github.com/arrayrepl/arrayrepl/kernel"
	"github.com/arrayrepl/arrayrepl/kernel/display"
)

// script is a Session whose cells are commands.
type script struct{ kernel.Session }

func (script) Language() kernel.Language {
	return kernel.Language{Name: "go", Version: "1.26", MIMEType: "text/x-go", FileExtension: ".go"}
}

func (script) Execute(ctx context.Context, c kernel.Cell, out kernel.Output) (display.Bundle, error) {
	switch c.Code {
	case "print":
		out.Stream("stdout", "a\n")
		out.Stream("stdout", "b\n")
		out.Stream("stderr", "c\n")
		display.Show(display.HTML("<b>\n</b>"))
		out.Display(display.Bundle{Data: map[string]any{"image/png": []byte{1, 2, 3}, "application/json": []int{4}}})
		out.Stream("stdout", "d")
	case "os":
		fmt.Println("to stdout")
		display.Show(display.HTML("x"))
		fmt.Fprintln(os.Stderr, "to stderr")
	case "fail":
		return display.Bundle{}, &kernel.CellError{Name: "panic", Value: "boom", Traceback: []string{"line 1"}}
	case "bug":
		panic("a bug")
	case "ask":
		_, err := out.Input("name? ", false)
		return display.Bundle{}, err
	case "count":
		return display.Text(fmt.Sprint(c.Count)), nil
	}
	return display.Bundle{}, ctx.Err()
}

func code(sources ...string) *Notebook {
	nb := &Notebook{}
	for _, s := range sources {
		c := &Cell{Type: "code", Source: s}
		if tagged, tag, ok := strings.Cut(s, " #"); ok {
			c.Source, c.Metadata = tagged, map[string]any{"tags": []any{tag}}
		}
		nb.Cells = append(nb.Cells, c)
	}
	return nb
}

// kinds lists the output types of a cell.
func kinds(c *Cell) string {
	var k []string
	for _, o := range c.Outputs {
		k = append(k, o["output_type"].(string))
	}
	return strings.Join(k, " ")
}

func TestRunStoresOutputs(t *testing.T) {
	nb := code("print", "", "count", "count #skip-execution")
	nb.Cells = append([]*Cell{{Type: "markdown", Source: "print"}}, nb.Cells...)
	nb.Cells[4].Outputs = []map[string]any{{"output_type": "stream", "text": "old"}}
	var events []string
	err := Run(t.Context(), nb, script{}, Options{Progress: func(e Event) {
		events = append(events, fmt.Sprintf("%d/%d cell %d %v", e.Index, e.Total, e.Cell, e.Done))
	}})
	require.NoError(t, err)
	if got := kinds(nb.Cells[1]); got != "stream stream display_data display_data stream" {
		t.Fatal(got)
	}
	data, _ := nb.JSON()
	var compact bytes.Buffer
	json.Compact(&compact, data)
	for _, want := range []string{
		`{"name":"stdout","output_type":"stream","text":["a\n","b\n"]}`,
		`"application/json":[4],"image/png":"AQID"`,
		`"text/html":["<b>\n","</b>"]`,
		`"execution_count":2,"metadata":{},"output_type":"execute_result"`,
		`"language_info":{"file_extension":".go","mimetype":"text/x-go","name":"go","version":"1.26"}`,
		`"text":["old"]`,
	} {
		if !strings.Contains(compact.String(), want) {
			t.Errorf("no %s in\n%s", want, compact.String())
		}
	}
	if got := strings.Join(events, ", "); got != "1/2 cell 2 false, 1/2 cell 2 true, 2/2 cell 4 false, 2/2 cell 4 true" {
		t.Error(got)
	}
}

func TestRunStopsAtTheFirstError(t *testing.T) {
	for _, tt := range []struct {
		cells []string
		allow bool
		err   string
		ran   int
	}{
		{[]string{"count", "fail", "count"}, false, "cell 2: panic: boom", 2},
		{[]string{"count", "fail", "count"}, true, "", 3},
		{[]string{"fail #raises-exception", "count"}, false, "", 2},
		{[]string{"bug", "count"}, false, "cell 1: InternalError: a bug", 1},
		{[]string{"ask", "count"}, false, "cell 1: SessionError: the notebook runs without a person", 1},
	} {
		nb := code(tt.cells...)
		err := Run(t.Context(), nb, script{}, Options{AllowErrors: tt.allow})
		if tt.err == "" && err != nil || tt.err != "" && (err == nil || !strings.HasPrefix(err.Error(), tt.err)) {
			t.Errorf("%v: error %v, want %q", tt.cells, err, tt.err)
		}
		var cell *kernel.CellError
		if err != nil && !errors.As(err, &cell) {
			t.Errorf("%v: the error holds no CellError", tt.cells)
		}
		ran := 0
		for _, c := range nb.Cells {
			if c.Count > 0 {
				ran++
			}
		}
		if ran != tt.ran {
			t.Errorf("%v: %d cells ran, want %d", tt.cells, ran, tt.ran)
		}
		if err != nil && !strings.HasSuffix(kinds(nb.Cells[ran-1]), "error") {
			t.Errorf("%v: outputs of the failed cell: %s", tt.cells, kinds(nb.Cells[ran-1]))
		}
	}
}

func TestRunStopsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	nb := code("count", "nothing", "count")
	err := Run(ctx, nb, script{}, Options{AllowErrors: true, Progress: func(e Event) {
		if e.Cell == 2 {
			cancel()
		}
	}})
	if err == nil || !strings.Contains(err.Error(), "cell 2: Interrupted") || nb.Cells[2].Count != 0 {
		t.Errorf("%v; %+v", err, nb.Cells[2])
	}
}

func TestRunCapturesTheProcessOutput(t *testing.T) {
	teststreams.OwnStderr(t)
	nb := code("os")
	if err := Run(t.Context(), nb, script{}, Options{Capture: true}); err != nil {
		t.Fatal(err)
	}
	text := map[any]any{}
	for _, o := range nb.Cells[0].Outputs {
		text[o["name"]] = o["text"]
	}
	if kinds(nb.Cells[0]) != "stream display_data stream" || text["stdout"] != "to stdout\n" || text["stderr"] != "to stderr\n" {
		t.Errorf("%v", nb.Cells[0].Outputs)
	}
}

// leaving is a session whose cells leave goroutines: what these do is written into the next cell.
type leaving struct {
	script
	first context.Context // of the first cell
	mine  context.Context // of the goroutine that calls
}

func (l *leaving) Context() context.Context { return l.mine }

func (l *leaving) Execute(ctx context.Context, c kernel.Cell, out kernel.Output) (display.Bundle, error) {
	l.mine = ctx
	if l.first == nil {
		l.first = ctx
		return display.Bundle{}, nil
	}
	fmt.Println("own")
	l.mine = l.first
	display.Clear(false)
	fmt.Println("late")
	return display.Bundle{}, nil
}

func TestGoroutinesOfEarlierCellsEmptyNoOther(t *testing.T) {
	nb := code("one", "two")
	if err := Run(t.Context(), nb, &leaving{}, Options{Capture: true}); err != nil {
		t.Fatal(err)
	}
	if out := nb.Cells[1].Outputs; len(nb.Cells[0].Outputs) != 0 || len(out) != 1 || out[0]["text"] != "own\nlate\n" {
		t.Errorf("%v, %v", nb.Cells[0].Outputs, out)
	}
}

// What goroutines print when the last cell has ended belongs to it.
func TestRunKeepsWhatComesAfterTheLastCell(t *testing.T) {
	nb := code("count")
	err := Run(t.Context(), nb, script{}, Options{Capture: true, Progress: func(e Event) {
		if e.Done {
			fmt.Println("late")
		}
	}})
	if out := nb.Cells[0].Outputs; err != nil || len(out) != 2 || out[1]["text"] != "late\n" {
		t.Errorf("%v, %v", err, out)
	}
}
