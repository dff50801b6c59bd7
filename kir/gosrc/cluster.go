package gosrc

import "github.com/arrayrepl/arrayrepl/kir"

// sharedOf is the memory of another block of the cluster.
func sharedOf(l *lowerer, c *intrinsicCall) value {
	p, rank := c.args[0][0], c.arg(1)
	if p.org == nil || !p.org.root().known || p.org.root().space != kir.Shared {
		l.fail(c.instr.Pos(), "give it what gpu.Shared returns", "gpu.SharedOf is for shared memory, and this pointer is not to that")
	}
	l.bounds(rank, l.b.Convert(kir.I64, l.b.Special(kir.ClusterBlocks)), c.instr.Pos())
	return value{{v: l.b.Op(kir.OpSharedOf, p.v, l.b.Convert(kir.U32, rank)), org: p.org}}
}
