package lazy

import (
	"slices"

	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/kir/scan"
	"github.com/arrayrepl/arrayrepl/offload"
	"github.com/arrayrepl/arrayrepl/offload/device"
)

// Elementwise operations in front of a scan are computed where it loads its elements, and those behind it where it
// stores them, so that np.CumSum(x*2) + 1 reads x and writes the result alone. The first of its kernels loads the
// elements too, so what is in front is computed twice, and must not read much more than the scan would.

// lineScan is a scan that can have operations in its kernels.
type lineScan struct {
	spec                 scan.Spec
	key                  any // see planLines
	on                   device.Device
	lines, length, inner int
	room                 int // bytes that elements at one place may have
}

// mostLifted is how many arrays what is in front of a scan may read: each is read twice, where a kernel of its own
// would read each once, write its result, and the scan read that twice.
const mostLifted = 2

// fuses says that n is a scan that can have operations in its kernels.
func (n *node) fuses(s scan.Spec, key any, d device.Device, lines, length, inner int) {
	if s.Form.Packed || s.Scatter != nil || s.Numbered || len(s.Given) > 0 || len(s.Out) != 1 {
		return
	}
	l := &lineScan{spec: s, key: key, on: d, lines: lines, length: length, inner: inner}
	form := s.Form
	if form == (scan.Form{}) {
		form = scan.Default
	}
	memory := mostStatic
	if of := d.Properties().SharedPerBlock; of > 0 {
		memory = min(memory, of) - sharedForParams
	}
	// the exchange has room for a tile of each array, with gaps
	l.room = max(memory*8/9/form.Tile(), s.InBytes())
	n.host.scan = l
}

// scanOf returns the scan that n is, if it can have operations in its kernels.
func (n *node) scanOf() *lineScan {
	if n.kind != kindHost || n.host.onDevice == nil {
		return nil
	}
	return n.host.scan
}

// scanned is a scan that a group has with operations in front of it and behind it, and what those read: before, what
// is in front of it reads, and behind, what the others read.
type scanned struct {
	node           *node
	before, behind []*node
}

// newScanned is the group's part of n, which is a scan whose arguments lie as its result does; nil for others.
func newScanned(n *node, behind []*node) *scanned {
	l := n.scanOf()
	if l == nil || slices.ContainsFunc(n.args, func(a view) bool { return !a.beside(n.layout.Shape) }) {
		return nil
	}
	lifted := len(n.args)
	if l.spec.Lifted > 0 {
		lifted = l.spec.Lifted
	}
	s := &scanned{node: n}
	for i, a := range n.args {
		if i < lifted {
			s.before = with(s.before, a.node)
		} else {
			behind = with(behind, a.node)
		}
	}
	s.behind = behind
	return s
}

// beside reports whether a has that shape and is all of its node's elements in their order, so that a scan of that
// shape can load them.
func (a view) beside(shape []int) bool {
	if a.node.kind == kindIota || !inKernels(a.node.dtype) || !slices.Equal(a.layout.Shape, shape) {
		return false
	}
	return a.isWhole() || a.layout.Offset == 0 && a.layout.IsContiguous() && elementsIn(shape) == elementsIn(a.node.layout.Shape)
}

func with(nodes []*node, n *node) []*node {
	if slices.Contains(nodes, n) {
		return nodes
	}
	return append(nodes, n)
}

// reads are the arrays that n, an elementwise operation, reads; not ok where the kernels of a scan of that shape
// cannot load one.
func (n *node) reads(shape []int) (args []*node, ok bool) {
	for _, a := range n.args {
		if a.node.kind == kindConst {
			continue
		}
		if !a.beside(shape) {
			return nil, false
		}
		args = with(args, a.node)
	}
	return args, len(args) > 0
}

// fits reports whether the kernels of a scan can load that.
func (s *scanned) fits(before, behind []*node) bool {
	l, bytes := s.node.host.scan, 0
	for i, n := range slices.Concat(before, behind) {
		if i < len(before) || !slices.Contains(before, n) {
			bytes += n.dtype.Size()
		}
	}
	one := serially(l.lines, l.length, l.inner) || l.length <= scan.Default.Tile() // then elements are loaded once
	return bytes <= l.room && (one || len(before) <= max(mostLifted, len(s.node.args)))
}

// takes reports whether n, which s or an operation around it reads, can be computed there too, and has s read what n
// reads.
func (s *scanned) takes(n *node) bool {
	args, ok := n.reads(s.node.layout.Shape)
	if !ok || !n.fusable() {
		return false
	}
	in := func(of []*node) []*node {
		k := slices.Index(of, n)
		if k < 0 {
			return of
		}
		out := slices.Delete(slices.Clone(of), k, k+1)
		for _, a := range args {
			out = with(out, a)
		}
		return out
	}
	before, behind := in(s.before), in(s.behind)
	if !s.fits(before, behind) {
		return false
	}
	s.before, s.behind = before, behind
	return true
}

