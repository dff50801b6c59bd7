package simgpu

import "github.com/arrayrepl/arrayrepl/offload/trace"

// maxDetailBlocks bounds the blocks of which a launch's detail tells.
const maxDetailBlocks = 1024

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
				Start: l.preset.time(float64(r.start - m.origin)), End: l.preset.time(float64(r.end - m.origin))})
		}
	}
	d.LaneClock = 1
	if r := l.preset.LaneClock; r.Den > 0 {
		d.LaneClock = float64(r.Num) / float64(r.Den)
	}
	for i := range t.runs { // the warp that parted most
		if t.runs[i].machine.parted.times > run.machine.parted.times {
			run = &t.runs[i]
		}
	}
	d.Walk = run.machine.walk()
	if w := t.runs[0].machine.window; w != nil {
		d.Window = &w.Window
	}
	return d
}
