//go:build unix

package kernel

import (
	"os"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// pipesDrain says that what is in a pipe can be read without waiting: no mark has to come through it.
const pipesDrain = true

// patience is how long a reader lets text gather in a pipe: a program that prints line by line would wake it for each
// line otherwise. It is short beside batchTime, and whoever waits for the text does not wait for the reader.
const patience = time.Millisecond

// streamPipe makes the pipe of a standard stream. Go's poller knows the reading end only while a reader waits for it: a
// pipe that epoll watches wakes it at each write, whether somebody waits or not, and a program that prints line by line
// pays for that.
func streamPipe() (r, w *os.File, err error) {
	fds, err := pipe()
	if err != nil {
		return nil, nil, err
	}
	r, w = os.NewFile(uintptr(fds[0]), "|0"), os.NewFile(uintptr(fds[1]), "|1")
	if err := unix.SetNonblock(fds[0], true); err != nil { // after NewFile, which hands on to the poller what does not block
		r.Close()
		w.Close()
		return nil, nil, os.NewSyscallError("fcntl", err)
	}
	return r, w, nil
}

// pipe makes a pipe that programs which are started do not inherit.
func pipe() (fds [2]int, err error) {
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	if err := unix.Pipe(fds[:]); err != nil {
		return fds, os.NewSyscallError("pipe", err)
	}
	unix.CloseOnExec(fds[0])
	unix.CloseOnExec(fds[1])
	return fds, nil
}

// pipeReader reads a pipe of [streamPipe]: as text comes, and at once when somebody asks.
type pipeReader struct {
	raw syscall.RawConn
	to  *demux

	mu      sync.Mutex
	resumed sync.Cond
	waits   *os.File // the pipe as Go's poller knows it, while it is empty
	buf     []byte
	over    bool
}

func newPipeReader(f *os.File, to *demux) (*pipeReader, error) {
	raw, err := f.SyscallConn()
	p := &pipeReader{raw: raw, to: to, buf: make([]byte, 64<<10)}
	p.resumed.L = &p.mu
	return p, err
}

// run reads until the pipe ends or is given up.
func (p *pipeReader) run() {
	p.raw.Control(func(fd uintptr) {
		for {
			switch n, over := p.read(int(fd)); {
			case over:
				return
			case n == 0:
				p.wait(int(fd))
			case n < len(p.buf):
				time.Sleep(patience)
			}
		}
	})
}

// wait returns when there is something to read, or the reader is given up. What has come after a moment at which the
// stream stops does not count.
func (p *pipeReader) wait(fd int) {
	f, err := p.polled(fd)
	if f == nil {
		if err != nil {
			time.Sleep(patience)
		}
		return
	}
	if raw, err := f.SyscallConn(); err == nil {
		asked := false
		raw.Read(func(uintptr) bool {
			defer func() { asked = true }()
			return asked
		})
	}
	p.with(func() { p.waits = nil })
	f.Close()
}

// polled lets Go's poller watch the pipe until the file is closed. nil without an error says that the reader is given
// up.
func (p *pipeReader) polled(fd int) (*os.File, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for p.to.stopped && !p.over {
		p.resumed.Wait()
	}
	if p.over {
		return nil, nil
	}
	again, err := unix.FcntlInt(uintptr(fd), unix.F_DUPFD_CLOEXEC, 3)
	if err != nil {
		return nil, os.NewSyscallError("fcntl", err)
	}
	p.waits = os.NewFile(uintptr(again), "|0")
	return p.waits, nil
}

// drain takes all that is in the pipe.
func (p *pipeReader) drain() {
	p.raw.Control(func(fd uintptr) {
		for n := 1; n > 0; {
			n, _ = p.read(int(fd))
		}
	})
}

// with runs f while nothing is read.
func (p *pipeReader) with(f func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	f()
	p.resumed.Broadcast()
}

// giveUp makes what comes from now on stay where it is.
func (p *pipeReader) giveUp() {
	p.with(func() {
		p.over = true
		if p.waits != nil {
			p.waits.SetReadDeadline(time.Now())
		}
	})
}

// read takes what is there, up to the size of the buffer, and says whether the pipe is at its end.
func (p *pipeReader) read(fd int) (n int, over bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for !p.over && !p.to.stopped {
		n, err := syscall.Read(fd, p.buf)
		switch {
		case n > 0:
			p.to.add(p.buf[:n])
			return n, false
		case err == syscall.EINTR:
		case err == syscall.EAGAIN:
			return 0, false
		default: // the end
			p.over = true
		}
	}
	return 0, p.over
}
