package placement

import (
	"cmp"
	"slices"

	"github.com/arrayrepl/arrayrepl/offload/partition"
)

// Mode is what a launch does with elements.
type Mode int

// The modes. What is written alone is not copied to where it is written.
const (
	Read Mode = iota
	Write
	ReadWrite
	// Begin is of a field that another begins as a copy of, which has its bytes: see [Field.Copy].
	Begin
)

func (m Mode) writes() bool { return m == Write || m == ReadWrite }

// Access is what a launch does with a box of a field.
type Access struct {
	Field *Field
	Box   partition.Box // nil for all of it
	Mode  Mode
}

// Reads, Writes and Updates are accesses to all of a field. In GrCUDA's signatures an argument that is const is read,
// any other is updated.
func Reads(f *Field) Access { return Access{f, f.Whole(), Read} }

// Writes is the access of what is written without being read.
func Writes(f *Field) Access { return Access{f, f.Whole(), Write} }

// Updates is the access of what is read and written.
func Updates(f *Field) Access { return Access{f, f.Whole(), ReadWrite} }

// Vertex is a launch that was submitted: a node of the graph of dependences.
type Vertex struct {
	Name    string
	Number  int // in the order of submission
	Device  int
	Stream  int       // of all devices, by number
	Parents []*Vertex // what it must come after, without those that others of them come after already; by number

	ends     float64 // in seconds, by the estimate of a planner that makes one
	handed   bool    // a child has its stream
	finished bool    // the host has waited for it, or for what comes after it

	// For what comes after what: the graph is covered by chains, in each of which every vertex comes after those
	// before.
	chain int
	place int     // in its chain
	tail  bool    // it is the last of its chain
	clock []point // of other chains, the last that it comes after
}

// point is a place in a chain.
type point struct{ chain, place int }

// use is a box that a vertex reads or writes, as long as what comes later may have to wait for it.
type use struct {
	by  *Vertex
	box partition.Box
}

// conflicts appends who uses something of b, and is not finished, to found.
func conflicts(found []*Vertex, uses []use, b partition.Box) []*Vertex {
	for _, u := range uses {
		if u.box.Meets(b) && !u.by.finished {
			found = append(found, u.by)
		}
	}
	return found
}

// superseded returns what of uses, which are f's, later launches may still have to wait for when they wait for who
// writes b.
func (f *Field) superseded(uses []use, b partition.Box) []use {
	kept, parts := uses[:0], f.cut[:0]
	for _, u := range uses {
		switch {
		case u.by.finished:
			f.room.Back(u.box)
		case !u.box.Meets(b):
			kept = append(kept, u)
		default:
			f.parts = f.room.Without(f.parts[:0], u.box, b)
			for _, rest := range f.parts {
				parts = append(parts, use{u.by, rest})
			}
			f.room.Back(u.box)
		}
	}
	f.cut = parts
	out := append(kept, parts...)
	clear(uses[min(len(out), len(uses)):])
	return out
}

// parents returns what a launch that does all of these comes after, by number, but for what others of them come
// after, and notes when what each of them is of would have been made. It takes time linear in the boxes of the same
// fields that are in use, and in the chains that lead to those.
func (p *Planner) parents(accesses []Access) []*Vertex {
	found := p.found[:0]
	p.ready = p.ready[:0]
	for _, a := range accesses {
		before := len(found)
		found = conflicts(found, a.Field.writers, a.Box)
		made := 0.0
		for _, u := range found[before:] {
			made = max(made, u.ends)
		}
		p.ready = append(p.ready, made)
		if a.Mode.writes() {
			found = conflicts(found, a.Field.readers, a.Box)
		}
	}
	p.found = found
	slices.SortFunc(found, func(a, b *Vertex) int { return cmp.Compare(a.Number, b.Number) })
	found = slices.Compact(found)
	if len(found) < 2 {
		return p.lists.of(found)
	}
	last := &p.clock // by chain, where something that was found comes after all up to that place
	last.reset()
	for _, u := range found {
		for _, x := range u.clock {
			last.raise(x.chain, x.place+1)
		}
		last.raise(u.chain, u.place)
	}
	n := 0
	for _, u := range found {
		if last.of(u.chain) <= u.place {
			found[n] = u
			n++
		}
	}
	return p.lists.of(found[:n])
}

// note makes later launches wait for v, which does all of these.
func note(v *Vertex, accesses []Access) {
	for _, a := range accesses {
		if a.Mode.writes() {
			a.Field.writers = a.Field.superseded(a.Field.writers, a.Box)
			a.Field.readers = a.Field.superseded(a.Field.readers, a.Box)
		}
	}
	for _, a := range accesses {
		if u := (use{v, a.Field.room.Clone(a.Box)}); a.Mode.writes() {
			a.Field.writers = append(a.Field.writers, u)
		} else {
			a.Field.readers = append(a.Field.readers, u)
		}
	}
}

// chain gives v a place in a chain, and its clock.
func (p *Planner) chain(v *Vertex) {
	v.chain, v.tail = -1, true
	clock := &p.clock
	clock.reset()
	for _, u := range v.Parents {
		if v.chain < 0 && u.tail {
			u.tail = false
			v.chain, v.place = u.chain, u.place+1
		}
		clock.raise(u.chain, u.place)
		for _, x := range u.clock {
			clock.raise(x.chain, x.place)
		}
	}
	if v.chain < 0 {
		v.chain = p.chains
		p.chains++
	}
	p.points = clock.without(p.points[:0], v.chain)
	v.clock = p.clocks.of(p.points)
}

// latest is the latest place in each of some chains: few of them in a row, many in a map.
type latest struct {
	few  []point
	many map[int]int
}

// mostFew is how many chains are looked through one after the other.
const mostFew = 16

func (l *latest) reset() { l.few, l.many = l.few[:0], nil }

// raise notes that the latest place of a chain is at least that.
func (l *latest) raise(chain, place int) {
	if l.many != nil {
		if old, known := l.many[chain]; !known || old < place {
			l.many[chain] = place
		}
		return
	}
	for i, x := range l.few {
		if x.chain == chain {
			l.few[i].place = max(x.place, place)
			return
		}
	}
	if l.few = append(l.few, point{chain, place}); len(l.few) > mostFew {
		l.many = make(map[int]int)
		for _, x := range l.few {
			l.many[x.chain] = x.place
		}
	}
}

// of returns the latest place of a chain, 0 where there is none.
func (l *latest) of(chain int) int {
	if l.many != nil {
		return l.many[chain]
	}
	for _, x := range l.few {
		if x.chain == chain {
			return x.place
		}
	}
	return 0
}

// without appends all places but that of a chain to out.
func (l *latest) without(out []point, chain int) []point {
	if l.many == nil {
		for _, x := range l.few {
			if x.chain != chain {
				out = append(out, x)
			}
		}
		return out
	}
	for c, place := range l.many {
		if c != chain {
			out = append(out, point{c, place})
		}
	}
	return out
}

// finish notes that v, and so all that it comes after, is done: nothing need wait for them.
func (p *Planner) finish(v *Vertex) {
	for stack := []*Vertex{v}; len(stack) > 0; {
		u := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if u.finished {
			continue
		}
		u.finished, u.clock = true, nil
		p.over(u)
		stack = append(stack, u.Parents...)
	}
}
