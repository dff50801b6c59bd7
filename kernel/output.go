package kernel

import (
	"context"
	"encoding/json"
	"sync"
	"sync/atomic"
	"time"

	"github.com/arrayrepl/arrayrepl/kernel/display"
	"github.com/arrayrepl/arrayrepl/kernel/zmtp"
)

// Text is sent when it is batchTime old or batchBytes long. Twenty milliseconds are not seen by a person, and 10,000
// printed lines become a handful of messages. The first line of a crash is sent when it is crashTime old and no crash
// came.
const (
	batchTime  = 20 * time.Millisecond
	crashTime  = 2 * time.Second
	batchBytes = 1 << 20
)

// cellOutput is the Output of one cell. It goes on working when the cell has ended, for the goroutines it left behind.
type cellOutput struct {
	k          *kernel
	header     json.RawMessage // of the request; nil before the first cell
	id         string          // of the request
	peer       string          // who asked
	route      zmtp.Message
	ctx        context.Context // of the request
	silent     bool
	allowInput bool
	attended   bool // the client listens to the cell after its end too

	over atomic.Bool // nothing more is sent for it where the client listens no more; written under mu

	mu    sync.Mutex
	name  string // of the stream that text belongs to
	text  []byte
	armed bool // a timer will flush
	dying bool // text has what the Go runtime says when it ends a process
}

// newCellOutput returns the output of what r asks for. It keeps no more of r than it needs: it may stay long.
func newCellOutput(ctx context.Context, k *kernel, r *request) *cellOutput {
	return &cellOutput{k: k, header: r.rawHeader, id: r.header.ID, peer: r.peer, route: r.route, ctx: ctx, attended: true}
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
	o.write(name, text)
}

// write is Stream for one who holds mu.
func (o *cellOutput) write(name, text string) {
	if o.listenedTo() {
		o.collect(name, text)
		return
	}
	o.flush()
	o.send("stream", nil, streamText{name, text}, len(text))
}

// collect appends text to what is sent together.
func (o *cellOutput) collect(name, text string) {
	if name != o.name {
		o.flush()
		o.name = name
	}
	o.text = append(o.text, text...)
	o.dying = o.dying || name == stderrName && fatalLine.MatchString(text)
	if len(o.text) >= batchBytes {
		o.flush()
	} else if !o.armed {
		o.flushAfter(batchTime)
	}
}

// flushAfter lets a timer flush. What may be the first line of a crash waits longer: the rest comes when the runtime
// gets to it, and then the line is taken back.
func (o *cellOutput) flushAfter(wait time.Duration) {
	o.armed = true
	time.AfterFunc(wait, func() {
		o.mu.Lock()
		defer o.mu.Unlock()
		if o.dying && wait < crashTime {
			o.flushAfter(crashTime)
			return
		}
		o.armed = false
		o.flush()
	})
}

// streamText is the content of a stream message.
type streamText struct {
	Name string `json:"name"`
	Text string `json:"text"`
}

// flush sends the collected text. The caller holds mu, so that nothing overtakes it.
func (o *cellOutput) flush() {
	o.dying = false
	if len(o.text) == 0 {
		return
	}
	o.send("stream", nil, streamText{o.name, string(o.text)}, len(o.text))
	if cap(o.text) > batchBytes {
		o.text = nil
	}
	o.text = o.text[:0]
}

// sync sends all that was written so far.
func (o *cellOutput) sync() {
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
	o.send("clear_output", nil, object{"wait": wait}, 0)
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
	size := 0
	for _, form := range data {
		size += len(form)
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.flush()
	o.send(msgType, nil, content, size)
}

// Publish makes the output the display.Rewriter and widgets.Sender of what the session does for its request.
func (o *cellOutput) Publish(b display.Bundle) { o.Display(b) }

// PublishAs shows b under an id.
func (o *cellOutput) PublishAs(id string, b display.Bundle) { o.displayAs("display_data", id, b) }

// Replace puts b in the place of what is shown under id.
func (o *cellOutput) Replace(id string, b display.Bundle) { o.displayAs("update_display_data", id, b) }

// Clear empties the output.
func (o *cellOutput) Clear(wait bool) { o.empty(wait) }

// SendComm sends a comm message.
func (o *cellOutput) SendComm(msgType string, content, metadata map[string]any) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.flush()
	o.send(msgType, metadata, content, 0)
}

// ParentID is the id of the request.
func (o *cellOutput) ParentID() string { return o.id }

// retract takes back the beginning of what the Go runtime said of a crash, when it is not sent yet.
func (o *cellOutput) retract() {
	o.mu.Lock()
	defer o.mu.Unlock()
	if at := saidLine.FindIndex(o.text); at != nil && o.name == stderrName {
		o.text = o.text[:at[0]]
	}
}
