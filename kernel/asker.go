package kernel

import (
	"context"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/metrics"
	"sync"
	"syscall"
	"time"
)

// How often it is looked whether somebody reads, and how long a read must have waited until a person is asked: long
// enough that no read that is just being served is taken for a waiting one.
const (
	askTick     = 20 * time.Millisecond
	askPatience = 50 * time.Millisecond
)

// asker stands in for os.Stdin: a pipe that is filled when somebody waits at its other end. That is seen at the file's
// read lock, which a waiting Read holds: whoever reads, and through whatever package, is noticed. Its methods do
// nothing on nil.
type asker struct {
	was  *os.File // os.Stdin before
	r, w *os.File
	raw  syscall.RawConn
	lock *uint64       // of r, see readLock
	free chan struct{} // closed when the attempt on the read lock that is under way has it; nil when there is none
}

// newAsker replaces os.Stdin. It returns nil on Windows, where a pipe has no read lock that can be given up.
func newAsker() (*asker, error) {
	if runtime.GOOS == "windows" {
		return nil, nil
	}
	r, w, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("kernel: replacing standard input: %w", err)
	}
	raw, err := r.SyscallConn()
	if err != nil {
		r.Close()
		w.Close()
		return nil, fmt.Errorf("kernel: replacing standard input: %w", err)
	}
	a := &asker{was: os.Stdin, r: r, w: w, raw: raw, lock: readLock(r)}
	os.Stdin = r
	return a, nil
}

// close gives os.Stdin back.
func (a *asker) close() {
	if a == nil {
		return
	}
	os.Stdin = a.was
	a.w.Close()
	a.r.Close()
}

// beginCell calls ask whenever somebody waits for input while a cell runs, and gives them the line. When ctx ends,
// waiting reads fail, and so do those of whom stranger tells that they wait for a cell that has ended: a line is for
// the cell that asked. The caller calls end when the cell has ended: what was typed and not read is dropped then, so
// that the next cell asks anew.
func (a *asker) beginCell(ctx context.Context, ask func(context.Context) (line string, ok bool), stranger func() bool) (end func()) {
	if a == nil {
		return func() {}
	}
	watch, stop := context.WithCancel(ctx)
	before := goroutinesMade()
	// A timer that is set anew, and no goroutine: the cell may count those.
	var (
		mu                  sync.Mutex // held by the look that is under way
		timer               *time.Timer
		looked, asked, over bool
	)
	look := func() {
		mu.Lock()
		defer mu.Unlock()
		if over {
			return
		}
		looked = true
		if ctx.Err() != nil {
			a.release()
		} else if a.awaited() {
			if stranger() {
				a.release()
				a.r.SetReadDeadline(time.Time{})
			} else if line, ok := ask(watch); ok {
				asked = true
				a.w.WriteString(line + "\n")
			}
		}
		timer.Reset(askTick)
	}
	mu.Lock()
	timer = time.AfterFunc(askTick, look)
	mu.Unlock()
	return func() {
		stop()
		mu.Lock()
		over = true
		mu.Unlock()
		timer.Stop()
		if !looked && goroutinesMade() <= before+ownGoroutines {
			return // it was too short to be looked at, and left nobody who could wait
		}
		if ctx.Err() != nil || !looked {
			a.release()
		}
		if asked {
			a.r.SetReadDeadline(time.Now().Add(time.Millisecond))
			io.Copy(io.Discard, a.r)
		}
		a.r.SetReadDeadline(time.Time{})
	}
}

// ownGoroutines is how many goroutines a session starts to run a cell that starts none.
const ownGoroutines = 1

// goroutinesMade is how many goroutines there have been.
func goroutinesMade() uint64 {
	sample := []metrics.Sample{{Name: "/sched/goroutines-created:goroutines"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}

// release makes waiting reads fail, and waits until they have: one that finds the deadline lifted again goes on
// waiting.
func (a *asker) release() {
	a.r.SetReadDeadline(time.Unix(1, 0))
	for range 4 {
		if !a.awaited() {
			return
		}
	}
}

// awaited reports whether a read waits for what is not there: whether the read lock cannot be had. On a busy machine
// the attempt may take long and yet be in nobody's way; what counts is that it waits for the lock.
func (a *asker) awaited() bool {
	if a.free == nil {
		a.free = make(chan struct{})
		begun := make(chan struct{})
		go func() {
			close(begun)
			a.raw.Read(func(uintptr) bool { return true })
			close(a.free)
		}()
		<-begun
	}
	select {
	case <-a.free:
		a.free = nil
		return false
	case <-time.After(askPatience):
		return a.lock == nil || readersWaiting(a.lock) > 0
	}
}
