package kernel

import (
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/arrayrepl/arrayrepl/kernel/zmtp"
)

// What is published for a cell, in order: the messaging specification's sequence.
func TestExecuteSequences(t *testing.T) {
	c := startKernel(t)
	for _, tt := range []struct{ code, status, types, text string }{
		{"1 + 1", "ok", "busy execute_input execute_result idle", ""},
		{"x := 41", "ok", "busy execute_input idle", ""},
		{"x + 1", "ok", "busy execute_input execute_result idle", ""},
		{`fmt.Println("hi")`, "ok", "busy execute_input stream idle", "hi\n"},
		{`fmt.Fprintln(os.Stderr, "oops")`, "ok", "busy execute_input stream idle", "oops\n"},
		{`panic("boom")`, "error", "busy execute_input error idle", ""},
		{"session bug", "error", "busy execute_input error idle", ""},
		{"", "ok", "busy execute_input idle", ""},
		{"fmt.Println(\"before\")\ndisplay.Show(display.HTML(\"<b>\"))\nfmt.Println(\"after\")", "ok",
			"busy execute_input stream display_data stream idle", "before\nafter\n"},
	} {
		reply, out := c.run(tt.code)
		var text string
		for _, m := range out {
			text += m.str("text")
		}
		if reply.str("status") != tt.status || types(out) != tt.types || text != tt.text {
			t.Errorf("%q: status %q, published %q with text %q", tt.code, reply.str("status"), types(out), text)
		}
	}
}

func TestFailuresAreClear(t *testing.T) {
	c := startKernel(t)
	for _, tt := range []struct {
		msgType string
		content any
		ename   string
	}{
		{"execute_request", object{}, "BadRequest"},
		{"execute_request", object{"code": 7}, "BadRequest"},
		{"execute_request", []int{1}, "BadRequest"},
		{"complete_request", object{"code": nil, "cursor_pos": "x"}, "BadRequest"},
		{"inspect_request", object{"code": "session bug"}, "InternalError"},
		{"history_request", object{"hist_access_type": "all"}, "BadRequest"},
		{"execute_request", object{"code": "session bug"}, "InternalError"},
		{"execute_request", object{"code": "y + 1"}, "CompileError"},
	} {
		m := c.ask(tt.msgType, tt.content)
		if m.str("status") != "error" || m.str("ename") != tt.ename || len(m.map_["traceback"].([]any)) == 0 {
			t.Errorf("%s %v: %v", tt.msgType, tt.content, m.map_)
		}
	}
	c.send(c.shell, "no_such_request", object{})
	foreign := *c
	foreign.wire = newWire("another key")
	for range 100 {
		foreign.send(c.shell, "execute_request", object{"code": "1 + 1"})
		c.control.write(zmtp.Message{[]byte("no"), []byte("envelope")})
	}
	if m := c.ask("is_complete_request", object{"code": "1"}); m.str("status") != "complete" {
		t.Error(m)
	}
	c.send(c.control, "kernel_info_request", object{})
	c.recv(c.control)
	if n := strings.Count(c.logged(), "\n"); n > 20 {
		t.Errorf("%d lines of log", n)
	}
	for _, want := range []string{"no_such_request", "frames", "another key"} {
		if !strings.Contains(c.logged(), want) {
			t.Errorf("the log does not mention %q:\n%s", want, c.logged())
		}
	}
}

func TestAnswers(t *testing.T) {
	c := startKernel(t)
	for _, tt := range []struct {
		msgType string
		content object
		want    string
	}{
		{"complete_request", object{"code": "é fmt.Prin", "cursor_pos": 10}, "map[cursor_end:10 cursor_start:6"},
		{"complete_request", object{"code": "fmt.Prin", "cursor_pos": 1e6}, "[Print Printf Println]"},
		{"complete_request", object{"code": "fmt.Prin", "cursor_pos": -5}, "matches:[]"},
		{"inspect_request", object{"code": "fmt.Println", "cursor_pos": 5}, "found:true"},
		{"inspect_request", object{"code": "nothing", "cursor_pos": 5}, "data:map[] found:false metadata:map[] status:ok"},
		{"is_complete_request", object{"code": "func f() {"}, "map[indent:     status:incomplete]"},
		{"is_complete_request", object{"code": "1"}, "map[status:complete]"},
		{"comm_info_request", object{}, "map[comms:map[] status:ok]"},
		{"kernel_info_request", object{}, "protocol_version:5.5 status:ok supported_features:[kernel subshells]"},
		{"execute_request", object{"code": "1 + 1", "silent": true}, "execution_count:0"},
		{"execute_request", object{"code": "1 + 1", "store_history": false}, "execution_count:0"},
		{"execute_request", object{"code": "1 + 1"}, "execution_count:1"},
		{"execute_request", object{"code": "1 + 1"}, "execution_count:2"},
		{"execute_request", object{"code": "", "user_expressions": object{"a": "1 + 1", "b": "nope"}}, "text/plain:2"},
		{"history_request", object{"hist_access_type": "tail", "n": 5, "output": true}, "[[1 1 [1 + 1 2]] [1 2 [1 + 1 2]]]"},
	} {
		m := c.ask(tt.msgType, tt.content)
		if got := fmt.Sprint(m.map_); !strings.Contains(got, tt.want) || m.Type != strings.Replace(tt.msgType, "request", "reply", 1) {
			t.Errorf("%s %v:\n%s: %s\nwant %s", tt.msgType, tt.content, m.Type, got, tt.want)
		}
	}
}

