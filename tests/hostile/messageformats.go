package main

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/arrayrepl/arrayrepl/kernel"
	"github.com/arrayrepl/arrayrepl/kernel/display"
)

// messageKey signs the messages: who sends them knows it.
const messageKey = "hostile"

// between separates the parts of a message in an input: header, parent, metadata and content. JSON has no such
// character.
const between = "\x1e"

// messageOf is a message as an input has it.
func messageOf(kind, content string) []byte {
	header := fmt.Sprintf(`{"msg_id":"1","session":"s","username":"u","date":"2026-01-01T00:00:00Z","msg_type":%q,"version":"5.3"}`, kind)
	return []byte(strings.Join([]string{header, "{}", "{}", content}, between))
}

// signed are the frames of a message.
func signed(parts []string) []string {
	mac := hmac.New(sha256.New, []byte(messageKey))
	for _, p := range parts[:min(len(parts), 4)] {
		io.WriteString(mac, p)
	}
	return append([]string{"<IDS|MSG>", hex.EncodeToString(mac.Sum(nil))}, parts...)
}

// quiet is a session that runs nothing: what it gets came through the kernel.
type quiet struct{}

func (quiet) Language() kernel.Language { return kernel.Language{Name: "none"} }

func (quiet) Execute(_ context.Context, cell kernel.Cell, _ kernel.Output) (display.Bundle, error) {
	return display.Text(fmt.Sprint(len(cell.Code))), nil
}

func (quiet) Complete(code string, cursor int) kernel.Completion {
	return kernel.Completion{Matches: []string{"a"}, Start: cursor, End: cursor}
}

func (quiet) Inspect(string, int, int) (display.Bundle, bool) { return display.Text("a"), true }

func (quiet) IsComplete(string) kernel.Completeness { return kernel.Completeness{Status: "complete"} }

// sessionVariable asks this program to be the process of the session.
const sessionVariable = "HOSTILE_SESSION"

// runSession runs the session when this process is one.
func runSession() (asked bool, err error) {
	if os.Getenv(sessionVariable) == "" {
		return false, nil
	}
	return true, kernel.ServeSession(func() (kernel.Session, error) { return quiet{}, nil })
}

// kernelLog is what a kernel says of messages that it does not answer.
type kernelLog struct {
	mu   sync.Mutex
	text bytes.Buffer
}

// Write implements io.Writer.
func (l *kernelLog) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

// take returns what was said since it was called last.
func (l *kernelLog) take() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	text := l.text.String()
	l.text.Reset()
	return text
}

// served is a kernel that runs in this process, its session beside it.
type served struct {
	shell string // its address
	log   *kernelLog
	asked int // how often it was asked for its information
}

func newServed() (*served, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	c := kernel.Connection{Transport: "tcp", IP: "127.0.0.1", Key: messageKey, SignatureScheme: "hmac-sha256"}
	opened := map[int]*os.File{}
	for _, port := range []*int{&c.ShellPort, &c.ControlPort, &c.StdinPort, &c.IOPubPort, &c.HBPort} {
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return nil, err
		}
		*port = listener.Addr().(*net.TCPAddr).Port
		if opened[*port], err = listener.(*net.TCPListener).File(); err != nil {
			return nil, err
		}
		listener.Close()
	}
	file := filepath.Join(scratch, "connection.json")
	text, err := json.Marshal(c)
	if err != nil {
		return nil, err
	}
	if err := os.WriteFile(file, text, 0o600); err != nil {
		return nil, err
	}
	s := &served{shell: fmt.Sprintf("127.0.0.1:%d", c.ShellPort), log: &kernelLog{}}
	if err := os.Setenv(sessionVariable, "1"); err != nil {
		return nil, err
	}
	go func() {
		err := kernel.Serve(context.Background(), file, kernel.Options{Implementation: "hostile", Session: []string{self}, Opened: opened, Log: s.log})
		fmt.Fprintln(os.Stderr, "the kernel has ended:", err)
		os.Exit(1)
	}()
	return s, nil
}

