package nvme

import (
	"fmt"
	"math/bits"
	"runtime"
	"sync"
	"sync/atomic"
)

// pair is a submission and a completion queue of n entries in shared memory. Any number of threads puts commands in and
// takes completions out, by BaM's protocol: a ticket is a place in the ring, the place's turn says when it is free, a
// mark says that it is filled, and whoever gets the one lock moves the tail over all marks in a row and rings the
// doorbell once for them.
type pair struct {
	n uint32 // a power of two

	ticket atomic.Uint64
	turn   []atomic.Uint64 // of each place: even while it is free, odd while its command is under way
	mark   []atomic.Uint32
	ring   [][CommandBytes]byte
	lock   atomic.Bool
	tail   atomic.Uint64 // counted on, not modulo n
	head   atomic.Uint64

	done     []cqe
	doneMark []atomic.Uint32
	place    []atomic.Bool // locks
	doneLock atomic.Bool
	doneHead atomic.Uint64

	// The registers that threads write and the SSD reads: positions counted on, of which it sees the lowest bits.
	sqDoorbell, cqDoorbell atomic.Uint64
	rung                   chan struct{} // of one: there may be something new

	doorbells, commands, waits atomic.Int64
	ids                        [1 << 16 / 64]atomic.Uint64 // which are outstanding
	pause                      func()                      // between steps, for tests

	requests sync.Map // of which commands have the key
	keys     atomic.Uint64
}

// cqe is a completion as two words that are written one after the other: the second has the phase.
type cqe struct{ dw2, dw3 atomic.Uint32 }

func newPair(depth int) (*pair, error) {
	if depth < 2 || depth > 1<<16 || bits.OnesCount(uint(depth)) != 1 {
		return nil, fmt.Errorf("queues of %d entries: there are powers of two, from 2 to 65536", depth)
	}
	return &pair{
		n: uint32(depth), turn: make([]atomic.Uint64, depth), mark: make([]atomic.Uint32, depth), ring: make([][CommandBytes]byte, depth),
		done: make([]cqe, depth), doneMark: make([]atomic.Uint32, depth), place: make([]atomic.Bool, depth), rung: make(chan struct{}, 1),
	}, nil
}

func (p *pair) step() {
	if p.pause != nil {
		p.pause()
	}
}

// id returns a number that no outstanding command has. There are more of them than places.
func (p *pair) id(from uint64) uint16 {
	for i := from; ; i++ {
		w := &p.ids[i/64%uint64(len(p.ids))]
		if bit := uint64(1) << (i % 64); w.Or(bit)&bit == 0 {
			return uint16(i)
		}
	}
}

func (p *pair) free(id uint16) { p.ids[id/64].And(^(uint64(1) << (id % 64))) }

// enqueue puts a command into the queue, waiting for a place, and returns its number once the SSD has been told of it.
func (p *pair) enqueue(c Command) uint16 {
	n := uint64(p.n)
	t := p.ticket.Add(1) - 1
	at, mine := t%n, 2*(t/n)
	for p.turn[at].Load() != mine {
		p.waits.Add(1)
		p.yield()
	}
	c.ID = p.id(t)
	c.Put(&p.ring[at])
	p.step()
	p.mark[at].Store(1)
	for p.mark[at].Load() == 1 {
		if !p.lock.CompareAndSwap(false, true) {
			p.yield()
			continue
		}
		tail, k := p.tail.Load(), uint64(0)
		for (tail+k+1)%n != p.head.Load()%n && p.mark[(tail+k)%n].Swap(0) == 1 {
			k++
			p.step()
		}
		if k > 0 {
			p.sqDoorbell.Store(tail + k)
			p.doorbells.Add(1)
			p.tail.Store(tail + k)
			p.ring1()
		}
		p.lock.Store(false)
		if k == 0 {
			p.yield()
		}
	}
	p.turn[at].Add(1)
	p.commands.Add(1)
	return c.ID
}

// ring1 wakes the SSD.
func (p *pair) ring1() {
	select {
	case p.rung <- struct{}{}:
	default:
	}
}

// poll waits for the completion of a command and returns its place.
func (p *pair) poll(id uint16) uint64 {
	n := uint64(p.n)
	for {
		head := p.doneHead.Load()
		for v := head; v < head+n-1; v++ {
			dw3 := p.done[v%n].dw3.Load()
			if phase := dw3>>16&1 == 1; phase == (v/n%2 == 1) {
				break // of the round before
			}
			if uint16(dw3) == id && p.doneHead.Load() <= v {
				return v
			}
		}
		p.yield()
	}
}

// dequeue takes a completion out, and makes the places free up to which the SSD has taken commands.
func (p *pair) dequeue(v uint64) Completion {
	n := uint64(p.n)
	at := v % n
	for !p.place[at].CompareAndSwap(false, true) {
		p.yield()
	}
	c := completionOf(p.done[at].dw2.Load(), p.done[at].dw3.Load())
	p.doneMark[at].Store(1)
	for p.doneHead.Load() <= v {
		if !p.doneLock.CompareAndSwap(false, true) {
			p.yield()
			continue
		}
		head, k := p.doneHead.Load(), uint64(0)
		for p.doneMark[(head+k)%n].Swap(0) == 1 {
			k++
			p.step()
		}
		if k > 0 {
			last := completionOf(p.done[(head+k-1)%n].dw2.Load(), 0)
			s := p.head.Load()
			for ; s%n != uint64(last.Head)%n; s++ {
				for p.turn[s%n].Load()%2 == 0 { // who put it there is about to say so
					p.yield()
				}
				p.turn[s%n].Add(1)
			}
			p.head.Store(s)
			p.cqDoorbell.Store(head + k)
			p.doneHead.Store(head + k)
			p.ring1()
		}
		p.doneLock.Store(false)
		if k == 0 {
			p.yield()
		}
	}
	p.free(c.ID) // who gets it next must not find this completion
	p.place[at].Store(false)
	return c
}

// hold keeps what a command is about until drop, and returns its key.
func (p *pair) hold(r *request) uint64 {
	key := p.keys.Add(1)
	p.requests.Store(key, r)
	return key
}

func (p *pair) held(key uint64) *request {
	r, _ := p.requests.Load(key)
	held, _ := r.(*request)
	return held
}

func (p *pair) drop(key uint64) { p.requests.Delete(key) }

func (p *pair) yield() {
	p.step()
	runtime.Gosched()
}
