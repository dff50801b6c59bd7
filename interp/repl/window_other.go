//go:build !unix

package repl

import "os"

// windowSignals is empty where no signal tells that the terminal's size has changed.
var windowSignals []os.Signal
