package storage

import (
	"bytes"
	"context"
	"sync"
)

// writes are lines on their way from a cache to the file, beside the reads of those that have taken their slots. What
// could not be written is kept, and tried again when it is asked for.
type writes struct {
	cache *Cache
	pace  pace

	mu    sync.Mutex
	lines map[int64]*written
}

// mostWrites bounds the lines that are under way, and with that their memory.
const mostWrites = 32

type written struct {
	bytes []byte
	err   error
	done  chan struct{}
}

func newWrites(c *Cache) *writes {
	return &writes{cache: c, lines: make(map[int64]*written)}
}

// begin begins to write a line, which nobody reads or writes meanwhile.
func (w *writes) begin(line int64, content []byte) {
	over := w.pace.begin(mostWrites)
	l := &written{bytes: bytes.Clone(content), done: make(chan struct{})}
	w.mu.Lock()
	w.lines[line] = l
	w.mu.Unlock()
	w.cache.count.writeIOs.Add(1)
	w.cache.events.add("write back", line)
	go func() {
		_, l.err = w.cache.file.write(l.bytes, w.cache.base+line<<w.cache.shift)
		if l.err == nil {
			w.forget(line)
		}
		close(l.done)
		over()
	}()
}

func (w *writes) forget(line int64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.lines, line)
}

func (w *writes) has(line int64) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.lines[line] != nil
}

func (w *writes) none() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(w.lines) == 0
}

// taken waits until the file has a line. Where it could not be written it copies it to b, and whoever has that must
// write it.
func (w *writes) taken(line int64, b []byte) bool {
	w.mu.Lock()
	l := w.lines[line]
	w.mu.Unlock()
	if l == nil {
		return false
	}
	if <-l.done; l.err == nil || w.again(line, l) == nil {
		return false
	}
	copy(b, l.bytes)
	w.forget(line)
	return true
}

// again tries once more to write a line that nobody has taken.
func (w *writes) again(line int64, l *written) error {
	w.mu.Lock() // or newer bytes may be written meanwhile
	defer w.mu.Unlock()
	if w.lines[line] != l {
		return nil
	}
	if _, err := w.cache.file.write(l.bytes, w.cache.base+line<<w.cache.shift); err != nil {
		return err
	}
	delete(w.lines, line)
	return nil
}

// finish waits until the file has all lines, or returns why not.
func (w *writes) finish(ctx context.Context) error {
	w.mu.Lock()
	waiting := make(map[int64]*written, len(w.lines))
	for line, l := range w.lines {
		waiting[line] = l
	}
	w.mu.Unlock()
	var err error
	for line, l := range waiting {
		if err := ctx.Err(); err != nil {
			return err
		}
		if <-l.done; l.err != nil {
			if wrong := w.again(line, l); err == nil {
				err = wrong
			}
		}
	}
	return err
}
