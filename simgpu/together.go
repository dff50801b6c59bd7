package simgpu

import (
	"cmp"
	"encoding/binary"
	"slices"

	"github.com/arrayrepl/arrayrepl/offload/trace"
)

// This file times launches that run at one time: on one machine, whose SMs have blocks of several.
//
// A launch is computed when its turn comes. Its times are found later: when somebody asks for them, or when an
// operation comes whose own begin depends on them. Until then launches gather none of which waits for another. So what
// is timed together follows from what the host has queued, and not from when.

// maxWaiting bounds how many launches wait to be timed.
const maxWaiting = 16

// maxRecord bounds the bytes of a launch's record that is kept for others to be timed beside it.
const maxRecord = 1 << 20

// member is a launch that has been computed and is yet to be timed.
type member struct {
	*computed
	op    *operation
	at    moment
	ready trace.Time // before which it cannot begin
}

// mixes reports whether the launch can be timed beside others: whole, under policies that know blocks of several
// kernels. What is said to have the machine alone has it.
func (c *computed) mixes() bool {
	g := c.kernel.gpu
	if g.preset.oneKernel() || c.exec != nil || c.managed != nil || c.timing.files != nil || c.replay || g.policies.foreign() || c.kernel.program.Func().Cooperative() || c.kernel.bounds.Cluster > 1 {
		return false
	}
	q := g.policies
	switch q.divergence.(type) {
	case PDOM, TF:
	default:
		return false
	}
	switch q.ctas.(type) {
	case nil, Baseline:
	default:
		return false
	}
	return q.co == nil && q.picker == nil && q.loads == nil && g.window == (cyclesOf{}) && c.record() != nil
}

// record is what launches beside this one are timed with; nil where that is too large, or a sample.
func (c *computed) record() *computed {
	switch {
	case c.known != nil:
		return c.known.record
	case len(c.blocks) < c.launch.Grid.Count() || c.recorded() > maxRecord:
		return nil
	}
	r, of := *c, *c.gathered
	of.seen, r.gathered, r.launch.Record = nil, &of, nil
	return &r
}

// recorded returns how many bytes the traces have.
func (c *computed) recorded() (n int) {
	for _, b := range c.blocks {
		n += len(b.packed) + len(b.parted) + 64
	}
	return n
}

// beside lets a launch wait to be timed with others.
func (g *GPU) beside(c *computed, at moment) {
	g.waiting = append(g.waiting, &member{computed: c, at: at, ready: at.kernel(&g.preset)})
}

// settle times the launches that wait for it.
func (g *GPU) settle() {
	list := g.waiting
	g.waiting = nil
	slices.SortStableFunc(list, func(a, b *member) int { return cmp.Compare(a.ready, b.ready) })
	for len(list) > 0 {
		n := 1
		if len(list) > 1 && !(list[0].known != nil && list[0].ready+g.preset.time(float64(list[0].known.stats.Cycles)) <= list[1].ready) {
			n = g.timeTogether(list)
		}
		if n == 1 {
			m := list[0]
			e := &m.op.event.Record
			st, err := m.time(m.op.ctx)
			if err != nil {
				e.Start, e.End = m.ready, m.ready
			} else {
				g.timed(e, st, m.at)
			}
			m.tell(err)
		}
		list = list[n:]
	}
}

// tell ends a launch's wait.
func (m *member) tell(err error) {
	m.op.told(err)
	m.op.event.open, m.op.stream.open = false, false
	close(m.op.event.told)
}

// timeTogether times the first of a list by when they can begin, as many as run at one time, and returns how many that
// are. One that runs alone it leaves.
func (g *GPU) timeTogether(list []*member) int {
	p := &g.preset
	key := g.togetherKey(list)
	if key != "" {
		if all := g.box.together[key]; all != nil {
			g.tellTogether(list[:len(all)], all)
			return len(all)
		}
	}
	arrivals := make([]int64, len(list))
	for i, m := range list {
		arrivals[i] = int64(float64(m.ready-list[0].ready) * float64(p.ClockMHz) / 1e6)
	}
	x := g.newTogether(list, arrivals)
	began := g.warm.now()
	g.warm.load(x.machine.mem.l2, x.places)
	n, err := x.machine.runGrids(list[0].op.ctx)
	defer x.release()
	switch {
	case err != nil:
		return 1 // alone it fails too
	case n == 1:
		return 1
	}
	g.warm.keep(x.machine.mem.l2, x.places)
	all := make([]*launched, n)
	for i, m := range list[:n] {
		gr := x.machine.grids[i]
		run := timedRun{machine: x.machine.of(gr), blocks: gr.blocks, cycles: gr.end - gr.origin}
		rec := m.record()
		st := rec.report(&timed{runs: []timedRun{run}, blocks: len(gr.blocks), whole: true, cycles: float64(run.cycles)})
		all[i] = &launched{stats: st, end: g.warm.own(m.timing.places), began: began, uses: g.warm.now() - began, from: gr.origin, to: gr.end}
	}
	if key = g.togetherKey(list[:n]); key != "" {
		if len(g.box.together) >= maxTimes || g.box.together == nil {
			g.box.together = map[string][]*launched{}
		}
		g.box.together[key] = all
		if n < len(list) { // the same list again
			g.box.together[g.togetherKey(list)] = all
		}
	}
	g.tell(list[:n], all)
	return n
}