// answer reads messages up to the reply to a kernel_info_request, and returns the type and the content of the first
// that is another.
func answer(c net.Conn) (kind, content string, err error) {
	var frames []string
	for {
		var head [9]byte
		if _, err := io.ReadFull(c, head[:2]); err != nil {
			return "", "", err
		}
		size := uint64(head[1])
		if head[0]&2 != 0 {
			if _, err := io.ReadFull(c, head[2:]); err != nil {
				return "", "", err
			}
			size = binary.BigEndian.Uint64(head[1:])
		}
		body := make([]byte, size)
		if _, err := io.ReadFull(c, body); err != nil {
			return "", "", err
		}
		if head[0]&4 != 0 {
			continue
		}
		if frames = append(frames, string(body)); head[0]&1 != 0 {
			continue
		}
		var header struct {
			Kind string `json:"msg_type"`
		}
		var parent struct {
			ID string `json:"msg_id"`
		}
		if len(frames) < 6 {
			return "", "", fmt.Errorf("an answer has %d frames: %w", len(frames), errDisagree)
		}
		f := frames[len(frames)-6:]
		if err := json.Unmarshal([]byte(f[2]), &header); err != nil {
			return "", "", err
		}
		_ = json.Unmarshal([]byte(f[3]), &parent) // of a damaged request
		if parent.ID == lastWords {
			return kind, content, nil
		}
		kind, content, frames = header.Kind, f[5], nil
	}
}

// answered sends messages, and one that is surely answered, on a connection of their own, and returns the first reply
// to another.
func (s *served) answered(messages ...string) (kind, content string, err error) {
	c := dialed(s.shell)
	defer c.Close()
	greeting := make([]byte, 64)
	if _, err := io.WriteString(c, zmtpGreeting+zmtpReady("DEALER", "")); err != nil {
		return "", "", err
	}
	if _, err := io.ReadFull(c, greeting); err != nil {
		return "", "", err
	}
	s.asked++ // no two messages are the same, as what was sent before is not taken again
	info := strings.NewReplacer(`"msg_id":"1"`, fmt.Sprintf(`"msg_id":%q`, lastWords), `"u"`, fmt.Sprintf(`"%d"`, s.asked)).Replace(string(messageOf("kernel_info_request", "{}")))
	go func() { // while answers are read
		for _, m := range append(messages, info) {
			_, _ = io.WriteString(c, zmtpMessage(signed(strings.Split(m, between))...))
		}
	}()
	return answer(c)
}

// read sends a message and then one that is answered, so that it is known what became of the first.
func (s *served) read(in input) (string, error) {
	s.log.take()
	kind, content, err := s.answered(string(in.data))
	if err != nil {
		if _, _, again := s.answered(); again != nil {
			panic(fmt.Sprintf("the kernel does not answer any more: %v, then %v", err, again))
		}
		return "", fmt.Errorf("the kernel has hung up")
	}
	var reply struct {
		Status string `json:"status"`
		Name   string `json:"ename"`
		Value  string `json:"evalue"`
	}
	if kind == "" {
		if said := s.log.take(); said != "" {
			return "", fmt.Errorf("%s", strings.TrimSpace(said))
		}
		return "", fmt.Errorf("the message is not answered")
	}
	if err := json.Unmarshal([]byte(content), &reply); err != nil {
		return "", fmt.Errorf("the reply is not JSON: %w", errDisagree)
	}
	if reply.Status == "error" {
		return "", fmt.Errorf("%s: %s", reply.Name, reply.Value)
	}
	return kind, nil
}

