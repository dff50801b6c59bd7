package simgpu

import (
	"math"
	"slices"

	"github.com/arrayrepl/arrayrepl/offload/trace"
)

// What a sample is taken to be wrong by at least, whatever its groups say among themselves. The first is from comparing
// samples with whole runs on this package's test kernels (worst: 5 %). The others are guesses that held there: for traces
// that were cut short, and for blocks of unequal work, where it is chance which SM gets a long one last.
const (
	sampleError  = 0.07
	cutError     = 0.15
	unequalError = 0.25 // times (largest/mean - 1) / (rounds of blocks on the machine)
)

// report makes the statistics of a launch from its runs. counts is the number of operations that each block of the whole
// launch executed, which the functional pass counts exactly.
func report(p *Preset, pl *plan, pol policies, runs []groupRun, counts []int64, st *trace.KernelStats) {
	var ops, largest int64
	for _, n := range counts {
		ops, largest = ops+n, max(largest, n)
	}
	var sum counters
	var done flops
	var replayed int64
	var l2Hits, dramSectors, rowMisses int64
	cut := false
	for i := range runs {
		r := &runs[i]
		sum.add(&r.machine.stats)
		l2Hits += r.machine.mem.l2Hits
		dramSectors += r.machine.mem.dramSectors
		rowMisses += r.machine.mem.rows.misses
		replayed += r.ops
		for _, b := range r.machine.blocks {
			done.add(b.flops, 1)
		}
		st.SampledBlocks += len(r.machine.blocks)
		cut = cut || r.own != r.ops
	}
	sampled := st.SampledBlocks < len(counts)
	whole := !sampled && !cut
	factor := 1.0
	if !whole && replayed > 0 {
		factor = float64(ops) / float64(replayed)
	}
	scaled := func(n int64) int64 { return int64(math.Round(float64(n) * factor)) }

	// Cycles: the mean of what the groups say; their spread is what they do not know.
	stretches, ends := make([]stretch, len(runs)), make([]float64, len(runs))
	mean, lo, hi := 0.0, math.Inf(1), 0.0
	for i := range runs {
		s := stretch{0, runs[i].cycles, 1, 1}
		if !whole {
			s = runs[i].extrapolate(ops/int64(pl.scale), pl.wave)
		}
		stretches[i], ends[i] = s, s.at(runs[i].cycles)
		mean += ends[i] / float64(len(runs))
		lo, hi = min(lo, ends[i]), max(hi, ends[i])
	}
	st.Cycles = int64(math.Round(mean))
	typical := 0
	for i := range ends {
		if math.Abs(ends[i]-mean) < math.Abs(ends[typical]-mean) {
			typical = i
		}
	}
	st.Detail = detail(p, pl, runs, typical, pol)
	if !whole {
		st.ErrorEstimate = max(sampleError, (hi-lo)/2/mean)
		if cut {
			st.ErrorEstimate = max(cutError, st.ErrorEstimate)
		}
	}
	if sampled && ops > 0 {
		rounds := max(1, float64(len(counts))/float64(pl.wave*pl.scale))
		st.ErrorEstimate += unequalError * (float64(largest)*float64(len(counts))/float64(ops) - 1) / rounds
	}

	st.WarpInstructions = scaled(sum.warpInstrs)
	st.ThreadInstructions = scaled(sum.threadInstrs)
	st.Requests, st.BytesRequested = scaled(sum.requests), scaled(sum.bytes)
	st.Sectors, st.Transactions = scaled(sum.sectors), scaled(sum.transactions)
	if replayed > 0 {
		share := float64(ops) / float64(replayed)
		st.Flops32, st.Flops64 = int64(math.Round(float64(done.f32)*share)), int64(math.Round(float64(done.f64)*share))
	}
	// Each group reads for itself what the blocks of the whole grid share; the whole machine reads it once.
	once, often := int64(0), int64(0)
	if sampled {
		once, often = sharedSectors(runs)
	}
	st.L1Hits = scaled(sum.l1Hits)
	st.L2Hits = scaled(l2Hits+often) - once
	st.DRAMBytes = (scaled(dramSectors-often) + once) * sectorBytes
	if p.DRAMRowMiss > 0 && dramSectors > 0 {
		st.RowMisses = int64(math.Round(float64(st.DRAMBytes/sectorBytes) * float64(rowMisses) / float64(dramSectors)))
		st.RowHits = st.DRAMBytes/sectorBytes - st.RowMisses
	}
	st.BankConflicts = scaled(sum.bankReplays)

	typicalRun := &runs[typical]
	st.Timeline = timeline(p, typicalRun, stretches[typical], mean/max(ends[typical], 1))
	var resident, length float64
	for i := range st.Timeline {
		s := &st.Timeline[i]
		d := float64(s.End - s.Start)
		resident, length = resident+float64(s.Warps*d), length+d
	}
	if length > 0 {
		st.Achieved = resident / length / float64(st.WarpsPerSM)
	}
	if whole {
		total := typicalRun.machine.profile.total()
		st.Issued, st.Stalls = total.issued, total.stalls
		st.Stalls[trace.StallEmpty] += int64(typicalRun.machine.idleSMs()*p.Schedulers) * st.Cycles
		return
	}
	shareSlots(p, runs, scaled, st)
}

// sharedSectors returns the number of sectors that more than one group read from DRAM, and how many groups did, added up.
func sharedSectors(runs []groupRun) (once, often int64) {
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

// shareSlots fills Issued and Stalls of an extrapolated run so that they make up all scheduler cycles.
func shareSlots(p *Preset, runs []groupRun, scaled func(int64) int64, st *trace.KernelStats) {
	issued := int64(0)
	var total slice
	for i := range runs {
		t := runs[i].machine.profile.total()
		total.add(&t)
	}
	for i := range total.issued {
		st.Issued[i] = scaled(total.issued[i])
		issued += st.Issued[i]
	}
	perCycle := int64(p.SMs * p.Schedulers)
	st.Cycles = max(st.Cycles, (issued+perCycle-1)/perCycle)
	left := st.Cycles*perCycle - issued

	var stalls [trace.NumStalls]float64 // scheduler cycles by the timeline, where the first wave and the end are in proportion
	sum := 0.0
	for i := range st.Timeline {
		s := &st.Timeline[i]
		for k, share := range s.Stalls {
			stalls[k] += float64(share * float64(s.End-s.Start))
			sum += float64(share * float64(s.End-s.Start))
		}
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

// timeline returns the slices of a run, stretched and then scaled in time.
func timeline(p *Preset, r *groupRun, s stretch, scale float64) []trace.Sample {
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
			Start: p.time(s.at(from) * scale),
			End:   p.time(s.at(to) * scale),
			Warps: float64(sl.warps) / float64((to-from)*int64(sms)),
		}
		for k, n := range sl.issued {
			x.Issued[k] = float64(n) / slots
		}
		for k, n := range sl.stalls {
			x.Stalls[k] = float64(n) / slots
		}
		out = append(out, x)
	}
	return out
}

// time returns how long so many cycles are.
func (p *Preset) time(cycles float64) trace.Time {
	return trace.Time(math.Round(cycles * 1e6 / float64(p.ClockMHz)))
}
