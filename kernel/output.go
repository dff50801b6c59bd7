package kernel

import (
	"context"
	"encoding/json"
	"sync"
	"time"

	"github.com/arrayrepl/arrayrepl/kernel/display"
)

// Text is sent when it is batchTime old or batchBytes long. Twenty milliseconds are not seen by a person, and 10,000
// printed lines become a handful of messages.
const (
	batchTime  = 20 * time.Millisecond
	batchBytes = 1 << 20
)

// cellOutput is the Output of one cell. It goes on working when the cell has ended, for the goroutines it left behind.
type cellOutput struct {
	k          *kernel
	req        *request // nil before the first cell
	ctx        context.Context
	cancel     context.CancelCauseFunc // ends the cell; nil before the first one
	silent     bool
	allowInput bool

	mu    sync.Mutex
	name  string // of the stream that text belongs to
	text  []byte
	armed bool // a timer will flush
}

func (o *cellOutput) parent() json.RawMessage {
	if o.req == nil {
		return nil
	}
	return o.req.rawHeader
}

// Stream appends text to the cell's stdout or stderr.
func (o *cellOutput) Stream(name, text string) {
	if o.silent || text == "" {
		return
	}
	if name != "stderr" {
		name = "stdout"
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if name != o.name {
		o.flush()
		o.name = name
	}
	o.text = append(o.text, text...)
	if len(o.text) >= batchBytes {
		o.flush()
	} else if !o.armed {
		o.armed = true
		time.AfterFunc(batchTime, func() {
			o.mu.Lock()
			defer o.mu.Unlock()
			o.armed = false
			o.flush()
		})
	}
}

// flush sends the collected text. The caller holds mu, so that nothing overtakes it.
func (o *cellOutput) flush() {
	if len(o.text) == 0 {
		return
	}
	o.k.publish("stream", o.parent(), map[string]string{"name": o.name, "text": string(o.text)})
	if cap(o.text) > batchBytes {
		o.text = nil
	}
	o.text = o.text[:0]
}

// sync sends all that was written so far, also through the file descriptors.
func (o *cellOutput) sync() {
	if o.k.capture != nil {
		o.k.capture.Flush()
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.flush()
}

// Display shows a bundle, after the text that was written before it.
func (o *cellOutput) Display(b display.Bundle) {
	if o.silent || b.Empty() {
		return
	}
	o.sync()
	o.show("display_data", b, object{"transient": object{}})
}

// displayAs is Display under an id by which the output can be replaced.
func (o *cellOutput) displayAs(msgType, id string, b display.Bundle) {
	if o.silent || b.Empty() {
		return
	}
	o.sync()
	o.show(msgType, b, object{"transient": object{"display_id": id}})
}

// empty clears what the cell has shown; with wait the client does it when the next output comes.
func (o *cellOutput) empty(wait bool) {
	if o.silent {
		return
	}
	o.sync()
	o.mu.Lock()
	defer o.mu.Unlock()
	o.k.publish("clear_output", o.parent(), object{"wait": wait})
}

// result shows the value of the cell's last expression.
func (o *cellOutput) result(b display.Bundle, count int) {
	o.show("execute_result", b, object{"execution_count": count})
}

func (o *cellOutput) show(msgType string, b display.Bundle, content object) {
	data, err := b.MarshalData()
	if err != nil {
		o.Stream("stderr", err.Error()+"\n")
		return
	}
	content["data"], content["metadata"] = data, orEmpty(b.Metadata)
	o.mu.Lock()
	defer o.mu.Unlock()
	o.flush()
	o.k.publish(msgType, o.parent(), content)
}

// Publish makes the kernel the display.Rewriter and display.Asker of the process: what a cell shows belongs to the running
// cell.
func (k *kernel) Publish(b display.Bundle) { k.out.Load().Display(b) }

// PublishAs shows b under an id.
func (k *kernel) PublishAs(id string, b display.Bundle) {
	k.out.Load().displayAs("display_data", id, b)
}

// Replace puts b in the place of what is shown under id.
func (k *kernel) Replace(id string, b display.Bundle) {
	k.out.Load().displayAs("update_display_data", id, b)
}

// Clear empties the running cell's output.
func (k *kernel) Clear(wait bool) { k.out.Load().empty(wait) }

// Input asks the person in front of the running cell.
func (k *kernel) Input(prompt string, password bool) (string, error) {
	return k.out.Load().Input(prompt, password)
}
