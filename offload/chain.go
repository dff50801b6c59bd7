package offload

import (
	"slices"
	"time"

	"github.com/arrayrepl/arrayrepl/offload/device"
	"github.com/arrayrepl/arrayrepl/offload/mempool"
	"github.com/arrayrepl/arrayrepl/offload/partition"
)

// longestChain bounds the tasks that go through a device together, and with that the time to plan them.
const longestChain = 64

// window is how a task looks at a value: its view, and that as a map to the value's root.
type window struct {
	cut  *Cut
	view partition.View
	m    partition.Map
}

// use is what a chain of tasks does with one value, or one of several ways in which it reads that.
type use struct {
	v           *Value
	as          *Value                          // what stands for v in launches
	shape       []int                           // as a task has it
	root        []int                           // as all views of it are maps to it: shape, or one axis
	bytes       int                             // of an element
	windows     []window                        // the first of a value that is made is what makes it
	uneven      bool                            // windows do not go along together
	span        func(lo, hi int) (from, to int) // see Field.Span; nil for most
	fixed       bool                            // every piece needs the same
	all, one    int                             // bytes of all rows and of one
	first, last int                             // tasks that make or read it
	made        bool
	from        *Value // of a made value of which pieces make a part only: what has the rest
	kept        bool   // it is brought to the host, piece by piece
	there       bool   // the device has it
	in          *use   // whose memory it has: its own, or that of one between that nothing reads any more
}

// resolve finds a root to which all views of u are maps: of those by which pieces make what is read, the one by which
// they are the least. It is the value's own shape, that of which a view is rows and columns, or one axis.
func (u *use) resolve() bool {
	n := u.v.size / u.bytes
	if u.span != nil { // nobody knows which pieces make what others read
		u.root = []int{n}
		return len(u.windows) == 1
	}
	roots := [][]int{u.shape}
	for _, w := range u.windows {
		if root := w.view.Root(n); root != nil && !slices.ContainsFunc(roots, func(r []int) bool { return slices.Equal(r, root) }) {
			roots = append(roots, root)
		}
	}
	var best use
	least := 0
	for _, root := range append(roots, []int{n}) {
		if !u.over(root) || !u.serves() {
			continue
		}
		rows := u.windows[0].cut.rows()
		if size := u.size((rows + 7) / 8); best.root == nil || size < least {
			best, least = *u, size
		}
	}
	if best.root == nil {
		return false
	}
	*u = best
	return true
}

// over makes maps to a root of that shape of the views, where it can.
func (u *use) over(root []int) bool {
	u.windows = slices.Clone(u.windows)
	for i := range u.windows {
		w, ok := &u.windows[i], false
		if w.m, ok = w.view.Over(root); !ok {
			return false
		}
	}
	u.root, u.fixed, u.uneven = root, true, false
	for _, w := range u.windows {
		if w.m.Depends(w.cut.Axis) {
			u.fixed = false
		}
		u.uneven = u.uneven || !slices.Equal(along(w), along(u.windows[0]))
	}
	return true
}

// along is how far each index of the root goes with a step of the axis that is cut.
func along(w window) []int {
	out := make([]int, len(w.m.Start))
	for a, terms := range w.m.Terms {
		for _, t := range terms {
			if t.Axis == w.cut.Axis {
				out[a] += t.Step
			}
		}
	}
	return out
}

// box is the elements that the piece from lo to hi-1 has: of a value that is made, those that are.
func (u *use) box(lo, hi int) partition.Box {
	if u.span != nil {
		return partition.Box{partition.Span(u.span(lo, hi))}
	}
	windows := u.windows
	if u.made {
		windows = windows[:1]
	}
	return u.hull(windows, lo, hi)
}

func (u *use) hull(windows []window, lo, hi int) partition.Box {
	var box partition.Box
	for i, w := range windows {
		b, _ := w.m.Image(w.cut.part(lo, hi))
		if i == 0 {
			box = b
			continue
		}
		box = box.Hull(b)
	}
	if u.uneven { // the steps of a hull may change from piece to piece: take all between
		for a, r := range box {
			box[a] = partition.Span(r.Start, r.Stop)
		}
	}
	return box
}

// size is the bytes of the largest piece of so many rows. Starts and ends of boxes go evenly with the rows, so that of
// all pieces the first or the last is the largest.
func (u *use) size(rows int) int {
	n := u.windows[0].cut.rows()
	if u.span != nil {
		return min(rows, u.root[0]) * u.bytes
	}
	return max(u.box(0, min(rows, n)).Len(), u.box(max(n-rows, 0), n).Len()) * u.bytes
}

