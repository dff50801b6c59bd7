package storage

import (
	"container/list"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/arrayrepl/arrayrepl/internal/brief"
)

// policy says in which slot a line may go. It holds no lines, and knows nothing of their states: a slot that cannot be
// had is asked for again later. Its methods may be called from several goroutines.
type policy interface {
	candidate() int // the next slot to try
	used(slot int)  // its line was found
}

// Policies are the names by which a cache's policy is chosen: the first is the default.
var Policies = []string{"clock", "second chance", "lru", "random"}

func policyNamed(name string, slots int) (policy, error) {
	switch name {
	case "", "clock":
		return &handClock{slots: uint64(slots)}, nil
	case "second chance":
		return &secondChance{handClock{slots: uint64(slots)}, make([]atomic.Bool, slots)}, nil
	case "lru":
		return newLRU(slots), nil
	case "random":
		return &random{slots: slots, r: rand.New(rand.NewPCG(uint64(slots), 0))}, nil
	}
	return nil, fmt.Errorf("there is no policy %q; there are %s", brief.Text(name), strings.Join(Policies, ", "))
}

// handClock is BaM's: a hand goes round, without a bit that says what was used. Threads that look at once get slots of
// their own.
type handClock struct {
	slots uint64
	hand  atomic.Uint64
}

func (p *handClock) candidate() int { return int((p.hand.Add(1) - 1) % p.slots) }
func (p *handClock) used(int)       {}

// secondChance passes over what was used since the hand was there last.
type secondChance struct {
	handClock
	bits []atomic.Bool
}

func (p *secondChance) candidate() (slot int) {
	for range 2 * p.slots {
		if slot = p.handClock.candidate(); !p.bits[slot].Swap(false) {
			break
		}
	}
	return slot
}

func (p *secondChance) used(slot int) {
	if b := &p.bits[slot]; !b.Load() { // a bit that is set is not written to: its neighbours are others'
		b.Store(true)
	}
}

// lru takes what was used longest ago.
type lru struct {
	mu    sync.Mutex
	order *list.List // of slots, the oldest first
	at    []*list.Element
}

func newLRU(slots int) *lru {
	p := &lru{order: list.New(), at: make([]*list.Element, slots)}
	for i := range p.at {
		p.at[i] = p.order.PushBack(i)
	}
	return p
}

func (p *lru) candidate() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	e := p.order.Front()
	p.order.MoveToBack(e)
	return e.Value.(int)
}

func (p *lru) used(slot int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.order.MoveToBack(p.at[slot])
}

// random takes any, once all have been taken, by numbers that are the same in each session.
type random struct {
	slots int
	mu    sync.Mutex
	taken int
	r     *rand.Rand
}

func (p *random) candidate() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.taken++; p.taken <= p.slots {
		return p.taken - 1
	}
	return p.r.IntN(p.slots)
}

func (p *random) used(int) {}
