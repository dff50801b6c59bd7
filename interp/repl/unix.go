//go:build unix

package repl

import (
	"os"
	"syscall"

	"golang.org/x/sys/unix"
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
