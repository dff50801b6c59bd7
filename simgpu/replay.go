package simgpu

import (
	"context"
	"fmt"

	"github.com/arrayrepl/arrayrepl/internal/golabel"
	"github.com/arrayrepl/arrayrepl/kir/cpu"
	"github.com/arrayrepl/arrayrepl/offload/trace"
)

// Replay implements device.Replayer: the launch is timed alone, from the record, with nothing in L2. The GPU's streams
// go on meanwhile.
func (g *GPU) Replay(ctx context.Context, r *cpu.Recording, anyway bool) (st *trace.KernelStats, err error) {
	if g.check {
		return nil, fmt.Errorf("%s computes each launch in the order of its issue (simgpu.Check): it cannot replay one that was computed elsewhere", g.id)
	}
	loaded, err := g.Load(r.Func)
	if err != nil {
		return nil, err
	}
	k := loaded.(*kernel)
	if k.lacks != nil && !anyway {
		return nil, k.lacks
	}
	l := r.Launch
	occ, shared, err := k.fits(l.Grid, l.Block, l.SharedBytes, l.Params)
	if err != nil {
		return nil, err
	}
	run := func() (err error) { st, err = k.run(ctx, l, occ, shared, r); return err }
	if g.policies.foreign() {
		err = apart(golabel.Current(), run)
	} else {
		err = run()
	}
	if err != nil && ctx.Err() != nil {
		err = ctx.Err()
	}
	return st, err
}

// Policies implements device.Replayer: it names what decides which threads issue together, which group issues, and,
// where they are not as usual, in which lanes threads are and in which order blocks run.
func (g *GPU) Policies() string {
	n := g.policies.names()
	text := n.divergence
	if _, ok := g.policies.divergence.(former); !ok {
		text += ", " + n.issue
	}
	if g.policies.co != nil {
		text += ", beside it " + n.co
	}
	if g.policies.lanes != nil {
		text += ", lanes " + n.lanes
	}
	if g.policies.ctas != nil {
		text += ", blocks under " + n.ctas
	}
	if g.policies.loads != nil {
		text += ", loads " + n.loads
	}
	if _, usual := g.policies.order.(InOrder); !usual {
		text += ", blocks " + n.order
	}
	return text
}

// Effort implements device.Replayer, as programs of the corpus were replayed on tesla2009 (PDOM is 2): lanes that never
// meet again are as many groups, each of which a scheduler looks at.
func (g *GPU) Effort() int {
	n := 2
	switch g.policies.divergence.(type) {
	case PDOM, TF:
	case SBI:
		n = 3
	case NREC:
		n = 80
	default:
		n = 4
	}
	if _, ok := g.policies.divergence.(Sharer); ok {
		n = 50
	}
	if g.policies.foreign() {
		n *= 4
	}
	return n
}

// spansOf returns what is mapped in m.
func spansOf(m *cpu.Memory) (out []span) {
	for base, bytes := range m.Pieces {
		out = append(out, span{base, bytes})
	}
	return out
}
