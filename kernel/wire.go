package kernel

import (
	"bytes"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/arrayrepl/arrayrepl/kernel/zmtp"
)

// protocolVersion is the version of the messaging specification that is spoken.
const protocolVersion = "5.5"

var delimiter = []byte("<IDS|MSG>")

// header is the header of a message.
type header struct {
	ID       string `json:"msg_id"`
	Session  string `json:"session"`
	Username string `json:"username"`
	Date     string `json:"date"`
	Type     string `json:"msg_type"`
	Version  string `json:"version"`
	Subshell string `json:"subshell_id,omitempty"` // "" is the main shell
}

// message is a message as it came in.
type message struct {
	header    header
	rawHeader json.RawMessage // as the client wrote it: it is the parent_header of all answers
	metadata  json.RawMessage
	content   json.RawMessage
	route     zmtp.Message // frames before the delimiter, returned in front of the reply
	buffers   zmtp.Message // frames after the content, of comms
}

// wire encodes and decodes messages and signs them.
type wire struct {
	key     []byte    // empty: nothing is signed or checked
	macs    sync.Pool // of hash.Hash with the key in them: making one costs more than signing a message
	session string
	head    []byte // how each header that is sent begins
	count   atomic.Uint64
	replays replays
}

func newWire(key string) *wire {
	var id [16]byte
	rand.Read(id[:])
	w := &wire{key: []byte(key), session: hex.EncodeToString(id[:])}
	w.macs.New = func() any { return hmac.New(sha256.New, w.key) }
	w.head = fmt.Appendf(nil, `{"session":%q,"username":"kernel","version":%q,"msg_id":"%s_`, w.session, protocolVersion, w.session)
	return w
}

// sign returns the hexadecimal signature of the four parts.
func (w *wire) sign(parts ...[]byte) []byte {
	if len(w.key) == 0 {
		return nil
	}
	mac := w.macs.Get().(hash.Hash)
	defer w.macs.Put(mac)
	mac.Reset()
	for _, p := range parts {
		mac.Write(p)
	}
	var sum [sha256.Size]byte
	return hex.AppendEncode(make([]byte, 0, 2*len(sum)), mac.Sum(sum[:0]))
}

// decode checks and takes apart what a client sent.
func (w *wire) decode(frames zmtp.Message) (*message, error) {
	i := 0
	for i < len(frames) && !bytes.Equal(frames[i], delimiter) {
		i++
	}
	if len(frames)-i < 6 {
		return nil, fmt.Errorf("it has %d frames and not the six from %s on", len(frames), delimiter)
	}
	sig, parts := frames[i+1], frames[i+2:i+6]
	if len(w.key) > 0 {
		if !hmac.Equal(sig, w.sign(parts...)) {
			return nil, errors.New("its signature does not fit; the sender has another key")
		}
		if !w.replays.add(sig) {
			return nil, errors.New("it was sent before")
		}
	}
	m := &message{rawHeader: parts[0], metadata: parts[2], content: parts[3], route: frames[:i], buffers: frames[i+6:]}
	if err := json.Unmarshal(parts[0], &m.header); err != nil {
		return nil, fmt.Errorf("its header: %w", err)
	}
	if m.header.Type == "" {
		return nil, errors.New("its header has no msg_type")
	}
	return m, nil
}

// encode makes the frames of an outgoing message, from the delimiter on. parent is the header of the request that it
// belongs to, or nil.
func (w *wire) encode(msgType string, parent json.RawMessage, metadata, content any) (zmtp.Message, error) {
	m := zmtp.Message{delimiter, nil, w.header(msgType), parent, emptyObject, nil}
	if parent == nil {
		m[3] = emptyObject
	}
	var err error
	if metadata != nil {
		m[4], err = marshal(metadata)
	}
	if err == nil {
		m[5], err = marshal(content)
	}
	if err != nil {
		return nil, fmt.Errorf("kernel: encoding %s: %w", msgType, err)
	}
	m[1] = w.sign(m[2:]...)
	return m, nil
}

var emptyObject = json.RawMessage("{}")

// header is the header of a new message. It is written by hand, as each cell needs five.
func (w *wire) header(msgType string) []byte {
	b := append(make([]byte, 0, 256), w.head...)
	b = strconv.AppendUint(b, w.count.Add(1), 10)
	b = append(b, `","date":"`...)
	b = time.Now().UTC().AppendFormat(b, timeFormat)
	b = append(b, `","msg_type":`...)
	typ, _ := marshal(msgType) // a string
	return append(append(b, typ...), '}')
}

// timeFormat is time as clients parse it: six digits of fraction, no more.
const timeFormat = "2006-01-02T15:04:05.000000Z"

func timestamp(t time.Time) string { return t.UTC().Format(timeFormat) }

// marshal is json.Marshal without the escapes for HTML, which would triple the size of a chart.
func marshal(v any) ([]byte, error) {
	if raw, ok := v.(json.RawMessage); ok {
		return raw, nil
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(v)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}
