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
	place int  // in its chain
	tail  bool // it is the last of its chain
	seen  int  // the last search that has found that something comes after it
}

// conflicts appends who uses something of b, and is not finished, to found.
func (f *Field) conflicts(found []*Vertex, all *uses, b partition.Box) []*Vertex {
	for _, i := range all.Meeting(b) {
		if _, by := all.At(i); !(*by).finished {
			found = append(found, *by)
		}
	}
	return found
}

// supersede takes from uses, which are f's, what later launches need not wait for when they wait for who writes b.
func (f *Field) supersede(all *uses, b partition.Box) {
	more, gone, cut := f.rest[:0], f.gone[:0], f.cut[:0]
	for _, i := range all.Meeting(b) {
		box, by := all.At(i)
		if (*by).finished || b.Contains(box) {
			gone = append(gone, i)
			f.room.Back(box)
			continue
		}
		cut = append(cut, i)
		f.parts = f.room.Without(f.parts[:0], box, b)
		for _, rest := range f.parts[1:] {
			more = append(more, use{*by, rest})
		}
		copy(box, f.parts[0]) // where it is
		f.room.Back(f.parts[0])
	}
	f.rest, f.gone, f.cut = more, gone, cut
	all.Changed(cut...)
	all.Remove(gone)
	for _, rest := range more {
		all.Add(rest.box, rest.by)
	}
}

// wrote notes that v writes b.
func (f *Field) wrote(v *Vertex, b partition.Box) {
	f.supersede(&f.readers, b)
	if same := f.writers.Meeting(b); len(same) == 1 {
		if old, by := f.writers.At(same[0]); slices.Equal(old, b) { // as in each turn of a loop
			*by = v
			return
		}
	}
	f.supersede(&f.writers, b)
	f.writers.Add(f.room.Clone(b), v)
}

// parents returns what a launch that does all of these comes after, by number, but for what others of them come
// after, and notes when what each of them is of would have been made. It takes time linear in the uses that meet its
// boxes, beside what needed takes.
func (p *Planner) parents(accesses []Access) []*Vertex {
	found := p.found[:0]
	p.ready = p.ready[:0]
	for _, a := range accesses {
		before := len(found)
		found = a.Field.conflicts(found, &a.Field.writers, a.Box)
		made := 0.0
		for _, u := range found[before:] {
			made = max(made, u.ends)
		}
		p.ready = append(p.ready, made)
		if a.Mode.writes() {
			found = a.Field.conflicts(found, &a.Field.readers, a.Box)
		}
	}
	p.found = found
	slices.SortFunc(found, func(a, b *Vertex) int { return cmp.Compare(a.Number, b.Number) })
	return p.lists.of(p.needed(slices.Compact(found)))
}

// mostEdges is how many edges a search looks at that may end before it has found all.
const mostEdges = 500

// needed returns those of found, which are by number, that no others of them come after. Where that takes long to find
// out, some stay that are not needed: waiting for them twice changes nothing. With whole arrays, whose edges are
// those that were published, none stays.
func (p *Planner) needed(found []*Vertex) []*Vertex {
	if len(found) < 2 {
		return found
	}
	p.searches++
	for _, u := range found { // the last of each chain comes after the others there
		for len(p.lasts) <= u.chain {
			p.lasts = append(p.lasts, nil)
		}
		if at := &p.lasts[u.chain]; *at == nil || (*at).place < u.place {
			*at = u
		}
	}
	n := 0
	for _, u := range found {
		if p.lasts[u.chain] == u {
			found[n] = u
			n++
		}
	}
	found = found[:n]
	p.search(found)
	n = 0
	for _, u := range found {
		p.lasts[u.chain] = nil
		if u.seen != p.searches {
			found[n] = u
			n++
		}
	}
	return found[:n]
}

// search marks those of found, which are by number and the p.lasts of their chains, that others of them come after.
func (p *Planner) search(found []*Vertex) {
	left, edges := len(found)-1, 0 // nothing of them comes after the last
	stack := append(p.stack[:0], found...)
	for len(stack) > 0 && left > 0 {
		w := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		for _, u := range slices.Backward(w.Parents) {
			if edges++; u.Number < found[0].Number || edges > mostEdges && !p.Whole {
				break
			}
			if u.seen == p.searches {
				continue
			}
			if last := p.lasts[u.chain]; last != nil && last.place <= u.place && last.seen != p.searches {
				last.seen = p.searches
				left--
			}
			if u.seen != p.searches { // one of found has its parents looked at anyway
				u.seen = p.searches
				stack = append(stack, u)
			}
		}
	}
	p.stack = stack
}

// note makes later launches wait for v, which does all of these.
func note(v *Vertex, accesses []Access) {
	for _, a := range accesses {
		if a.Mode.writes() && a.Box.Len() > 0 {
			a.Field.wrote(v, a.Box)
		}
	}
	for _, a := range accesses {
		if !a.Mode.writes() && a.Box.Len() > 0 {
			a.Field.readers.Add(a.Field.room.Clone(a.Box), v)
		}
	}
}

// chain gives v a place in a chain.
func (p *Planner) chain(v *Vertex) {
	v.tail = true
	for _, u := range v.Parents {
		if u.tail {
			u.tail = false
			v.chain, v.place = u.chain, u.place+1
			return
		}
	}
	v.chain = p.chains
	p.chains++
}

// finish notes that v, and so all that it comes after, is done: nothing need wait for them.
func (p *Planner) finish(v *Vertex) {
	for stack := []*Vertex{v}; len(stack) > 0; {
		u := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if u.finished {
			continue
		}
		u.finished = true
		p.over(u)
		stack = append(stack, u.Parents...)
	}
}
