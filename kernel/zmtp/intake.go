package zmtp

import (
	"errors"
	"net"
	"sync"
)

// frameCost is what a frame counts beside its bytes.
const frameCost = 64

var errIntake = errors.New("zmtp: too much has arrived that nobody has verified yet")

// Intake bounds what has arrived on all connections of several sockets and was not verified yet: whole messages and
// parts of them. A connection of which a message was verified may have as much as the bound leaves. The others, who may
// be anybody, have a bound together that is smaller; when it is passed, the one that holds most is closed.
type Intake struct {
	limit, strangers int64
	freed            func(bytes int64)

	mu    sync.Mutex
	used  int64 // by all
	alien int64 // of it, by connections without a verified message
	held  map[*held]struct{}
}

// NewIntake returns an intake of at most limit bytes, and at most strangers of connections without a verified message.
// When freed is not nil, it is called with what is not held any more.
func NewIntake(limit, strangers int64, freed func(bytes int64)) *Intake {
	return &Intake{limit: limit, strangers: strangers, freed: freed, held: map[*held]struct{}{}}
}

// held is what one connection holds of an intake; nil holds as much as it likes.
type held struct {
	in    *Intake
	net   net.Conn
	bytes int64
	known bool // a message of it was verified
	gone  bool
}

// join returns the holder for a connection.
func (in *Intake) join(c net.Conn) *held {
	if in == nil {
		return nil
	}
	h := &held{in: in, net: c}
	in.mu.Lock()
	defer in.mu.Unlock()
	in.held[h] = struct{}{}
	return h
}

// take makes h hold n bytes more. An error ends the connection.
func (h *held) take(n int) error {
	if h == nil {
		return nil
	}
	in := h.in
	in.mu.Lock()
	defer in.mu.Unlock()
	for !h.gone && (in.used+int64(n) > in.limit || !h.known && in.alien+int64(n) > in.strangers) {
		in.evict(h)
	}
	if h.gone {
		return errIntake
	}
	h.add(int64(n))
	return nil
}

// evict closes the stranger that holds most, or h when none holds more than it. The caller holds mu.
func (in *Intake) evict(h *held) {
	worst := h
	for o := range in.held {
		if !o.known && (worst.known && o.bytes > 0 || o.bytes > worst.bytes) {
			worst = o
		}
	}
	worst.net.Close()
	worst.leave()
}

// add changes what h holds. The caller holds mu.
func (h *held) add(n int64) {
	h.bytes += n
	h.in.used += n
	if !h.known {
		h.in.alien += n
	}
}

// leave makes h hold nothing from now on. The caller holds mu.
func (h *held) leave() {
	if h.gone {
		return
	}
	freed := h.bytes
	h.add(-freed)
	h.gone = true
	delete(h.in.held, h)
	if h.in.freed != nil {
		h.in.freed(freed)
	}
}

// give takes n bytes back. Verified says that they were a message of somebody who may send.
func (h *held) give(n int, verified bool) {
	if h == nil {
		return
	}
	in := h.in
	in.mu.Lock()
	defer in.mu.Unlock()
	if h.gone {
		return
	}
	h.add(-int64(n))
	if verified && !h.known {
		in.alien -= h.bytes
		h.known = true
	}
	if in.freed != nil {
		in.freed(int64(n))
	}
}

// end takes everything back: the connection is closed.
func (h *held) end() {
	if h == nil {
		return
	}
	h.in.mu.Lock()
	defer h.in.mu.Unlock()
	h.leave()
}
