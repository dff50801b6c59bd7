package simgpu

import (
	"github.com/arrayrepl/arrayrepl/offload/trace"
)

// Bounds of what is kept of a window.
const (
	mostSlots    = 1 << 15
	mostStates   = 1 << 14
	mostProgress = 256
)

// Window keeps what the first SM does in the cycles from first to first+cycles-1 of each launch whose blocks are all
// timed, slot by slot: for viz.Slots, viz.Issue, viz.CTAs and viz.Progress; and the tables of the policy for lanes that
// part, for viz.States. It makes launches slower. Of 32,768 slots, 16,384 states of blocks and 512 of the policy the
// first are kept.
//
// For example:
//
//	np.Use(simgpu.Custom("fermivt", simgpu.WithCTAs(simgpu.VT{}), simgpu.Window(0, 20_000)))
func Window(first, cycles int) Option {
	return func(g *GPU) { g.window = cyclesOf{int64(max(first, 0)), int64(max(first, 0)) + int64(max(cycles, 0))} }
}

// cyclesOf is cycles from..to-1.
type cyclesOf struct{ from, to int64 }

// window is what is being kept of an SM.
type window struct {
	trace.Window
	s     *sm
	open  map[*residentBlock]int // places in Blocks of the states that go on
	next  int64                  // cycle from which progress is looked at again
	every int64
	// inspected is the warp whose policy's states are kept: the first in the window whose lanes part
	inspected *replayWarp
}

func newWindow(of cyclesOf, s *sm) *window {
	if of.to <= of.from {
		return nil
	}
	m := s.m
	return &window{Window: trace.Window{From: of.from, To: of.to, Resident: m.resident, Active: m.active}, s: s, open: map[*residentBlock]int{},
		next: of.from, every: max(1, (of.to-of.from)/mostProgress)}
}

// slot notes that c issues an instruction of st in cycle now, and one of beside, which may be nil.
func (w *window) slot(c *scheduler, st, beside *warpSplit, now int64) {
	if now < w.From || now >= w.To || c.sm != w.s {
		return
	}
	x := trace.Slot{Cycle: now, Scheduler: int32(c.number), Issue: w.issue(st, now)}
	if beside != nil {
		x.Beside = w.issue(beside, now)
	}
	w.add(x)
}

// issueUnits is what people call the units of an SM.
var issueUnits = [NumUnits]trace.IssueUnit{
	UnitInt: trace.IssueLanes, UnitFP32: trace.IssueLanes, UnitFP64: trace.IssueDouble, UnitSpecial: trace.IssueSpecial,
	UnitMemory: trace.IssueMemory, UnitControl: trace.IssueControl,
}

// issue is what st issues next.
func (w *window) issue(st *warpSplit, now int64) trace.Issue {
	x := trace.Issue{Block: int32(st.warp.block.cta), Warp: int32(st.warp.number), Line: -1, Unit: trace.IssueControl, Busy: 1}
	if st.idle > 0 {
		return x
	}
	in := &w.s.m.code.blocks[st.block].instrs[st.pc]
	x.Lanes = uint64(w.s.physical(st))
	w.executes(&x, st.sched, in, int(st.done), now)
	return x
}

// executes notes what executes part number done of in: the multipliers of the special function units where these take
// it.
func (w *window) executes(x *trace.Issue, c *scheduler, in *instr, done int, now int64) {
	port, busy := in.unit(done)
	if port < NumUnits {
		x.Unit = issueUnits[port]
	}
	if p := w.s.m.preset; in.times && c.unitFree[UnitSpecial] <= now {
		x.Unit, busy = trace.IssueMultipliers, int64(max(1, p.WarpSize*p.Schedulers/p.Multipliers))
	}
	if in.kind == kindLoad || in.kind == kindStore || in.kind == kindAtomic || in.kind == kindReduce {
		x.Unit = trace.IssueMemory
	}
	x.Line, x.Busy = in.line, int32(max(busy, 1))
}

