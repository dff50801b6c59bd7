package lazy

import (
	"slices"

	"github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/kir/gosrc"
	"github.com/arrayrepl/arrayrepl/offload"
)

// ruleSet has rules by what they are tried at.
type ruleSet struct {
	ufunc [arrays.NumUfuncs][]*rule
	kind  [kindLaunch + 1][]*rule
	joins []*rule
}

// active are the rules that are applied; tests change it.
var active = newRuleSet(rules)

func newRuleSet(rules []rule) *ruleSet {
	s := new(ruleSet)
	for i := range rules {
		r := &rules[i]
		switch {
		case r.joins != nil:
			s.joins = append(s.joins, r)
		case r.on == nil:
			s.kind[r.kind] = append(s.kind[r.kind], r)
		}
		for _, u := range r.on {
			s.ufunc[u] = append(s.ufunc[u], r)
		}
	}
	return s
}

// of returns the rules to try at n.
func (s *ruleSet) of(n *node) []*rule {
	if n.kind == kindUfunc {
		return s.ufunc[n.ufunc]
	}
	return s.kind[n.kind]
}

// replacement is what stands in a node's place, by the rules of the names.
type replacement struct {
	view
	by []string
}

// rewriter replaces nodes of one evaluation by others with the same elements: those who read a node are made to read
// what stands in its place, and the node stays as it is.
type rewriter struct {
	*ruleSet
	wanted []*node // the targets
	order  []*node // what is pending for them; nil once something has been replaced
	as     map[*node]replacement
	firsts map[sameKey]*node // of the nodes with that key
	same   map[*node]*node   // the first of those that compute the same
}

// rewrite applies the rules to what the targets need, and returns what stands in the places of nodes.
func rewrite(targets []*node) *rewriter {
	r := &rewriter{ruleSet: active, wanted: targets, order: pending(targets), as: make(map[*node]replacement)}
	reductions := 0
	for _, n := range r.order {
		n.readers = 0
		if n.kind == kindReduce {
			reductions++
		}
		for _, a := range n.args {
			a.node.readers++
		}
	}
	for _, n := range r.order {
		if n.kind != kindLaunch {
			r.arguments(n)
		}
		if to, ok := r.replace(n); ok {
			r.as[n] = to
		} else if reductions > 1 {
			r.join(n)
		}
	}
	if len(r.as) > 0 {
		r.order = nil
	}
	return r
}

// arguments lets n read what stands in the places of what it reads.
func (r *rewriter) arguments(n *node) {
	for i, a := range n.args {
		whole := n.kind == kindHost || n.kind == kindPatch && i == 0 // n may need all of a node
		to, ok := r.as[a.node]
		if !ok {
			continue
		}
		if w, ok := through(to.view, a); ok && (!whole || w.isWhole()) {
			n.args[i] = w
			n.rewrittenBy(to.by)
		}
	}
}

// through returns a, a view of a node in whose place w stands, as a view of w's node.
func through(w, a view) (view, bool) {
	if w.isWhole() {
		return view{w.node, a.layout}, true
	}
	return w, a.isWhole()
}

// rewrittenBy notes, for Explain, rules that made n what it is.
func (n *node) rewrittenBy(names []string) {
	for _, name := range names {
		if !slices.Contains(n.rewritten, name) {
			n.own().rewritten = append(n.rewritten, name)
		}
	}
}

// replace looks for a rule for n, then for one for what stands in its place.
func (r *rewriter) replace(n *node) (to replacement, ok bool) {
	for cur := n; ; cur = to.node {
		w, name := r.once(cur)
		if w.node == nil {
			return to, ok
		}
		to.view, to.by, ok = w, append(to.by, name), true
		if !w.isWhole() || w.node.leaf() {
			return to, true
		}
	}
}

// once applies the first rule that fits n.
func (r *rewriter) once(n *node) (w view, name string) {
	for _, rule := range r.of(n) {
		if rule.is != nil {
			if w, ok := rule.is(n); ok {
				return w, rule.name
			}
			continue
		}
		if m := rule.becomes(n); m != nil {
			m.dtype, m.layout, m.part = n.dtype, n.layout, n.part
			m.own().label, m.own().why, m.own().placed, m.own().wrote = n.label, n.why, n.placed, n.wrote
			m.rewrittenBy(append(slices.Clip(n.rewritten), rule.name))
			return all(m), rule.name
		}
	}
	return view{}, ""
}

