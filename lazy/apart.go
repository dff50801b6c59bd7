package lazy

import (
	"github.com/arrayrepl/arrayrepl/offload"
)

// apart takes what a reduction reduces out of its group, and returns that as a group of its own, where t, the task of
// both, does not fit on the device and cannot be cut: as where it reduces views that do not lie alike, of which no
// piece is what a block of the reduction reads. Elementwise work can be cut along any axis, and what it makes lies in
// one line. nil says that there is nothing to take out.
func (g *group) apart(rt *offload.Runtime, t *offload.Task) *group {
	if _, is := t.Parts.(reduceParts); !is {
		return nil
	}
	f := rt.Forecast(offload.Program{Tasks: []*offload.Task{t}})
	if len(f) == 0 || !f[0].Paging || f[0].Pieces > 0 {
		return nil
	}
	p, n, arg := g.of, g.root, g.root.args[0]
	if !g.has(arg.node) {
		if arg.isWhole() {
			return nil
		}
		arg = all(newNode(kindCast, arg.node.dtype, contiguous(arg.layout.Shape), &ordinary, arg))
		waiting.Add(-1) // it is pending no longer
		arg.node.part, arg.node.at = true, int32(len(p.order))
		n.args[0] = arg
		p.order, p.groups, p.number = append(p.order, arg.node), append(p.groups, g), append(p.number, 0)
		g.nodes = append(g.nodes, arg.node)
	}
	from := &group{root: arg.node, outs: []*node{arg.node}, domain: g.domain, nodes: g.nodes[1:], of: p, level: g.level + 1, size: g.size - 1}
	for _, m := range from.nodes {
		p.groups[m.at] = from
	}
	p.number[n.at] = 0
	g.nodes, g.size = g.nodes[:1:1], 1
	return from
}