// togetherKey is equal for lists of launches that take the same times together, and empty where that is not known. It
// has which buffers several of them have, and at which distance, as one finds in L2 what another has read.
func (g *GPU) togetherKey(list []*member) string {
	var b []byte
	var buffers []pointer // a pointer into each
	for _, m := range list {
		if m.key == "" {
			return ""
		}
		b = binary.AppendVarint(append(binary.AppendVarint(b, m.kernel.number), m.key...), int64(m.ready-list[0].ready))
		at := m.timing.places
		for _, p := range at.pointers {
			if p.first != p.param { // the key of the launch says where it is
				continue
			}
			r := at.of(p.addr)
			n := slices.IndexFunc(buffers, func(q pointer) bool { return q.addr-r.lo < r.hi-r.lo })
			if n < 0 {
				n, buffers = len(buffers), append(buffers, p)
			}
			b = binary.AppendVarint(binary.AppendUvarint(b, uint64(n)), int64(p.addr-buffers[n].addr))
		}
	}
	return string(b)
}

// tellTogether is tell for launches that are like others that have been timed.
func (g *GPU) tellTogether(list []*member, all []*launched) {
	for i, m := range list {
		again := *all[i]
		if i > 0 { // the clock goes on once
			again.uses = 0
		}
		g.warm.become(&again, m.timing.places)
	}
	g.tell(list, all)
}

// tell notes when launches ran that have been timed together: what else takes of the GPU makes all of them slower.
func (g *GPU) tell(list []*member, all []*launched) {
	p, first := &g.preset, list[0]
	for _, m := range []*meter{&g.room, &g.slots, &g.dram} {
		m.forget(first.at.submitted)
	}
	sum := trace.KernelStats{}
	for i, x := range all {
		if i == 0 {
			sum = *x.stats
			sum.TotalBlocks = 0
		} else {
			sum.WarpInstructions += x.stats.WarpInstructions
			sum.DRAMBytes += x.stats.DRAMBytes
		}
		sum.Cycles = max(sum.Cycles, x.to)
		sum.TotalBlocks += x.stats.TotalBlocks * sum.ResidentBlocks / max(x.stats.ResidentBlocks, 1)
	}
	length := p.time(float64(sum.Cycles))
	start, end := occupy(first.ready, length, g.shares(&sum)...)
	slower := float64(end-start) / float64(max(length, 1))
	for i, m := range list {
		e := &m.op.event.Record
		e.Start = start + trace.Time(float64(p.time(float64(all[i].from)))*slower)
		e.End = start + trace.Time(float64(p.time(float64(all[i].to)))*slower)
		e.Stats = all[i].stats
		m.tell(nil)
	}
}

// together is launches on one machine, and where that has their buffers.
type together struct {
	machine *machine
	places  *places
}

func (t *together) release() { timedRun{machine: t.machine}.release() }

// newTogether makes the machine for launches that come at the given cycles. A buffer of several of them is one there.
func (g *GPU) newTogether(list []*member, arrivals []int64) *together {
	p := &g.preset
	first := list[0].record().timing
	x := &together{machine: first.newMachine(1, p.SMs, p.L2Bytes, nil), places: &places{}}
	m := x.machine
	m.grids = []*grid{} // SMs are made for several
	shared, next := 0, 0
	shifts := map[uint64]uint64{} // of buffers, by address
	for i, of := range list {
		rec := of.record()
		lt := rec.timing
		gr := lt.newGrid(rec.blocks)
		gr.number, gr.arrival, gr.on = i, arrivals[i], make([]gridOnSM, len(m.sms))
		threads := of.launch.Block.Count()
		warps := p.warps(threads)
		gr.use = smUse{1, warps, p.registersOf(rec.version.registers, warps), p.sharedOf(of.shared)}
		shared = max(shared, gr.use.shared*gr.resident)
		for _, r := range of.timing.places.regions {
			shift, ok := shifts[r.lo]
			if !ok {
				own := (r.lo + r.shift) / placeStep
				shift = r.shift + (uint64(next)+1-own)*placeStep
				next++
				shifts[r.lo] = shift
				x.places.regions = append(x.places.regions, region{r.lo, r.hi, shift})
			}
			gr.moves = append(gr.moves, lineMove{(r.lo + r.shift) / lineBytes, (r.hi - r.lo + lineBytes - 1) / lineBytes, (shift - r.shift) / lineBytes})
		}
		m.grids = append(m.grids, gr)
	}
	slices.SortFunc(x.places.regions, func(a, b region) int { return cmp.Compare(a.lo, b.lo) })
	m.grid = m.grids[0]
	for i, s := range m.sms {
		s.index = i
		s.l1.release()
		s.l1 = newCache(p.l1Bytes(min(shared, p.SharedPerSM)), p.L1Ways)
		for _, c := range s.schedulers {
			c.held, c.stalls = make([]int, len(list)), make([]gridStall, len(list))
		}
	}
	return x
}

// registersOf returns how many registers of an SM a block takes of so many warps, whose threads have so many.
func (p *Preset) registersOf(registers, warps int) int {
	if p.RegistersByBlock {
		return roundUp(max(registers, 1)*p.WarpSize*roundUp(warps, p.WarpUnit), p.RegisterUnit)
	}
	return roundUp(max(registers, 1)*p.WarpSize, p.RegisterUnit) * warps
}
