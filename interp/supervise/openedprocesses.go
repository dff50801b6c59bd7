package supervise

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
func (s *Supervisor) processes() map[string]any {
	return map[string]any{
		"os.StartProcess": func(name string, argv []string, attr *os.ProcAttr) (*os.Process, error) {
			p, err := os.StartProcess(name, argv, attr)
			if err == nil {
				s.keepProcess(p, name)
			}
			return p, err
		},
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

func (s *Supervisor) startProcess(c *exec.Cmd) error {
	restore := ownGroup(c)
	err := c.Start()
	restore()
	if err != nil {
		return err
	}
	s.keepProcess(c.Process, c.Path)
	return nil
}

// keepProcess keeps a process that a cell has started among what is open.
func (s *Supervisor) keepProcess(p *os.Process, path string) {
	text := fmt.Sprintf("process %d, %s", p.Pid, filepath.Base(path))
	o := keepOpen(s, p, &opened{text: text, held: p, process: p.Pid}, isRunning, killProcess)
	if o.by != nil {
		r := o.by.run
		r.mu.Lock()
		r.started = append(r.started, p.Pid)
		r.mu.Unlock()
	}
}

func (s *Supervisor) waitProcess(c *exec.Cmd) error {
	err := c.Wait()
	if c.ProcessState != nil {
		s.opened.forget(unsafe.Pointer(c.Process))
	}
	return err
}

func (s *Supervisor) runProcess(c *exec.Cmd) error {
	if err := s.startProcess(c); err != nil {
		return err
	}
	return s.waitProcess(c)
}

// isRunning reports whether a process has not ended. One that has, and that nobody has waited for, is still known to
// the system: where /proc says so, it counts as ended.
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