func TestAnErrorAbortsWhatIsQueued(t *testing.T) {
	c := startKernel(t)
	exec := func(code string, stop bool) {
		c.send(c.shell, "execute_request", object{"code": code, "stop_on_error": stop})
	}
	exec("time.Sleep(1000 * time.Millisecond)", true)
	exec(`panic("boom")`, true)
	exec("1 + 1", true)
	c.send(c.shell, "is_complete_request", object{"code": "1"})
	exec("1 + 1", true)
	for i, want := range []string{"ok", "error", "aborted", "complete", "aborted"} {
		if m := c.recv(c.shell); m.str("status") != want {
			t.Errorf("reply %d: %v, want %s", i, m.map_, want)
		}
	}
	exec("time.Sleep(1000 * time.Millisecond)", true)
	exec(`panic("boom")`, false)
	exec("1 + 1", true)
	for i, want := range []string{"ok", "error", "ok"} {
		if m := c.recv(c.shell); m.str("status") != want {
			t.Errorf("reply %d: %v, want %s", i, m.map_, want)
		}
	}
}

func TestControlIsServedWhileACellRuns(t *testing.T) {
	c := startKernel(t)
	c.run("x := 41")
	id := c.send(c.shell, "execute_request", object{"code": "for { }"})
	for m := c.recv(c.iopub); m.Parent != id || m.Type != "execute_input"; m = c.recv(c.iopub) {
	}
	c.send(c.control, "kernel_info_request", object{})
	if m := c.recv(c.control); m.Type != "kernel_info_reply" {
		t.Error(m)
	}
	start := time.Now()
	c.send(c.control, "interrupt_request", object{})
	if m := c.recv(c.control); m.Type != "interrupt_reply" || m.str("status") != "ok" {
		t.Error(m)
	}
	if m := c.recv(c.shell); m.str("ename") != "Interrupted" {
		t.Error(m)
	}
	if d := time.Since(start); d > 5*time.Second { // 100 ms on an idle machine; this is not a stopwatch
		t.Errorf("the interrupt took %v", d)
	}
	if _, out := c.run("x + 1"); !strings.Contains(fmt.Sprint(out[2].map_), "text/plain:42") {
		t.Errorf("after the interrupt: %v", out)
	}
}

func TestInput(t *testing.T) {
	c := startKernel(t)
	if m := c.ask("execute_request", object{"code": `input("name? ")`, "allow_stdin": false}); !strings.Contains(m.str("evalue"), "allow_stdin") {
		t.Error(m.map_)
	}
	c.send(c.shell, "execute_request", object{"code": `input("name? ")`})
	if m := c.recv(c.stdin); m.Type != "input_request" || m.str("prompt") != "name? " {
		t.Error(m)
	}
	c.send(c.stdin, "input_reply", object{"value": "Ada"})
	if m := c.recv(c.shell); m.str("status") != "ok" {
		t.Error(m)
	}
	// An interrupt ends the waiting, and an answer that comes too late is not the next question's.
	c.send(c.shell, "execute_request", object{"code": `input("again? ")`})
	c.recv(c.stdin)
	c.send(c.control, "interrupt_request", object{})
	if m := c.recv(c.shell); m.str("ename") != "Interrupted" {
		t.Error(m)
	}
	c.send(c.stdin, "input_reply", object{"value": "late"})
	time.Sleep(300 * time.Millisecond)
	id := c.send(c.shell, "execute_request", object{"code": `input("last? ")`})
	c.recv(c.stdin)
	c.send(c.stdin, "input_reply", object{"value": "right"})
	c.recv(c.shell)
	if out := c.outputs(id); !strings.Contains(fmt.Sprint(out), "text/plain:right") {
		t.Error(out)
	}
}

