package repl_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"golang.org/x/term"
)

// patience is how long a screen may take to become what it should be, on a machine that does much else.
const patience = 20 * time.Second

// terminal is a session in tmux, on a server of its own.
type terminal struct {
	t      *testing.T
	socket string
	home   string
}

func (m *terminal) tmux(args ...string) string {
	m.t.Helper()
	cmd := exec.Command("tmux", append([]string{"-f", "/dev/null", "-S", m.socket}, args...)...)
	cmd.Env = append(environment(m.home), "TMUX=")
	out, err := cmd.CombinedOutput()
	if err != nil {
		m.t.Fatalf("tmux %q: %v\n%s", args, err, out)
	}
	return string(out)
}

// screen is what can be seen, without blanks at the ends.
func (m *terminal) screen() string {
	lines := strings.Split(m.tmux("capture-pane", "-p", "-t", "it"), "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return strings.TrimRight(strings.Join(lines, "\n"), "\n")
}

// until looks at the screen until it is right.
func (m *terminal) until(what string, right func(screen string) bool) string {
	m.t.Helper()
	screen := ""
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		if screen = m.screen(); right(screen) {
			return screen
		}
	}
	m.t.Fatalf("waiting for %s, but the screen is\n%s", what, barred(screen))
	return ""
}

// still waits until the screen has stopped changing: for -update alone.
func (m *terminal) still() string {
	last, since := m.screen(), time.Now()
	for time.Since(since) < time.Second {
		time.Sleep(50 * time.Millisecond)
		if now := m.screen(); now != last {
			last, since = now, time.Now()
		}
	}
	return last
}

// emptyPrompt is a screen with nothing but a prompt.
var emptyPrompt = regexp.MustCompile(`^In \[\d+\]:$`)

// steps are the words of a session's file; the rest of the line is their argument.
var steps = map[string]func(m *terminal, arg string){
	// start WIDTH HEIGHT [VAR=VALUE ...] [-- ARGS]: begins a session and waits for its prompt
	"start": func(m *terminal, arg string) {
		size, args, _ := strings.Cut(arg, " -- ")
		f := strings.Fields(size)
		m.tmux("new-session", "-d", "-s", "it", "-x", f[0], "-y", f[1],
			fmt.Sprintf("env %s '%s' %s; echo \"status $?\"; sleep 1000", strings.Join(f[2:], " "), binary, args))
		m.until("the first prompt", func(s string) bool { return strings.HasSuffix(s, "In [1]:") })
	},
	// shell WIDTH HEIGHT: a shell that finds the command
	"shell": func(m *terminal, arg string) {
		f := strings.Fields(arg)
		m.tmux("new-session", "-d", "-s", "it", "-x", f[0], "-y", f[1], fmt.Sprintf("env PS1='$ ' PATH='%s:%s' sh -i", filepath.Dir(binary), os.Getenv("PATH")))
		m.until("the shell's prompt", func(s string) bool { return strings.HasSuffix(s, "$") })
	},
	"end": func(m *terminal, _ string) { m.tmux("kill-session", "-t", "it") },
	// type TEXT: as from a keyboard, without Enter
	"type": func(m *terminal, arg string) { m.tmux("send-keys", "-t", "it", "-l", arg) },
	// line TEXT: with Enter
	"line": func(m *terminal, arg string) {
		m.tmux("send-keys", "-t", "it", "-l", arg)
		m.tmux("send-keys", "-t", "it", "Enter")
	},
	// key NAME ...: as tmux names them
	"key": func(m *terminal, arg string) {
		m.tmux(append([]string{"send-keys", "-t", "it"}, strings.Fields(arg)...)...)
	},
	// clear: Ctrl-L at an empty prompt; it waits, so that what follows does not wait for something that was there
	// before, and until the prompt is empty: Ctrl-C drops the line by a signal, which on a busy machine comes later
	// than keys typed after it
	"clear": func(m *terminal, _ string) {
		m.tmux("send-keys", "-t", "it", "C-l")
		m.until("an empty screen", emptyPrompt.MatchString)
	},
	// paste N: a function of N lines, in brackets as terminals do
	"paste": func(m *terminal, arg string) {
		n, err := strconv.Atoi(arg)
		if err != nil {
			m.t.Fatal(err)
		}
		path := filepath.Join(m.home, "pasted.go")
		if err := os.WriteFile(path, []byte(longFunction(n)), 0o644); err != nil {
			m.t.Fatal(err)
		}
		m.tmux("load-buffer", path)
		m.tmux("paste-buffer", "-p", "-t", "it")
	},
	"resize": func(m *terminal, arg string) {
		f := strings.Fields(arg)
		m.tmux("resize-window", "-t", "it", "-x", f[0], "-y", f[1])
		tty := strings.TrimSpace(m.tmux("display-message", "-p", "-t", "it", "#{pane_tty}"))
		m.until("the new size", func(string) bool { // tmux passes it on when the last is some time ago
			file, err := os.Open(tty)
			if err != nil {
				m.t.Fatal(err)
			}
			defer file.Close()
			width, height, err := term.GetSize(int(file.Fd()))
			return err == nil && fmt.Sprint(width, " ", height) == arg
		})
	},
	// wait TEXT: until it can be seen
	"wait": func(m *terminal, arg string) {
		m.until(strconv.Quote(arg), func(s string) bool { return strings.Contains(s, arg) })
	},
}

