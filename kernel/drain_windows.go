package kernel

import (
	"os"
	"sync"
)

// pipesDrain says that a pipe cannot be read without waiting: marks tell how far it has been read.
const pipesDrain = false

// streamPipe makes the pipe of a standard stream.
func streamPipe() (r, w *os.File, err error) { return os.Pipe() }

// pipeReader reads a pipe.
type pipeReader struct {
	f  *os.File
	to *demux
	mu sync.Mutex
}

func newPipeReader(f *os.File, to *demux) (*pipeReader, error) {
	return &pipeReader{f: f, to: to}, nil
}

// run reads until the pipe ends or is given up.
func (p *pipeReader) run() {
	buf := make([]byte, 64<<10)
	for {
		n, err := p.f.Read(buf)
		p.with(func() { p.to.add(buf[:n]) })
		if err != nil {
			return
		}
	}
}

// drain takes nothing: a read would wait.
func (p *pipeReader) drain() {}

// giveUp does nothing: the reads have a deadline.
func (p *pipeReader) giveUp() {}

// with runs f while nothing is taken.
func (p *pipeReader) with(f func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	f()
}
