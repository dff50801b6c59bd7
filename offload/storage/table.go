package storage

import (
	"sync"
	"sync/atomic"
)

// entry is what is known of a line. Its state is one word: see the constants.
type entry struct {
	state atomic.Uint32
	slot  atomic.Int32 // where it is, while it is valid
}

const (
	valid uint32 = 1 << 31
	busy  uint32 = 1 << 30 // it is being read or evicted: the line's lock
	dirty uint32 = 1 << 29
	count uint32 = dirty - 1 // how many references there are
)

// table has the entries of all lines.
type table interface {
	// pin counts n more references to a line, so that nobody evicts it, and returns what was there before.
	pin(line int64, n uint32) (e *entry, before uint32)
	// at returns the entry of a line that is in a slot.
	at(line int64) *entry
	// idle says that nobody may need e any more, if it is as new.
	idle(line int64, e *entry)
}

// mostDense is how many lines have an entry each from the start, 8 bytes: larger files have those that are in use.
const mostDense = 1 << 26

func newTable(lines int64) table {
	if lines <= mostDense {
		return make(dense, lines)
	}
	return new(hashed)
}

type dense []entry

func (t dense) pin(line int64, n uint32) (*entry, uint32) {
	e := &t[line]
	return e, e.state.Add(n) - n
}
func (t dense) at(line int64) *entry { return &t[line] }
func (t dense) idle(int64, *entry)   {}

// hashed has the entries that are referred to or in a slot, in maps of their own, so that threads seldom meet.
type hashed [64]struct {
	sync.Mutex
	entries map[int64]*entry
}

func (t *hashed) pin(line int64, n uint32) (*entry, uint32) {
	s := &t[uint64(line)%uint64(len(t))]
	s.Lock()
	defer s.Unlock()
	e := s.entries[line]
	if e == nil {
		if s.entries == nil {
			s.entries = make(map[int64]*entry)
		}
		e = new(entry)
		s.entries[line] = e
	}
	return e, e.state.Add(n) - n
}

func (t *hashed) at(line int64) *entry {
	s := &t[uint64(line)%uint64(len(t))]
	s.Lock()
	defer s.Unlock()
	return s.entries[line]
}

func (t *hashed) idle(line int64, e *entry) {
	s := &t[uint64(line)%uint64(len(t))]
	s.Lock()
	defer s.Unlock()
	if e.state.Load() == 0 && s.entries[line] == e {
		delete(s.entries, line)
	}
}
