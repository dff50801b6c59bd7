package gpu

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/arrayrepl/arrayrepl/lazy"
)

// Two operations of different streams that use one buffer, of which one writes, need an event between them. A simulated
// GPU runs one operation after another, as they were queued, so that a program that lacks the event is right on it; on
// a card, and on the CPU, whose streams are goroutines, it computes garbage now and then. So streams look for such
// pairs while operations are queued: by vector clocks (Mattern, "Virtual time and global states of distributed
// systems", 1989), of which each buffer keeps the last write and the reads since, as FastTrack does (Flanagan and
// Freund, "FastTrack: efficient and precise dynamic race detection", PLDI 2009). What they find does not depend on
// times.
//
// An operation costs a few map lookups, and as many as there are streams that the program has made wait for each other
// since they were synchronised with.

// hazards guards all that is below, of all streams.
var hazards struct {
	sync.Mutex
	found []Finding
	known map[string]int // findings by their texts: numbers in found, -1 for those of before
	host  hostUses
}

// mostHazards bounds what is remembered of findings.
const mostHazards = 1000

// lane is a stream, for those that come behind what it does: operations are counted from 1.
type lane struct {
	queued int
	synced int // so many the host has waited for: whatever is queued from now on comes after them
}

// waited says how many operations of other streams have been waited for. It is not changed once it is made.
type waited map[*lane]int

// moment is an operation of a stream, and what comes before it.
type moment struct {
	of    *lane
	n     int
	after waited
}

// comesBefore reports whether an operation comes before another one that is queued now.
func (m moment) comesBefore(now moment) bool {
	return m.of == now.of || m.n <= m.of.synced || m.n <= now.after[m.of]
}

// with returns what a stream has waited for that waits for m besides what c says, without what all wait for anyway.
func (c waited) with(m moment) waited {
	out := waited{}
	for _, known := range []waited{c, m.after, {m.of: m.n}} {
		for l, n := range known {
			if n > max(out[l], l.synced) {
				out[l] = n
			}
		}
	}
	return out
}

// done notes that the host has waited for m.
func (m moment) done() {
	if m.of == nil {
		return
	}
	hazards.Lock()
	defer hazards.Unlock()
	m.of.synced = max(m.of.synced, m.n)
	for l, n := range m.after {
		l.synced = max(l.synced, n)
	}
}

// use is what an operation does with a buffer.
type use struct {
	moment
	what   string // "CopyIn", "the launch of saxpy"
	place  string // "cell 2, line 5"; "" where it is not known
	writes bool
	part   bool // it may use a part of the buffer only
}

func (u use) String() string {
	if u.place == "" {
		return u.what
	}
	return u.what + " (" + u.place + ")"
}

// uses is what has been done with a buffer that others may have to come after.
type uses struct {
	write use   // the last; of no stream when there was none
	reads []use // since, the last of each stream
}

// of notes that u is queued, for the buffer, and returns the uses that it needs an event for.
func (b *uses) of(u use) (unordered []use) {
	if b.write.moment.of != nil && !b.write.comesBefore(u.moment) {
		unordered = append(unordered, b.write)
	}
	if !u.writes {
		b.reads = slices.DeleteFunc(b.reads, func(r use) bool { return r.moment.of == u.moment.of || r.n <= r.moment.of.synced })
		b.reads = append(b.reads, u)
		return unordered
	}
	for _, r := range b.reads {
		if !r.comesBefore(u.moment) {
			unordered = append(unordered, r)
		}
	}
	b.write, b.reads = u, nil
	return unordered
}

// operand is a buffer of an operation, or memory of the host.
type operand struct {
	buf    *Buffer // or nil
	host   hostMemory
	writes bool
	part   bool // it may use a part of it only
}

// String names the operand as the object of a sentence: "one buffer of 1000 float32 on sim:v100#0", "variable total on
// sim:v100#0".
func (o operand) String() string {
	switch {
	case o.buf == nil:
		return "one " + o.host.what
	case o.buf.variable != "":
		return o.buf.String()
	}
	return "one " + o.buf.String()
}