func TestManyLinesInFewMessages(t *testing.T) {
	c := startKernel(t)
	start := time.Now()
	_, out := c.run(`for i := 0; i < 10000; i++ { fmt.Println("line", i) }`)
	took := time.Since(start)
	var got, want strings.Builder
	for _, m := range out {
		got.WriteString(m.str("text"))
	}
	for i := range 10000 {
		fmt.Fprintln(&want, "line", i)
	}
	if got.String() != want.String() {
		t.Errorf("%d bytes arrived, want %d", got.Len(), want.Len())
	}
	if n := strings.Count(types(out), "stream"); n >= 20 && took < 300*time.Millisecond {
		t.Errorf("%d stream messages in %v", n, took)
	} else {
		t.Logf("%d stream messages in %v", n, took)
	}
}

// A line printed by a goroutine after its cell has ended belongs to that cell, until another runs.
func TestLateOutputHasItsCell(t *testing.T) {
	c := startKernel(t)
	c.run("1 + 1")
	id := c.send(c.shell, "execute_request", object{"code": `go func() { time.Sleep(100 * time.Millisecond); fmt.Println("late") }()`})
	c.outputs(id)
	if m := c.recv(c.iopub); m.Type != "stream" || m.Parent != id || m.str("text") != "late\n" {
		t.Errorf("%+v", m)
	}
}

func TestSilentCellPublishesOnlyItsStatus(t *testing.T) {
	c := startKernel(t)
	for _, code := range []string{"1 + 1", `fmt.Println("hi")`, `panic("boom")`} {
		id := c.send(c.shell, "execute_request", object{"code": code, "silent": true})
		c.recv(c.shell)
		if out := c.outputs(id); types(out) != "busy idle" {
			t.Errorf("%s: %s", code, types(out))
		}
	}
}

func TestShutdownWhileACellRuns(t *testing.T) {
	c := startKernel(t)
	c.send(c.shell, "execute_request", object{"code": "for { }"})
	c.recv(c.iopub)
	c.send(c.control, "shutdown_request", object{"restart": true})
	if m := c.recv(c.control); m.Type != "shutdown_reply" || m.map_["restart"] != true {
		t.Error(m)
	}
}

func TestUnknownCommIsClosed(t *testing.T) {
	c := startKernel(t)
	id := c.send(c.shell, "comm_open", object{"comm_id": "7", "target_name": "t", "data": object{}})
	if out := c.outputs(id); types(out) != "busy comm_close idle" || out[1].str("comm_id") != "7" {
		t.Errorf("%+v", out)
	}
}

// When the session's process dies, the running cell is answered with the cause and the variables that are gone, and the
// next one runs in a new session.
func TestASessionThatDies(t *testing.T) {
	c := startKernel(t)
	for _, tt := range []struct{ cell, cause, logged string }{
		{"crash", "panic: nobody recovers this", "nobody recovers this"},
		{"crash at length", "panic: nobody recovers this either", "nobody recovers this either"},
		{"kill", "killed", "killed"},
	} {
		c.run("x := 41")
		c.run("y := 1")
		reply, out := c.run(tt.cell)
		if reply.str("ename") != "SessionDied" || !strings.Contains(reply.str("evalue"), tt.cause) || types(out) != "busy execute_input error idle" {
			t.Errorf("%s: published %s and replied %v", tt.cell, types(out), reply.map_)
		}
		if !strings.Contains(c.logged(), tt.logged) {
			t.Errorf("%s: the log is %s", tt.cell, c.logged())
		}
		if m := c.ask("execute_request", object{"code": "x + 1"}); m.str("ename") != "CompileError" {
			t.Errorf("%s: x is still there, or nothing is: %v", tt.cell, m.map_)
		}
		if m := c.ask("inspect_request", object{"code": "fmt.Println", "cursor_pos": 5}); m.map_["found"] != true {
			t.Errorf("%s: %v", tt.cell, m.map_)
		}
	}
	waitFor(t, func() bool { // names come after their cell: a crash at once can be faster
		c.run("x := 41")
		c.run("y := 1")
		reply, _ := c.run("crash")
		return strings.Contains(fmt.Sprint(reply.map_["traceback"]), "Lost: x, y")
	})
}

// The outputs of cells without a goroutine left are forgotten.
func TestOutputsAreForgotten(t *testing.T) {
	r := &remote{argv: []string{os.Args[0], "session"}, loose: func(string, string) {}, log: t.Logf}
	r.start()
	defer r.close()
	run := func(code string) {
		if _, err := r.Execute(t.Context(), Cell{Code: code}, nowhere{}); err != nil {
			t.Fatal(err)
		}
	}
	for range 100 {
		run("x := 41")
	}
	waitFor(t, func() bool {
		run("collect garbage")
		r.now.mu.Lock()
		defer r.now.mu.Unlock()
		return len(r.now.outs) < 20
	})
}

