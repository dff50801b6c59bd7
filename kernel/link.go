package kernel

import (
	"bufio"
	"encoding/gob"
	"encoding/json"
	"fmt"
	"io"
	"sync"

	"github.com/arrayrepl/arrayrepl/kernel/display"
)

// op is what a frame between the kernel and its session's process asks or tells.
type op int

const (
	_ op = iota

	// From the kernel. The session answers each with opDone, but for the last three.
	opExecute // Flag: other calls show something meanwhile
	opComplete
	opInspect
	opIsComplete
	opComms
	opExplore   // Names: a path
	opComm      // Flag as with opExecute
	opAnswer    // to an opAsk
	opInterrupt // of a call
	opHello     // the first frame: Mark

	opRenew // from both: what follows is encoded by a new encoder

	// From the session.
	opReady   // it can run cells: Lang
	opDone    // the answer to the call ID
	opPublish // a message for the clients, on behalf of the call ID: Kind, Data or Body
	opAsk     // a question on behalf of the call ID, in which Number tells apart
	opNames   // the variables that there are now
	opForget  // nothing will be published for the call ID any more
	opHeard   // an opInterrupt of the call ID has arrived
)

// frame is what travels between the two processes. Which fields are set depends on Op.
type frame struct {
	Op     op
	ID     uint64 // of the call: an execution, a question to the session, a comm message
	Number uint64

	Cell           Cell   // to run
	Code           string // to be asked about
	Parent         string // id of the client's message
	Cursor, Detail int

	Kind   string            // message type
	Name   string            // display id, comm id
	Target string            // of a comm
	Data   map[string][]byte // forms of a bundle: MIME type to JSON
	Body   []byte            // content of a message, as JSON
	Meta   []byte            // metadata, as JSON
	Text   string
	Flag   bool
	Moment uint64 // in the streams: what was printed before it comes before this frame
	Mark   []byte
	Names  []string
	Fail   *CellError
	Places *Completion
	Whole  *Completeness
	Vars   []Variable
}

// link carries frames. Sends come from any goroutine, receives from one.
type link struct {
	mu  sync.Mutex
	w   io.Writer
	r   *bufio.Reader
	enc *gob.Encoder
	dec *gob.Decoder
}

func newLink(r io.Reader, w io.Writer) *link {
	l := &link{w: w, r: bufio.NewReader(r)}
	l.enc, l.dec = gob.NewEncoder(w), gob.NewDecoder(l.r)
	return l
}

// pipeFrame is what a pipe takes without anybody reading it, as a rule.
const pipeFrame = 16 << 10

// largeFrame is from where on a frame is too large for its memory to be kept: encoders and decoders keep what they have
// used.
const largeFrame = 4 << 20

func (l *link) send(f frame) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	err := l.enc.Encode(&f)
	if err == nil && f.size() > largeFrame {
		err = l.enc.Encode(&frame{Op: opRenew})
		l.enc = gob.NewEncoder(l.w)
	}
	return err
}

func (l *link) receive() (frame, error) {
	for {
		var f frame
		if err := l.dec.Decode(&f); err != nil {
			return f, err
		}
		if f.Op != opRenew {
			return f, nil
		}
		l.dec = gob.NewDecoder(l.r)
	}
}

// size is about how many bytes f has.
func (f *frame) size() int {
	n := len(f.Cell.Code) + len(f.Code) + len(f.Body) + len(f.Meta) + len(f.Text)
	for _, raw := range f.Data {
		n += len(raw)
	}
	if f.Fail != nil {
		n += len(f.Fail.Value)
		for _, line := range f.Fail.Traceback {
			n += len(line)
		}
	}
	return n
}

// setBundle puts b into f.
func (f *frame) setBundle(b display.Bundle) error {
	data, err := b.MarshalData()
	if err != nil {
		return err
	}
	f.Data = make(map[string][]byte, len(data))
	for typ, raw := range data {
		f.Data[typ] = raw
	}
	if f.Meta, err = json.Marshal(b.Metadata); err != nil {
		return fmt.Errorf("kernel: metadata of a value: %w", err)
	}
	return nil
}

// bundle is the bundle in f: its plain text as text, everything else as JSON.
func (f *frame) bundle() display.Bundle {
	if len(f.Data) == 0 {
		return display.Bundle{}
	}
	b := display.Bundle{Data: make(map[string]any, len(f.Data))}
	for typ, raw := range f.Data {
		b.Data[typ] = json.RawMessage(raw)
		var text string
		if typ == display.TypeText && json.Unmarshal(raw, &text) == nil {
			b.Data[typ] = text
		}
	}
	json.Unmarshal(f.Meta, &b.Metadata) // the other side wrote it
	return b
}

// object is the JSON object raw.
func decodeObject(raw []byte) (m map[string]any) {
	json.Unmarshal(raw, &m) // the other side wrote it
	return m
}
