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
}

// blockRun is when and where a machine ran a block.
type blockRun struct {
	sm         *sm
	start, end int64
}

// parted is the warp of a machine whose lanes parted most often: block is its number among the machine's.
type parted struct {
	times, block int
	warp         *warpTrace
}

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
			m.parted = parted{w.parted, w.block.number, w.trace}
		}
	}
}

// detail gathers what the runs saw: the lines of all, the blocks of run number typical, and one warp's way.
func detail(p *Preset, pl *plan, runs []groupRun, typical int, pol policies) *trace.Detail {
	m := runs[typical].machine
	d := &trace.Detail{Lines: append([]trace.Line(nil), m.code.lines...), SMs: len(m.sms)}
	group := typical // with the warp that parted most
	for i := range runs {
		for k := range d.Lines {
			runs[i].machine.lines[k].addTo(&d.Lines[k])
		}
		if runs[i].machine.parted.times > runs[group].machine.parted.times {
			group = i
		}
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
			d.Blocks = append(d.Blocks, trace.BlockRun{Block: int32(pl.block(pl.groups[typical].first + i)), SM: sm,
				Start: p.time(float64(r.start)), End: p.time(float64(r.end))})
		}
	}
	if d.Walk = runs[group].machine.walk(pol.divergence); d.Walk != nil {
		d.Walk.Block = pl.block(pl.groups[group].first + d.Walk.Block)
	}
	return d
}

// walk returns the way of the warp whose lanes parted most often, of the first warp when no lanes ever did. Its
// block's number is that among the machine's.
func (m *machine) walk(policy Divergence) *trace.Walk {
	which := m.parted
	if which.warp == nil {
		if len(m.blocks) == 0 {
			return nil
		}
		which.warp = &m.blocks[0].warps[0]
	}
	if len(which.warp.steps) == 0 { // cut before its first step
		return nil
	}
	out := &trace.Walk{Block: which.block, Policy: policy.Name()}
	for i := range m.blocks[which.block].warps {
		if &m.blocks[which.block].warps[i] == which.warp {
			out.Warp = i
		}
	}
	w := &replayWarp{trace: which.warp, live: which.warp.lanes}
	split := policy.New(w.live, m.code.join)
	waiting := []*strand{{warp: w, lanes: w.live, split: split}} // what goes on alone takes turns
	seen := false
	for len(waiting) > 0 {
		st := waiting[0]
		out.Steps = append(out.Steps, trace.Step{Block: st.block, Lanes: uint64(st.lanes), Live: uint64(w.live)})
		arms := m.arms(st)
		seen = seen || len(arms) > 1
		if !seen && len(out.Steps) > beforeParting && which.times > 0 {
			out.Steps = out.Steps[1:]
			out.Skipped++
		}
		if len(out.Steps) == maxWalk {
			out.Cut = true
			return out
		}
		waiting = waiting[1:]
		for _, a := range arms {
			if a.Block == Exit {
				w.live &^= a.Lanes
			}
		}
		for _, s := range st.split.Resolve(arms) {
			n := &strand{warp: w, split: s}
			n.block, n.lanes = s.Group()
			waiting = append(waiting, n)
		}
		if st.block, st.lanes = st.split.Group(); st.lanes != 0 {
			waiting = append(waiting, st)
		}
	}
	return out
}
