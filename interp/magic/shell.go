package magic

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/arrayrepl/arrayrepl/kernel/display"
)

// shellLine runs a line of the shell. That it fails is told in a line, and the cell goes on, as in IPython. One that
// begins with an asterisk runs in the directory of the session's module, as in GoNB.
func shellLine(c *Call) (display.Bundle, error) {
	shell, flag := c.shell()
	text, inModule := strings.CutPrefix(c.Arg, "*")
	if runtime.GOOS == "windows" { // where a backslash does not continue a line
		text = strings.NewReplacer("\\\r\n", " ", "\\\n", " ").Replace(text)
	}
	cmd := exec.Command(shell, flag, text)
	after := func() error { return nil }
	if inModule {
		m, err := c.openModule()
		if err != nil {
			return display.Bundle{}, err
		}
		cmd.Dir, after = m.dir, func() error { return m.close(c) }
	}
	end, err := c.asks.begin(cmd)
	if err != nil {
		return display.Bundle{}, err
	}
	err = c.command(cmd)
	if askErr := end(); err == nil {
		err = askErr
	}
	var exit *exec.ExitError
	if errors.As(err, &exit) && c.ctx.Err() == nil {
		fmt.Fprintf(c.stderr(), "cell %d, line %d: %v\n", c.cell.Number, c.line, exit)
		err = nil
	}
	if err == nil {
		err = after()
	}
	return display.Bundle{}, err
}

// shell is the program that runs lines, and its option for a text.
func (c *Call) shell() (shell, flag string) {
	if runtime.GOOS == "windows" {
		return "cmd", "/c"
	}
	if bash, err := exec.LookPath("bash"); err == nil && c.opts.GoNB {
		return bash, "-c"
	}
	return "sh", "-c"
}

// shellCell runs a script: %%bash or %%sh. Its failure is the cell's.
func shellCell(c *Call) (display.Bundle, error) {
	shell := strings.TrimPrefix(c.Name, "%%")
	args := append([]string{"-c", c.Body, shell}, strings.Fields(c.Arg)...)
	return display.Bundle{}, c.command(exec.Command(shell, args...))
}

// scriptCell runs a program whose input is the cell: %%script.
func scriptCell(c *Call) (display.Bundle, error) {
	words := splitWords(c.Arg)
	cmd := exec.Command(words[0], words[1:]...)
	cmd.Stdin = strings.NewReader(c.Body)
	return display.Bundle{}, c.command(cmd)
}

// command runs a program whose output is the cell's. An interrupt reaches it and all that it has started.
func (c *Call) command(cmd *exec.Cmd) error {
	ownGroup(cmd)
	started, drained, err := c.connect(cmd)
	if err != nil {
		return err
	}
	begun := time.Now()
	err = cmd.Start()
	started()
	if err != nil {
		return err
	}
	ended := make(chan error, 1)
	go func() {
		err := cmd.Wait()
		drained()
		ended <- err
	}()
	select {
	case err := <-ended:
		return err
	case <-c.ctx.Done():
	}
	c.Session.Session.EndProcesses(cmd.Process.Pid, begun)
	killGroup(cmd) // where the system does not tell of its processes
	<-ended
	return c.ctx.Err()
}

// drainTime is how long the output of a command that has ended is waited for when somebody else still has its end of
// the pipe: what it has put into the background.
const drainTime = 50 * time.Millisecond

// connect makes the cell's streams those of cmd. Started is to be called when cmd has them; drained returns when what
// cmd has written has arrived. What it leaves in the background goes on writing to the cell.
func (c *Call) connect(cmd *exec.Cmd) (started, drained func(), err error) {
	var ours []*os.File
	var copies sync.WaitGroup
	end := func(w io.Writer) (*os.File, error) {
		if f, ok := w.(*os.File); ok {
			return f, nil
		}
		r, theirs, err := os.Pipe()
		if err != nil {
			return nil, err
		}
		ours = append(ours, theirs)
		copies.Go(func() {
			io.Copy(w, r)
			r.Close()
		})
		return theirs, nil
	}
	started = func() {
		for _, f := range ours {
			f.Close()
		}
	}
	drained = func() {
		done := make(chan struct{})
		go func() { copies.Wait(); close(done) }()
		select {
		case <-done:
		case <-time.After(drainTime):
		}
	}
	stdout, err := end(c.stdout())
	if err == nil {
		cmd.Stdout = stdout
		stdout, err = end(c.stderr())
		cmd.Stderr = stdout
	}
	if err != nil {
		started()
	}
	return started, drained, err
}
