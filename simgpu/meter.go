package simgpu

import (
	"math/bits"

	"github.com/arrayrepl/arrayrepl/offload/trace"
)

// meter is how much of one resource, an engine, a link, the SMs, is taken over modelled time. Work that comes later
// takes what is left, and goes slower where that is less than it could use. Amounts are in millionths of the resource,
// so that all arithmetic is of integers.
type meter struct {
	taken []stint // by time, disjoint, none of nothing
}

type stint struct {
	from, to trace.Time
	amount   int64
}

// whole is all of a resource. Work that takes alone of it has it when nobody else has any, for all of its time.
const whole, alone = 1_000_000, 1_000_001

// share is what work takes of a resource while it goes at full speed.
type share struct {
	of     *meter
	amount int64
}

// from returns how much is free from t on, and until when; less than nothing where somebody has it alone.
func (m *meter) from(t trace.Time) (free int64, until trace.Time) {
	lo, hi := 0, len(m.taken) // the first stint that ends after t
	for lo < hi {
		if mid := (lo + hi) / 2; m.taken[mid].to > t {
			hi = mid
		} else {
			lo = mid + 1
		}
	}
	switch {
	case lo == len(m.taken):
		return whole, never
	case m.taken[lo].from > t:
		return whole, m.taken[lo].from
	}
	return whole - m.taken[lo].amount, m.taken[lo].to
}

// take takes amount from a time in which so much is free until another; no stint may begin or end between them.
func (m *meter) take(from, to trace.Time, amount int64) {
	if amount == 0 || from == to {
		return
	}
	i := len(m.taken)
	for i > 0 && m.taken[i-1].to > from {
		i--
	}
	if i == len(m.taken) || m.taken[i].from >= to { // nothing was taken
		if i > 0 && m.taken[i-1].to == from && m.taken[i-1].amount == amount {
			m.taken[i-1].to = to
			return
		}
		m.taken = append(m.taken, stint{})
		copy(m.taken[i+1:], m.taken[i:])
		m.taken[i] = stint{from, to, amount}
		return
	}
	old := m.taken[i]
	parts := make([]stint, 0, 3)
	for _, p := range []stint{{old.from, from, old.amount}, {from, to, old.amount + amount}, {to, old.to, old.amount}} {
		if p.from < p.to {
			parts = append(parts, p)
		}
	}
	m.taken = append(m.taken[:i], append(parts, m.taken[i+1:]...)...)
}

// forget drops what was taken up to t: nothing will be asked of the time before.
func (m *meter) forget(t trace.Time) {
	n := 0
	for n < len(m.taken) && m.taken[n].to <= t {
		n++
	}
	m.taken = m.taken[n:]
}

// occupy finds the time of work that takes length at full speed and cannot begin before ready: from when on it gets
// some of every resource, and when it is done. It takes what the work uses. Work that takes a resource alone begins
// where that is free for all of it, and other work begins behind it where it would have to pause for it.
func occupy(ready, length trace.Time, shares ...share) (start, end trace.Time) {
	type piece struct {
		from, to trace.Time
		rate     int64
	}
	var pieces []piece
	start, t, left := -1, ready, length
	for left > 0 {
		rate, until, again := int64(whole), trace.Time(never), false
		for _, s := range shares {
			free, next := s.of.from(t)
			until = min(until, next)
			switch {
			case s.amount == alone && free < whole, s.amount > 0 && free < 0:
				rate, again = 0, true
			case s.amount > 0:
				rate = min(rate, muldiv(free, whole, min(s.amount, whole)))
			}
		}
		if again {
			start, left, pieces = -1, length, pieces[:0]
		}
		if rate == 0 {
			t = until
			continue
		}
		if start < 0 {
			start = t
		}
		to, done := until, trace.Time(0)
		if until != never {
			done = trace.Time(muldiv(int64(until-t), rate, whole))
		}
		if until == never || done >= left {
			to, done = t+trace.Time(muldivUp(int64(left), whole, rate)), left
		}
		pieces = append(pieces, piece{t, to, rate})
		left -= done
		t = to
	}
	for _, p := range pieces {
		for _, s := range shares {
			if s.amount == alone {
				s.of.take(p.from, p.to, alone)
			} else {
				s.of.take(p.from, p.to, muldiv(s.amount, p.rate, whole))
			}
		}
	}
	if start < 0 {
		start = t
	}
	return start, t
}

// muldiv returns a*b/c, rounded down.
func muldiv(a, b, c int64) int64 {
	hi, lo := bits.Mul64(uint64(a), uint64(b))
	q, _ := bits.Div64(hi, lo, uint64(c))
	return int64(q)
}

// muldivUp returns a*b/c, rounded up.
func muldivUp(a, b, c int64) int64 {
	hi, lo := bits.Mul64(uint64(a), uint64(b))
	q, r := bits.Div64(hi, lo, uint64(c))
	if r > 0 {
		q++
	}
	return int64(q)
}
