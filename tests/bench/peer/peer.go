// Package peer is a Python process with NumPy that times the operations which a benchmark times too, the two turn by
// turn on the same processors.
package peer

import (
	"bufio"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"
)

//go:embed peer.py
var script string

// Peer is the process. Outside of its turns it is stopped: the threads of OpenBLAS, OpenMP and numba look for work for
// tens of milliseconds after a call, on processors that are ours then.
type Peer struct {
	Version string // what it says of itself
	cmd     *exec.Cmd
	in      io.WriteCloser
	out     *bufio.Scanner
}

// Start starts a Python, which needs NumPy, and more for some operations.
func Start(python string) (*Peer, error) {
	p, err := StartScript(python, "-c", script)
	if err != nil {
		return nil, fmt.Errorf("%w: it needs NumPy", err)
	}
	return p, nil
}

// StartScript starts a Python with other arguments: a script that says what it is in a line and then answers each line
// with another.
func StartScript(python string, args ...string) (*Peer, error) {
	cmd := exec.Command(python, args...)
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	p := &Peer{cmd: cmd, in: in, out: bufio.NewScanner(out)}
	if p.Version, err = p.line(); err != nil {
		return nil, errors.Join(fmt.Errorf("%s ended at once", python), cmd.Wait())
	}
	return p, stop(cmd.Process)
}

// Time returns the best time of one call of an operation with n elements, which the peer makes itself; ok is false
// where it lacks what that takes.
func (p *Peer) Time(operation string, n int) (best time.Duration, ok bool, err error) {
	best, _, ok, err = p.Times(operation, n)
	return best, ok, err
}

// Times is [Peer.Time], and beside it the least that all threads of the process use of processors in a call: what other
// work on the machine disturbs less.
func (p *Peer) Times(operation string, n int) (best, busy time.Duration, ok bool, err error) {
	answer, err := p.Ask(fmt.Sprintf("%s\t%d", operation, n))
	if err != nil {
		return 0, 0, false, err
	}
	if answer == "none" {
		return 0, 0, false, nil
	}
	var seconds, used float64
	_, err = fmt.Sscan(answer, &seconds, &used)
	return time.Duration(seconds * 1e9), time.Duration(used * 1e9), true, err
}

// Ask returns the answer to a line.
func (p *Peer) Ask(line string) (string, error) {
	if err := resume(p.cmd.Process); err != nil {
		return "", err
	}
	fmt.Fprintln(p.in, line)
	answer, err := p.line()
	if err != nil {
		return "", fmt.Errorf("the peer ended at %s", line)
	}
	return answer, stop(p.cmd.Process)
}

func (p *Peer) line() (string, error) {
	if !p.out.Scan() {
		return "", io.ErrUnexpectedEOF
	}
	return strings.TrimSpace(p.out.Text()), nil
}

// Close ends the process.
func (p *Peer) Close() error {
	if err := resume(p.cmd.Process); err != nil {
		return err
	}
	p.in.Close()
	return p.cmd.Wait()
}
