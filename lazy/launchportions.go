package lazy

import (
	"slices"

	"github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/kir"
)

// portion is the elements of an array that a launch reads or writes, which lie side by side: of all that it does with
// it.
type portion struct {
	at    int   // the first, in the array's storage
	shape []int // of rows, where they are some
}

// connectParts is connect, by portions where several devices are in use and may divide arrays. Nobody evaluates
// meanwhile.
func (r *kernelRun) connectParts(passed []*Array, undoable bool) (undo func()) {
	if len(r.on) < 2 || lock(runtime().CellContext()) != nil {
		return r.connect(passed, nil, undoable)
	}
	defer unlock()
	if runtime().Whole() {
		return r.connect(passed, nil, undoable)
	}
	return r.connect(passed, r.portions(passed), undoable)
}

// portions returns what the launch does with arrays of which it writes a part that its kernel's code tells. An array
// that it is passed twice is updated whole, and so is one where the kernel may reach any element, or none of the first
// ones that it is given the address of: devices check that a kernel was given an address in the memory that it writes
// to.
func (r *kernelRun) portions(passed []*Array) map[*ref]portion {
	out := map[*ref]portion{} // also of a launch without any: it reads those of others
	for i, a := range passed {
		if a == nil || !r.call.Args[i].Writes || a.Size() == 0 || a.inFile() != nil || !inKernels(a.dtype) {
			continue
		}
		of := 0
		for _, other := range passed {
			if other != nil && other.ref == a.ref {
				of++
			}
		}
		if p, ok := r.reaches(i, a); ok && of == 1 {
			out[a.ref] = p
		}
	}
	return out
}

// reaches returns the portion of a that the launch reaches by its argument number i, where that is less than all of it.
func (r *kernelRun) reaches(i int, a *Array) (portion, bool) {
	n, unit := a.now(), a.dtype.Size()
	at := reachesOf(&r.call)[i]
	if !at.Writes || !at.Written.Known || at.Reads && !at.Read.Known || wide(r.call.Func, unit) {
		return portion{}, false
	}
	first, last := at.Written.Lo, at.Written.Hi
	if at.Reads {
		first, last = min(first, at.Read.Lo), max(last, at.Read.Hi)
	}
	lo, hi := a.layout.Offset+int(first)/unit, a.layout.Offset+int(last)/unit+1
	if lo != a.layout.Offset || hi > n.layout.Size() || hi-lo == n.layout.Size() {
		return portion{}, false // one that goes beyond the array fails as it would without portions
	}
	p := portion{lo, []int{hi - lo}}
	if shape := n.layout.Shape; len(shape) > 1 {
		if row := elementsIn(shape[1:]); lo%row == 0 && hi%row == 0 {
			p.shape = append([]int{(hi - lo) / row}, shape[1:]...)
		}
	}
	return p, true
}

// mostAtOnce is a multiple of the bytes of all accesses, to which those of several elements are aligned.
const mostAtOnce = 32

// reached returns v, which argument number i is the address of, in what made all that the launch reads by it: a kernel
// with pointers may read what lies beside the view. It is as it was where that is not known, or where accesses of
// several elements would not be aligned as they are.
func (r *kernelRun) reached(i int, v view) view {
	if v.node.kind != kindPatch {
		return v
	}
	unit, at := v.node.dtype.Size(), reachesOf(&r.call)[i]
	lo, hi := v.layout.Offset, v.layout.Offset+v.layout.Size()
	if at.Reads {
		hi = max(hi, lo+int(at.Read.Hi)/unit+1)
	}
	if at.Writes || at.Reads && !at.Read.Known || hi > v.node.layout.Size() {
		return v
	}
	all := *contiguous([]int{hi - lo})
	all.Offset = lo
	from := view{v.node, &all}.behindPortions()
	if moved := from.layout.Offset - lo; moved*unit%mostAtOnce == 0 || !wide(r.call.Func, unit) {
		l := *v.layout
		l.Offset += moved
		return view{from.node, &l}
	}
	return v
}

// wide reports whether f accesses more than so many bytes at once: then they must begin at a multiple of that, as they
// may not do in a portion.
func wide(f *kir.Func, unit int) bool {
	for _, b := range f.Blocks {
		for _, v := range b.Values {
			if v.Op.IsMemory() && v.Space == kir.Global && (v.Vec != 0 || kir.AccessBytes(v) > unit) {
				return true
			}
		}
	}
	return false
}