// group is slot for threads of several warps: of part number done of an instruction, which the unit has not taken yet.
func (w *window) group(c *scheduler, lanes Mask, in *instr, done int, now int64) {
	if now < w.From || now >= w.To || c.sm != w.s {
		return
	}
	x := trace.Slot{Cycle: now, Scheduler: int32(c.number), Issue: trace.Issue{Block: -1, Warp: -1, Lanes: uint64(lanes)}}
	w.executes(&x.Issue, c, in, done, now)
	w.add(x)
}

func (w *window) add(x trace.Slot) {
	if len(w.Slots) == mostSlots {
		w.Cut = true
		return
	}
	w.Slots = append(w.Slots, x)
}

// executed notes that lanes of a warp have executed an instruction, wherever in time.
func (w *window) executed(of *replayWarp, lanes Mask) {
	if of.steps == nil {
		of.steps = new([maxWarp]int64)
	}
	for rest := lanes; rest != 0; rest &= rest - 1 {
		of.steps[rest.first()]++
	}
}

// look notes the states of the SM's blocks after its step in cycle now, and how far their threads are.
func (w *window) look(now int64) {
	if now < w.From {
		return
	}
	if now >= w.To {
		w.close(w.To)
		return
	}
	for _, b := range w.s.blocks {
		state := w.stateOf(b, now)
		if i, ok := w.open[b]; ok {
			if w.Blocks[i].State == state {
				continue
			}
			w.Blocks[i].To = now
		}
		if len(w.Blocks) == mostStates {
			w.Cut = true
			delete(w.open, b)
			continue
		}
		w.open[b] = len(w.Blocks)
		w.Blocks = append(w.Blocks, trace.BlockState{Block: int32(b.cta), State: state, From: now, To: w.To})
	}
	if now < w.next {
		return
	}
	w.next = now + w.every
	p := trace.Progress{Cycle: now}
	for _, b := range w.s.blocks {
		for _, of := range b.all {
			for rest := of.live; rest != 0; rest &= rest - 1 {
				n := int64(0)
				if of.steps != nil {
					n = of.steps[rest.first()]
				}
				if p.Threads == 0 || n < p.Least {
					p.Least = n
				}
				p.Most = max(p.Most, n)
				p.Threads++
			}
		}
	}
	if p.Threads > 0 {
		w.Progress = append(w.Progress, p)
	}
}

// ended notes that a block has ended.
func (w *window) ended(b *residentBlock, now int64) {
	if i, ok := w.open[b]; ok && now < w.To {
		w.Blocks[i].To = max(now, w.Blocks[i].From)
		delete(w.open, b)
	}
}

// close ends the window at a cycle, before or at its end.
func (w *window) close(at int64) {
	for _, i := range w.open {
		w.Blocks[i].To = min(w.To, at)
	}
	clear(w.open)
	w.To = min(w.To, max(at, w.From))
}

func (w *window) stateOf(b *residentBlock, now int64) trace.CTAState {
	switch v := w.s.virtual; {
	case v == nil || b.vt.slot >= 0:
		switch {
		case b.vt.issues > now:
			return trace.CTASwapping
		case w.s.stalled(b, now):
			return trace.CTAStalled
		}
		return trace.CTAIssuing
	case b.vt.ready <= now:
		return trace.CTAReady
	}
	return trace.CTAPending
}

// stalled reports whether all warps of a block wait for global memory or at a barrier.
func (s *sm) stalled(b *residentBlock, now int64) bool {
	for _, c := range s.schedulers {
		if f := c.forming; f != nil {
			return len(f.pool.cands) == 0
		}
		for i := range c.seats {
			if w := &c.seats[i]; (w.readyAt <= now || w.wait&longWait == 0) && c.splits[i].warp.block == b {
				return false
			}
		}
	}
	return true
}
