package opt

import (
	"cmp"
	"slices"

	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/kir/internal/flow"
)

// fixedRegisters are what every kernel needs beside its values: the stack pointer of the ABI, and one pair in which a
// 64-bit address or a predicate's spill is put together.
const fixedRegisters = 3

// predicates are what a thread has for bools, as in SASS; further ones take registers.
const predicates = 7

// Allocation is what a kernel takes of a device's registers.
type Allocation struct {
	Registers  int   // of 32 bits, of a thread
	Predicates int   // of one bit, up to 7; bools beyond them are in registers
	Of         []int // by value ID: the first register of the value, or -1 where it needs none of its own
}

// Registers returns the number of 32-bit registers that a thread of f takes.
func Registers(f *kir.Func) int { return Allocate(f).Registers }

// Allocate gives registers to the values of f by linear scan over its blocks in their order, which is the order in
// which a device has them: each value from where it is made to its last use, less the holes in between (Wimmer and
// Mössenböck, "Optimized Interval Splitting in a Linear Scan Register Allocator", 2005). A 64-bit value takes an
// aligned pair, or one where its low word is all that counts (LowWords), a bool a predicate; constants, parameters and
// addresses of arrays take nothing (they are operands of instructions), nor do conversions that only give the same
// registers another name. There are as many registers as it takes: see Spill.
func Allocate(f *kir.Func) Allocation {
	s := scan{f: f, of: make([]int, f.NumValues()), low: LowWords(f)}
	for i := range s.of {
		s.of[i] = -1
	}
	lives := intervals(f, s.low)
	a := Allocation{Of: s.of}
	// Predicates first: those that find none take a register.
	var words []*lifetime
	s.limit = predicates
	for _, l := range lives {
		if l.v.Type != kir.Bool {
			words = append(words, l)
		} else if r, ok := s.place(l); ok {
			a.Predicates = max(a.Predicates, r+1)
		} else {
			words = append(words, l)
		}
	}
	s.limit, s.active, s.inactive = 0, nil, nil
	for _, l := range words {
		r, _ := s.place(l)
		a.Registers = max(a.Registers, r+l.width)
	}
	a.Registers += fixedRegisters
	return a
}

// lifetime is where a value lives: ranges of positions in the order of the blocks.
type lifetime struct {
	v      *kir.Value
	width  int
	ranges []span     // increasing, apart
	hint   *kir.Value // that would best have the same register
	reg    int
}

type span struct{ from, to int }

// registerName returns the value whose register v has: v itself, what it is another name of, or nil for what has none.
func registerName(v *kir.Value) *kir.Value {
	for {
		switch {
		case v.Type == kir.Void, v.Op != kir.OpArg && v.Op.IsFree():
			return nil
		case v.Op == kir.OpConvert && v.Type.IsInteger() && v.Args[0].Type.IsInteger() && v.Type.Bytes() == v.Args[0].Type.Bytes(),
			v.Op == kir.OpBitcast, v.Op == kir.OpFlush: // which is in the instruction that makes or takes the number
			v = v.Args[0]
		default:
			return v
		}
	}
}

// intervals returns where the values of f live, by where they begin.
func intervals(f *kir.Func, low []bool) []*lifetime {
	_, out := liveness(f, registerName)
	byID := make([]*lifetime, f.NumValues())
	var all []*lifetime
	values := make([]*kir.Value, f.NumValues())
	for _, blk := range f.Blocks {
		for _, vs := range [][]*kir.Value{blk.Params, blk.Values} {
			for _, v := range vs {
				values[v.ID] = v
			}
		}
	}
	get := func(v *kir.Value) *lifetime {
		if byID[v.ID] == nil {
			byID[v.ID] = &lifetime{v: v, width: max(1, v.Type.Bytes()/4)}
			if low[v.ID] {
				byID[v.ID].width = 1
			}
			all = append(all, byID[v.ID])
		}
		return byID[v.ID]
	}
	// Positions count two for each value: it is read at the first and makes its result at the second.
	end := 0
	for _, blk := range f.Blocks {
		end += 2 * (len(blk.Values) + 2)
	}
	for i := len(f.Blocks) - 1; i >= 0; i-- { // backwards, so that ranges are met last to first
		blk := f.Blocks[i]
		start := end - 2*(len(blk.Values)+2)
		out[i].Each(func(id int) { get(values[id]).lives(start, end) })
		if blk.Term.Kind == kir.TermBranch {
			if c := registerName(blk.Term.Cond); c != nil {
				get(c).lives(start, end-1)
			}
		}
		for j := len(blk.Values) - 1; j >= 0; j-- {
			v, at := blk.Values[j], start+2*(j+1)
			if registerName(v) == v {
				get(v).begins(at + 1)
			}
			for _, a := range v.Args {
				if a = registerName(a); a != nil {
					get(a).lives(start, at+1)
				}
			}
		}
		for _, p := range blk.Params {
			get(p).begins(start)
		}
		for _, e := range blk.Term.Edges() {
			for k, a := range e.Args {
				if a = registerName(a); a != nil {
					get(a).hint, get(e.To.Params[k]).hint = e.To.Params[k], a
				}
			}
		}
		end = start
	}
	for _, l := range all {
		slices.Reverse(l.ranges)
	}
	slices.SortFunc(all, func(a, b *lifetime) int {
		return cmp.Or(cmp.Compare(a.ranges[0].from, b.ranges[0].from), cmp.Compare(a.v.ID, b.v.ID))
	})
	return all
}

