package notebook

import (
	"context"
	"encoding/json"
	"errors"
	"sync"

	"github.com/arrayrepl/arrayrepl/kernel"
	"github.com/arrayrepl/arrayrepl/kernel/display"
)

// outputs is the Output of the running cell and the display.Rewriter of a run. What goroutines write after their cell
// has ended goes to the next one.
type outputs struct {
	capture *kernel.Capture  // nil when not capturing
	echo    *echo            // nil when nothing is printed
	session kernel.Contexter // knows whose goroutine calls; nil when nobody does

	mu     sync.Mutex
	cell   int                         // the number of the cell that began last
	list   []map[string]any            // the "text" of a stream is a *[]byte until the cell ends
	shown  map[string][]map[string]any // of all cells, by the id they can be replaced by
	clears bool                        // the next output empties list
}

// take removes and returns what was collected, with text as strings.
func (o *outputs) take() []map[string]any {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, out := range o.list {
		if text, ok := out["text"].(*[]byte); ok {
			out["text"] = string(*text)
		}
	}
	list := o.list
	o.list, o.clears = nil, false
	o.echo.endCell()
	return list
}

// flush waits for what was written through the file descriptors.
func (o *outputs) flush() {
	if o.capture != nil {
		o.capture.Flush()
	}
}

// append adds an output. The caller holds mu.
func (o *outputs) append(out map[string]any) {
	if o.clears {
		o.list, o.clears = nil, false
	}
	o.list = append(o.list, out)
}

// Stream appends to the cell's last output when that is the same stream, as clients do.
func (o *outputs) Stream(name, text string) {
	if text == "" {
		return
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.echo.stream(name, text)
	if n := len(o.list); n > 0 && !o.clears && o.list[n-1]["output_type"] == "stream" && o.list[n-1]["name"] == name {
		into := o.list[n-1]["text"].(*[]byte)
		*into = append(*into, text...)
		return
	}
	into := []byte(text)
	o.append(map[string]any{"output_type": "stream", "name": name, "text": &into})
}

func (o *outputs) Display(b display.Bundle) { o.PublishAs("", b) }

// Publish makes the run the display.Rewriter of the process.
func (o *outputs) Publish(b display.Bundle) { o.Display(b) }

// PublishAs shows b under an id.
func (o *outputs) PublishAs(id string, b display.Bundle) {
	if b.Empty() {
		return
	}
	o.flush()
	o.add("display_data", id, b, 0)
}

// Replace puts b in the place of what is shown under id, in all cells of the run.
func (o *outputs) Replace(id string, b display.Bundle) {
	data, err := Data(b)
	if err != nil {
		o.Stream("stderr", err.Error()+"\n")
		return
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, out := range o.shown[id] {
		out["data"], out["metadata"] = data, orEmpty(b.Metadata)
	}
}

// begin makes a cell the running one.
func (o *outputs) begin(cell int) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.cell = cell
}

// Clear empties the running cell's outputs. A goroutine of an earlier cell would empty what is not its own.
func (o *outputs) Clear(wait bool) {
	var of context.Context
	if o.session != nil {
		of = o.session.Context()
	}
	o.flush()
	o.mu.Lock()
	defer o.mu.Unlock()
	if of != nil {
		if cell, ok := of.Value(cellKey{}).(int); ok && cell != o.cell {
			return
		}
	}
	o.clears = wait
	if !wait {
		o.list = nil
	}
}

// Input fails: nobody is there to be asked.
func (o *outputs) Input(string, bool) (string, error) {
	return "", errors.New("the notebook runs without a person to ask: this cell cannot ask for input")
}

// add appends a display_data or an execute_result. One without id cannot be replaced.
func (o *outputs) add(outputType, id string, b display.Bundle, count int) {
	data, err := Data(b)
	if err != nil {
		o.Stream("stderr", err.Error()+"\n")
		return
	}
	out := map[string]any{"output_type": outputType, "data": data, "metadata": orEmpty(b.Metadata)}
	if outputType == "execute_result" {
		out["execution_count"] = count
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if id != "" {
		if o.shown == nil {
			o.shown = map[string][]map[string]any{}
		}
		o.shown[id] = append(o.shown[id], out)
	}
	o.echo.output(out, id != "")
	o.append(out)
}

// Data makes the data of an output, as the format has it: texts as strings, everything else as JSON.
func Data(b display.Bundle) (map[string]any, error) {
	encoded, err := b.MarshalData()
	if err != nil {
		return nil, err
	}
	data := map[string]any{}
	for mime, raw := range encoded {
		var s string
		if raw[0] == '"' && json.Unmarshal(raw, &s) == nil {
			data[mime] = s
		} else {
			data[mime] = raw
		}
	}
	return data, nil
}

func (o *outputs) fail(err error) {
	var e *kernel.CellError
	errors.As(err, &e) // kernel.Execute returns no other
	o.mu.Lock()
	defer o.mu.Unlock()
	o.append(map[string]any{"output_type": "error", "ename": e.Name, "evalue": e.Value, "traceback": append([]string{}, e.Traceback...)})
}