// placeHere is the place in the program that is being executed; "" where nobody knows.
func placeHere() string {
	if here := lazy.Runtime().Here; here != nil {
		if at, ok := here().(fmt.Stringer); ok {
			return at.String()
		}
	}
	return ""
}

// queued notes an operation of s, whose lock the caller has, and tells of missing events.
func (s *Stream) queued(what string, of []operand) moment {
	place, rt := placeHere(), lazy.Runtime()
	hazards.Lock()
	s.lane.queued++
	m := moment{s.lane, s.lane.queued, s.known}
	var told []string
	tell := func(o operand, before, now use) {
		if text := hazard(o, before, now); text != "" {
			told = append(told, text)
		}
	}
	for i, o := range of {
		if o.buf == nil {
			u := hostUse{use: use{m, what, place, o.writes, false}, memory: o.host}
			hazards.host.of(u, func(before *hostUse, now hostUse) { tell(o, before.use, now.use) })
			continue
		}
		same := func(p operand) bool { return p.buf != nil && p.buf.mem == o.buf.mem }
		if slices.ContainsFunc(of[:i], same) {
			continue // the operation itself is in order
		}
		writes := slices.ContainsFunc(of[i:], func(p operand) bool { return same(p) && p.writes })
		u := use{m, what, place, writes, o.part}
		for _, before := range o.buf.mem.uses.of(u) {
			tell(o, before, u)
		}
	}
	hazards.Unlock()
	for _, text := range told {
		if rt.Warn != nil {
			rt.Warn(text)
		}
	}
	return m
}

// hazard keeps a finding, and returns its text if it is new.
func hazard(o operand, before, now use) string {
	f := Finding{
		Kind:     "missing event",
		What:     fmt.Sprintf("two streams use %v, and nothing orders them: on a card or the CPU the result may be anything", o),
		Accesses: []string{before.String() + before.verb(), now.String() + now.verb()},
		Remedy:   "let the stream of the second wait for the event of the first: e := first.…, then second.Wait(e)",
		Count:    1,
	}
	if before.part && now.part {
		f.Remedy += "; nothing is wrong if the kernels use different elements"
	}
	return f.keep()
}

// verb is what an operation does with what it uses.
func (u use) verb() string {
	if u.writes {
		return " writes it"
	}
	return " reads it"
}

// keep keeps a finding of streams, and returns its text if it is new.
func (f Finding) keep() string {
	text := fmt.Sprintf("%s: %s\n   %s\n   → %s", f.Kind, f.What, strings.Join(f.Accesses, "\n   "), f.Remedy)
	h := &hazards
	i, told := h.known[text]
	switch {
	case told && i >= 0:
		h.found[i].Count++
		return ""
	case !told && len(h.found) >= mostHazards:
		return ""
	case h.known == nil:
		h.known = map[string]int{}
	}
	if len(h.known) >= 2*mostHazards { // what CheckStreams has returned is told again at the worst
		maps.DeleteFunc(h.known, func(_ string, i int) bool { return i < 0 })
	}
	h.known[text] = len(h.found)
	h.found = append(h.found, f)
	if told {
		return ""
	}
	return text
}

// CheckStreams returns the pairs of operations of different streams that use one buffer, or memory of the host, one of
// them to write, and that no event and no Sync orders: of all that streams have been given since CheckStreams was
// called before. Streams tell of each pair of places themselves when they come to it first. A launch is taken to use
// all of a buffer.
//
// The program takes part with what it asks this package for: slices that CopyIn and [Launch] read, and the memory of a
// [HostBuffer], when a method gives it the elements or gives the memory back. That must come after a Sync or an event's
// Wait. What it does with a slice that it has is not known here.
//
// For example:
//
//	a.Launch(f, 4, 256, x)
//	b.Launch(g, 4, 256, x) // nothing orders the two
//	gpu.CheckStreams()
func CheckStreams() *Findings {
	hazards.Lock()
	defer hazards.Unlock()
	f := &Findings{streams: true, List: hazards.found}
	hazards.found = nil
	for text := range hazards.known {
		hazards.known[text] = -1
	}
	return f
}
