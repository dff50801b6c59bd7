package simgpu

import (
	"context"
	"fmt"

	"github.com/arrayrepl/arrayrepl/kir/cpu"
)

// gathered is what the timing of a launch begins with: the kernel in the order of the machine's compiler, and what its
// blocks do. It follows from the launch and the machine, and not from how groups of threads are formed and picked, so
// that machines which differ in that share it. Timing does not change it.
type gathered struct {
	version version
	places  *places
	shapes  *shapes
	blocks  []*blockTrace // to time
	seen    *collector    // of a sample, and where there is managed memory
	counted *totals       // of all blocks
	bytes   int64         // of what a recording keeps of it
}

// Bytes implements cpu.Sized.
func (s *gathered) Bytes() int64 { return s.bytes }

// gather returns what is known before the launch runs. mapped is what device memory holds then.
func (k *kernel) gather(l *cpu.Launch, mapped []span, occ Residency, shared int) *gathered {
	at := newPlaces(k.program.Func(), l, mapped)
	v := k.version(at, l.Block.Count(), shared, occ)
	return &gathered{version: v, places: at, shapes: newShapes(v.code.values)}
}

// listen has the launch run, and notes what its blocks do.
func (s *gathered) listen(k *kernel, l *cpu.Launch, mapped []span, most limits, run func(record func(cta int) cpu.Recorder) error) error {
	p := &k.gpu.preset
	of := &timing{preset: p, code: s.version.code, policies: k.gpu.policies, limits: most, shapes: s.shapes, places: s.places}
	c := of.newCollector(l.Grid.Count(), l.Block.Count(), l.Order)
	if err := run(c.recorder); err != nil {
		return err
	}
	s.seen, s.blocks = c, c.finish()
	s.places.settle(c.timeable(), of, mapped)
	s.counted = sumOf(p, s.version.code, c.tallies)
	c.tallies, c.free = nil, nil
	return nil
}

// recorded returns what is gathered of a launch that was recorded, once for all machines to which that is the same.
func (k *kernel) recorded(ctx context.Context, rec *cpu.Recording, l cpu.Launch, occ Residency, shared int) (*gathered, error) {
	made, err := rec.Derived(ctx, k.gatheredKey(), func() (cpu.Sized, error) {
		mapped := spansOf(l.Memory)
		s := k.gather(&l, mapped, occ, shared)
		tape, err := rec.Tape(ctx, k.program)
		if err != nil {
			return nil, err
		}
		err = s.listen(k, &l, mapped, k.gpu.limits, func(record func(cta int) cpu.Recorder) error {
			return tape.Play(ctx, k.program, l.Order, record)
		})
		if err == nil {
			s.keep(l.Grid.Count())
		}
		return s, err
	})
	if err != nil {
		return nil, err
	}
	return made.(*gathered), nil
}

// keep drops what timing does not need of a launch of so many blocks, and counts the bytes of the rest.
func (s *gathered) keep(blocks int) {
	s.bytes = s.shapes.bytes() + s.version.code.bytes()
	for _, b := range s.seen.timeable() {
		s.bytes += b.bytes()
	}
	if len(s.blocks) == blocks { // a sample alone is extended to what other blocks touch
		s.seen = nil
	} else {
		s.bytes += s.seen.bytes()
	}
}

// gatheredKey is a text that machines have to which a launch that was recorded is the same: those of one preset and
// order of blocks, whose policies count the same of it.
func (k *kernel) gatheredKey() string {
	g := k.gpu
	p := g.preset
	p.Name, p.Title, p.Scheduling = "", "", nil
	counts := Divergence(PDOM{}) // as newCollector has it
	if countable(g.policies.divergence) {
		counts = g.policies.divergence
	}
	return fmt.Sprintf("%+v %v %v %v; %s; %s", p, g.written, g.arithmetic, g.limits, identity(counts), identity(g.policies.order))
}
