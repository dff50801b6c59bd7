package kernel

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/kernel/zmtp"
)

func writeFile(t *testing.T, path, text string) {
	t.Helper()
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
}

func waitFor(t *testing.T, ok func() bool) {
	t.Helper()
	require.Eventually(t, ok, time.Minute, 2*time.Millisecond)
}

// channel is one client socket, with just enough ZMTP of its own.
type channel struct {
	t    *testing.T
	conn net.Conn
	r    *bufio.Reader
}

func dialChannel(t *testing.T, port int, kind, identity string) *channel {
	t.Helper()
	var conn net.Conn
	waitFor(t, func() (ok bool) {
		var err error
		conn, err = net.Dial("tcp", Connection{Transport: "tcp", IP: "127.0.0.1"}.endpoint(port)[len("tcp://"):])
		return err == nil
	})
	c := &channel{t, conn, bufio.NewReader(conn)}
	greeting := "\xff\x00\x00\x00\x00\x00\x00\x00\x01\x7f\x03\x00NULL" + strings.Repeat("\x00", 16+1+31)
	ready := "\x05READY\x0bSocket-Type\x00\x00\x00" + string(rune(len(kind))) + kind
	ready += "\x08Identity\x00\x00\x00" + string(rune(len(identity))) + identity
	io.WriteString(conn, greeting+"\x04"+string(rune(len(ready)))+ready)
	conn.SetReadDeadline(time.Now().Add(time.Minute))
	if _, err := io.CopyN(io.Discard, c.r, 64); err != nil {
		t.Fatal(err)
	}
	c.frame() // READY
	return c
}

func (c *channel) frame() (body []byte, more bool) {
	c.t.Helper()
	flags, err := c.r.ReadByte()
	size := make([]byte, 8)
	if err == nil && flags&2 != 0 {
		_, err = io.ReadFull(c.r, size)
	} else if err == nil {
		size[7], err = c.r.ReadByte()
	}
	body = make([]byte, binary.BigEndian.Uint64(size))
	if err == nil {
		_, err = io.ReadFull(c.r, body)
	}
	if err != nil {
		c.t.Fatal("reading from the kernel: ", err)
	}
	return body, flags&1 != 0
}

func (c *channel) write(m zmtp.Message) {
	var b bytes.Buffer
	for i, f := range m {
		flags := byte(2)
		if i < len(m)-1 {
			flags |= 1
		}
		b.WriteByte(flags)
		b.Write(binary.BigEndian.AppendUint64(nil, uint64(len(f))))
		b.Write(f)
	}
	c.conn.Write(b.Bytes())
}

// testMessage is a message that a client got.
type testMessage struct {
	Type   string
	Parent string // msg_id
	map_   map[string]any
}

func (m testMessage) str(key string) string { s, _ := m.map_[key].(string); return s }

// testClient is a Jupyter client of a kernel in another process.
type testClient struct {
	t                            *testing.T
	subshell                     string // that requests go to
	wire                         *wire
	cmd                          *exec.Cmd
	log                          string // path of the kernel's log
	shell, control, stdin, iopub *channel
	conn                         Connection
}

