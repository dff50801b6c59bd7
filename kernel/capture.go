package kernel

import (
	"bytes"
	"crypto/rand"
	"encoding/binary"
	"fmt"
	"os"
	"runtime/debug"
	"sync"
	"time"
	"unicode/utf8"
)

// Capture redirects standard output and standard error of the process to a function. On Unix it redirects the file
// descriptors 1 and 2, so that os.Stdout, println, child processes and C code all go there; elsewhere os.Stdout and
// os.Stderr. A process can have one at a time.
type Capture struct {
	stdout  *os.File // as it was
	stderr  *os.File
	restore func()
	streams []*captured
	mark    []byte // begins each marker that Flush sends

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
	c := &Capture{waiting: map[uint64]chan struct{}{}, done: make(chan struct{})}
	// 0xff begins no character of UTF-8 text, so that looking for the marker delays no text.
	c.mark = append([]byte{0xff}, rand.Text()...)
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

// Flush returns when all that was written before the call has been delivered. It sends a marker down each pipe and waits
// until the reader meets it: a marker is short enough for a pipe to pass it in one piece.
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
	marker := binary.BigEndian.AppendUint64(bytes.Clone(c.mark), id)
	for _, s := range c.streams {
		if _, err := s.w.Write(marker); err != nil {
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
	deliver := func(b []byte) {
		if len(b) > 0 {
			sink(s.name, string(b))
		}
	}
	var data []byte
	buf := make([]byte, 64<<10)
	for {
		n, err := s.r.Read(buf)
		data = append(data, buf[:n]...)
		for {
			i := bytes.Index(data, c.mark)
			if i < 0 || len(data) < i+len(c.mark)+8 {
				break
			}
			deliver(data[:i])
			c.reached(binary.BigEndian.Uint64(data[i+len(c.mark):]))
			data = data[i+len(c.mark)+8:]
		}
		if err != nil {
			deliver(data)
			return
		}
		whole := c.whole(data)
		deliver(data[:whole])
		data = bytes.Clone(data[whole:])
	}
}

// whole is how much of data can be delivered: not the beginning of a marker or of a character at its end.
func (c *Capture) whole(data []byte) int {
	for i := max(0, len(data)-len(c.mark)-7); i < len(data); i++ {
		if tail := data[i:]; bytes.HasPrefix(c.mark, tail) || bytes.HasPrefix(tail, c.mark) {
			return i
		}
	}
	for i := len(data) - 1; i >= max(0, len(data)-utf8.UTFMax); i-- {
		if utf8.RuneStart(data[i]) {
			if !utf8.FullRune(data[i:]) {
				return i
			}
			break
		}
	}
	return len(data)
}

func (c *Capture) reached(id uint64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if met := c.waiting[id]; met != nil {
		met <- struct{}{}
	}
}
