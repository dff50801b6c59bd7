package opt

import (
	"slices"

	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/kir/internal/flow"
)

// Machine is what Schedule knows of a machine and of a launch.
type Machine struct {
	// Timing returns the cycles until the thread's next instruction can issue after v, 0 for what takes no instruction,
	// and those until the result can be used.
	Timing func(v *kir.Value) (issue, latency int)
	// Registers are those that the kernel may take, see Registers.
	Registers int
	// Apart reports whether two parameters point to memory that has no byte in common. Nil is never.
	Apart func(p, q int) bool
}

// Schedule returns a kernel that does what f does, with the values of each block in an order in which a machine that
// issues the instructions of a thread one after the other waits less: what takes long, and what it is computed from,
// moves up. It takes at most m.Registers, or as many as f where that takes more. It is f itself where nothing is
// gained. Values keep their IDs.
//
// It is a list scheduler within blocks (Gibbons and Muchnick, "Efficient instruction scheduling for a pipelined
// architecture", 1986): of what can come next it takes what has its operands, of that what the longest chain of
// operations waits for, and only what leaves registers for all that is left, in the order of f.
//
// A load stays behind the stores and atomics that may write where it reads, behind barriers and fences, and behind the
// test of its own index. It passes the tests of other indices, and tests pass loads and stores: a thread whose test
// fails may have done less by then than in f, or more. Who needs what comes first executes f.
func Schedule(f *kir.Func, m Machine) *kir.Func {
	limit := max(m.Registers, Registers(f))
	// Allocate may take more than are live at a time, for pairs must be aligned. Then there is less room.
	const tries = 16
	for room := limit - fixedRegisters; room > limit-fixedRegisters-tries; {
		g := reordered(f, m, room)
		if g == nil {
			break
		}
		joinCopies(g)
		n := Registers(g)
		if n <= limit {
			return g
		}
		room -= n - limit
	}
	return f
}

// reordered returns f with other orders in blocks, in which no more than room registers are live at a time but where
// more are in f; nil where nothing is gained.
func reordered(f *kir.Func, m Machine, room int) *kir.Func {
	g := f.Clone()
	_, out := liveness(g, registerName)
	values := make([]*kir.Value, g.NumValues())
	for _, blk := range g.Blocks {
		for _, vs := range [][]*kir.Value{blk.Params, blk.Values} {
			for _, v := range vs {
				values[v.ID] = v
			}
		}
	}
	memory := accesses{g, nil, m.Apart}
	if m.Apart != nil {
		memory.from = pointers(g)
	}
	changed := false
	for _, blk := range g.Blocks {
		s := newBlockSchedule(memory, blk, m.Timing, room)
		if s == nil {
			continue
		}
		was := s.asWritten()
		s.measure(blk, out[blk.ID], values)
		if order, cycles := s.run(); cycles < was {
			blk.Values, changed = order, true
		}
	}
	if !changed {
		return nil
	}
	return g
}

// blockSchedule is a block whose values are being put in another order.
type blockSchedule struct {
	accesses
	free  []*kir.Value // constants and the like: they take no instruction and stand first
	steps []*step      // all others, in the order of the block
	room  int

	live  pressure
	after []pressure // by step: what is live behind it, if those that are left follow in their order
	uses  map[*kir.Value][]int
	stays map[*kir.Value]bool // it is live at the end of the block
	head  int                 // the first step that is left
}

// step is an instruction of a block: a value, or those of a vector access.
type step struct {
	values         []*kir.Value
	issue, latency int
	waits          int // steps that must come before it and are left
	next           []after
	height         int // cycles from its issue to the end of the longest chain of steps that begins with it
	ready          int // cycle in which its operands are there
	done           bool
	makes, reads   []*kir.Value // registers
}

// after is a step that comes after another one: when the result of that is there, or at any time.
type after struct {
	step   *step
	result bool
}

// pressure is how many registers and predicates are live.
type pressure struct{ words, bools int }

func (p *pressure) add(v *kir.Value, sign int) {
	if v.Type == kir.Bool {
		p.bools += sign
	} else {
		p.words += sign * max(1, v.Type.Bytes()/4)
	}
}

// mostScheduled bounds the values of a block: which of them depend on each other takes their square.
const mostScheduled = 2000

