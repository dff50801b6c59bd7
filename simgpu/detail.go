package simgpu

import "github.com/arrayrepl/arrayrepl/offload/trace"

// Bounds of what a launch's detail holds.
const (
	maxDetailBlocks = 1024
	maxWalk         = 192 // steps
	beforeParting   = 8   // steps that are kept before the first in which lanes part
)

// lineCount is what the timing model counts of one line of a kernel.
type lineCount struct {
	issued, lanes                                  int64
	requests, sectors, transactions, bytes, l1Hits int64
	conflicts                                      int64
	branches, parted                               int64
	stalls                                         [trace.NumStalls]int64
}

func (c *lineCount) addTo(l *trace.Line) {
	l.Issued += c.issued
	l.Lanes += c.lanes
	l.Requests += c.requests
	l.Sectors += c.sectors
	l.Transactions += c.transactions
	l.Bytes += c.bytes
	l.L1Hits += c.l1Hits
	l.Conflicts += c.conflicts
	l.Branches += c.branches
	l.Parted += c.parted
	for k, n := range c.stalls {
		l.Stalls[k] += n
	}
}

func (c *lineCount) add(o *lineCount) {
	c.issued += o.issued
	c.lanes += o.lanes
	c.requests += o.requests
	c.sectors += o.sectors
	c.transactions += o.transactions
	c.bytes += o.bytes
	c.l1Hits += o.l1Hits
	c.conflicts += o.conflicts
	c.branches += o.branches
	c.parted += o.parted
	for k, n := range o.stalls {
		c.stalls[k] += n
	}
}

// blockRun is when and where a machine ran a block.
type blockRun struct {
	sm         *sm
	start, end int64
}

// parted is the warp of a machine whose lanes parted most often: block is its number among the machine's, warp that in
// the block.
type parted struct{ times, block, warp int }

// ended notes the end of the branch that ends block b: lanes of w went so many ways.
func (m *machine) ended(b int, w *replayWarp, ways int) {
	if line := m.code.blocks[b].branch; line >= 0 {
		m.lines[line].branches++
		if ways > 1 {
			m.lines[line].parted++
		}
	}
	if ways > 1 {
		w.parted++
		if w.parted > m.parted.times {
			m.parted = parted{w.parted, w.block.number, w.number}
		}
	}
}

// detail gathers what the runs saw: the lines, of all blocks where they were counted, the blocks of one run, and one
// warp's way.
func detail(l *timing, t *timed, sum *totals) *trace.Detail {
	run := &t.runs[0]
	m := run.machine
	d := &trace.Detail{Lines: append([]trace.Line(nil), m.code.lines...), SMs: len(m.sms)}
	for k := range d.Lines {
		sum.lines[k].addTo(&d.Lines[k])
	}

	number := make(map[*sm]int32, len(m.sms))
	on := make([]int, len(m.sms)) // blocks
	for i, s := range m.sms {
		number[s] = int32(i)
	}
	for i := range m.runs {
		on[number[m.runs[i].sm]]++
	}
	kept := 0
	for d.BlockSMs < len(on) && (d.BlockSMs == 0 || kept+on[d.BlockSMs] <= maxDetailBlocks) {
		kept += on[d.BlockSMs]
		d.BlockSMs++
	}
	d.Blocks = make([]trace.BlockRun, 0, min(kept, maxDetailBlocks))
	for i := range m.runs {
		r := &m.runs[i]
		if sm := number[r.sm]; int(sm) < d.BlockSMs && len(d.Blocks) < maxDetailBlocks {
			d.Blocks = append(d.Blocks, trace.BlockRun{Block: int32(run.blocks[i].cta), SM: sm,
				Start: l.preset.time(float64(r.start)), End: l.preset.time(float64(r.end))})
		}
	}
	for i := range t.runs { // the warp that parted most
		if t.runs[i].machine.parted.times > run.machine.parted.times {
			run = &t.runs[i]
		}
	}
	d.Walk = l.walk(run)
	return d
}

// walk returns the way of the warp of a run whose lanes parted most often, of the first warp when no lanes ever did.
func (l *timing) walk(run *timedRun) *trace.Walk {
	if len(run.blocks) == 0 {
		return nil
	}
	which := run.machine.parted
	t := run.blocks[which.block]
	if len(t.packed) == 0 || l.policies.foreign() { // with Check; and a policy of others is asked once alone
		return nil
	}
	out := &trace.Walk{Block: t.cta, Warp: which.warp, Policy: l.policies.divergence.Name()}
	ways := &blockWarps{reader: newTraceReader(t, l.code, l.shapes, l.places, l.preset.WarpSize)}
	ways.warps = make([]*warpTrace, len(t.parted))
	ways.warps[which.warp] = new(warpTrace)
	w := &replayWarp{ways: ways, number: which.warp, trace: ways.warps[which.warp], live: ways.reader.live.masks[which.warp]}
	follow := &machine{code: l.code}
	k := newWarpWalk(w, l.policies.divergence, l.code.join)
	seen := false
	for st := k.next(); st != nil; st = k.next() {
		out.Steps = append(out.Steps, trace.Step{Block: st.block, Lanes: uint64(st.lanes), Live: uint64(w.live)})
		arms := follow.arms(st)
		seen = seen || len(arms) > 1
		if !seen && len(out.Steps) > beforeParting && which.times > 0 {
			out.Steps = out.Steps[1:]
			out.Skipped++
		}
		if len(out.Steps) == maxWalk {
			out.Cut = true
			return out
		}
		k.resolve(st, arms)
	}
	return out
}
