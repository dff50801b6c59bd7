package lazy

import (
	"cmp"
	"slices"
	"sync/atomic"

	"github.com/arrayrepl/arrayrepl/offload"
)

// maxGroup bounds the operations of one kernel: beyond some hundred, what is saved in memory traffic is lost again to
// registers, and the parameters of a kernel have room for about 500 pointers. maxOuts bounds what it stores.
const (
	maxGroup = 128
	maxOuts  = 16
)

// apart is whether every operation is a task of its own.
var apart atomic.Bool

// Fuse says whether operations are fused, as they are at first. When they are not, each is a kernel of its own that
// reads and writes memory, as the functions of libraries for GPUs are: to see what fusing saves, and to look into one
// operation's kernel.
//
// For example:
//
//	np.Fuse(false) // each operation is a kernel
//	np.Eval((np.Sqrt(x) + 1).Sum())
//	np.Fuse(true)
func Fuse(on bool) { apart.Store(!on) }

// group is a set of nodes that become one task: elementwise expressions over one domain, or one of them with the
// reduction or the assignment that ends it. Only the elements of outs are stored.
type group struct {
	root   *node   // the last of nodes
	outs   []*node // in the order of execution, root among them
	domain []int   // the shape over which the expressions are evaluated
	nodes  []*node // each before those that it uses

	of *grouping

	scan *scanned // the scan among nodes, around which the others are; nil

	level int    // those that it reads have higher ones
	size  int    // of nodes, while they are collected
	into  *group // that it has been merged with
	asked *node  // that has last looked for its users
	set   bool   // it has its place among the sorted groups
}

// grouping says which group each node of an evaluation is in.
type grouping struct {
	order  []*node // each after its arguments
	groups []*group
	number []int32 // of each node in its group, in the order of execution
}

// group returns n's group; nil if n is not computed.
func (p *grouping) group(n *node) *group {
	if int(n.at) >= len(p.order) || p.order[n.at] != n || p.groups[n.at] == nil { // nil while groups are made
		return nil
	}
	return p.groups[n.at].now()
}

// has reports whether n is one of g's nodes.
func (g *group) has(n *node) bool { return g.of.group(n) == g }

// number returns n's place among g's nodes in the order of execution; -1 if it is none of them.
func (g *group) number(n *node) int {
	if !g.has(n) {
		return -1
	}
	return int(g.of.number[n.at])
}

// maps reports whether g stores what elementwise expressions make, however many they are.
func (g *group) maps() bool {
	k := g.root.kind
	return k != kindReduce && k != kindPatch && g.root.fusable() && g.scan == nil
}

// values are those of outs.
func (g *group) values() []*offload.Value {
	out := make([]*offload.Value, len(g.outs))
	for i, n := range g.outs {
		out[i] = n.value
	}
	return out
}

// now is the group that g has become.
func (g *group) now() *group {
	for g.into != nil {
		if g.into.into != nil { // so that the way stays short
			g.into = g.into.into
		}
		g = g.into
	}
	return g
}

// uses is what those that need a node's elements ask of it.
type uses struct {
	groups []*group  // that could compute it among their own nodes, some more than once
	few    [2]*group // what most need
	level  int       // above that of all others, which read it from memory
	kept   bool      // it must be stored for them, or is asked for
}