// sameKey is equal for nodes that may compute the same.
type sameKey struct {
	kind           kind
	ufunc          arrays.Ufunc
	reduction      arrays.Reduction
	dtype, compute arrays.DType
	inline         *gosrc.Inline
	result         int
	args           [3]*node // the firsts of what they read; nil of a constant
}

// join finds out whether n computes what another node does, and lets that stand in n's place where a rule says so.
func (r *rewriter) join(n *node) {
	if n.kind != kindUfunc && n.kind != kindCast && n.kind != kindReduce && n.kind != kindMap || len(n.args) > 3 {
		return
	}
	key := sameKey{kind: n.kind, ufunc: n.ufunc, dtype: n.dtype, compute: n.compute, inline: n.inline, result: n.result}
	if n.kind == kindReduce {
		key.reduction = n.reduce.Reduction
	}
	for i, a := range n.args {
		if a.node.kind != kindConst {
			key.args[i] = r.firstOf(a.node)
		}
	}
	first := r.firsts[key]
	if first == nil {
		if r.firsts == nil {
			r.firsts, r.same = make(map[sameKey]*node), make(map[*node]*node)
		}
		r.firsts[key] = n
		return
	}
	for i, a := range n.args {
		b := first.args[i]
		same := r.firstOf(a.node) == r.firstOf(b.node) || sameNumber(a.node, b.node)
		if !same || !sameLayout(a.layout, b.layout) {
			return
		}
	}
	differ := n.kind != kindReduce && !slices.Equal(n.layout.Shape, first.layout.Shape)
	if n.kind == kindReduce { // it may keep its axes or not: the elements are the same, in one order
		differ = !slices.Equal(n.reduce.Axes, first.reduce.Axes)
	}
	if differ {
		return
	}
	r.same[n] = first
	for _, rule := range r.joins {
		if rule.joins(n) {
			r.as[n] = replacement{all(first), []string{rule.name}}
		}
	}
}

// sameNumber reports whether a and b are constants of one number.
func sameNumber(a, b *node) bool {
	return a.kind == kindConst && b.kind == kindConst && a.dtype == b.dtype && inKernels(a.dtype) && bitsOf(a.scalar) == bitsOf(b.scalar)
}

func (r *rewriter) firstOf(n *node) *node {
	if first := r.same[n]; first != nil {
		return first
	}
	return n
}

// targets returns what is to be computed for the targets, and the rules that replaced any: where something stands in
// the place of one, that, whose elements it will have too, or, where it is not a node's whole, a copy.
func (r *rewriter) targets(rt *offload.Runtime) (out []*node, by []string, err error) {
	for _, n := range r.wanted {
		to, ok := r.as[n]
		if ok {
			by = append(by, to.by...)
		}
		m := to.node
		switch {
		case !ok:
		case !to.isWhole(), m.inFile != nil: // assignments change what is in a file
			delete(r.as, n)
			n.become(kindCast, to.view)
			n.rewrittenBy(to.by)
		case m.done():
			n.value = m.value
			n.settle(m.made)
		case m.leafless():
			n.kind, n.scalar = m.kind, m.scalar
			if err := checkMemory(n); err != nil {
				return nil, nil, err
			}
			n.materialiseLeaf(rt)
		default:
			n = m
		}
		if !n.done() && !slices.Contains(out, n) {
			out = append(out, n)
		}
	}
	return out, by, nil
}

// others returns for each node those in whose place it stands, which have its elements once it is made. Nodes of groups
// are not among them.
func (r *rewriter) others(groups []*group) map[*node][]*node {
	for _, g := range groups {
		for _, n := range g.nodes {
			delete(r.as, n)
		}
	}
	var out map[*node][]*node
	for n, to := range r.as {
		if to.isWhole() && !to.node.leaf() && (n.handles.Load() > 0 || slices.Contains(r.wanted, n)) {
			if out == nil {
				out = make(map[*node][]*node)
			}
			out[to.node] = append(out[to.node], n)
		}
	}
	return out
}