// messages are what a client who has the key sends to the shell: JSON that is damaged, deep, large, or of other types
// than the kernel expects.
func messages() *format {
	var s *served
	of := func(kind, content string) input {
		return input{name: kind, data: messageOf(kind, content)}
	}
	named := func(name string, in input) input { in.name = name; return in }
	failing := func(name string, in input) input { in.name, in.must = name, fail; return in }
	deep := func(n int) string { return strings.Repeat(`{"a":[`, n/2) + strings.Repeat("]}", n/2) }
	return &format{
		name: "messages", base: 8 << 20, times: 100, text: true,
		begin: func() (err error) {
			s, err = newServed()
			return err
		},
		seeds: func() []input {
			return []input{
				of("execute_request", `{"code":"x","silent":false,"store_history":true,"user_expressions":{"a":"1"},"allow_stdin":true,"stop_on_error":false}`),
				of("complete_request", `{"code":"abc","cursor_pos":2}`),
				of("inspect_request", `{"code":"abc","cursor_pos":2,"detail_level":0}`),
				of("is_complete_request", `{"code":"abc"}`),
				of("history_request", `{"output":false,"raw":true,"hist_access_type":"search","n":10,"pattern":"a*","unique":true,"session":0,"start":0,"stop":5}`),
				of("comm_info_request", `{"target_name":"jupyter.widget"}`),
			}
		},
		special: func() []input {
			header := func(text string) []byte { return []byte(strings.Join([]string{text, "{}", "{}", "{}"}, between)) }
			return []input{
				failing("content 100,000 deep", of("comm_info_request", `{"target_name":"a","data":`+deep(100_000)+`}`)),
				failing("comm data 5,000 deep", of("comm_open", `{"comm_id":"a","target_name":"a","data":`+deep(5000)+`}`)),
				failing("comm data of a million empty objects", of("comm_open", `{"comm_id":"a","target_name":"a","data":{"a":[`+strings.Repeat("{},", 1_000_000)+`{}]}}`)),
				named("a cell of 20 MB", of("execute_request", `{"silent":true,"code":"`+strings.Repeat("a", 20_000_000)+`"}`)),
				failing("a million expressions", of("execute_request", `{"code":7,"user_expressions":{"a":`+strings.Repeat(`"a","b":`, 1_000_000)+`1}}`)),
				failing("a list for a content", of("execute_request", `[1]`)), failing("nothing for a content", of("execute_request", ``)), failing("no code", of("execute_request", `{}`)),
				named("a cursor of 2^62", of("complete_request", `{"code":"abc","cursor_pos":4611686018427387904}`)), named("a cursor of -1", of("inspect_request", `{"code":"é","cursor_pos":-1}`)),
				failing("a cursor beyond 2^63", of("complete_request", `{"code":"abc","cursor_pos":1e30}`)),
				named("a history of 2^62 cells", of("history_request", `{"hist_access_type":"tail","n":4611686018427387904}`)), named("a history of -1 cells", of("history_request", `{"hist_access_type":"tail","n":-1}`)),
				named("a history of ranges that end before they begin", of("history_request", `{"hist_access_type":"range","session":-9223372036854775808,"start":9223372036854775807,"stop":-1}`)),
				named("a pattern of many stars", of("history_request", `{"hist_access_type":"search","n":1000,"pattern":"`+strings.Repeat("*a", 2000)+`b"}`)),
				failing("a kind with an escape", input{data: header(`{"msg_id":"1","msg_type":"\u001b[31m"}`)}), failing("a kind of a million letters", input{data: header(`{"msg_id":"1","msg_type":"` + strings.Repeat("a", 1_000_000) + `"}`)}),
				failing("a kind that is a number", input{data: header(`{"msg_id":"1","msg_type":7}`)}), failing("a header that is null", input{data: header(`null`)}), failing("a header 100,000 deep", input{data: header(`{"msg_type":"execute_request","a":` + deep(100_000) + `}`)}),
				failing("two parts", input{data: []byte("{}" + between + "{}")}),
				named("4,000 parts more", input{data: append(messageOf("is_complete_request", `{"code":"a"}`), strings.Repeat(between, 4000)...)}),
				failing("a subshell that there is not", input{data: header(`{"msg_id":"1","msg_type":"is_complete_request","subshell_id":"` + strings.Repeat("a", 100_000) + `"}`)}),
			}
		},
		read: func(in input) (string, error) { return s.read(in) },
	}
}
