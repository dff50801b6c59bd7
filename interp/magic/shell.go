package magic

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"time"

	"github.com/arrayrepl/arrayrepl/kernel/display"
)

// shellGrace is how long an interrupted command may take to end before it is killed.
const shellGrace = time.Second

// shellLine runs a line of the shell. That it fails is told in a line, and the cell goes on, as in IPython.
func shellLine(c *Call) (display.Bundle, error) {
	shell, flag := "sh", "-c"
	if runtime.GOOS == "windows" {
		shell, flag = "cmd", "/c"
	}
	err := c.command(shell, flag, c.Arg)
	var exit *exec.ExitError
	if errors.As(err, &exit) && c.ctx.Err() == nil {
		fmt.Fprintf(os.Stderr, "cell %d, line %d: %v\n", c.cell.Number, c.line, exit)
		err = nil
	}
	return display.Bundle{}, err
}

// shellCell runs a script: %%bash or %%sh. Its failure is the cell's.
func shellCell(c *Call) (display.Bundle, error) {
	shell := strings.TrimPrefix(c.Name, "%%")
	args := append([]string{"-c", c.Body, shell}, strings.Fields(c.Arg)...)
	return display.Bundle{}, c.command(shell, args...)
}

// command runs a program whose output is the cell's. An interrupt reaches it and all that it has started.
func (c *Call) command(name string, args ...string) error {
	cmd := exec.Command(name, args...)
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	ownGroup(cmd)
	if err := cmd.Start(); err != nil {
		return err
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	select {
	case err := <-ended:
		return err
	case <-c.ctx.Done():
	}
	signalGroup(cmd, os.Interrupt)
	select {
	case <-ended:
		signalGroup(cmd, os.Kill) // what the shell put into the background does not hear an interrupt
	case <-time.After(shellGrace):
		signalGroup(cmd, os.Kill)
		<-ended
	}
	return c.ctx.Err()
}
