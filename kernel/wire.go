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
}

// wire encodes and decodes messages and signs them.
type wire struct {
	key     []byte // empty: nothing is signed or checked
	session string
	count   atomic.Uint64
	replays replays
}

func newWire(key string) *wire {
	var id [16]byte
	rand.Read(id[:])
	return &wire{key: []byte(key), session: hex.EncodeToString(id[:])}
}

// sign returns the hexadecimal signature of the four parts.
func (w *wire) sign(parts ...[]byte) []byte {
	if len(w.key) == 0 {
		return nil
	}
	mac := hmac.New(sha256.New, w.key)
	for _, p := range parts {
		mac.Write(p)
	}
	return hex.AppendEncode(nil, mac.Sum(nil))
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
	m := &message{rawHeader: parts[0], metadata: parts[2], content: parts[3], route: frames[:i]}
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
	h := header{
		ID:       fmt.Sprintf("%s_%d", w.session, w.count.Add(1)),
		Session:  w.session,
		Username: "kernel",
		Date:     timestamp(time.Now()),
		Type:     msgType,
		Version:  protocolVersion,
	}
	if parent == nil {
		parent = json.RawMessage("{}")
	}
	if metadata == nil {
		metadata = struct{}{}
	}
	parts := make([][]byte, 4)
	for i, v := range []any{h, parent, metadata, content} {
		var err error
		if parts[i], err = marshal(v); err != nil {
			return nil, fmt.Errorf("kernel: encoding %s: %w", msgType, err)
		}
	}
	return append(zmtp.Message{delimiter, w.sign(parts...)}, parts...), nil
}

// timestamp is t as clients parse it: six digits of fraction, no more.
func timestamp(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000000Z") }

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
