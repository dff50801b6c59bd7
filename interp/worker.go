package interp

import (
	"runtime"
	"runtime/debug"
	"sync/atomic"
	"unsafe"

	"github.com/visualfc/gid"

	"github.com/arrayrepl/arrayrepl/internal/golabel"
)

// The goroutine that has run a cell is kept for the next one, of whatever session: to start one, to grow its stack and
// to free that again takes longer than to check and run a small cell. At most one waits.
var (
	toWorker = make(chan func() (keep bool))
	workless atomic.Bool // one waits, or is about to
)

// onWorker runs f on another goroutine, with the labels of this one. That is kept when f says so.
func onWorker(f func() (keep bool)) {
	labels := golabel.Current()
	job := func() bool {
		golabel.Set(labels)
		return f()
	}
	select {
	case toWorker <- job:
	default:
		go work(job)
	}
}

// work runs job and those that come after it. It ends where the stack had to grow: that would stay so until the
// collector has halved it many times.
func work(job func() (keep bool)) {
	for {
		growStack(false)
		at := stackPlace()
		keep := job()
		job = nil // nobody refers to the cell any more
		golabel.Set(nil)
		debug.SetPanicOnFault(false)
		if !keep || stackPlace() != at || workless.Swap(true) {
			return
		}
		job = <-toWorker
		workless.Store(false)
	}
}

// threads are functions that cells call in the place of those that tie the goroutine to its thread.
func (s *Session) threads() map[string]any {
	return map[string]any{"runtime.LockOSThread": func() {
		if r := s.mine(); r != nil && r.id.Load() == gid.Get() {
			r.locked.Store(true)
		}
		runtime.LockOSThread()
	}}
}

// stackPlace is where the stack of the caller lies; it moves when it grows.
//
//go:noinline
func stackPlace() uintptr {
	var here byte
	return uintptr(unsafe.Pointer(&here))
}

// growStack makes room on the stack of a new goroutine for what the checker and the engines need: growing it step by
// step while they run copies ever more frames, which takes longer than to check a small cell. A function's frame is
// made room for when it is called, whether it uses it or not.
//
//go:noinline
func growStack(use bool) {
	if use {
		var room [24 << 10]byte
		touch(&room[0])
	}
}

//go:noinline
func touch(p *byte) { *p = 1 }