// serves reports whether each piece makes what those that read u need of the same piece. Starts and ends of boxes go
// evenly with lo and hi, so it is enough to look at the corners of all lo < hi.
func (u *use) serves() bool {
	if !u.made || len(u.windows) == 1 {
		return true
	}
	if u.from != nil || u.fixed || !u.windows[0].m.Depends(u.windows[0].cut.Axis) {
		return false
	}
	n := u.windows[0].cut.rows()
	for _, c := range [][2]int{{0, 1}, {n - 1, n}, {0, n}} {
		made, read := u.box(c[0], c[1]), u.hull(u.windows[1:], c[0], c[1])
		if !u.makesAll(made, c[0], c[1]) || !made.Contains(read) || u.dense() && !read.Contains(made) {
			return false
		}
	}
	return true
}

// makesAll reports whether the piece from lo to hi-1 makes every element of a box, which may have elements between
// those that it makes.
func (u *use) makesAll(box partition.Box, lo, hi int) bool {
	w := u.windows[0]
	made, exact := w.m.Image(w.cut.part(lo, hi))
	return exact && made.Len() == box.Len()
}

// dense reports whether a task can have u's elements only side by side.
func (u *use) dense() bool {
	return slices.ContainsFunc(u.windows, func(w window) bool { return w.cut.Dense })
}

// by reports whether a task that is cut as c makes or reads u.
func (u *use) by(c *Cut) bool {
	return slices.ContainsFunc(u.windows, func(w window) bool { return w.cut == c })
}

// apart divides a value that is read into the windows that go together: those of which a piece, with all that lies
// between, is no more than the pieces of each.
func (u *use) apart() []*use {
	if u.made || len(u.windows) == 1 {
		return []*use{u}
	}
	nominal := (u.windows[0].cut.rows() + 7) / 8
	var out []*use
next:
	for _, w := range u.windows {
		alone := *u
		if alone.windows = []window{w}; !alone.resolve() {
			return []*use{u}
		}
		for _, other := range out {
			both := *other
			both.windows = append(slices.Clone(other.windows), w)
			if !u.dense() && both.resolve() && both.size(nominal) <= other.size(nominal)+alone.size(nominal) {
				*other = both
				continue next
			}
		}
		out = append(out, &alone)
	}
	for _, part := range out[1:] {
		part.as = &Value{size: u.v.size, copies: &copies{}}
	}
	return out
}

// exact reports whether the pieces of so many rows make all elements of their boxes, which are then no other piece's.
func (u *use) exact(rows int) bool {
	w := u.windows[0]
	n := w.cut.rows()
	if u.span != nil {
		return true
	}
	for _, c := range [][2]int{{0, min(rows, n)}, {n - 1 - (n-1)%rows, n}} {
		if _, exact := w.m.Image(w.cut.part(c[0], c[1])); !exact {
			return false
		}
	}
	return true
}

// runs is how many stretches of the root a piece is.
func (u *use) runs(rows int) (n int) {
	box := u.box(0, rows)
	if _, together := box.Run(u.root); together {
		return 1
	}
	length := 1
	for a := len(box) - 1; a >= 0 && (box[a].Step == 1); a-- {
		length *= box[a].Len()
		if box[a].Len() != u.root[a] {
			break
		}
	}
	return box.Len() / length
}

// memoryPlan says what the pieces of a chain of tasks need: tasks that are cut into as many rows, each of which reads
// of what others make only what the same piece has made.
type memoryPlan struct {
	tasks []*Task
	cuts  []*Cut
	all   []*use // one for each value
	of    map[*Value]*use
	uses  []*use // those, taken apart where a value is read in ways that do not go together
	rows  int    // of all
	align int    // pieces have a multiple of so many rows
	fixed int64  // bytes that stay through all pieces
	there int64  // bytes of what the device has already
	extra int64  // bytes that the tasks need besides when they are not cut

	piece int // rows
	// how many pieces of what is copied in and out have room at once: with two, copies go beside kernels
	in, out int
	took    time.Duration // foreseen
}

// add takes a task into the chain, if it can be cut in that way together with those before it.
func (p *memoryPlan) add(t *Task, c *Cut) bool {
	i := len(p.tasks)
	if i == 0 {
		p.rows, p.align, p.of = c.rows(), 1, make(map[*Value]*use)
	}
	if c.rows() != p.rows || i == longestChain || i > 0 && c.Before != nil {
		return false
	}
	for _, v := range t.From {
		if u := p.of[v]; u != nil && u.made {
			return false
		}
	}
	var changed []*use
	note := func(v *Value, f Field, made bool) bool {
		if f.Ranges != nil {
			return false
		}
		var u *use
		if k := slices.IndexFunc(changed, func(u *use) bool { return u.v == v }); k >= 0 {
			u = changed[k]
		} else {
			if u = new(use); p.of[v] != nil {
				*u = *p.of[v]
				u.windows = slices.Clone(u.windows)
			} else {
				*u = use{v: v, as: v, shape: f.Shape, bytes: f.Bytes, span: f.Span, first: i, made: made}
			}
			changed = append(changed, u)
		}
		if u.bytes != f.Bytes {
			return false
		}
		u.last = i
		if f.Span != nil {
			u.windows = append(u.windows, window{cut: c})
		}
		for _, view := range f.Views {
			u.windows = append(u.windows, window{cut: c, view: view})
		}
		return true
	}
	for k, v := range t.In {
		if !note(v, c.In[k], false) {
			return false
		}
	}
	for k, v := range t.Out {
		note(v, c.Out[k], true)
		changed[len(changed)-1].from = t.from(k)
	}
	for _, u := range changed {
		if !u.resolve() {
			return false
		}
	}
	p.tasks, p.cuts, p.align = append(p.tasks, t), append(p.cuts, c), lcm(p.align, max(c.Align, 1))
	for _, u := range changed {
		if old := p.of[u.v]; old != nil {
			p.all[slices.Index(p.all, old)] = u
		} else {
			p.all = append(p.all, u)
		}
		p.of[u.v] = u
	}
	return true
}

