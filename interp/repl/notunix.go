//go:build !unix

package repl

import "os"

// windowSignals is empty where no signal tells that the terminal's size has changed.
var windowSignals []os.Signal

// jobSignals is empty where shells have no jobs.
var jobSignals []os.Signal

func suspend() {}

func isStop(os.Signal) bool { return false }

// cellSize is 0: nothing says the size of a character in pixels.
func cellSize(*os.File) (w, h int) { return 0, 0 }

// typedAhead is false: nothing says it.
func typedAhead(*os.File) bool { return false }
