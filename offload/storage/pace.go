package storage

import (
	"sync"
	"time"
)

// pace is how many commands may be under way at a time. An interrupt waits for those that the disk has: on one that
// does 300 a second, 24 of them take 80 ms and 64 take 210. So there are more at once only while they do not wait for
// each other for long. The zero value is for use.
type pace struct {
	mu       sync.Mutex
	room     sync.Cond
	now      int // commands that may be under way
	underway int
	since    int           // commands that have ended since now changed
	least    time.Duration // that any has taken
}

// Figures of a pace.
const (
	paceLeast = 4                     // commands
	paceQuick = 10 * time.Millisecond // for as long a command may wait for others where there are to be more of them
	paceSlow  = 30 * time.Millisecond // and from here on there are to be fewer
)

// begin waits until one of at most so many commands may begin, and returns what is to be called when it has ended.
func (p *pace) begin(most int) (end func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.now == 0 {
		p.now, p.room.L = min(paceLeast, most), &p.mu
	}
	for p.underway >= p.now {
		p.room.Wait()
	}
	p.underway++
	began := time.Now()
	return func() { p.end(time.Since(began), most) }
}

func (p *pace) end(took time.Duration, most int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.underway--
	if p.least == 0 || took < p.least {
		p.least = took
	}
	if p.since++; p.since >= p.now { // of them all have begun since it changed
		switch waited := took - p.least; {
		case waited < paceQuick:
			p.now, p.since = min(2*p.now, most), 0
		case waited > paceSlow:
			p.now, p.since = max(p.now/2, min(paceLeast, most)), 0
		}
	}
	p.room.Broadcast()
}