// lives adds a range, which lies before the ones that were added, or is or touches the last of them.
func (l *lifetime) lives(from, to int) {
	if n := len(l.ranges); n > 0 && to >= l.ranges[n-1].from {
		last := &l.ranges[n-1]
		last.from, last.to = min(last.from, from), max(last.to, to)
		return
	}
	l.ranges = append(l.ranges, span{from, to})
}

// begins says that the value is made at a position: it does not live before in this block.
func (l *lifetime) begins(at int) {
	if n := len(l.ranges); n > 0 && l.ranges[n-1].from <= at && at < l.ranges[n-1].to {
		l.ranges[n-1].from = at
		return
	}
	l.ranges = append(l.ranges, span{at, at + 1}) // a result needs its register even when nobody reads it
}

// scan is a linear scan under way.
type scan struct {
	f                *kir.Func
	of               []int
	low              []bool // see LowWords
	limit            int    // registers that there are; 0 for as many as it takes
	active, inactive []*lifetime
	spare            [2][]*lifetime // their arrays of last time
	busy             flow.Bitset
}

// place gives l, which begins no earlier than those before it, the register of its hint where that is free, else the
// lowest free one.
func (s *scan) place(l *lifetime) (int, bool) {
	start := l.ranges[0].from
	active, inactive := s.spare[0][:0], s.spare[1][:0]
	clear(s.busy)
	take := func(o *lifetime) {
		for k := range o.width {
			for (o.reg+k)>>6 >= len(s.busy) {
				s.busy = append(s.busy, 0)
			}
			s.busy.Add(o.reg + k)
		}
	}
	for _, list := range [][]*lifetime{s.active, s.inactive} {
		for _, o := range list {
			for len(o.ranges) > 0 && o.ranges[0].to <= start {
				o.ranges = o.ranges[1:]
			}
			switch {
			case len(o.ranges) == 0:
			case o.ranges[0].from <= start:
				active = append(active, o)
				take(o)
			default:
				inactive = append(inactive, o)
				if meet(o.ranges, l.ranges) {
					take(o)
				}
			}
		}
	}
	s.spare = [2][]*lifetime{s.active, s.inactive}
	s.active, s.inactive = active, inactive
	free := func(r int) bool {
		for k := range l.width {
			if (r+k)>>6 < len(s.busy) && s.busy.Has(r+k) {
				return false
			}
		}
		return s.limit == 0 || r+l.width <= s.limit
	}
	r := -1
	if h := l.hint; h != nil && s.of[h.ID] >= 0 && h.Type.Bytes() == l.v.Type.Bytes() && s.low[h.ID] == s.low[l.v.ID] && h.Type != kir.Bool && free(s.of[h.ID]) {
		r = s.of[h.ID]
	}
	for c := 0; r < 0 && (s.limit == 0 || c < s.limit); c += l.width {
		if free(c) {
			r = c
		}
	}
	if r < 0 {
		return 0, false
	}
	l.reg = r
	s.active = append(s.active, l)
	if l.v.Type != kir.Bool || s.limit == 0 {
		s.of[l.v.ID] = r
	}
	return r, true
}

// meet reports whether two lists of increasing spans have a position in common.
func meet(a, b []span) bool {
	for len(a) > 0 && len(b) > 0 {
		switch {
		case a[0].to <= b[0].from:
			a = a[1:]
		case b[0].to <= a[0].from:
			b = b[1:]
		default:
			return true
		}
	}
	return false
}
