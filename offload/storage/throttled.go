package storage

import (
	"sync"
	"time"
)

// Throttled is a backing that is slower than the one in it: each command takes a latency, and there are so many a
// second at most. It is a slow disk for who has a fast one.
type Throttled struct {
	Backing
	peak    float64 // commands a second; 0 for any number
	latency time.Duration

	mu   sync.Mutex
	free time.Time // when the next command may begin
}

// NewThrottled returns a throttled b.
func NewThrottled(b Backing, peak float64, latency time.Duration) *Throttled {
	return &Throttled{Backing: b, peak: peak, latency: latency}
}

// Name tells of both.
func (t *Throttled) Name() string { return "throttled " + t.Backing.Name() }

// ReadAt reads, not before it may.
func (t *Throttled) ReadAt(p []byte, off int64) (int, error) {
	t.wait()
	return t.Backing.ReadAt(p, off)
}

// WriteAt writes, not before it may.
func (t *Throttled) WriteAt(p []byte, off int64) (int, error) {
	t.wait()
	return t.Backing.WriteAt(p, off)
}

// wait is the time of a command: start = max(now, when the one before let go), and the end is the latency later.
func (t *Throttled) wait() {
	t.mu.Lock()
	now := time.Now()
	if t.free.Before(now) {
		t.free = now
	}
	if t.peak > 0 {
		t.free = t.free.Add(time.Duration(float64(time.Second) / t.peak))
	}
	until := t.free.Add(t.latency)
	t.mu.Unlock()
	time.Sleep(time.Until(until))
}
