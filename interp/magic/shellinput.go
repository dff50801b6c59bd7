package magic

import (
	"io"
	"os/exec"
	"sync/atomic"
	"time"

	"github.com/arrayrepl/arrayrepl/kernel/display"
)

// asking says that the next command of the shell reads its input from the person in front of the notebook.
type asking string

const (
	askInput    asking = "%with_inputs"
	askPassword asking = "%with_password"
)

// askAfter is how long a command runs until a line is asked for. Whether it waits for one cannot be seen.
const askAfter = 200 * time.Millisecond

func withInput(c *Call) (display.Bundle, error) {
	c.asks = asking(c.Name)
	return display.Bundle{}, nil
}

// begin lets cmd, which has not started yet, read what the person answers; end is to be called when it has ended. An
// error that end returns is that nobody could be asked.
func (a *asking) begin(cmd *exec.Cmd) (end func() error, err error) {
	how := *a
	*a = ""
	if how == "" {
		return func() error { return nil }, nil
	}
	stdin, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	var failed atomic.Value
	over := make(chan struct{})
	go func() {
		defer stdin.Close() // a command that waits for more ends
		for {
			select {
			case <-over:
				return
			case <-time.After(askAfter):
			}
			ask := display.Input
			if how == askPassword {
				ask = display.Password
			}
			line, err := ask("")
			if err == nil {
				_, err = io.WriteString(stdin, line+"\n")
			}
			if err != nil {
				select {
				case <-over: // the command did not want the line
				default:
					failed.Store(err)
				}
				return
			}
		}
	}()
	return func() error {
		close(over)
		err, _ := failed.Load().(error)
		return err
	}, nil
}