// A session that cannot begin is no reason to hang: each cell is answered with what it said.
func TestASessionThatDoesNotStart(t *testing.T) {
	var log strings.Builder
	var mu sync.Mutex
	r := &remote{argv: []string{os.Args[0], "-test.run=^$", "-no-such-flag"}, loose: func(string, string) {}, log: func(f string, a ...any) {
		mu.Lock()
		defer mu.Unlock()
		fmt.Fprintf(&log, f, a...)
	}}
	defer r.close()
	r.start()
	for range 3 {
		if _, err := r.Execute(t.Context(), Cell{Code: "1 + 1"}, nowhere{}); err == nil || !strings.Contains(err.Error(), "exit status 2") {
			t.Errorf("got %v", err)
		}
	}
}

func TestCellID(t *testing.T) {
	c := startKernel(t)
	for _, tt := range []struct {
		metadata object
		want     string
	}{{object{"cellId": "a1b2"}, "a1b2"}, {object{}, ""}, {object{"cellId": 7}, ""}} {
		out := c.outputs(c.sendWith(c.shell, "execute_request", tt.metadata, object{"code": "cell id"}))
		result := out[len(out)-2]
		if data, _ := result.map_["data"].(map[string]any); data["text/plain"] != tt.want {
			t.Errorf("%v: %v", tt.metadata, result)
		}
		c.recv(c.shell)
	}
}

func TestSubshells(t *testing.T) {
	c := startKernel(t)
	control := func(msgType string, content object) testMessage {
		t.Helper()
		c.send(c.control, msgType, content)
		return c.recv(c.control)
	}
	first := control("create_subshell_request", object{}).str("subshell_id")
	second := control("create_subshell_request", object{}).str("subshell_id")
	list := control("list_subshell_request", object{}).map_["subshell_id"].([]any)
	if first == "" || second == "" || first == second || len(list) != 2 {
		t.Fatalf("subshells %q and %q, list %v", first, second, list)
	}
	in := func(subshell, msgType string, content object) string {
		d := *c
		d.subshell = subshell
		return d.send(d.shell, msgType, content)
	}
	// Two cells at once, and questions meanwhile.
	c.run("x := 41")
	long := in("", "execute_request", object{"code": "for { }"})
	other := in(first, "execute_request", object{"code": "for { }"})
	var begun int
	for begun < 2 {
		if m := c.recv(c.iopub); m.Type == "execute_input" && (m.Parent == long || m.Parent == other) {
			begun++
		}
	}
	for _, tt := range []struct {
		msgType string
		content object
		want    string
	}{
		{"execute_request", object{"code": "x + 1"}, "ok"},
		{"execute_request", object{"code": `panic("boom")`}, "error"},
		{"execute_request", object{"code": "x + 1"}, "ok"}, // it came after the failure
		{"is_complete_request", object{"code": "1"}, "complete"},
		{"complete_request", object{"code": "fmt.Prin"}, "ok"},
	} {
		id := in(second, tt.msgType, tt.content)
		if m := c.recv(c.shell); m.Parent != id || m.str("status") != tt.want {
			t.Errorf("%s: %+v", tt.msgType, m)
		}
	}
	if m := control("interrupt_request", object{}); m.str("status") != "ok" {
		t.Error(m)
	}
	got := map[string]string{}
	for range 2 {
		m := c.recv(c.shell)
		got[m.Parent] = m.str("ename")
	}
	if got[long] != "Interrupted" || got[other] != "Interrupted" {
		t.Errorf("the interrupt ended %v", got)
	}
	if m := control("delete_subshell_request", object{"subshell_id": first}); m.str("status") != "ok" {
		t.Error(m)
	}
	if m := control("delete_subshell_request", object{"subshell_id": first}); m.str("status") != "error" {
		t.Error(m)
	}
	in(first, "execute_request", object{"code": "1 + 1"})
	if m := c.recv(c.shell); m.str("status") != "error" || !strings.Contains(m.str("evalue"), first) {
		t.Error(m)
	}
}

// What cells of two subshells print at the same time goes to each: here through the file descriptors, whose text
// belongs to the one that began last.
func TestSubshellsPrint(t *testing.T) {
	c := startKernel(t)
	c.send(c.control, "create_subshell_request", object{})
	d := *c
	d.subshell = c.recv(c.control).str("subshell_id")
	first := c.send(c.shell, "execute_request", object{"code": "time.Sleep(300 * time.Millisecond)"})
	waitFor(t, func() bool { m := c.recv(c.iopub); return m.Parent == first && m.Type == "execute_input" })
	second := d.send(d.shell, "execute_request", object{"code": `fmt.Println("second")`})
	if out := c.outputs(second); types(out) != "busy execute_input stream idle" {
		t.Errorf("%+v", out)
	}
	c.recv(c.shell)
	if out := c.outputs(first); types(out) != "idle" {
		t.Errorf("%+v", out)
	}
	c.recv(c.shell)
	id := c.send(c.shell, "execute_request", object{"code": `fmt.Println("third")`})
	if out := c.outputs(id); types(out) != "busy execute_input stream idle" {
		t.Errorf("%+v", out)
	}
}