// takesScan reports whether g, which has elementwise operations alone, can have n, a scan that one of them reads, in
// front of them.
func (g *group) takesScan(n *node) bool {
	if !g.maps() || len(g.outs) != 1 || !slices.Equal(g.domain, n.layout.Shape) {
		return false
	}
	var behind []*node
	seen := map[*node]bool{}
	flat := true
	var visit func(m *node)
	visit = func(m *node) {
		if seen[m] {
			return
		}
		seen[m] = true
		for _, a := range m.args {
			switch {
			case a.node == n, a.node.kind == kindConst:
				flat = flat && (a.node != n || a.isWhole())
			case g.has(a.node):
				visit(a.node)
			case !a.beside(g.domain):
				flat = false
			default:
				behind = with(behind, a.node)
			}
		}
	}
	visit(g.root)
	if !flat {
		return false
	}
	s := newScanned(n, behind)
	if s == nil || !s.fits(s.before, s.behind) {
		return false
	}
	g.scan = s
	return true
}

// aroundScan is what tells the kernels of a scan with operations around it apart.
type aroundScan struct {
	plan *groupPlan
	of   any
}

// scanTask makes the task of a scan with operations around it.
func (g *group) scanTask() (*offload.Task, error) {
	f, err := newFused(g)
	if err != nil {
		return nil, err
	}
	r, err := f.planned(formScan, dimsOf(f.domain, f.layouts(), everyAxis), nil, func(*groupPlan) error { return nil })
	if err != nil {
		return nil, err
	}
	l := g.scan.node.host.scan
	spec, in := f.around(l.spec)
	spec.Name = kernelName(r.name)
	p, _, err := planLines(spec, aroundScan{r, l.key}, l.on, l.lines, l.length, l.inner)
	if err != nil {
		return nil, err
	}
	t := f.task(r, nil, nil)
	t.For = g.scan.node.host.planned
	bytes := make([]int, len(in))
	for i, t := range spec.In {
		bytes[i] = t.Bytes()
	}
	n := g.scan.node
	p.task(t, in, bytes, g.root.value, g.root.dtype.Size(), n.args[len(n.args)-1].layout.Shape, n.host.axis)
	return t, nil
}

// around is s, the scan of f's group, with the group's operations around it, and what it reads.
func (f *fused) around(s scan.Spec) (scan.Spec, []*offload.Value) {
	n := f.g.scan.node
	lifted := len(n.args)
	if s.Lifted > 0 {
		lifted = s.Lifted
	}
	first := make(map[int]bool) // of the inputs, those that are read before the scan
	var visit func(a view)
	seen := make(map[*node]bool)
	visit = func(a view) {
		if !f.g.has(a.node) {
			first[f.input(a)] = true
			return
		}
		if seen[a.node] {
			return
		}
		seen[a.node] = true
		for _, b := range a.node.args {
			visit(b)
		}
	}
	for _, a := range n.args[:lifted] {
		visit(a)
	}
	var types []kir.Type
	var values []*offload.Value
	var consts []scan.Const
	place := make([]int, len(f.inputs)) // among the arrays, or among the consts
	read := func(before bool) {
		for i, in := range f.inputs {
			if in.node.kind != kindConst && first[i] == before {
				place[i] = len(types)
				types, values = append(types, kirTypes[in.node.dtype]), append(values, f.reads[in.read])
			}
		}
	}
	read(true)
	taken := len(types)
	read(false)
	for i, in := range f.inputs {
		if in.node.kind == kindConst {
			place[i] = len(consts)
			consts = append(consts, scan.Const{Type: kirTypes[in.node.dtype], Bits: bitsOf(in.node.scalar)})
		}
	}
	emitterOf := func(b *kir.Builder, in []*kir.Value) *emitter {
		e := &emitter{fused: f, b: b, given: make([]*kir.Value, len(f.inputs))}
		arrays := len(in) - len(consts) // before the scan there are fewer
		for i, input := range f.inputs {
			switch {
			case input.node.kind == kindConst:
				e.given[i] = in[arrays+place[i]]
			case place[i] < arrays:
				e.given[i] = in[place[i]]
			}
		}
		return e
	}
	before := func(b *kir.Builder, in []*kir.Value, n int) []*kir.Value {
		e, memo := emitterOf(b, in), make(map[*node]*kir.Value)
		out := make([]*kir.Value, n)
		for i, a := range f.g.scan.node.args[:n] {
			out[i] = e.expr(a, nil, memo)
		}
		return out
	}
	after := func(b *kir.Builder, x *kir.Value, in []*kir.Value) *kir.Value {
		return emitterOf(b, in).expr(view{node: f.g.root}, nil, map[*node]*kir.Value{n: x})
	}
	return s.Around(types, taken, consts, kirTypes[f.g.root.dtype], before, after), values
}
