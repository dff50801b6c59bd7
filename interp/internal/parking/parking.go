// Package parking is where goroutines of cells wait, in the order in which they came, for locks of package sync.
package parking

import (
	"container/list"
	"sync"
	"sync/atomic"
	"time"
	"unsafe"
)

// Lot is where goroutines of cells wait for mutexes and wait groups, in the order in which they came. They do not
// wait in these themselves: nothing can take a goroutine out of (*sync.Mutex).Lock that an interrupt has to end, so
// that one would be left for each interrupted cell. To come and to go takes the same time however many wait; only
// readers that wait with writers, all for one mutex, are looked through.
type Lot struct {
	waiting atomic.Int32 // how many wait; while it is 0 nobody looks further
	mu      sync.Mutex
	queues  map[unsafe.Pointer]*queue // by the address of what they wait for
}

// queue are those who wait for one thing, the first first.
type queue struct {
	list.List     // of *parked
	alone     int // how many are not beside
}

func (q *queue) all(yield func(*parked) bool) {
	for e := q.Front(); e != nil && yield(e.Value.(*parked)); e = e.Next() {
	}
}

// parked is a goroutine that waits.
type parked struct {
	beside bool          // it waits for what others like it may have at the same time
	woken  chan struct{} // of one
}

// How long a goroutine waits until it looks again whether it can go on. Cells wake it when they unlock; compiled code
// that got their mutex does not.
const (
	firstLook = 100 * time.Microsecond
	lastLook  = time.Second
)

// Await returns when try, which is called when it is the caller's turn, has reported true. It returns false when the
// goroutine must end first: ended says so, and quit is closed then. At is the address of what it waits for, and beside
// says that others may have it at the same time, as readers do.
func (p *Lot) Await(ended *atomic.Bool, quit <-chan struct{}, at unsafe.Pointer, beside bool, try func() bool) bool {
	me := &parked{beside, make(chan struct{}, 1)}
	defer p.leave(at, p.join(at, me))
	look := time.NewTimer(firstLook)
	defer look.Stop()
	for pause := firstLook; !ended.Load(); pause = min(2*pause, lastLook) {
		if p.turn(at, me) && try() {
			return true
		}
		look.Reset(pause)
		select {
		case <-me.woken:
		case <-look.C:
		case <-quit:
		}
	}
	return false
}

func (p *Lot) join(at unsafe.Pointer, me *parked) *list.Element {
	p.waiting.Add(1)
	p.mu.Lock()
	defer p.mu.Unlock()
	q := p.queues[at]
	if q == nil {
		if p.queues == nil {
			p.queues = map[unsafe.Pointer]*queue{}
		}
		q = &queue{}
		p.queues[at] = q
	}
	if !me.beside {
		q.alone++
	}
	return q.PushBack(me)
}

// leave takes me out of the queue, and wakes who comes next where that was not woken together with me.
func (p *Lot) leave(at unsafe.Pointer, me *list.Element) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.waiting.Add(-1)
	q := p.queues[at]
	beside := q.Remove(me).(*parked).beside
	if !beside {
		q.alone--
	}
	first := q.Front()
	if first == nil {
		delete(p.queues, at)
	} else if !beside || !first.Value.(*parked).beside {
		q.wake()
	}
}

// turn reports whether me, who need not have joined, comes before all others that it cannot be beside.
func (p *Lot) turn(at unsafe.Pointer, me *parked) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	q := p.queues[at]
	if q == nil || me.beside && q.alone == 0 {
		return true
	}
	for o := range q.all {
		if o == me {
			return true
		}
		if !o.beside || !me.beside {
			return false
		}
	}
	return true
}

// Free reports whether a goroutine that comes now has nobody to wait for.
func (p *Lot) Free(at unsafe.Pointer, beside bool) bool {
	return p.waiting.Load() == 0 || p.turn(at, &parked{beside: beside})
}

// Wake lets those look that come next.
func (p *Lot) Wake(at unsafe.Pointer) {
	if p.waiting.Load() == 0 {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if q := p.queues[at]; q != nil {
		q.wake()
	}
}

func (q *queue) wake() {
	first := true
	for o := range q.all {
		if !first && !o.beside {
			return
		}
		select {
		case o.woken <- struct{}{}:
		default:
		}
		if !o.beside {
			return
		}
		first = false
	}
}

// Waiting returns how many goroutines wait, and for how many things.
func (p *Lot) Waiting() (goroutines, things int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return int(p.waiting.Load()), len(p.queues)
}
