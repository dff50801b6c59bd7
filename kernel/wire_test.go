package kernel

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/kernel/zmtp"
)

// The signature was computed with Python's hmac module:
// hmac.new(b"secret", b'{"msg_type":"x"}' + b"{}" + b"{}" + b'{"a":1}', "sha256").hexdigest()
func TestSignature(t *testing.T) {
	w := newWire("secret")
	got := w.sign([]byte(`{"msg_type":"x"}`), []byte("{}"), []byte("{}"), []byte(`{"a":1}`))
	if want := "32972b1815408d08f4296c6fe7ec76ca2b7e7a96abe4a2babcb557017d696574"; string(got) != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestDecode(t *testing.T) {
	signed := func(w *wire, header string) zmtp.Message {
		parts := [][]byte{[]byte(header), []byte("{}"), []byte("{}"), []byte("{}")}
		return append(zmtp.Message{[]byte("route"), delimiter, w.sign(parts...)}, parts...)
	}
	w := newWire("secret")
	twice := signed(w, `{"msg_id":"2","msg_type":"twice"}`)
	if _, err := w.decode(twice); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name   string
		frames zmtp.Message
		err    string
	}{
		{"good", signed(w, `{"msg_id":"1","msg_type":"x"}`), ""},
		{"other key", signed(newWire("other"), `{"msg_type":"x"}`), "signature"},
		{"no signature", signed(newWire(""), `{"msg_type":"x"}`), "signature"},
		{"sent before", twice, "before"},
		{"header is not JSON", signed(w, `{`), "header"},
		{"no type", signed(w, `{}`), "msg_type"},
		{"type is a number", signed(w, `{"msg_type":1}`), "header"},
		{"no delimiter", zmtp.Message{[]byte("x")}, "frames"},
		{"nothing", nil, "frames"},
		{"too short", zmtp.Message{delimiter, nil, nil, nil, nil}, "frames"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m, err := w.decode(tt.frames)
			if tt.err != "" {
				if err == nil || !strings.Contains(err.Error(), tt.err) {
					t.Errorf("error %v, want one with %q", err, tt.err)
				}
				return
			}
			if err != nil || m.header.Type != "x" || len(m.route) != 1 {
				t.Errorf("%+v, %v", m, err)
			}
		})
	}
}

func TestEncodeDecode(t *testing.T) {
	w := newWire("k")
	m, err := w.encode("stream", json.RawMessage(`{"msg_id":"p"}`), nil, object{"text": "<b>\xff"})
	require.NoError(t, err)
	got, err := newWire("k").decode(m)
	require.NoError(t, err)
	if got.header.Type != "stream" || got.header.Version != protocolVersion || got.header.ID == "" {
		t.Errorf("header %+v", got.header)
	}
	if !bytes.Equal(m[3], []byte(`{"msg_id":"p"}`)) || string(got.content) != `{"text":"<b>\ufffd"}` {
		t.Errorf("parent %s, content %s", m[3], got.content)
	}
}

func TestReplaysForgetTheOldest(t *testing.T) {
	var r replays
	number := func(i int) []byte { return fmt.Appendf(nil, "%064d", i)[32:] }
	for i := range rememberSignatures {
		if !r.add(number(i)) {
			t.Fatal(i)
		}
	}
	if r.add(number(0)) {
		t.Error("the oldest was forgotten too early")
	}
	if !r.add(number(rememberSignatures)) || !r.add(number(0)) || r.add(number(2)) {
		t.Error("one in, one out")
	}
	if len(r.seen) != rememberSignatures {
		t.Errorf("%d remembered", len(r.seen))
	}
}

func TestReadConnection(t *testing.T) {
	good := `{"shell_port":1,"iopub_port":2,"stdin_port":3,"control_port":4,"hb_port":5,"ip":"127.0.0.1","key":"k","transport":"tcp","signature_scheme":"hmac-sha256","kernel_name":"x"}`
	for _, tt := range []struct{ name, old, new, err string }{
		{"good", "", "", ""},
		{"no JSON", "{", "", "invalid"},
		{"a port missing", `"stdin_port":3,`, "", "stdin_port is 0"},
		{"transport", "tcp", "inproc", "inproc"},
		{"scheme", "hmac-sha256", "hmac-md5", "hmac-md5"},
		{"port too large", `"hb_port":5`, `"hb_port":70000`, "hb_port is 70000"},
		{"half a key pair", `"key":"k"`, `"curve_publickey":"rq:rM>}U?@Lns47E1%kR.o@n%FcmmsL/@{H8]yf7"`, "curve_secretkey: zmtp: the secret key"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			path := t.TempDir() + "/c.json"
			writeFile(t, path, strings.Replace(good, tt.old, tt.new, 1))
			c, err := ReadConnection(path)
			if tt.err == "" {
				if err != nil || c.endpoint(c.ShellPort) != "tcp://127.0.0.1:1" {
					t.Errorf("%+v, %v", c, err)
				}
			} else if err == nil || !strings.Contains(err.Error(), tt.err) || !strings.Contains(err.Error(), path) {
				t.Errorf("error %v, want the path and %q", err, tt.err)
			}
		})
	}
	if _, err := ReadConnection("/nowhere/c.json"); err == nil || !strings.Contains(err.Error(), "/nowhere/c.json") {
		t.Error(err)
	}
	ipc := Connection{Transport: "ipc", IP: "/run/k"}
	if got := ipc.endpoint(3); got != "ipc:///run/k-3" {
		t.Error(got)
	}
	v6 := Connection{Transport: "tcp", IP: "::1"}
	if got := v6.endpoint(3); got != "tcp://[::1]:3" {
		t.Error(got)
	}
}
