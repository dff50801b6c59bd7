//go:build unix

package repl_test

import (
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"
)

// fake is a terminal that this test plays: it answers the questions that it knows and keeps what it is sent.
type fake struct {
	t       testing.TB
	cmd     *exec.Cmd
	pty     *os.File
	answers map[string]string // by question
	late    time.Duration     // how long they take
	begun   time.Time
	ended   chan struct{}
	more    chan struct{} // has one when something has come

	mu   sync.Mutex
	sent strings.Builder // whose text so far is had without a copy
}

// play starts the command in a terminal of a size, with a home of its own unless env says otherwise.
func play(t testing.TB, size pty.Winsize, answers map[string]string, late time.Duration, env []string, args ...string) *fake {
	t.Helper()
	return playCommand(t, exec.Command(binary, args...), size, answers, late, env)
}

func playCommand(t testing.TB, cmd *exec.Cmd, size pty.Winsize, answers map[string]string, late time.Duration, env []string) *fake {
	t.Helper()
	f := &fake{t: t, cmd: cmd, answers: answers, late: late, ended: make(chan struct{}), more: make(chan struct{}, 1)}
	f.cmd.Env = append(append(environment(t.TempDir()), "TMUX="), env...)
	f.begun = time.Now()
	master, err := pty.StartWithSize(f.cmd, &size)
	must(t, err)
	// Only a file that does not block can be closed while somebody reads from it.
	fd, err := syscall.Dup(int(master.Fd()))
	must(t, err)
	must(t, master.Close())
	must(t, syscall.SetNonblock(fd, true))
	f.pty = os.NewFile(uintptr(fd), "pty")
	t.Cleanup(f.stop)
	go f.listen()
	return f
}

// stop ends the command if it has not ended.
func (f *fake) stop() {
	f.cmd.Process.Kill()
	f.pty.Close()
	<-f.ended
}

func (f *fake) listen() {
	defer func() { f.cmd.Wait(); close(f.ended) }()
	buf := make([]byte, 64<<10)
	looked := 0
	for {
		n, err := f.pty.Read(buf)
		f.mu.Lock()
		f.sent.Write(buf[:n])
		sent, said := f.sent.String(), ""
		for {
			first, question := -1, ""
			for q := range f.answers {
				if i := strings.Index(sent[looked:], q); i >= 0 && (first < 0 || i < first) {
					first, question = i, q
				}
			}
			if first < 0 {
				break
			}
			looked += first + len(question)
			said += f.answers[question]
		}
		f.mu.Unlock()
		select {
		case f.more <- struct{}{}:
		default:
		}
		if said != "" {
			time.AfterFunc(f.late, func() { f.pty.WriteString(said) })
		}
		if err != nil {
			return
		}
	}
}

// all is what the terminal has been sent.
func (f *fake) all() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.sent.String()
}

// until waits for something to be sent.
func (f *fake) until(what string, there func(string) bool) {
	f.t.Helper()
	for end := time.After(patience); !there(f.all()); {
		select {
		case <-f.more:
			time.Sleep(time.Millisecond) // what comes in pieces is looked at once
		case <-end:
			f.t.Fatalf("no %s in\n%.3000q", what, f.all())
		}
	}
}

// waitFor is until without the pauses, for measuring.
func (f *fake) waitFor(b *testing.B, there func(string) bool) {
	for end := time.After(patience); !there(f.all()); {
		select {
		case <-f.more:
		case <-end:
			b.Fatalf("nothing comes after\n%.3000q", f.all())
		}
	}
}

func (f *fake) untilText(text string) {
	f.t.Helper()
	f.until(text, func(s string) bool { return strings.Contains(s, text) })
}

// enter types a cell.
func (f *fake) enter(cell string) { f.pty.WriteString(cell + "\r") }

// leave waits for an empty prompt, drawn or plain, and ends the session there: an earlier Ctrl-D is nobody's.
func (f *fake) leave() {
	f.t.Helper()
	f.until("an empty prompt", func(s string) bool {
		return strings.HasSuffix(s, "\r\x1b[8C\x1b[?25h") || strings.HasSuffix(s, "]: ")
	})
	f.pty.WriteString("\x04")
	f.end(patience)
}

// end waits for the command to end.
func (f *fake) end(within time.Duration) {
	f.t.Helper()
	select {
	case <-f.ended:
	case <-time.After(within):
		f.t.Fatalf("still running; the terminal got\n%.3000q", f.all())
	}
}
