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
)

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

// conflicts calls found for who uses something of b.
func conflicts(uses []use, b partition.Box, found func(*Vertex)) {
	for _, u := range uses {
		if !u.by.finished && u.box.Meets(b) {
			found(u.by)
		}
	}
}

// superseded returns what of uses later launches may still have to wait for when they wait for who writes b.
func superseded(uses []use, b partition.Box) []use {
	kept := uses[:0]
	var parts []use
	for _, u := range uses {
		switch {
		case u.by.finished:
		case !u.box.Meets(b):
			kept = append(kept, u)
		default:
			for _, rest := range u.box.Without(b) {
				parts = append(parts, use{u.by, rest})
			}
		}
	}
	clear(uses[len(kept):])
	return append(kept, parts...)
}

// parents returns what a launch that does all of these comes after, by number, but for what others of them come
// after. It takes time linear in the boxes of the same fields that are in use, and in the chains that lead to those.
func parents(accesses []Access) (out []*Vertex) {
	var found []*Vertex
	note := func(u *Vertex) { found = append(found, u) }
	for _, a := range accesses {
		conflicts(a.Field.writers, a.Box, note)
		if a.Mode != Read {
			conflicts(a.Field.readers, a.Box, note)
		}
	}
	slices.SortFunc(found, func(a, b *Vertex) int { return cmp.Compare(a.Number, b.Number) })
	found = slices.Compact(found)
	if len(found) < 2 {
		return found
	}
	last := map[int]int{} // by chain, where something that was found comes after all up to that place
	for _, u := range found {
		for _, x := range u.clock {
			last[x.chain] = max(last[x.chain], x.place+1)
		}
		last[u.chain] = max(last[u.chain], u.place)
	}
	for _, u := range found {
		if last[u.chain] <= u.place {
			out = append(out, u)
		}
	}
	return out
}

// note makes later launches wait for v, which does all of these.
func note(v *Vertex, accesses []Access) {
	for _, a := range accesses {
		if a.Mode != Read {
			a.Field.writers = superseded(a.Field.writers, a.Box)
			a.Field.readers = superseded(a.Field.readers, a.Box)
		}
	}
	for _, a := range accesses {
		if u := (use{v, a.Box}); a.Mode == Read {
			a.Field.readers = append(a.Field.readers, u)
		} else {
			a.Field.writers = append(a.Field.writers, u)
		}
	}
}

// chain gives v a place in a chain, and its clock.
func (p *Planner) chain(v *Vertex) {
	v.chain, v.tail = -1, true
	clock := map[int]int{}
	for _, u := range v.Parents {
		if v.chain < 0 && u.tail {
			u.tail = false
			v.chain, v.place = u.chain, u.place+1
		}
		clock[u.chain] = max(clock[u.chain], u.place)
		for _, x := range u.clock {
			if place, ok := clock[x.chain]; !ok || place < x.place {
				clock[x.chain] = x.place
			}
		}
	}
	if v.chain < 0 {
		v.chain = p.chains
		p.chains++
	}
	delete(clock, v.chain)
	for chain, place := range clock {
		v.clock = append(v.clock, point{chain, place})
	}
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
