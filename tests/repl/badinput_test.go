//go:build unix

package repl_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/creack/pty"

	"github.com/arrayrepl/arrayrepl/internal/testsize"
)

var window = pty.Winsize{Rows: 24, Cols: 80}

// Where the history cannot be kept, it is said, once, and all else works.
func TestHistoryThatCannotBeWritten(t *testing.T) {
	for name, spoil := range map[string]func(t *testing.T, file string){
		"a directory in its place": func(t *testing.T, file string) { must(t, os.MkdirAll(file, 0o755)) },
		"no directory for it":      func(t *testing.T, file string) { must(t, os.WriteFile(filepath.Dir(file), nil, 0o644)) },
		"no file of the disk": func(t *testing.T, file string) {
			must(t, os.MkdirAll(filepath.Dir(file), 0o755))
			must(t, os.Symlink("/dev/zero", file))
		},
	} {
		t.Run(name, func(t *testing.T) {
			home := t.TempDir()
			spoil(t, filepath.Join(home, "arrayrepl", "history"))
			f := play(t, window, textTerminal, 0, []string{"XDG_CONFIG_HOME=" + home})
			f.untilText("In [1]: ")
			f.enter("x := 6")
			f.untilText("In [2]: ")
			f.enter("x * 7")
			f.untilText("\r42\r\n")
			f.untilText("In [3]: ")
			f.pty.WriteString("\x10") // Ctrl-P: of this session there is one
			f.until("the cell before", func(s string) bool { return strings.Contains(s[strings.LastIndex(s, "In [3]: "):], "7") })
			f.pty.WriteString("\x03")
			f.leave()
			if n := strings.Count(f.all(), "history is not kept"); n != 1 {
				t.Errorf("said %d times that the history is not kept: %q", n, f.all())
			}
			if code := f.cmd.ProcessState.ExitCode(); code != 0 {
				t.Errorf("status %d", code)
			}
		})
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	require.NoError(t, err)
}

// When the terminal is gone the process ends, whatever it does, and what was entered before is in the history.
func TestTerminalLost(t *testing.T) {
	if signal.Ignored(syscall.SIGHUP) {
		t.Skip("hangups are ignored, as under nohup, and by what is started here too")
	}
	for i, c := range []struct{ name, cell, sign string }{
		{"at the prompt", "x := 1", "In [3]: "},
		{"in a busy cell", `fmt.Println("run" + "ning"); for {}`, "running"},
		{"in a long evaluation", `fmt.Println("run" + "ning"); for { np.Sum(np.Sin(np.Arange(1000000))).String() }`, "running"},
		{"in a cell that reads", `fmt.Println("run" + "ning"); var s string; fmt.Scanln(&s)`, "running"},
		{"in a cell that prints", `fmt.Println("run" + "ning"); for { fmt.Println("line") }`, "running"},
		{"in the pager", `fmt.Println("run" + "ning"); strings.Repeat("line\n", 100)`, "running"},
	} {
		for k, how := range []string{"hangup", "closed", "terminate"} {
			if !testsize.Part(i+k, 3) {
				continue
			}
			if how == "terminate" && c.cell != "x := 1" {
				continue
			}
			t.Run(c.name+" "+how, func(t *testing.T) {
				home := t.TempDir()
				f := play(t, window, textTerminal, 0, []string{"XDG_CONFIG_HOME=" + home, "PAGER=less"})
				f.untilText("In [1]: ")
				f.enter(`"before"`)
				f.untilText("In [2]: ")
				f.enter(c.cell)
				f.untilText(c.sign)
				time.Sleep(50 * time.Millisecond)
				switch how {
				case "hangup": // as the terminal's end sends it
					must(t, f.cmd.Process.Signal(syscall.SIGHUP))
				case "terminate":
					must(t, f.cmd.Process.Signal(syscall.SIGTERM))
				default:
					must(t, f.pty.Close())
				}
				f.end(patience)
				if p := f.cmd.Process; !errors.Is(p.Signal(syscall.Signal(0)), os.ErrProcessDone) {
					t.Error("the process is still there")
				}
				history, err := os.ReadFile(filepath.Join(home, "arrayrepl", "history"))
				if err != nil || !strings.Contains(string(history), "before") {
					t.Errorf("the history is %q, %v", history, err)
				}
			})
		}
	}
}

// A paste that is not text, and one in one long line.
func TestOddPastes(t *testing.T) {
	testsize.InTurn(t, 2)
	f := play(t, window, textTerminal, 0, nil)
	f.untilText("In [1]: ")
	paste := func(text string) { f.pty.WriteString("\x1b[200~" + text + "\x1b[201~") }
	paste("s := \"a\xff\xfeb\"")
	f.enter("")
	f.untilText("In [2]: ")
	f.enter("len(s)")
	f.untilText("In [3]: ")
	paste("t := \"" + strings.Repeat("0123456789abcdef", 1<<14) + "\"") // a quarter of a megabyte
	f.enter("")
	f.untilText("In [4]: ")
	f.enter("len(t)")
	f.untilText(fmt.Sprintf("\r%d\r\n", 1<<18))
	f.leave()
}

// Results that cannot be written are a failure.
func TestFullDisk(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip("no full disk can be played: ", err)
	}
	defer full.Close()
	cmd := exec.Command(binary, "-e", "6*7")
	cmd.Env = environment(t.TempDir())
	var errs strings.Builder
	cmd.Stdout, cmd.Stderr = full, &errs
	cmd.Run()
	if cmd.ProcessState.ExitCode() != 1 || !strings.Contains(errs.String(), "no space left") {
		t.Errorf("status %d, %q", cmd.ProcessState.ExitCode(), errs.String())
	}
}

// Without standard streams there is nothing to do, and that is not a failure.
func TestClosedStreams(t *testing.T) {
	for _, redirect := range []string{"<&-", "</dev/null", "<&- >&- 2>&-"} {
		cmd := exec.Command("sh", "-c", binary+" "+redirect)
		cmd.Env = environment(t.TempDir())
		if out, err := cmd.CombinedOutput(); err != nil || len(out) > 0 {
			t.Errorf("%s: %v, %q", redirect, err, out)
		}
	}
	cmd := exec.Command("sh", "-c", binary+" < /")
	cmd.Env = environment(t.TempDir())
	if out, err := cmd.CombinedOutput(); err == nil || !strings.Contains(string(out), "directory") {
		t.Errorf("a directory: %v, %q", err, out)
	}
}

var colour = regexp.MustCompile("\x1b\\[[0-9;]*(3[0-7]|4[0-7]|9[0-7]|[34]8;[25])[0-9;]*m")

// NO_COLOR is obeyed by the line under edit, by errors, by pictures of values.
func TestNoColor(t *testing.T) {
	for _, c := range []struct {
		env  string
		want bool
	}{{"NO_COLOR=1", false}, {"NO_COLOR=", true}} {
		f := play(t, window, textTerminal, 0, []string{c.env})
		f.untilText("In [1]: ")
		f.enter(`s := "text" + 1`)
		f.untilText("In [2]: ")
		f.enter("image.NewRGBA(image.Rect(0, 0, 4, 4))")
		f.untilText("In [3]: ")
		f.enter("fmt.Println?")
		f.untilText("Println formats")
		f.leave()
		if found := colour.FindString(f.all()); (found != "") != c.want {
			t.Errorf("%s: the colour %q in %.2000q", c.env, found, f.all())
		}
	}
}