// newBlockSchedule returns nil where nothing can be gained.
func newBlockSchedule(memory accesses, blk *kir.Block, timing func(*kir.Value) (issue, latency int), room int) *blockSchedule {
	if n := len(blk.Values); n < 3 || n > mostScheduled {
		return nil
	}
	s := &blockSchedule{accesses: memory, room: room}
	for i := 0; i < len(blk.Values); i++ {
		v := blk.Values[i]
		if v.Op.IsFree() {
			s.free = append(s.free, v)
			continue
		}
		n := max(1, int(v.Vec))
		st := &step{values: blk.Values[i : i+n]}
		st.issue, st.latency = timing(v)
		s.steps = append(s.steps, st)
		i += n - 1
	}
	s.depend()
	return s
}

// depend finds out which steps must come after which.
func (s *blockSchedule) depend() {
	of := map[*kir.Value]*step{}
	var ordered, clocks []*step // those that have to do with memory or with other threads; those that read a clock
	for i, st := range s.steps {
		known := map[*step]bool{}
		follow := func(before *step, result bool) {
			if before != nil && !known[before] {
				known[before] = true
				before.next = append(before.next, after{st, result})
				st.waits++
			}
		}
		for _, v := range st.values {
			for _, a := range v.Args {
				follow(of[a], true)
			}
		}
		first := st.values[0]
		if n := len(clocks); n > 0 { // what is timed stays between its clocks
			follow(clocks[n-1], false)
		}
		clock, last := first.Op == kir.OpSpecial && roleOf(first) != computes, first.Op.IsBarrier() && i == len(s.steps)-1
		if clock || last { // a barrier that ends its block goes on to end it
			for _, other := range s.steps[:i] {
				follow(other, false)
			}
		}
		if clock {
			clocks = append(clocks, st)
		} else if roleOf(first) != computes {
			for _, other := range ordered {
				if s.mustFollow(other.values, st.values) {
					follow(other, false)
				}
			}
			ordered = append(ordered, st)
		}
		for _, v := range st.values {
			of[v] = st
		}
	}
	for _, st := range slices.Backward(s.steps) {
		st.height = max(st.issue, st.latency)
		for _, a := range st.next {
			if a.result {
				st.height = max(st.height, st.latency+a.step.height)
			} else {
				st.height = max(st.height, st.issue+a.step.height)
			}
		}
	}
}

// measure finds out which registers are live where. out are those that are live at the end of the block, by the IDs of
// values.
func (s *blockSchedule) measure(blk *kir.Block, out flow.Bitset, values []*kir.Value) {
	s.uses, s.stays, s.live, s.head = map[*kir.Value][]int{}, map[*kir.Value]bool{}, pressure{}, 0
	out.Each(func(id int) { s.stays[values[id]] = true })
	if blk.Term.Kind == kir.TermBranch {
		if c := registerName(blk.Term.Cond); c != nil {
			s.stays[c] = true
		}
	}
	made := map[*kir.Value]bool{}
	for i, st := range s.steps {
		st.makes, st.reads = nil, nil
		for _, v := range st.values {
			if registerName(v) == v {
				st.makes = append(st.makes, v)
				made[v] = true
			}
			for _, a := range v.Args {
				if a = registerName(a); a != nil && !slices.Contains(st.reads, a) {
					st.reads = append(st.reads, a)
					s.uses[a] = append(s.uses[a], i)
				}
			}
		}
	}
	for v := range s.uses {
		if !made[v] {
			s.live.add(v, 1)
		}
	}
	for v := range s.stays {
		if !made[v] && s.uses[v] == nil {
			s.live.add(v, 1)
		}
	}
	now := s.live
	s.after = make([]pressure, len(s.steps))
	for i, st := range s.steps {
		for _, v := range st.reads {
			if u := s.uses[v]; u[len(u)-1] == i && !s.stays[v] {
				now.add(v, -1)
			}
		}
		for _, v := range st.makes {
			now.add(v, 1)
		}
		s.after[i] = now
		for _, v := range st.makes {
			if s.uses[v] == nil && !s.stays[v] {
				now.add(v, -1)
			}
		}
	}
}

