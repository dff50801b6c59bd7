package simgpu

import "github.com/arrayrepl/arrayrepl/kir"

// What a value of a loop follows from, besides what was there before the loop.
const (
	fromOthers  = 1 << iota // memory that the loop does not change: only other threads do
	fromRounds              // how often the loop went round, or what it did
	fromCarried             // a value that the loop brings to its next round
)

// waitsFor returns the operation by which a loop of f waits for another thread, nil when no loop does: a loop that
// writes nothing and meets nobody, and whose ways out depend on reading the same place of shared or global memory again
// and again. A compare-and-swap or an exchange with the same operands each time reads so too: that is the taking of a
// lock.
func waitsFor(f *kir.Func) *kir.Value {
	preds := make([][]int, len(f.Blocks))
	for _, b := range f.Blocks {
		for _, e := range b.Term.Edges() {
			preds[e.To.ID] = append(preds[e.To.ID], b.ID)
		}
	}
	for _, head := range f.Blocks {
		l := spinLoop{f: f, head: head, in: make([]bool, len(f.Blocks))}
		l.in[head.ID] = true
		var todo []int
		for _, p := range preds[head.ID] {
			if p >= head.ID { // blocks are in reverse post-order
				todo = append(todo, p)
			}
		}
		if len(todo) == 0 {
			continue
		}
		for len(todo) > 0 {
			b := todo[len(todo)-1]
			todo = todo[:len(todo)-1]
			if b < head.ID {
				return nil // two ways in: not a loop of a structured program
			}
			if !l.in[b] {
				l.in[b] = true
				todo = append(todo, preds[b]...)
			}
		}
		if v := l.wait(); v != nil {
			return v
		}
	}
	return nil
}

// spinLoop is a natural loop.
type spinLoop struct {
	f    *kir.Func
	head *kir.Block
	in   []bool // by block
	from []uint8
	read *kir.Value // the last read of what others write
}

// wait returns what the loop waits for, or nil.
func (l *spinLoop) wait() *kir.Value {
	for _, b := range l.f.Blocks {
		if !l.in[b.ID] {
			continue
		}
		for _, v := range b.Values {
			if v.Op == kir.OpStore && v.Space != kir.Local || v.Op.IsBarrier() || v.Op.IsWarp() || v.Op == kir.OpPrintf {
				return nil
			}
		}
	}
	// First, which of the loop's parameters does the loop compute from each other, as a counter does; then, what
	// follows from what.
	l.from = make([]uint8, l.f.NumValues())
	for _, p := range l.head.Params {
		if l.carried(p, func(a *kir.Value) bool { return a != p }) {
			l.from[p.ID] = fromCarried
		}
	}
	l.spread()
	counts := make([]bool, len(l.head.Params))
	for i, p := range l.head.Params {
		counts[i] = l.carried(p, func(a *kir.Value) bool { return a != p && l.from[a.ID]&fromCarried != 0 })
	}
	l.from = make([]uint8, l.f.NumValues())
	for i, p := range l.head.Params {
		if counts[i] {
			l.from[p.ID] = fromRounds
		}
	}
	l.spread()
	waits := false
	for _, b := range l.f.Blocks {
		for _, e := range b.Term.Edges() {
			if !l.in[b.ID] || l.in[e.To.ID] || b.Term.Cond == nil {
				continue
			}
			from := l.from[b.Term.Cond.ID]
			if from&fromRounds != 0 {
				return nil
			}
			waits = waits || from&fromOthers != 0
		}
	}
	if !waits {
		return nil
	}
	return l.read
}

// carried reports whether an edge back to the head brings p an argument that is so.
func (l *spinLoop) carried(p *kir.Value, so func(a *kir.Value) bool) bool {
	for _, b := range l.f.Blocks {
		for _, e := range b.Term.Edges() {
			if !l.in[b.ID] || e.To != l.head {
				continue
			}
			for i, q := range l.head.Params {
				if q == p && so(e.Args[i]) {
					return true
				}
			}
		}
	}
	return false
}

// spread follows from through the loop.
func (l *spinLoop) spread() {
	for changed := true; changed; {
		changed = false
		add := func(v *kir.Value, from uint8) {
			if l.from[v.ID]|from != l.from[v.ID] {
				l.from[v.ID] |= from
				changed = true
			}
		}
		for _, b := range l.f.Blocks {
			if !l.in[b.ID] {
				continue
			}
			for _, v := range b.Values {
				for _, a := range v.Args {
					add(v, l.from[a.ID])
				}
				add(v, l.reads(v))
			}
			for _, e := range b.Term.Edges() {
				if !l.in[e.To.ID] {
					continue
				}
				for i, a := range e.Args {
					if e.To != l.head {
						add(e.To.Params[i], l.from[a.ID])
					} else if a != e.To.Params[i] {
						add(e.To.Params[i], l.from[a.ID]&fromOthers)
					}
				}
			}
		}
	}
}

// reads returns what the result of v follows from beyond its operands.
func (l *spinLoop) reads(v *kir.Value) uint8 {
	special := v.Op == kir.OpSpecial && v.Type == kir.U64 // a clock
	switch {
	case special || v.Op == kir.OpLoad && v.Space == kir.Local:
		return fromRounds
	case v.Op == kir.OpLoad && v.Space != kir.Const,
		v.Op == kir.OpAtomicCAS, v.Op == kir.OpAtomicExch:
		l.read = v
		return fromOthers
	case v.Op.IsAtomic(): // it counts, or changes what it reads in some other way
		if c := v.Args[1]; c.Op == kir.OpConst && c.Imm == 0 && (v.Op == kir.OpAtomicAdd || v.Op == kir.OpAtomicOr || v.Op == kir.OpAtomicXor) {
			l.read = v
			return fromOthers
		}
		return fromRounds
	}
	return 0
}
