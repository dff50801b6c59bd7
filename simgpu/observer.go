package simgpu

import "github.com/arrayrepl/arrayrepl/offload/trace"

// observer keeps the statistics of a run of the timing model: in all, by line and over time. The model says what
// happens and in which cycle; here is what is counted of it.
type observer struct {
	accesses
	profile profile
	origin  int64      // cycle that the profile counts from
	bins    [256]uint8 // by lanes: the issue bin
}

// binsOf returns the issue bins of a machine's slots, by their lanes: of two instructions that issue together there may
// be more than a warp has.
func binsOf(warpSize int) (bins [256]uint8) {
	for lanes := range bins {
		bins[lanes] = uint8(bin(min(lanes, warpSize), warpSize))
	}
	return bins
}

// slot notes that a scheduler issues so many lanes in cycle now, and others beside them.
func (o *observer) slot(now int64, lanes, beside int) {
	o.profile.at(now - o.origin).issued[o.bins[uint8(lanes+beside)]]++
	o.warpInstr(lanes)
}

// warpInstr notes a warp instruction for so many lanes.
func (o *observer) warpInstr(lanes int) {
	o.stats.warpInstrs++
	o.stats.threadInstrs += int64(lanes)
}

// issued notes that a slot is one of a line, for so many lanes.
func (o *observer) issued(line int32, lanes int) {
	l := &o.lines[line]
	l.issued++
	l.lanes += int64(lanes)
}

// executed notes that so many lanes more execute the instruction of a line that a slot is of.
func (o *observer) executed(line int32, lanes int) { o.lines[line].lanes += int64(lanes) }

// postponed takes lanes back that were said to execute an instruction and will do it later.
func (o *observer) postponed(line int32, lanes int) {
	o.stats.threadInstrs -= int64(lanes)
	o.lines[line].lanes -= int64(lanes)
}

// stalled notes that a scheduler issues nothing in the cycles up to until for the sake of an instruction, whose line is
// -1 where there is none.
func (o *observer) stalled(from, until int64, class trace.Stall, line int32) {
	if from >= until {
		return
	}
	if o.profile.stall(from-o.origin, until-o.origin, class); line >= 0 {
		o.lines[line].stalls[class] += until - from
	}
}

// branched notes that lanes of a warp come to the branch of a line and go so many ways.
func (o *observer) branched(line int32, ways int) {
	o.lines[line].branches++
	if ways > 1 {
		o.lines[line].parted++
	}
}

// hit notes that a load finds so many sectors in L1, which may be on their way yet.
func (o *observer) hit(line int32, sectors int, pending bool) {
	o.stats.l1Hits += int64(sectors)
	o.lines[line].l1Hits += int64(sectors)
	if pending {
		o.stats.pendingHits += int64(sectors)
	}
}

// queued notes that a load has to wait for a place among those in flight.
func (o *observer) queued() { o.stats.queued++ }

// waited notes for how many cycles one has.
func (o *observer) waited(cycles int64) { o.stats.waited += cycles }

// swapped notes that a block takes the place of another.
func (o *observer) swapped() { o.stats.swaps++ }
