package simgpu

import (
	"math"
	"slices"

	"github.com/arrayrepl/arrayrepl/offload/trace"
)

// report makes the statistics of a launch from what was timed and from sum, what was counted of all its blocks. What
// only time decides is that of the blocks that were timed, in proportion where they are a sample: what caches and DRAM
// do, and which threads issue together where the divergence policy is not countable.
func report(l *timing, t *timed, sum *totals, st *trace.KernelStats) {
	p := l.preset
	var seen counters
	var l2Hits, dramSectors, rowMisses, smCycles int64
	var slots slice
	for i := range t.runs {
		m := t.runs[i].machine
		seen.add(&m.stats)
		smCycles += t.runs[i].cycles * int64(len(m.sms)-m.idleSMs())
		l2Hits += m.mem.l2Hits
		dramSectors += m.mem.dramSectors
		rowMisses += m.mem.rows.misses
		total := m.profile.total()
		slots.add(&total)
	}
	if !countable(l.policies.divergence) {
		sum = sum.asTimed(t, &seen, &slots)
	} else {
		for i := range t.runs {
			sum.addHits(t.runs[i].machine.lines, ratio(sum.threadInstrs, seen.threadInstrs))
		}
	}
	st.SampledBlocks = t.blocks
	st.Swaps = int64(math.Round(float64(seen.swaps) * ratio(int64(st.TotalBlocks), int64(t.blocks))))
	byBlocks := ratio(int64(st.TotalBlocks), int64(t.blocks))
	st.QueuedLoads, st.QueueCycles = int64(math.Round(float64(seen.queued)*byBlocks)), int64(math.Round(float64(seen.waited)*byBlocks))
	if smCycles > 0 {
		st.Misses = float64(seen.inFlight) / float64(smCycles)
	}
	st.ErrorEstimate = t.off
	st.Cycles = int64(math.Round(t.cycles))
	st.WarpInstructions, st.ThreadInstructions = sum.warpInstrs, sum.threadInstrs
	st.Requests, st.BytesRequested = sum.requests, sum.bytes
	st.Sectors, st.Transactions = sum.sectors, sum.transactions
	st.BankConflicts = sum.bankReplays
	byThreads := ratio(sum.threadInstrs, seen.threadInstrs)
	for _, x := range []struct {
		to *int64
		n  int64
	}{{&st.ConstLoads, seen.constLoads}, {&st.ConstPasses, seen.constPasses}, {&st.ConstMisses, seen.constMisses}} {
		*x.to = int64(math.Round(float64(x.n) * byThreads))
	}
	st.Flops32, st.Flops64 = sum.flops.f32, sum.flops.f64
	st.Issued = sum.issued

	bySectors := ratio(sum.sectors, seen.sectors)
	scaled := func(n int64) int64 { return int64(math.Round(float64(n) * bySectors)) }
	// Each part reads for itself what the blocks of the whole grid share; the whole machine reads it once.
	once, often := int64(0), int64(0)
	if !t.whole {
		once, often = sharedSectors(t.runs)
	}
	st.L1Hits, st.PendingHits = scaled(seen.l1Hits), scaled(seen.pendingHits)
	st.L2Hits = max(0, scaled(l2Hits+often)-once)
	st.DRAMBytes = (scaled(dramSectors-often) + once) * sectorBytes
	if p.DRAMRowMiss > 0 && dramSectors > 0 {
		st.RowMisses = int64(math.Round(float64(st.DRAMBytes/sectorBytes) * float64(rowMisses) / float64(dramSectors)))
		st.RowHits = st.DRAMBytes/sectorBytes - st.RowMisses
	}

	run := &t.runs[0]
	st.Lines = run.machine.lineStats
	if t.whole {
		st.Timeline = timeline(p, run)
		st.Issued, st.Stalls = slots.issued, slots.stalls
		st.Stalls[trace.StallEmpty] += int64(run.machine.idleSMs()*p.Schedulers) * st.Cycles
	} else {
		if l.policies.pairs() { // two instructions may share a slot
			factor := ratio(sum.warpInstrs, seen.warpInstrs)
			for i, n := range slots.issued {
				st.Issued[i] = int64(math.Round(float64(n) * factor))
			}
		}
		issued := int64(0)
		for _, n := range st.Issued {
			issued += n
		}
		perCycle := int64(p.SMs * p.Schedulers)
		st.Cycles = max(st.Cycles, (issued+perCycle-1)/perCycle)
		st.Timeline = t.timeline(p, &slots, st)
		shareSlots(p, st)
	}
	st.Detail = detail(l, t, sum)
	var resident, length float64
	for i := range st.Timeline {
		s := &st.Timeline[i]
		d := float64(s.End - s.Start)
		resident, length = resident+float64(s.Warps*d), length+d
	}
	if length > 0 {
		st.Achieved = min(resident/length/float64(st.WarpsPerSM), st.Theoretical)
	}
}