// cut divides what the targets need into groups, each after the groups that it reads. A node joins the groups that use
// it, which become one where there are several, unless that cannot be: it ends in a reduction, is read through a view
// or stretched by broadcasting, has no kernel, the group is full, or one part of the group would wait for another that
// waits for it. That last case is told by levels: a group reads those of higher levels alone, and only groups of one
// level are merged. The work grows linearly with the graph. order is what is pending for the targets.
func cut(targets, order []*node) []*group {
	most := maxGroup
	if apart.Load() {
		most = 1
	}
	used := make([]uses, len(order))
	for _, n := range targets {
		used[n.at].kept = true
	}
	p := &grouping{order, make([]*group, len(order)), make([]int32, len(order))}
	for _, n := range slices.Backward(order) { // every user of a node comes before it
		u := &used[n.at]
		g := n.home(u, most)
		if g == nil {
			g = &group{root: n, domain: n.layout.Shape, level: u.level, of: p}
			switch n.kind {
			case kindReduce:
				g.domain = n.args[0].layout.Shape
			case kindPatch:
				g.domain = n.into.Shape
			case kindHost:
				g.scan = newScanned(n, nil)
			}
			for _, user := range u.groups {
				g.level = max(g.level, user.now().level+1)
			}
			u.kept = true
		}
		if u.kept {
			g.outs = append(g.outs, n)
		}
		g.size++
		p.groups[n.at] = g
		for i, a := range n.args {
			if a.node.leaf() {
				continue
			}
			ua := &used[a.node.at]
			switch {
			case n.kind == kindPatch && i == 0:
				ua.read(g)
			case n.chains(i) || a.isWhole() && slices.Equal(a.node.layout.Shape, g.domain) && (n.fusable() || g.scan != nil && g.scan.node == n):
				if ua.groups == nil {
					ua.groups = ua.few[:0]
				}
				ua.groups = append(ua.groups, g)
			default:
				ua.read(g)
			}
		}
	}
	return p.sorted()
}

// read notes that g reads the node from memory.
func (u *uses) read(g *group) { u.level, u.kept = max(u.level, g.level+1), true }

// home returns the group that n joins, after merging those that must be one for that; nil if it needs one of its own.
// Of users in groups of lower levels it learns that they read n from memory. A group has at most that many nodes.
func (n *node) home(u *uses, most int) *group {
	var few [4]*group
	users := few[:0]
	for _, g := range u.groups {
		if g = g.now(); g.asked != n {
			g.asked = n
			users = append(users, g)
		}
	}
	if len(users) == 0 || n.kind == kindReduce || n.kind == kindPatch {
		return nil
	}
	if g := users[0]; len(users) == 1 && !u.kept && g.size < most {
		joins := false
		switch {
		case g.scan != nil:
			joins = g.scan.takes(n)
		case n.scanOf() != nil:
			joins = g.takesScan(n)
		case n.kind == kindHost:
			joins = g.root.kind == kindHost
		default:
			joins = g.root.kind != kindHost && n.fusable()
		}
		if joins {
			return g
		}
	}
	if !n.fusable() {
		return nil
	}
	level := u.level
	for _, g := range users {
		level = max(level, g.level)
	}
	var home *group
	size, outs, others := 1, 1, u.kept
	for _, g := range users {
		if g.level < level {
			others = true
			continue
		}
		if !g.maps() {
			return nil
		}
		home, size, outs = g, size+g.size, outs+len(g.outs)
	}
	if home == nil || size > most || outs > maxOuts {
		return nil
	}
	for _, g := range users {
		if g != home && g.level == level {
			home.outs, home.size = append(home.outs, g.outs...), home.size+g.size
			g.into = home
		}
	}
	u.kept = others
	return home
}

// sorted returns the groups, each after those that it reads, with their nodes in order: launches in the order of their
// calls, and what they do not need after them.
func (p *grouping) sorted() []*group {
	for i := len(p.order) - 1; i >= 0; i-- {
		g := p.groups[i].now()
		p.groups[i] = g
		p.number[i] = int32(len(g.nodes))
		if g.nodes == nil {
			g.nodes = make([]*node, 0, g.size)
		}
		g.nodes = append(g.nodes, p.order[i])
	}
	for i, g := range p.groups {
		p.number[i] = int32(len(g.nodes)) - 1 - p.number[i]
	}
	var groups, called []*group
	var visit func(g *group)
	visit = func(g *group) {
		if g.set {
			return
		}
		g.set = true
		for _, n := range slices.Backward(g.nodes) {
			for _, a := range n.args {
				if from := p.group(a.node); from != nil {
					visit(from)
				}
			}
		}
		g.root = g.nodes[0]
		slices.SortFunc(g.outs, func(a, b *node) int { return int(a.at - b.at) })
		groups = append(groups, g)
	}
	for _, g := range p.groups {
		if g.nodes[0].launch != nil {
			called = append(called, g)
		}
	}
	slices.SortStableFunc(called, func(a, b *group) int { return cmp.Compare(a.nodes[0].launch.number, b.nodes[0].launch.number) })
	for _, g := range append(called, p.groups...) {
		visit(g)
	}
	return groups
}
