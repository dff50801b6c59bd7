//go:build unix

package kernel

import (
	"os"

	"golang.org/x/sys/unix"
)

// redirect puts a pipe in the place of the file descriptors 1 and 2.
func (c *Capture) redirect() error {
	var undo []func()
	c.restore = func() {
		for _, f := range undo {
			f()
		}
	}
	for fd, name := range map[int]string{1: "stdout", 2: "stderr"} {
		saved, err := unix.FcntlInt(uintptr(fd), unix.F_DUPFD_CLOEXEC, 3)
		if err != nil {
			c.restore()
			return os.NewSyscallError("dup "+name, err)
		}
		s, err := pipeTo(fd, name)
		if err != nil {
			unix.Close(saved)
			c.restore()
			return err
		}
		c.streams = append(c.streams, s)
		was := os.NewFile(uintptr(saved), name)
		if fd == 1 {
			c.stdout = was
		} else {
			c.stderr = was
		}
		undo = append(undo, func() { unix.Dup2(saved, fd) }) // stays open: the log may still be in use
	}
	return nil
}

// pipeTo makes a pipe and lets fd write to it. The writing end blocks, for whoever writes to fd expects that of it; the
// reading end is polled, so that it can be given up.
func pipeTo(fd int, name string) (*captured, error) {
	p, err := pipe()
	if err != nil {
		return nil, err
	}
	err = unix.SetNonblock(p[0], true)
	if err == nil {
		err = unix.Dup2(p[1], fd)
	}
	if err != nil {
		unix.Close(p[0])
		unix.Close(p[1])
		return nil, os.NewSyscallError("dup2", err)
	}
	s := &captured{name: name, r: os.NewFile(uintptr(p[0]), name), w: os.NewFile(uintptr(p[1]), name)}
	widen(s.w)
	return s, nil
}
