package opt

import (
	"math"
	"slices"

	"github.com/arrayrepl/arrayrepl/kir"
)

// Spill returns a kernel that does what f does and takes at most so many registers of a thread (see Registers), where
// that can be: f itself where it fits, else one that keeps values in local memory, or computes them again where that is
// as cheap, as the compiler of a device does. Of what lives where registers are short, it takes what blocks one longest
// for the fewest uses.
func Spill(f *kir.Func, registers int) *kir.Func {
	if Registers(f) <= registers {
		return f
	}
	s := spilling{f: f.Clone(), settled: map[*kir.Value]bool{}}
	for Registers(s.f) > registers {
		v := s.choose()
		if v == nil {
			break
		}
		s.spill(v)
		s.f.Renumber()
	}
	dropArrays(s.f, kir.OpLocal, &s.f.Local)
	return s.f
}

type spilling struct {
	f       *kir.Func
	settled map[*kir.Value]bool // what was spilled, and what was made for that
}

// choose returns the value to spill next, or nil when there is none left.
func (s *spilling) choose() *kir.Value {
	lives := intervals(s.f, LowWords(s.f))
	lives = slices.DeleteFunc(lives, func(l *lifetime) bool { return l.v.Type == kir.Bool })
	at := fullest(lives)
	weight := s.useWeights()
	var best *kir.Value
	most := 0.0
	for _, l := range lives {
		if s.settled[l.v] || !slices.ContainsFunc(l.ranges, func(r span) bool { return r.from <= at && at < r.to }) {
			continue
		}
		length := 0
		for _, r := range l.ranges {
			length += r.to - r.from
		}
		if gain := float64(length*l.width) / (1 + weight[l.v.ID]); gain > most {
			best, most = l.v, gain
		}
	}
	return best
}

// fullest returns a position at which most registers are taken.
func fullest(lives []*lifetime) int {
	type step struct{ at, by int }
	var steps []step
	for _, l := range lives {
		for _, r := range l.ranges {
			steps = append(steps, step{r.from, l.width}, step{r.to, -l.width})
		}
	}
	slices.SortFunc(steps, func(a, b step) int {
		if a.at != b.at {
			return a.at - b.at
		}
		return a.by - b.by // what ends makes room first
	})
	now, most, at := 0, 0, 0
	for _, s := range steps {
		if now += s.by; now > most {
			most, at = now, s.at
		}
	}
	return at
}

// useWeights returns how often each register is used, by the ID of its value, counting a loop as ten rounds.
func (s *spilling) useWeights() []float64 {
	w := make([]float64, s.f.NumValues())
	times := make([]float64, len(s.f.Blocks))
	for i := range times {
		times[i] = 1
	}
	for _, l := range loopsOf(s.f, dominators(s.f)) {
		for b, in := range l.In {
			if in {
				times[b] = math.Min(10*times[b], 1e6)
			}
		}
	}
	for _, blk := range s.f.Blocks {
		blk.EachUse(func(u **kir.Value) {
			if r := registerName(*u); r != nil {
				w[r.ID] += times[blk.ID]
			}
		})
	}
	return w
}

// spill puts v into local memory behind its definition and takes it from there before each use; or computes it before
// each use from what takes no register.
func (s *spilling) spill(v *kir.Value) {
	s.settled[v] = true
	again := v.Op == kir.OpSpecial && !kir.Special(v.Imm).Varies() || len(v.Args) > 0 && v.IsPure() && !slices.ContainsFunc(v.Args, func(a *kir.Value) bool { return registerName(a) != nil })
	if !again {
		s.f.Local = append(s.f.Local, kir.Array{Name: "spilled", Elem: v.Type, Len: 1, Offset: kir.OffsetBehind(s.f.Local, v.Type.Bytes())})
	}
	slot := uint64(len(s.f.Local) - 1)
	for _, blk := range s.f.Blocks {
		r := rewriter{f: s.f, blk: blk, out: make([]*kir.Value, 0, len(blk.Values)+8), at: v}
		address := func() *kir.Value {
			a := r.op(kir.OpLocal, kir.U64)
			a.Imm, a.Note = slot, ""
			return a
		}
		store := func() {
			if !again {
				st := r.op(kir.OpStore, kir.Void, address(), v)
				st.Space = kir.Local
			}
		}
		var reload func(x *kir.Value) *kir.Value
		reload = func(x *kir.Value) *kir.Value { // x, which is v or another name for its register
			if x != v {
				return r.op(x.Op, x.Type, reload(x.Args[0]))
			}
			var w *kir.Value
			if again {
				w = r.op(v.Op, v.Type, v.Args...)
				w.Imm = v.Imm
			} else {
				w = r.op(kir.OpLoad, v.Type, address())
				w.Space = kir.Local
			}
			s.settled[w] = true
			return w
		}
		use := func(u **kir.Value) {
			if registerName(*u) == v {
				*u = reload(*u)
			}
		}
		if slices.Contains(blk.Params, v) {
			store()
		}
		for _, x := range blk.Values {
			if registerName(x) != v { // other names are made anew where they are used
				for i := range x.Args {
					use(&x.Args[i])
				}
			}
			r.out = append(r.out, x)
			if x == v {
				store()
			}
		}
		if blk.Term.Kind == kir.TermBranch {
			use(&blk.Term.Cond)
		}
		for _, e := range blk.Term.Edges() {
			for i := range e.Args {
				use(&e.Args[i])
			}
		}
		blk.Values = r.out
		blk.SplitVectors()
	}
	dropDead(s.f)
}