func ratio(a, b int64) float64 {
	if b == 0 {
		return 1
	}
	return float64(a) / float64(b)
}

// addHits adds what only time decides, by line and in proportion: the sectors that were found in L1, and stalls.
func (s *totals) addHits(lines []lineCount, factor float64) {
	for i := range lines {
		s.lines[i].l1Hits += int64(math.Round(float64(lines[i].l1Hits) * factor))
		for k, n := range lines[i].stalls {
			s.lines[i].stalls[k] += int64(math.Round(float64(n) * factor))
		}
	}
}

// asTimed returns what the timing model has counted in place of s, as under MIMD, where time decides which threads
// issue and access memory together; in proportion where a sample was timed.
func (s *totals) asTimed(t *timed, seen *counters, slots *slice) *totals {
	factor := ratio(s.threadInstrs, seen.threadInstrs)
	scaled := func(n int64) int64 { return int64(math.Round(float64(n) * factor)) }
	out := &totals{flops: s.flops, lines: make([]lineCount, len(s.lines))}
	out.threadInstrs = s.threadInstrs
	out.requests, out.sectors, out.transactions = scaled(seen.requests), scaled(seen.sectors), scaled(seen.transactions)
	out.bytes, out.bankReplays = s.bytes, scaled(seen.bankReplays)
	for i, n := range slots.issued {
		out.issued[i] = scaled(n)
		out.warpInstrs += out.issued[i]
	}
	if t.runs[0].machine.pairs {
		out.warpInstrs = scaled(seen.warpInstrs)
	}
	for i := range t.runs {
		for k := range out.lines {
			n := t.runs[i].machine.lines[k]
			for _, x := range []*int64{&n.issued, &n.lanes, &n.requests, &n.sectors, &n.transactions, &n.bytes, &n.l1Hits, &n.conflicts, &n.branches, &n.parted} {
				*x = scaled(*x)
			}
			for k := range n.stalls {
				n.stalls[k] = scaled(n.stalls[k])
			}
			out.lines[k].add(&n)
		}
	}
	return out
}

// sharedSectors returns the number of sectors that more than one part read from DRAM, and how many parts did, added up.
func sharedSectors(runs []timedRun) (once, often int64) {
	var all []uint64
	for i := range runs {
		m := slices.Clone(runs[i].machine.mem.missed)
		slices.Sort(m)
		all = append(all, slices.Compact(m)...)
	}
	slices.Sort(all)
	for i := 0; i < len(all); {
		n := i + 1
		for n < len(all) && all[n] == all[i] {
			n++
		}
		if n > i+1 {
			once, often = once+1, often+int64(n-i)
		}
		i = n
	}
	return once, often
}

// shareSlots fills Stalls of a sample by the timeline, so that they and Issued make up all scheduler cycles.
func shareSlots(p *Preset, st *trace.KernelStats) {
	left := st.Cycles * int64(p.SMs*p.Schedulers)
	for _, n := range st.Issued {
		left -= n
	}
	var stalls [trace.NumStalls]float64
	sum := 0.0
	ran := float64(min(p.SMs, st.TotalBlocks)) / float64(p.SMs)
	for i := range st.Timeline {
		s := &st.Timeline[i]
		d := float64(s.End - s.Start)
		for k, share := range s.Stalls {
			stalls[k] += share * d * ran
			sum += share * d * ran
		}
		stalls[trace.StallEmpty] += d * (1 - ran)
		sum += d * (1 - ran)
	}
	rest, largest := left, 0
	for k := range stalls {
		if sum > 0 {
			st.Stalls[k] = int64(float64(left) * (stalls[k] / sum))
		}
		rest -= st.Stalls[k]
		if stalls[k] > stalls[largest] {
			largest = k
		}
	}
	st.Stalls[largest] += rest // rounding
}

