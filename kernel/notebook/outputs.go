package notebook

import (
	"encoding/json"
	"errors"
	"sync"

	"github.com/arrayrepl/arrayrepl/kernel"
	"github.com/arrayrepl/arrayrepl/kernel/display"
)

// outputs is the Output of the running cell and the display.Publisher of a run. What goroutines write after their cell has
// ended goes to the next one.
type outputs struct {
	capture *kernel.Capture // nil when not capturing

	mu   sync.Mutex
	list []map[string]any // the "text" of a stream is a *[]byte until the cell ends
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
	o.list = nil
	return list
}

// flush waits for what was written through the file descriptors.
func (o *outputs) flush() {
	if o.capture != nil {
		o.capture.Flush()
	}
}

// Stream appends to the cell's last output when that is the same stream, as clients do.
func (o *outputs) Stream(name, text string) {
	if text == "" {
		return
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if n := len(o.list); n > 0 && o.list[n-1]["output_type"] == "stream" && o.list[n-1]["name"] == name {
		into := o.list[n-1]["text"].(*[]byte)
		*into = append(*into, text...)
		return
	}
	into := []byte(text)
	o.list = append(o.list, map[string]any{"output_type": "stream", "name": name, "text": &into})
}

func (o *outputs) Display(b display.Bundle) {
	if b.Empty() {
		return
	}
	o.flush()
	o.add("display_data", b, 0)
}

// Publish makes the run the display.Publisher of the process.
func (o *outputs) Publish(b display.Bundle) { o.Display(b) }

// Input fails: nobody is there to be asked.
func (o *outputs) Input(string, bool) (string, error) {
	return "", errors.New("the notebook runs without a person to ask: this cell cannot read from standard input")
}

// add appends a display_data or an execute_result.
func (o *outputs) add(outputType string, b display.Bundle, count int) {
	encoded, err := b.MarshalData()
	if err != nil {
		o.Stream("stderr", err.Error()+"\n")
		return
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
	out := map[string]any{"output_type": outputType, "data": data, "metadata": orEmpty(b.Metadata)}
	if outputType == "execute_result" {
		out["execution_count"] = count
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.list = append(o.list, out)
}

func (o *outputs) fail(err error) {
	var e *kernel.CellError
	errors.As(err, &e) // kernel.Execute returns no other
	o.mu.Lock()
	defer o.mu.Unlock()
	o.list = append(o.list, map[string]any{"output_type": "error", "ename": e.Name, "evalue": e.Value, "traceback": append([]string{}, e.Traceback...)})
}