// longFunction is a function of n lines that returns how many of them count.
func longFunction(n int) string {
	var b strings.Builder
	b.WriteString("func long() (n int) {\n")
	for i := range n - 3 {
		fmt.Fprintf(&b, "\tn++ // line %d\n", i+2)
	}
	return b.String() + "\treturn\n}\n"
}

func barred(screen string) string { return "|" + strings.ReplaceAll(screen, "\n", "\n|") }

func TestTerminal(t *testing.T) {
	if path, err := exec.LookPath("tmux"); err != nil {
		t.Skip("the REPL is not driven through a terminal: tmux is not here")
	} else if out, err := exec.Command(path, "-V").Output(); err != nil {
		t.Skipf("the REPL is not driven through a terminal: tmux -V says %v %s", err, out)
	}
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, f := range files {
		t.Run(strings.TrimSuffix(filepath.Base(f), ".txt"), func(t *testing.T) {
			t.Parallel()
			data, err := os.ReadFile(f)
			require.NoError(t, err)
			dir, err := os.MkdirTemp("", "repl") // a socket's path must be short
			require.NoError(t, err)
			m := &terminal{t: t, socket: filepath.Join(dir, "tmux"), home: dir}
			t.Cleanup(func() {
				exec.Command("tmux", "-S", m.socket, "kill-server").Run()
				os.RemoveAll(dir)
			})
			m.tmux("new-session", "-d", "-s", "keep", "sleep 1000") // a server without sessions ends
			if seen := m.play(string(data)); *update {
				require.NoError(t, os.WriteFile(f, []byte(seen), 0o644))
			}
		})
	}
}

// play follows a session's file and returns it with the screens that were seen.
func (m *terminal) play(session string) string {
	var seen []string
	lines := strings.Split(session, "\n")
	for i := 0; i < len(lines); i++ {
		line := lines[i]
		if word, arg, _ := strings.Cut(line, " "); line != "" && line[0] != '#' && line[0] != '|' {
			step := steps[word]
			if step == nil {
				m.t.Fatalf("line %d: there is no step %q", i+1, word)
			}
			step(m, arg)
		}
		if !strings.HasPrefix(line, "|") {
			seen = append(seen, line)
			continue
		}
		var want []string
		for ; i < len(lines) && strings.HasPrefix(lines[i], "|"); i++ {
			want = append(want, lines[i][1:])
		}
		i--
		if *update {
			seen = append(seen, barred(m.still()))
			continue
		}
		text := strings.Join(want, "\n")
		m.until(fmt.Sprintf("the screen of line %d,\n%s\n", i+1, barred(text)), func(s string) bool { return s == text })
	}
	return strings.Join(seen, "\n")
}