// layout is that of the portion in its array.
func (p portion) layout() *arrays.Layout {
	l := *contiguous(p.shape)
	l.Offset = p.at
	return &l
}

// begins returns what the portion has before the launch, of an array that is n.
func (p portion) begins(n *node) view {
	v := view{n, p.layout()}.behindPortions()
	if v.node.kind == kindConst {
		return all(constant(v.node.scalar, contiguous(p.shape)))
	}
	return v
}

// mostOver bounds how many assignments of portions a later one looks at.
const mostOver = 256

// assigned returns the array that was n, which one storage refers to, with what the launch has made of the portion.
// Portions that are assigned over are not assigned before, where nobody has seen the array with them: a launch that is
// called again and again leaves one. Nor is what they cover together copied.
func (p portion) assigned(n, made *node) *node {
	base, alone := n, n.handles.Load() == 1 && n.refs.Load() == 0
	var before []*node
	over := 0 // how many of them are made anew, up to the last that is assigned over
	for alone && base.portion && !base.done() && len(before) < mostOver {
		if before = append(before, base); p.covers(base.into) {
			over = len(before)
		}
		base = base.args[0].node
		alone = base.handles.Load() == 0 && base.refs.Load() == 1
	}
	all := p.fills(n.layout.Size(), before)
	if all && !before[len(before)-1].afresh {
		over = len(before)
	}
	base = n
	for _, old := range before[:over] {
		base = old.args[0].node
		old.counts(-1)
	}
	afresh := all && over == len(before)
	if afresh {
		base = constant(arrays.New(n.dtype), n.layout)
	}
	for _, old := range slices.Backward(before[:over]) {
		if !p.covers(old.into) {
			base = portionOf(base, old.into, old.args[1].node, afresh)
			afresh = false
		}
	}
	return portionOf(base, p.layout(), made, afresh)
}

// fills reports whether the portion and those before have all of so many elements.
func (p portion) fills(size int, before []*node) bool {
	got := [][2]int{{p.at, p.at + elementsIn(p.shape)}}
	for _, n := range before {
		got = append(got, [2]int{n.into.Offset, n.into.Offset + n.into.Size()})
	}
	slices.SortFunc(got, func(a, b [2]int) int { return a[0] - b[0] })
	end := 0
	for _, g := range got {
		if g[0] > end {
			return false
		}
		end = max(end, g[1])
	}
	return end == size
}

// covers reports whether all that l has is in the portion.
func (p portion) covers(l *arrays.Layout) bool {
	return p.at <= l.Offset && l.Offset+l.Size() <= p.at+elementsIn(p.shape)
}

// portionOf is n, of which nothing is needed where that is to be made afresh, with a portion that a launch has made. It
// counts among the launches that refer to both.
func portionOf(n *node, into *arrays.Layout, made *node, afresh bool) *node {
	out := newNode(kindPatch, n.dtype, n.layout, &rare{into: into, portion: true, afresh: afresh}, all(n), all(made))
	out.counts(1)
	return out
}

// counts changes how many refer to what the assignment of a portion is made of.
func (n *node) counts(by int32) {
	for _, a := range n.args {
		a.node.refs.Add(by)
	}
}

// behindPortions returns the view of what made all that v has: where v is in a portion that was assigned, of that, and
// where it has none of it, of what was there before. It is asked for elements that lie side by side.
func (v view) behindPortions() view {
	for {
		n := v.node
		if n.kind != kindPatch || n.done() || !n.into.IsContiguous() || !v.layout.IsContiguous() {
			return v
		}
		from := n.args[1]
		lo, hi := v.layout.Offset, v.layout.Offset+v.layout.Size()
		at, end := n.into.Offset, n.into.Offset+n.into.Size()
		switch {
		case hi <= at || end <= lo:
			v.node = n.args[0].node
		case at <= lo && hi <= end && from.node.dtype == n.dtype && from.layout.IsContiguous() && slices.Equal(from.layout.Shape, n.into.Shape):
			l := *v.layout
			l.Offset += from.layout.Offset - at
			v = view{from.node, &l}
		default:
			return v
		}
	}
}
