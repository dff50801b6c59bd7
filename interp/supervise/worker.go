package supervise

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
	toWorker = make(chan errand, 1)
	workless atomic.Bool // one waits, or will as soon as it has told that its errand is done
)

// errand is what a worker does. Done is called at its end, also when run has ended the goroutine. The goroutine is kept
// when run says so.
type errand struct {
	labels unsafe.Pointer
	run    func() (keep bool)
	done   func()
}

// OnWorker runs an errand on another goroutine, with the labels of this one.
func OnWorker(run func() (keep bool), done func()) {
	e := errand{golabel.Current(), run, done}
	if workless.CompareAndSwap(true, false) {
		toWorker <- e
	} else {
		go work(e)
	}
}

// work does e and those that come after it, while it is kept.
func work(e errand) {
	for e.do() {
		e = errand{} // nobody refers to the cell any more
		e = <-toWorker
	}
}

// do does e, and reports whether the goroutine is kept for another. It is not where the stack had to grow: that would
// stay so until the collector has halved it many times.
func (e errand) do() (kept bool) {
	growStack(false)
	defer e.done()
	at := stackPlace()
	golabel.Set(e.labels)
	keep := e.run()
	golabel.Set(nil)
	debug.SetPanicOnFault(false)
	return keep && stackPlace() == at && workless.CompareAndSwap(false, true)
}

// threads are functions that cells call in the place of those that tie the goroutine to its thread.
func (s *Supervisor) threads() map[string]any {
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