// run returns the values in their new order and the cycles that they take in it.
func (s *blockSchedule) run() (order []*kir.Value, cycles int) {
	order = slices.Clone(s.free)
	now, end := 0, 0
	for range s.steps {
		i := s.choose(now)
		st := s.steps[i]
		s.take(i)
		order = append(order, st.values...)
		at := max(now, st.ready)
		now, end = at+st.issue, max(end, at+st.latency)
		for _, a := range st.next {
			a.step.waits--
			if a.result {
				a.step.ready = max(a.step.ready, at+st.latency)
			}
		}
	}
	return order, max(now, end)
}

// asWritten returns the cycles that the steps take in the order of the block.
func (s *blockSchedule) asWritten() int {
	ready := map[*step]int{}
	now, end := 0, 0
	for _, st := range s.steps {
		at := max(now, ready[st])
		now, end = at+st.issue, max(end, at+st.latency)
		for _, a := range st.next {
			if a.result {
				ready[a.step] = max(ready[a.step], at+st.latency)
			}
		}
	}
	return max(now, end)
}

// How far choose looks: over so many steps from the first that is left, and at so many of them that registers may not
// suffice for.
const (
	lookAhead = 256
	mostTries = 8
)

// choose returns the step to be executed next, when cycle now has come.
func (s *blockSchedule) choose(now int) int {
	var tried [mostTries]int
	for k := range mostTries {
		best := -1
		for i := s.head; i < len(s.steps) && i < s.head+lookAhead; i++ {
			st := s.steps[i]
			if st.done || st.waits > 0 || slices.Contains(tried[:k], i) {
				continue
			}
			if best < 0 || s.before(st, s.steps[best], now) {
				best = i
			}
		}
		if best <= s.head || s.fits(best) {
			return max(best, s.head)
		}
		tried[k] = best
	}
	return s.head
}

// before reports whether a is better than b, which stands before it in the block, as the next.
func (s *blockSchedule) before(a, b *step, now int) bool {
	if x, y := max(a.ready, now), max(b.ready, now); x != y {
		return x < y
	}
	return a.height > b.height+b.height/slack // near to equal: then their order, in which less is live
}

// slack is the part of a chain's length that does not decide.
const slack = 16

// shift calls change for what executing step i now, before those that are left and stand before it, changes at each of
// them, and returns what is live behind i then.
func (s *blockSchedule) shift(i int, change func(k int, by pressure)) pressure {
	st, next := s.steps[i], s.live
	// the last step before i that uses a register whose last use is i; -1 for none, len(steps) where it lives on
	dies := make([]int, len(st.reads))
	for j, v := range st.reads {
		dies[j] = len(s.steps)
		if u := s.uses[v]; u[len(u)-1] == i && !s.stays[v] {
			dies[j] = -1
			if len(u) > 1 {
				dies[j] = u[len(u)-2]
			} else {
				next.add(v, -1)
			}
		}
	}
	for _, v := range st.makes {
		next.add(v, 1)
	}
	for k := s.head; k < i; k++ {
		if s.steps[k].done {
			continue
		}
		var by pressure
		for j, v := range st.reads {
			if dies[j] <= k {
				by.add(v, -1)
			}
		}
		for _, v := range st.makes {
			if s.uses[v] != nil || s.stays[v] {
				by.add(v, 1)
			}
		}
		change(k, by)
	}
	return next
}

// fits reports whether registers and predicates suffice when step i is executed next.
func (s *blockSchedule) fits(i int) bool {
	ok := true
	within := func(p, by pressure) {
		if by.words > 0 && p.words+by.words > s.room || by.bools > 0 && p.bools+by.bools > predicates {
			ok = false
		}
	}
	next := s.shift(i, func(k int, by pressure) { within(s.after[k], by) })
	within(s.live, pressure{next.words - s.live.words, next.bools - s.live.bools})
	return ok
}

// take executes step i.
func (s *blockSchedule) take(i int) {
	s.live = s.shift(i, func(k int, by pressure) {
		s.after[k].words += by.words
		s.after[k].bools += by.bools
	})
	st := s.steps[i]
	st.done = true
	for _, v := range st.reads {
		s.uses[v] = slices.DeleteFunc(s.uses[v], func(k int) bool { return k == i })
	}
	for _, v := range st.makes {
		if len(s.uses[v]) == 0 && !s.stays[v] {
			s.live.add(v, -1)
		}
	}
	for s.head < len(s.steps) && s.steps[s.head].done {
		s.head++
	}
}