// timeline returns the slices of the coarse model's run: how many warps and SMs have work, and how much issues, with
// the mix of stalls and of active lanes that was timed.
func (t *timed) timeline(p *Preset, seen *slice, st *trace.KernelStats) []trace.Sample {
	const count = profileSlices
	ran := float64(min(p.SMs, st.TotalBlocks))
	var mix [trace.NumStalls]float64 // of the cycles of SMs that have a block in which nothing issues
	sum := 0.0
	for k, n := range seen.stalls {
		if trace.Stall(k) != trace.StallEmpty {
			mix[k] = float64(n)
			sum += float64(n)
		}
	}
	if sum == 0 {
		mix[trace.StallLong], sum = 1, 1
	}
	issued := int64(0)
	for _, n := range st.Issued {
		issued += n
	}
	var warps, busy, rate [count]float64
	width := t.cycles / count
	at, all := 0.0, 0.0
	for _, s := range t.spans {
		for left := s.cycles; left > 0; {
			i := min(int(at/width), count-1)
			d := left
			if i < count-1 {
				d = min(left, float64(i+1)*width-at)
			}
			if d <= 0 {
				d = min(left, width*1e-9+1e-9)
			}
			warps[i] += d * float64(s.warps)
			busy[i] += d * float64(s.busy)
			rate[i] += d * s.rate
			all += d * s.rate
			at, left = at+d, left-d
		}
	}
	out := make([]trace.Sample, count)
	end := p.time(float64(st.Cycles))
	for i := range out {
		s := &out[i]
		s.Start, s.End = end*trace.Time(i)/count, end*trace.Time(i+1)/count
		s.Warps = warps[i] / width / ran
		busyShare := min(1, busy[i]/width/ran)
		issue := 0.0
		if all > 0 { // what issues in the slice, of all that the launch issues
			issue = min(busyShare, rate[i]/all*float64(issued)/(width*ran*float64(p.Schedulers)))
		}
		left := 1 - issue
		for k, n := range st.Issued {
			s.Issued[k] = issue * float64(n) / float64(max(issued, 1))
		}
		s.Stalls[trace.StallEmpty] = 1 - busyShare
		left -= s.Stalls[trace.StallEmpty]
		for k := range mix {
			s.Stalls[k] += left * mix[k] / sum
		}
	}
	return out
}

// timeline returns the slices of a run of all blocks.
func timeline(p *Preset, r *timedRun) []trace.Sample {
	m := r.machine
	sms := len(m.sms) - m.idleSMs()
	var out []trace.Sample
	for i := range m.profile.slices {
		from, to := int64(i)<<m.profile.shift, min(int64(i+1)<<m.profile.shift, r.cycles)
		if from >= to {
			break
		}
		sl := &m.profile.slices[i]
		slots := float64((to - from) * int64(sms*p.Schedulers))
		x := trace.Sample{
			Start: p.time(float64(from)),
			End:   p.time(float64(to)),
			Warps: float64(sl.warps) / float64((to-from)*int64(sms)),
		}
		for k, n := range sl.issued {
			x.Issued[k] = float64(n) / slots
		}
		for k, n := range sl.stalls {
			x.Stalls[k] = float64(n) / slots
		}
		for k, n := range sl.lines {
			x.Lines[k] = float64(n) / float64((to-from)*int64(sms))
		}
		out = append(out, x)
	}
	return out
}

// time returns how long so many cycles are.
func (p *Preset) time(cycles float64) trace.Time {
	return trace.Time(math.Round(cycles * 1e6 / float64(p.ClockMHz)))
}
