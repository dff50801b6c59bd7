//go:build unix

package kernel

import (
	"os"
	"sync"
	"syscall"
	"time"
)

// pipesDrain says that what is in a pipe can be read without waiting: no mark has to come through it.
const pipesDrain = true

// patience is how long a reader lets text gather in a pipe: a program that prints line by line would wake it for each
// line otherwise. It is short beside batchTime, and whoever waits for the text does not wait for the reader.
const patience = time.Millisecond

// pipeReader reads a pipe: as text comes, and at once when somebody asks.
type pipeReader struct {
	raw syscall.RawConn
	to  *demux

	mu   sync.Mutex
	buf  []byte
	over bool
}

func newPipeReader(f *os.File, to *demux) (*pipeReader, error) {
	raw, err := f.SyscallConn()
	return &pipeReader{raw: raw, to: to, buf: make([]byte, 64<<10)}, err
}

// run reads until the pipe ends or is given up.
func (p *pipeReader) run() {
	p.raw.Read(func(fd uintptr) bool {
		for {
			n, over := p.read(int(fd))
			if n == 0 {
				return over
			}
			if n < len(p.buf) {
				time.Sleep(patience)
			}
		}
	})
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
}

// giveUp makes what comes from now on stay where it is.
func (p *pipeReader) giveUp() { p.with(func() { p.over = true }) }

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
