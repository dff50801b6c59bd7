package simgpu

import "github.com/arrayrepl/arrayrepl/offload/trace"

const profileSlices = 128

// slice is sums over the cycles of one slice of time and all SMs that ran.
type slice struct {
	issued [trace.IssueBins]int64 // scheduler cycles
	stalls [trace.NumStalls]int64
	warps  int64                      // resident warps times cycles
	lines  [trace.NumLineStates]int64 // warps that wait for lines of files, times cycles
}

func (s *slice) add(o *slice) {
	for i := range s.issued {
		s.issued[i] += o.issued[i]
	}
	for i := range s.stalls {
		s.stalls[i] += o.stalls[i]
	}
	for i := range s.lines {
		s.lines[i] += o.lines[i]
	}
	s.warps += o.warps
}

// profile gathers slices of equal length, which doubles when time runs off the end: a run has 64 to 128 of them.
type profile struct {
	slices [profileSlices]slice
	shift  uint // slices are 1<<shift cycles long
}

// at returns the slice of a cycle.
func (p *profile) at(cycle int64) *slice {
	if i := uint64(cycle) >> p.shift; i < profileSlices {
		return &p.slices[i]
	}
	return p.lengthen(cycle)
}

// lengthen doubles the length of slices until one has the cycle.
func (p *profile) lengthen(cycle int64) *slice {
	for cycle>>p.shift >= profileSlices {
		for i := range profileSlices / 2 {
			p.slices[i] = p.slices[2*i]
			p.slices[i].add(&p.slices[2*i+1])
		}
		for i := profileSlices / 2; i < profileSlices; i++ {
			p.slices[i] = slice{}
		}
		p.shift++
	}
	return &p.slices[cycle>>p.shift]
}

// spread calls add for each slice that the cycles from to to-1 lie in, with the number of them in it.
func (p *profile) spread(from, to int64, add func(s *slice, cycles int64)) {
	if from >= to {
		return
	}
	p.at(to - 1)
	for from < to {
		end := min(to, (from>>p.shift+1)<<p.shift)
		add(&p.slices[from>>p.shift], end-from)
		from = end
	}
}

func (p *profile) stall(from, to int64, class trace.Stall) {
	if last := p.at(to - 1); last == &p.slices[uint64(from)>>p.shift] {
		last.stalls[class] += to - from
		return
	}
	p.spread(from, to, func(s *slice, cycles int64) { s.stalls[class] += cycles })
}

// waits notes that a warp is in a state of its wait for a line.
func (p *profile) waits(from, to int64, state trace.LineState) {
	p.spread(from, to, func(s *slice, cycles int64) { s.lines[state] += cycles })
}

func (p *profile) resident(from, to, warps int64) {
	p.spread(from, to, func(s *slice, cycles int64) { s.warps += cycles * warps })
}

// total returns the sum of all slices.
func (p *profile) total() slice {
	var sum slice
	for i := range p.slices {
		sum.add(&p.slices[i])
	}
	return sum
}