// startKernel runs the fake session's kernel and connects to it. At the end of the test it is asked to shut down and
// must exit with 0 (which it does not when the race detector found something).
func startKernel(t *testing.T) *testClient {
	t.Helper()
	const key = "a-key"
	conn := Connection{Transport: "tcp", IP: "127.0.0.1", SignatureScheme: "hmac-sha256", Key: key}
	var holders []net.Listener
	for _, p := range []*int{&conn.ShellPort, &conn.ControlPort, &conn.StdinPort, &conn.IOPubPort, &conn.HBPort} {
		ln, err := net.Listen("tcp", "127.0.0.1:0")
		require.NoError(t, err)
		*p = ln.Addr().(*net.TCPAddr).Port
		holders = append(holders, ln)
	}
	for _, ln := range holders {
		ln.Close()
	}
	data, _ := json.Marshal(conn)
	path := filepath.Join(t.TempDir(), "connection.json")
	writeFile(t, path, string(data))
	self, err := os.Executable()
	require.NoError(t, err)
	c := &testClient{t: t, wire: newWire(key), cmd: exec.Command(self, "kernel", path), log: path + ".log", conn: conn}
	c.cmd.Env = append(os.Environ(), "ARRAYREPL_FAKE=1")
	log, err := os.Create(c.log)
	require.NoError(t, err)
	defer log.Close()
	c.cmd.Stderr = log
	require.NoError(t, c.cmd.Start())
	exited := make(chan error, 1)
	go func() { exited <- c.cmd.Wait() }()
	t.Cleanup(func() {
		c.send(c.control, "shutdown_request", object{"restart": false})
		for _, ch := range []*channel{c.shell, c.control, c.stdin, c.iopub} {
			ch.conn.SetReadDeadline(time.Time{})
			go func() { // hang up when the kernel does, as libzmq would
				io.Copy(io.Discard, ch.r)
				ch.conn.Close()
			}()
		}
		select {
		case err := <-exited:
			if err != nil {
				t.Errorf("the kernel ended with %v; its log:\n%s", err, c.logged())
			}
		case <-time.After(time.Minute):
			c.cmd.Process.Kill()
			<-exited
			t.Error("the kernel did not end")
		}
	})
	c.shell = dialChannel(t, conn.ShellPort, "DEALER", "me")
	c.control = dialChannel(t, conn.ControlPort, "DEALER", "me")
	c.stdin = dialChannel(t, conn.StdinPort, "DEALER", "me")
	c.iopub = dialChannel(t, conn.IOPubPort, "SUB", "")
	c.iopub.write(zmtp.Message{[]byte("\x01")})
	if m := c.recv(c.iopub); m.Type != "iopub_welcome" {
		t.Fatalf("the first message is %s", m.Type)
	}
	return c
}

func (c *testClient) logged() string {
	data, err := os.ReadFile(c.log)
	if err != nil {
		c.t.Fatal(err)
	}
	return string(data)
}

// send sends a request and returns its id.
func (c *testClient) send(to *channel, msgType string, content any) string {
	return c.sendWith(to, msgType, nil, content)
}

func (c *testClient) sendWith(to *channel, msgType string, metadata, content any) string {
	m, err := c.wire.encode(msgType, nil, metadata, content)
	if err != nil {
		c.t.Fatal(err)
	}
	if c.subshell != "" {
		var h header
		json.Unmarshal(m[2], &h)
		h.Subshell = c.subshell
		m[2], _ = json.Marshal(h)
		m[1] = c.wire.sign(m[2:]...)
	}
	to.write(m)
	var h header
	json.Unmarshal(m[2], &h)
	return h.ID
}

func (c *testClient) recv(from *channel) testMessage {
	c.t.Helper()
	from.conn.SetReadDeadline(time.Now().Add(time.Minute))
	var frames zmtp.Message
	for more := true; more; {
		var body []byte
		body, more = from.frame()
		frames = append(frames, body)
	}
	m, err := c.wire.decode(frames)
	if err != nil {
		c.t.Fatal(err)
	}
	var parent header
	at := slices.IndexFunc(frames, func(f []byte) bool { return bytes.Equal(f, delimiter) })
	if err := errors.Join(json.Unmarshal(frames[at+3], &parent)); err != nil {
		c.t.Fatal(err)
	}
	got := testMessage{Type: m.header.Type, Parent: parent.ID}
	if err := json.Unmarshal(m.content, &got.map_); err != nil {
		c.t.Fatal(err)
	}
	return got
}

// ask sends a request on shell and returns its reply.
func (c *testClient) ask(msgType string, content any) testMessage {
	c.t.Helper()
	id := c.send(c.shell, msgType, content)
	m := c.recv(c.shell)
	if m.Parent != id {
		c.t.Fatalf("a reply to %s, want one to %s", m.Parent, id)
	}
	return m
}

// outputs returns what is published for the request id, from busy to idle.
func (c *testClient) outputs(id string) (all []testMessage) {
	c.t.Helper()
	for {
		m := c.recv(c.iopub)
		if m.Parent != id {
			continue
		}
		all = append(all, m)
		if m.str("execution_state") == "idle" {
			return all
		}
	}
}

// run executes code and returns the reply and what was published.
func (c *testClient) run(code string) (testMessage, []testMessage) {
	c.t.Helper()
	id := c.send(c.shell, "execute_request", object{"code": code})
	reply := c.recv(c.shell)
	if reply.Parent != id {
		c.t.Fatalf("a reply to %s, want one to %s", reply.Parent, id)
	}
	return reply, c.outputs(id)
}

// types lists the message types, for comparing sequences.
func types(ms []testMessage) string {
	var s []string
	for _, m := range ms {
		if m.Type == "status" {
			s = append(s, m.str("execution_state"))
		} else {
			s = append(s, m.Type)
		}
	}
	return strings.Join(s, " ")
}
