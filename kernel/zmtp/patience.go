package zmtp

import (
	"sync"
	"time"
)

// Who has not earned by reading that it is waited for (reading.go) may hold up its socket for as long as the patience
// of all its connections lasts together. It comes back at a rate of one in patienceRate: a neighbour that connects
// again and again costs no more than that share of the time. A connection that has lost this way, and one that comes
// when there is no patience left, gets patienceFloor of it.
const (
	patienceRate  = 20
	patienceFloor = 100
)

// patience is what the connections of a socket share: how long senders wait for those that have not shown yet that they
// read.
type patience struct {
	mu   sync.Mutex
	full time.Duration
	left time.Duration
	at   time.Time // when left was right
}

func newPatience(full time.Duration) *patience {
	return &patience{full: full, left: full, at: time.Now()}
}

// rest is how long may be waited now.
func (p *patience) rest() time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := time.Now()
	p.left = min(p.full, p.left+now.Sub(p.at)/patienceRate)
	p.at = now
	return max(p.left, p.full/patienceFloor)
}

// spend takes away what was waited in vain.
func (p *patience) spend(d time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.left = max(0, p.left-d)
}
