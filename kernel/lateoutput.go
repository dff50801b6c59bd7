package kernel

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync"

	"github.com/arrayrepl/arrayrepl/kernel/display"
)

// A front end shows what a goroutine writes after its cell has ended where it belongs, below that cell. A client that
// runs a notebook without a person (nbclient, and with it nbconvert and papermill) listens to the running cell alone,
// and drops everything else. From such a client, output of a cell that has ended goes to the cell that runs, and waits
// for the next one when none does. What the last cell leaves is told to whoever reads the kernel's log.
//
// Such a client says so: nobody can answer questions (allow_stdin is false), and its request names no cell of an
// editor.

// maxLate is how many bytes of late output wait for the next cell. Texts are joined to messages of lateJoin or a little
// more.
const (
	maxLate  = 4 << 20
	lateJoin = 64 << 10
)

// lateOutput is the output that its own cell cannot take any more.
type lateOutput struct {
	mu      sync.Mutex
	running []*cellOutput // that take it, in the order of their start
	waiting []lateMessage
	size    int // of the text in waiting
	dropped int // bytes that there was no room for
}

// lateMessage is a message that waits for a cell.
type lateMessage struct {
	msgType string
	content any
}

// begin lets out take late output, first what has waited for it.
func (l *lateOutput) begin(out *cellOutput) {
	if out.attended || out.silent {
		return
	}
	out.mu.Lock()
	defer out.mu.Unlock()
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, m := range l.take() {
		out.k.publish(m.msgType, out.header, m.content)
	}
	l.running = append(l.running, out)
}

// take returns what waits, which waits no more. The caller holds mu.
func (l *lateOutput) take() []lateMessage {
	waiting := l.waiting
	if l.dropped > 0 {
		waiting = append(waiting, lateMessage{"stream", streamText{stderrName, fmt.Sprintf("%d bytes of what goroutines wrote between cells were dropped: there was too much\n", l.dropped)}})
	}
	l.waiting, l.size, l.dropped = nil, 0, 0
	return waiting
}

// taker returns the cell that takes a late message now. When none does, the message waits if it is one that is shown in
// a cell.
func (l *lateOutput) taker(m lateMessage, size int) *cellOutput {
	l.mu.Lock()
	defer l.mu.Unlock()
	for len(l.running) > 0 {
		last := l.running[len(l.running)-1]
		if !last.over.Load() {
			return last
		}
		l.running = l.running[:len(l.running)-1]
	}
	if isComm(m.msgType) {
		return nil
	}
	if l.size+size > maxLate {
		l.dropped += size
		return nil
	}
	l.size += size
	if n := len(l.waiting); n > 0 {
		last, text := l.waiting[n-1].content.(streamText)
		if more, ok := m.content.(streamText); ok && text && more.Name == last.Name && len(last.Text) < lateJoin {
			last.Text += more.Text
			l.waiting[n-1].content = last
			return nil
		}
	}
	l.waiting = append(l.waiting, m)
	return nil
}

// rest returns the text of what still waits when there will be no cell any more, "" for none.
func (l *lateOutput) rest() (text string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, m := range l.take() {
		switch c := m.content.(type) {
		case streamText:
			text += c.Text
		case object:
			if data, ok := c["data"].(rawObject); ok {
				var plain string
				json.Unmarshal(data[display.TypeText], &plain) // "" where there is none
				text += plain + "\n"
			}
		}
	}
	return text
}

// finish sends all that was written, and lets later output go elsewhere where the client listens no more.
func (o *cellOutput) finish() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.flush()
	o.over.Store(true)
}

// send publishes a message of the cell, or hands it on. The caller holds mu.
func (o *cellOutput) send(msgType string, metadata map[string]any, content any, size int) {
	if o.listenedTo() {
		o.k.publishWith(msgType, o.header, metadata, content)
		return
	}
	if msgType == "clear_output" {
		return // it would empty another cell
	}
	to := o.k.late.taker(lateMessage{msgType, content}, size)
	if to == nil {
		if isComm(msgType) { // widgets listen to their comm, whatever cell it is of
			o.k.publishWith(msgType, o.header, metadata, content)
		}
		return
	}
	to.mu.Lock()
	defer to.mu.Unlock()
	if s, ok := content.(streamText); ok {
		to.write(s.Name, s.Text)
		return
	}
	to.flush()
	to.send(msgType, metadata, content, size)
}

// listenedTo reports whether the client takes what is sent for the cell. The caller holds mu.
func (o *cellOutput) listenedTo() bool { return o.attended || !o.over.Load() }

func isComm(msgType string) bool { return strings.HasPrefix(msgType, "comm_") }
