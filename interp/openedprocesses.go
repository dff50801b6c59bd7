package interp

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"unsafe"
)

// processes are functions that cells call in the place of those that start processes and wait for them.
func (s *Session) processes() map[string]any {
	return map[string]any{
		"(*os/exec.Cmd).Start": s.startProcess,
		"(*os/exec.Cmd).Wait":  s.waitProcess,
		"(*os/exec.Cmd).Run":   s.runProcess,
		"(*os/exec.Cmd).CombinedOutput": func(c *exec.Cmd) ([]byte, error) {
			if c.Stdout != nil || c.Stderr != nil {
				return c.CombinedOutput() // says what is wrong
			}
			var out bytes.Buffer
			c.Stdout, c.Stderr = &out, &out
			err := s.runProcess(c)
			return out.Bytes(), err
		},
		"(*os/exec.Cmd).Output": func(c *exec.Cmd) ([]byte, error) {
			if c.Stdout != nil {
				return c.Output()
			}
			var out, errs bytes.Buffer
			c.Stdout = &out
			kept := c.Stderr == nil
			if kept {
				c.Stderr = &errs
			}
			err := s.runProcess(c)
			if exit := (*exec.ExitError)(nil); kept && errors.As(err, &exit) {
				exit.Stderr = errs.Bytes()
			}
			return out.Bytes(), err
		},
	}
}

func (s *Session) startProcess(c *exec.Cmd) error {
	if err := c.Start(); err != nil {
		return err
	}
	p := c.Process
	text := fmt.Sprintf("process %d, %s", p.Pid, filepath.Base(c.Path))
	keepOpen(s, p, &opened{text: text, held: p}, isRunning, func(p *os.Process) { p.Kill() })
	return nil
}

func (s *Session) waitProcess(c *exec.Cmd) error {
	err := c.Wait()
	if c.ProcessState != nil {
		s.opened.forget(unsafe.Pointer(c.Process))
	}
	return err
}

func (s *Session) runProcess(c *exec.Cmd) error {
	if err := s.startProcess(c); err != nil {
		return err
	}
	return s.waitProcess(c)
}

// isRunning reports whether a process has not ended. One that has, and that nobody has waited for, is still known to the
// system: where /proc says so, it counts as ended.
func isRunning(p *os.Process) bool {
	if p.Signal(syscall.Signal(0)) != nil {
		return false
	}
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", p.Pid))
	if err != nil {
		return true
	}
	_, state, _ := strings.Cut(string(stat), ") ")
	return !strings.HasPrefix(state, "Z")
}