// chains returns the longest chain of tasks that begins with the first, for each way in which that can be cut.
func chains(tasks []*Task) (out []*memoryPlan) {
	if tasks[0].Parts == nil {
		return nil
	}
	cuts := make(map[*Task][]*Cut)
	along := func(t *Task) []*Cut {
		if _, ok := cuts[t]; !ok {
			cuts[t] = nil
			for i := range t.Parts.Ways() {
				if c, err := t.Parts.Along(i); err == nil {
					cuts[t] = append(cuts[t], c)
				}
			}
		}
		return cuts[t]
	}
	for _, c := range along(tasks[0]) {
		p := new(memoryPlan)
		if !p.add(tasks[0], c) {
			continue
		}
		for _, t := range tasks[1:] {
			if t.Parts == nil || !slices.ContainsFunc(along(t), func(c *Cut) bool { return p.add(t, c) }) {
				break
			}
		}
		out = append(out, p)
	}
	return out
}

// firstOf is the chain of p's first n tasks.
func (p *memoryPlan) firstOf(n int) *memoryPlan {
	q := new(memoryPlan)
	for i := range n {
		q.add(p.tasks[i], p.cuts[i])
	}
	return q
}

// settle adds up what the chain needs on a device. kept says of an output that it is needed afterwards, inherits of
// what a task's output begins with that the output can have its memory.
func (p *memoryPlan) settle(d device.Device, kept, inherits func(v *Value) bool) {
	p.in, p.out, p.fixed, p.there, p.extra, p.piece = 1, 1, 0, 0, 0, p.align
	for i, t := range p.tasks {
		for _, n := range p.cuts[i].scratch(t) {
			p.fixed += mempool.Rounded(n)
		}
	}
	p.uses = p.uses[:0]
	for _, u := range p.all {
		u.kept, u.in = u.made && kept(u.v), nil
		u.there = !u.made && u.v.copies.on.of(d) != nil && (u.fixed || !u.dense())
		if u.there {
			p.uses = append(p.uses, u)
			continue
		}
		p.uses = append(p.uses, u.apart()...)
	}
	for _, u := range p.uses {
		u.all, u.one = u.size(p.rows), u.size(1)
		if u.from != nil {
			p.extra += mempool.Rounded(u.v.size)
			if u.from.copies.on.of(d) != nil && !inherits(u.from) {
				p.extra += mempool.Rounded(u.from.size)
			}
		}
		switch {
		case u.there:
			p.there += mempool.Rounded(u.v.size)
		case u.fixed:
			p.fixed += mempool.Rounded(u.box(0, 1).Len() * u.bytes)
		case u.made:
			u.in = p.over(u)
		}
	}
}

// over returns a value between the tasks whose memory u can have, as its last reader comes before u's maker; u if there
// is none.
func (p *memoryPlan) over(u *use) *use {
	for _, old := range p.uses {
		if u.kept || old == u || old.in != old || old.kept || old.all != u.all || old.one != u.one {
			continue
		}
		free := true
		for _, other := range p.uses { // which has it too
			if other.in == old && other.last >= u.first {
				free = false
			}
		}
		if free {
			return old
		}
	}
	return u
}

// moves reports whether pieces of u have memory of their own.
func (u *use) moves() bool { return !u.fixed && !u.there && (!u.made || u.in == u) }

// whole is how much memory the chain needs when it is not cut: there a value is there once, however it is read.
func (p *memoryPlan) whole() int64 {
	n := p.fixed + p.there + p.extra
	once := make(map[*Value]int)
	for _, u := range p.uses {
		if u.moves() && u.from == nil {
			once[u.v] = min(once[u.v]+u.all, max(u.v.size, once[u.v]))
		}
	}
	for _, bytes := range once {
		n += int64(bytes)
	}
	return n
}

// covers reports whether what is kept of the pieces is all that they make, and only that.
func (p *memoryPlan) covers() bool {
	for _, u := range p.uses {
		if u.kept && !u.fixed && !u.exact(p.piece) {
			return false
		}
	}
	return true
}

func lcm(a, b int) int {
	x, y := a, b
	for y != 0 {
		x, y = y, x%y
	}
	return a / x * b
}
