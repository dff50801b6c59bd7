package zmtp

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The byte strings are those of the grammar in RFC 37, written by hand.
func TestReadMessage(t *testing.T) {
	long := strings.Repeat("x", 300)
	for _, tt := range []struct {
		name, wire string
		frames     []string
		cmd        string
		err        string
	}{
		{name: "one short frame", wire: "\x00\x05hello", frames: []string{"hello"}},
		{name: "empty frame", wire: "\x00\x00", frames: []string{""}},
		{name: "two frames", wire: "\x01\x01a\x00\x01b", frames: []string{"a", "b"}},
		{name: "long frame", wire: "\x02\x00\x00\x00\x00\x00\x00\x01\x2c" + long, frames: []string{long}},
		{name: "short frame in long form", wire: "\x02\x00\x00\x00\x00\x00\x00\x00\x01z", frames: []string{"z"}},
		{name: "command before a message", wire: "\x04\x07\x04PING\x00\x00\x00\x01a", frames: []string{"a"}, cmd: "\x04PING\x00\x00"},
		{name: "end inside a frame", wire: "\x00\x05he", err: "unexpected EOF"},
		{name: "end inside a length", wire: "\x02\x00\x00", err: "unexpected EOF"},
		{name: "reserved flag", wire: "\x08\x00", err: "flags"},
		{name: "command that continues", wire: "\x05\x00", err: "flags"},
		{name: "command between frames", wire: "\x01\x01a\x04\x02\x01x\x00\x01b", frames: []string{"a", "b"}, cmd: "\x01x"},
		{name: "over the limit", wire: "\x02\x00\x00\x00\x00\x00\x10\x00\x01", err: "limit"},
		{name: "length with the top bit", wire: "\x02\xff\xff\xff\xff\xff\xff\xff\xff", err: "limit"},
		{name: "too many frames", wire: strings.Repeat("\x01\x00", maxFrames+1), err: "frames"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var cmd []byte
			msg, err := readMessage(plainFraming{}, bufio.NewReader(strings.NewReader(tt.wire)), 1<<20, nil, func(body []byte) error { cmd = body; return nil })
			if tt.err != "" {
				if err == nil || !strings.Contains(err.Error(), tt.err) {
					t.Fatalf("error %v, want one with %q", err, tt.err)
				}
				return
			}
			require.NoError(t, err)
			if string(cmd) != tt.cmd || len(msg) != len(tt.frames) {
				t.Fatalf("got %q and command %q", msg, cmd)
			}
			for i, f := range tt.frames {
				if string(msg[i]) != f {
					t.Errorf("frame %d: %q, want %q", i, msg[i], f)
				}
			}
		})
	}
}

// A header that announces 400 MB and then nothing must not cost 400 MB.
func TestAnnouncedLengthCostsNoMemory(t *testing.T) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	wire := "\x02\x00\x00\x00\x00\x18\x00\x00\x00" + strings.Repeat("x", 1000)
	_, _, err := readFrame(bufio.NewReader(strings.NewReader(wire)), 512<<20, nil)
	runtime.ReadMemStats(&after)
	if !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Fatal(err)
	}
	if got := after.TotalAlloc - before.TotalAlloc; got > 1<<20 {
		t.Errorf("%d bytes allocated", got)
	}
}

func TestReadGreeting(t *testing.T) {
	sig := "\xff\x00\x00\x00\x00\x00\x00\x00\x00\x7f"
	rest := strings.Repeat("\x00", 32)
	for _, tt := range []struct {
		name, wire string
		minor      byte
		err        string
	}{
		{"3.0", sig + "\x03\x00NULL" + strings.Repeat("\x00", 16) + rest, 0, ""},
		{"3.1", sig + "\x03\x01NULL" + strings.Repeat("\x00", 16) + rest, 1, ""},
		{"a later one", sig + "\x04\x07NULL" + strings.Repeat("\x00", 16) + rest, 1, ""},
		{"2.0", sig + "\x01", 0, "ZMTP 1"},
		{"http", "GET / HTTP/1.1\r\n\r\n", 0, "does not speak"},
		{"curve", sig + "\x03\x01CURVE" + strings.Repeat("\x00", 15) + rest, 0, `"CURVE"`},
		{"short", sig, 0, "EOF"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			minor, err := readGreeting(strings.NewReader(tt.wire), "NULL")
			if tt.err == "" && err != nil || tt.err != "" && (err == nil || !strings.Contains(err.Error(), tt.err)) {
				t.Fatalf("error %v, want %q", err, tt.err)
			}
			if minor != tt.minor {
				t.Errorf("minor version %d, want %d", minor, tt.minor)
			}
		})
	}
}

// FuzzPeer feeds bytes through everything that reads from a peer; what was read must survive being written and read
// again.
func FuzzPeer(f *testing.F) {
	f.Add([]byte("\x01\x01a\x00\x01b\x04\x07\x04PING\x00\x00"))
	f.Add([]byte("\x04\x1c\x05READY\x0bSocket-Type\x00\x00\x00\x06DEALER"))
	g := greeting("NULL")
	f.Add(g[:])
	f.Add([]byte("\x02\x00\x00\x00\x00\x00\x00\x00\x01z"))
	f.Fuzz(func(t *testing.T, data []byte) {
		readGreeting(bytes.NewReader(data), "NULL")
		readReady(bufio.NewReader(bytes.NewReader(data)))
		r := bufio.NewReader(bytes.NewReader(data))
		command := func(body []byte) error {
			name, rest, err := splitCommand(body)
			if err != nil {
				return err
			}
			if !bytes.Equal(makeCommand(name, rest), body) {
				t.Fatalf("command %q came back as %q", body, makeCommand(name, rest))
			}
			readProperties(rest)
			pong(rest)
			return nil
		}
		for {
			msg, err := readMessage(plainFraming{}, r, 1<<16, nil, command)
			if err != nil {
				return
			}
			if msg.Size() > 1<<16 {
				t.Fatalf("a message of %d bytes passed a limit of %d", msg.Size(), 1<<16)
			}
			var wire bytes.Buffer
			w := bufio.NewWriter(&wire)
			writeMessage(plainFraming{}, w, msg)
			w.Flush()
			again, err := readMessage(plainFraming{}, bufio.NewReader(&wire), 1<<16, nil, command)
			if err != nil || len(again) != len(msg) || !bytes.Equal(bytes.Join(again, nil), bytes.Join(msg, nil)) {
				t.Fatalf("%q came back as %q: %v", msg, again, err)
			}
		}
	})
}
