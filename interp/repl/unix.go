//go:build unix

package repl

import (
	"os"
	"syscall"

	"golang.org/x/sys/unix"
	"golang.org/x/term"
)

// windowSignals tell that the terminal's size has changed.
var windowSignals = []os.Signal{syscall.SIGWINCH}

// jobSignals are those by which a shell stops a job and lets it go on.
var jobSignals = []os.Signal{syscall.SIGTSTP, syscall.SIGCONT}

// suspend stops the process until the shell lets it go on.
func suspend() { syscall.Kill(syscall.Getpid(), syscall.SIGSTOP) }

func isStop(s os.Signal) bool { return s == syscall.SIGTSTP }

// cellSize is the size of a character in pixels, 0 where the terminal does not say it.
func cellSize(f *os.File) (w, h int) {
	ws, err := unix.IoctlGetWinsize(int(f.Fd()), unix.TIOCGWINSZ)
	if err != nil || ws.Col == 0 || ws.Row == 0 || ws.Xpixel < ws.Col || ws.Ypixel < ws.Row {
		return 0, 0
	}
	return int(ws.Xpixel / ws.Col), int(ws.Ypixel / ws.Row)
}

// typedAhead reports whether the terminal has keys that nobody has read yet. It has to leave the terminal's editing of
// lines for a moment, which keeps a line to itself until Enter.
func typedAhead(terminal *os.File) bool {
	fd := int(terminal.Fd())
	state, err := term.MakeRaw(fd)
	if err != nil {
		return false
	}
	defer term.Restore(fd, state)
	poll := []unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}
	n, err := unix.Poll(poll, 0)
	return err == nil && n > 0 && poll[0].Revents&unix.POLLIN != 0
}
