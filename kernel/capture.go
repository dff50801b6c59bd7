package kernel

import (
	"fmt"
	"os"
	"runtime/debug"
	"sync"
	"time"
)

// Capture redirects standard output and standard error of the process to a function. On Unix it redirects the file
// descriptors 1 and 2, so that os.Stdout, println, child processes and C code all go there; elsewhere os.Stdout and
// os.Stderr. A process can have one at a time.
type Capture struct {
	stdout  *os.File // as it was
	stderr  *os.File
	restore func()
	streams []*captured
	mark    markPrefix

	mu      sync.Mutex
	flushes uint64
	waiting map[uint64]chan struct{}
	done    chan struct{}
}

// captured is one redirected stream.
type captured struct {
	name string
	r, w *os.File // w is our own end of the pipe beside the one that the stream writes to
}

// StartCapture begins to redirect. Text is delivered to sink in whole characters, in the order in which each stream was
// written, from one goroutine a stream. What the Go runtime prints when the process crashes goes to the former standard
// error too: nobody is left then to deliver it.
func StartCapture(sink func(name, text string)) (*Capture, error) {
	c := &Capture{mark: newMarkPrefix(), waiting: map[uint64]chan struct{}{}, done: make(chan struct{})}
	if err := c.redirect(); err != nil {
		return nil, fmt.Errorf("kernel: redirecting standard output: %w", err)
	}
	debug.SetCrashOutput(c.stderr, debug.CrashOptions{})
	var readers sync.WaitGroup
	for _, s := range c.streams {
		readers.Go(func() { c.read(s, sink) })
	}
	go func() {
		readers.Wait()
		close(c.done)
	}()
	return c, nil
}

// Stdout is the standard output of the process as it was before.
func (c *Capture) Stdout() *os.File { return c.stdout }

// Stderr is the standard error of the process as it was before.
func (c *Capture) Stderr() *os.File { return c.stderr }

// Flush returns when all that was written before the call has been delivered. It sends a mark down each pipe and waits
// until the reader meets it.
func (c *Capture) Flush() {
	met := make(chan struct{}, len(c.streams))
	c.mu.Lock()
	c.flushes++
	id := c.flushes
	c.waiting[id] = met
	c.mu.Unlock()
	defer func() {
		c.mu.Lock()
		delete(c.waiting, id)
		c.mu.Unlock()
	}()
	for _, s := range c.streams {
		if _, err := s.w.Write(c.mark.mark(markHere, id)); err != nil {
			met <- struct{}{} // closed: nothing is on the way
		}
	}
	for range c.streams {
		select {
		case <-met:
		case <-c.done:
			return
		}
	}
}

// Close delivers what is on the way and gives the streams back.
func (c *Capture) Close() error {
	c.Flush()
	c.restore()
	c.Flush()
	debug.SetCrashOutput(nil, debug.CrashOptions{})
	for _, s := range c.streams {
		s.w.Close()
		s.r.SetReadDeadline(time.Now()) // a child process may still hold the other end
	}
	<-c.done
	for _, s := range c.streams {
		s.r.Close()
	}
	return nil
}

// read delivers one stream until it ends.
func (c *Capture) read(s *captured, sink func(name, text string)) {
	d := demux{prefix: c.mark, text: func(_ uint64, text string) { sink(s.name, text) }, here: c.reached}
	buf := make([]byte, 64<<10)
	for {
		n, err := s.r.Read(buf)
		d.add(buf[:n])
		if err != nil {
			d.end()
			return
		}
	}
}

func (c *Capture) reached(id uint64) (stop bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if met := c.waiting[id]; met != nil {
		met <- struct{}{}
	}
	return false
}
