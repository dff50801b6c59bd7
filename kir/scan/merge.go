package scan

import "github.com/arrayrepl/arrayrepl/kir"

// Run is sorted elements that Merge merges: arrays number i of a plan's inputs are the elements of run i, and for a
// Sort of Places those behind them, as many, are I64 places that go with the elements, to each of which From is added.
type Run struct{ N, From int }

// Merge plans how runs, none of which is empty, become one, of which equal elements are in the order of the runs: two
// by two, an element goes as far as there are elements before it in the other run, which a search by halves tells. The
// result is elements, or the places that went with them.
func (s Sort) Merge(runs []Run, sorts SortMaker) (p Plan, err error) {
	made, err := sorts(Sort{Elem: s.Elem, Places: s.Places, Threads: s.Threads, Each: 1}, SortMerge)
	if err != nil {
		return p, err
	}
	n := 0
	for _, r := range runs {
		n += r.N
	}
	var buffers [2][]Arg // that runs take turns in, elements and places
	for i := range buffers {
		buffers[i] = p.scratch(n, []kir.Type{s.stored()})
		if s.Places {
			buffers[i] = append(buffers[i], p.scratch(n, []kir.Type{kir.I64})...)
		}
	}
	num := func(x int) Arg { return Arg{Kind: Number, N: x} }
	type run struct {
		Run
		elems, places Arg
	}
	now := make([]run, len(runs))
	for i, r := range runs {
		now[i] = run{r, Arg{Kind: In, N: i}, num(0)}
		if s.Places {
			now[i].places = Arg{Kind: In, N: len(runs) + i}
		}
	}
	behind := func(a Arg, elements, bytes int) Arg {
		a.Byte += elements * bytes
		return a
	}
	for level := 0; level == 0 || len(now) > 1; level++ {
		var next []run
		at := 0
		for i := 0; i < len(now); i += 2 {
			a, b := now[i], run{elems: now[i].elems, places: now[i].places} // one that has no other is copied
			if i+1 < len(now) {
				b = now[i+1]
			}
			to := run{Run: Run{N: a.N + b.N}, places: num(0)}
			to.elems = behind(buffers[level%2][0], at, s.stored().Bytes())
			if s.Places {
				to.places = behind(buffers[level%2][1], at, kir.I64.Bytes())
			}
			switch last := len(now) <= 2; {
			case last && s.Places:
				to.places = Arg{Kind: Out}
			case last:
				to.elems = Arg{Kind: Out}
			}
			blocks := (to.N + s.Threads - 1) / s.Threads
			p.Launches = append(p.Launches, Launch{made, kir.D1(blocks), kir.D1(s.Threads),
				[]Arg{a.elems, b.elems, a.places, b.places, num(a.From), num(b.From), num(a.N), num(b.N), to.elems, to.places}})
			next, at = append(next, to), at+to.N
		}
		now = next
	}
	return p, nil
}

// merge has parameters two runs' elements, their places, what is added to these, how many elements they have, and where
// elements and places go.
func (m *sorter) merge() {
	a, b := m.Param("a", kir.U64), m.Param("b", kir.U64)
	placesA, placesB := m.Param("placesA", kir.U64), m.Param("placesB", kir.U64)
	fromA, fromB := m.Param("fromA", kir.I64), m.Param("fromB", kir.I64)
	countA, countB := m.Param("countA", kir.I64), m.Param("countB", kir.I64)
	out, placesOut := m.Param("out", kir.U64), m.Param("placesOut", kir.U64)
	i := m.GlobalIDX()
	m.when(m.Op(kir.OpLt, i, m.add(countA, countB)), func() {
		first := m.Op(kir.OpLt, i, countA)
		either := func(x, y *kir.Value) *kir.Value { return m.Op(kir.OpSelect, first, x, y) }
		own, other := either(a, b), either(b, a)
		j := either(i, m.sub(i, countA))
		bits := m.Load(kir.Global, m.stored(), m.Index(own, j, m.stored()))
		key := m.ofElement(bits)
		head, work, end := m.NewBlock("head", kir.I64, kir.I64), m.NewBlock("half"), m.NewBlock("found")
		m.Jump(head, m.num(0), either(countB, countA))
		m.SetBlock(head)
		lo, hi := head.Params[0], head.Params[1]
		m.Branch(m.Op(kir.OpLt, lo, hi), work, end)
		m.SetBlock(work)
		mid := m.Op(kir.OpShr, m.add(lo, hi), m.count(1))
		x := m.load(other, mid)
		// Of equal elements those of the first run are before those of the second.
		before := m.Op(kir.OpOr, m.Op(kir.OpLt, x, key), m.Op(kir.OpAnd, m.Op(kir.OpEq, x, key), m.Op(kir.OpNot, first)))
		m.Jump(head, m.Op(kir.OpSelect, before, m.add(mid, m.num(1)), lo), m.Op(kir.OpSelect, before, hi, mid))
		m.SetBlock(end)
		to := m.add(j, lo)
		m.Store(kir.Global, m.Index(out, to, m.stored()), bits)
		if m.Places {
			place := m.Load(kir.Global, kir.I64, m.Index(either(placesA, placesB), j, kir.I64))
			m.Store(kir.Global, m.Index(placesOut, to, kir.I64), m.add(place, either(fromA, fromB)))
		}
	})
}
