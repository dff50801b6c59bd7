//go:build unix

package repl

import (
	"os"
	"syscall"
)

// windowSignals tell that the terminal's size has changed.
var windowSignals = []os.Signal{syscall.SIGWINCH}
