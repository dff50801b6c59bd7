//go:build unix

package repl

import (
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// windowSignals tell that the terminal's size has changed.
var windowSignals = []os.Signal{syscall.SIGWINCH}

// cellSize is the size of a character in pixels, 0 where the terminal does not say it.
func cellSize(f *os.File) (w, h int) {
	ws, err := unix.IoctlGetWinsize(int(f.Fd()), unix.TIOCGWINSZ)
	if err != nil || ws.Col == 0 || ws.Row == 0 || ws.Xpixel < ws.Col || ws.Ypixel < ws.Row {
		return 0, 0
	}
	return int(ws.Xpixel / ws.Col), int(ws.Ypixel / ws.Row)
}
