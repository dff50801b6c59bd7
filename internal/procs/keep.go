package procs

import "sync"

var kept sync.Map // of numbers of processes

// Keep says that a process which the calling one has started is the program's own: no interrupt of a cell ends it.
// forget is called when it has ended.
func Keep(pid int) (forget func()) {
	kept.Store(pid, nil)
	return func() { kept.Delete(pid) }
}

// Kept reports whether [Keep] was said of a process.
func Kept(pid int) bool {
	_, ok := kept.Load(pid)
	return ok
}
