package simgpu

import (
	"math"
	"math/bits"
	"sync/atomic"
)

// A launch's blocks in their order are cut into eras, all of as many blocks, and each era into moments.
const (
	eras    = 32
	moments = 255
)

// lineTimes is when the blocks of a launch touch a line: for each era the moment of the first that does, and 1, or 0,
// in a byte each; and for each era which sectors are touched, a bit each.
type lineTimes struct {
	moments [eras / 8]atomic.Uint64
	touched [eras * lineSectors / 64]atomic.Uint64
}

// momentOf returns the moment of the block at a place, counted from the launch's beginning.
func (f *footprint) momentOf(at int) int { return at * (eras * moments) / f.blocks }

// touchedAt notes that the block at a place touches sectors of a line that is not its own.
func (f *footprint) touchedAt(page *footprintPage, line uint64, sectors uint8, at int) {
	piece := &page.times[line%pageLines/nearLines]
	times := piece.Load()
	if times == nil {
		piece.CompareAndSwap(nil, new([nearLines]lineTimes))
		times = piece.Load()
	}
	n := f.momentOf(at)
	era, moment := n/moments, uint64(n%moments+1)
	noted := &times[line%nearLines]
	if now, at := noted.sectorsIn(era); now.Load()>>at&uint64(sectors) != uint64(sectors) {
		now.Or(uint64(sectors) << at)
	}
	word, shift := &noted.moments[era/8], uint(era%8*8)
	for {
		was := word.Load()
		if first := was >> shift & 0xff; first != 0 && first <= moment {
			return
		}
		if word.CompareAndSwap(was, was&^(0xff<<shift)|moment<<shift) {
			return
		}
	}
}

// timesOf returns when a line of the page is touched that blocks share.
func (p *footprintPage) timesOf(line uint64) *lineTimes {
	return &p.times[line%pageLines/nearLines].Load()[line%nearLines]
}

// first returns the moment of an era at which the line is touched first, counted from the era's beginning, or -1.
func (t *lineTimes) first(era int) int { return int(t.moments[era/8].Load()>>uint(era%8*8)&0xff) - 1 }

// sectorsIn returns where it is noted which sectors are touched in an era: the bits from at on.
func (t *lineTimes) sectorsIn(era int) (of *atomic.Uint64, at uint) {
	const erasAWord = 64 / lineSectors
	return &t.touched[era/erasAWord], uint(era % erasAWord * lineSectors)
}

// has reports whether a sector, a bit, is touched in the era of a noted moment.
func (t *lineTimes) has(sector uint8, noted int) bool {
	of, at := t.sectorsIn(noted / moments)
	return of.Load()>>at&uint64(sector) != 0
}

// sectors returns those that are touched.
func (t *lineTimes) sectors() (set uint8) {
	for era := range eras {
		of, at := t.sectorsIn(era)
		set |= uint8(of.Load() >> at & allSectors)
	}
	return set
}

// latest returns the latest of the noted moments before another, counted from the launch's beginning, or -1.
func (t *lineTimes) latest(moment int) int {
	for era := min(moment/moments, eras-1); era >= 0; era-- {
		if first := t.first(era); first >= 0 && era*moments+first < moment {
			return era*moments + first
		}
	}
	return -1
}

// before returns about when the line was touched last before a moment, in eras, where noted is the latest noted of the
// moments before it: the middle of what is possible.
func before(noted, moment int) float64 {
	return float64(noted+min(moment, (noted/moments+1)*moments)) / (2 * moments)
}

// reuse is how many lines a launch touches between two times, and so, whether L2 still has a line that was touched at
// the one when somebody reads it at the other.
type reuse struct {
	lines [eras][eras]float64 // that are touched from one era to the end of another
	sets  float64
	ways  float64

	uneven float64 // the variance of how many lines of the launch are in a set
	// the variance of how many lines of a set that only some eras touch are touched, by the time in parts of an era
	chances [lags*eras + 1]float64
}

// lags is how many parts an era has for chances.
const lags = 4

func newReuse(p *Preset, f *footprint) *reuse {
	r := &reuse{ways: float64(p.L2Ways), sets: float64(max(1, p.L2Bytes/lineBytes/max(1, p.L2Ways)))}
	// A line is not touched in a range of eras that lies in one of its pauses. Each pause is counted by its first and
	// last era, and then for all that lie in it.
	var pauses [eras][eras]float64
	inSet := make([]float64, max(1, int(r.sets)))
	var often [eras + 1]float64 // lines that blocks share, by how many eras touch them
	f.each(func(line uint64, first int, times *lineTimes, _ uint8, _ bool) {
		inSet[spread(line)%uint64(len(inSet))]++
		touched := uint32(1) << (f.momentOf(first) / moments)
		if times != nil {
			touched = times.eras()
			often[bits.OnesCount32(touched)]++
		}
		next := 0 // era after the last that touches it
		for rest := touched; rest != 0; rest &= rest - 1 {
			era := bits.TrailingZeros32(rest)
			if era > next {
				pauses[next][era-1]++
			}
			next = era + 1
		}
		if next < eras {
			pauses[next][eras-1]++
		}
	})
	all := float64(f.lines.Load())
	for _, n := range inSet {
		r.uneven += (n - all/r.sets) * (n - all/r.sets) / r.sets
	}
	for i := range r.chances {
		for n, lines := range often {
			missed := math.Pow(1-float64(n)/eras, float64(i)/lags)
			r.chances[i] += lines / r.sets * missed * (1 - missed)
		}
	}
	for from := range eras {
		for to := eras - 1; to >= from; to-- {
			if from > 0 {
				pauses[from][to] += pauses[from-1][to]
			}
			if to < eras-1 {
				pauses[from][to] += pauses[from][to+1]
			}
			if from > 0 && to < eras-1 {
				pauses[from][to] -= pauses[from-1][to+1]
			}
			r.lines[from][to] = all - pauses[from][to]
		}
	}
	return r
}

// eras returns those in which the line is touched, a bit each.
func (t *lineTimes) eras() (set uint32) {
	for era := range eras {
		if t.first(era) >= 0 {
			set |= 1 << era
		}
	}
	return set
}

// between returns how many lines are touched from one time to another, both in eras.
func (r *reuse) between(from, to float64) float64 {
	a, b := int(from), min(int(to), eras-1)
	if a >= b {
		return (to - from) * r.lines[a][a]
	}
	whole := 0.0 // of the eras between
	if a+1 < b {
		whole = r.lines[a+1][b-1]
	}
	x, y := float64(a+1)-from, to-float64(b) // of the first era and of the last, whose lines may be the same
	return (1-x)*(1-y)*whole + x*(1-y)*r.lines[a][b-1] + (1-x)*y*r.lines[a+1][b] + x*y*r.lines[a][b]
}

// stays returns how likely it is that L2 keeps a line from one time to another. How many others come to its set is
// taken to be of a normal distribution. It is not as wide as Poisson's: arrays are spread over the sets evenly, and
// what all eras touch is touched for certain.
func (r *reuse) stays(from, to float64) float64 {
	between := r.between(from, to)
	mean := between / r.sets
	if mean <= 0 {
		return 1
	}
	part := between / r.lines[0][eras-1]
	variance := r.uneven*part*part + r.chances[int(lags*(to-from))]
	return math.Erfc((mean-r.ways+0.5)/math.Sqrt(2*max(variance, 0.1))) / 2
}

// others is the blocks of a launch that are not in the part of it that is timed, as L2 of that part sees them: what
// they have touched is there until as much has been touched since that it has gone.
type others struct {
	launch *footprint
	reuse  *reuse
	front  int            // place of the block that began last
	over   bool           // nearly all of the launch has ended
	wave   int            // blocks that the machine holds
	part   []float32      // by moment: how many of its blocks are in the part, of 1
	had    map[uint64]int // sectors that the part has read, and the place of the last block that did
	given  int64          // sectors that they have brought

	warm *warmLines // what L2 held before the launch
}

// ofPart returns the others of a part.
func (o others) ofPart(blocks []*blockTrace, over bool) *others {
	o.over, o.had, o.part = over, map[uint64]int{}, make([]float32, eras*moments)
	each := max(1, float32(o.launch.blocks)/(eras*moments))
	for _, b := range blocks {
		o.part[o.launch.momentOf(b.at)] += 1 / each
	}
	return &o
}

// end notes that so many blocks of a part are left, which has as many in all, on a machine that holds so many.
func (o *others) end(left, all, holds int) { o.over = o.over || left <= min(all/10, holds/2) }

// time returns the place of a block that began together with the one at a place, had that not taken long: the number
// of blocks when nearly all have ended.
func (o *others) time(at int) int {
	if o.over {
		return o.launch.blocks
	}
	return max(at, o.front-o.wave) // a long block runs on while others come and go
}

// before returns what L2 still holds of a line from before the launch when the block at a place runs.
func (o *others) before(line uint64, at int) (valid, dirty uint8) {
	if o.warm == nil {
		return 0, 0
	}
	share := float64(o.time(at)) / float64(o.launch.blocks)
	return o.warm.at(line, share*float64(o.launch.lines.Load()))
}

// kept reports whether others have brought a sector to L2, which has kept its line until the block at a place comes,
// and whether it may still be on its way: of two blocks that run at a time either may come first.
//
// Whoever comes first brings it. Of blocks that run at a time that is one of the part's where the first by place is.
func (o *others) kept(line uint64, sector uint8, at int) (kept, coming bool) {
	moment := o.launch.momentOf(o.time(at))
	from := o.since(line, sector, moment, at)
	switch {
	case from < 0:
		return false, false
	case moment == eras*moments, (moment-from)*o.launch.blocks >= o.wave*eras*moments:
		return true, false
	}
	return chanceOf(line, from) >= float64(o.part[from]), chanceOf(line, -from-2) < 0.5
}

// since returns the noted moment before another from which on L2 has a sector, as others than the block at a place have
// brought it and its line has been touched again before it was lost; -1 where L2 does not have it. More than a wave
// before it does not matter when.
func (o *others) since(line uint64, sector uint8, moment, at int) (from int) {
	times, own := o.launch.pageOf(line).timesOf(line), o.launch.momentOf(at)
	from = -1
	for later := moment; ; {
		noted := times.latestOfOthers(later, own)
		if !o.stays(line, noted, later) {
			return from
		}
		if times.has(sector, noted) {
			from = noted
			if (moment-noted)*o.launch.blocks >= o.wave*eras*moments {
				return from
			}
		}
		later = noted
	}
}

// chanceOf returns a number from 0 to 1 that follows from a line and a salt.
func chanceOf(line uint64, salt int) float64 {
	x := (line*0x9e3779b97f4a7c15 ^ uint64(salt+1)*0xbf58476d1ce4e5b9) * 0x94d049bb133111eb
	return float64(x^x>>29) * 0x1p-64
}

// stays reports whether L2 keeps a line from a noted moment to another.
func (o *others) stays(line uint64, noted, moment int) bool {
	return noted >= 0 && chanceOf(line, noted) < o.reuse.stays(before(noted, moment), float64(moment)/moments)
}

// latestOfOthers returns the latest of the noted moments before another that is not a block's own, or -1.
func (t *lineTimes) latestOfOthers(before, own int) int {
	noted := t.latest(before)
	if noted == own && noted >= 0 {
		noted = t.latest(noted)
	}
	return noted
}

// stayed reports whether L2 still has a sector, when the block at a place runs, that others have touched before the
// blocks that run at the time.
func (o *others) stayed(line uint64, sector uint8, at int) bool {
	return o.since(line, sector, o.launch.momentOf(o.time(at)), at) >= 0
}

// lost reports whether L2 has lost, when the block at a place comes, a line that the block at another has touched as
// the last of the part: other blocks have touched so many others since.
func (o *others) lost(line uint64, last, at int) bool {
	if last-at < o.wave && at-last < o.wave {
		return false
	}
	if _, shared := o.launch.first(line); !shared {
		return false
	}
	moment := o.launch.momentOf(o.time(at))
	noted := o.launch.pageOf(line).timesOf(line).latestOfOthers(moment, o.launch.momentOf(at))
	return !o.stays(line, noted, moment)
}

// brought reports whether others have brought a sector to L2 which the block at a place reads first of the part, and
// whether it may still be on its way. What the part has had and lost within a wave it must read again.
func (o *others) brought(line uint64, sector uint8, at int) (brought, coming bool) {
	if _, shared := o.launch.first(line); !shared {
		return false, false
	}
	key := line<<8 | uint64(sector)
	last, had := o.had[key]
	o.had[key] = at
	if had && at-last < o.wave && last-at < o.wave {
		// The part's own L2 has lost it, which has less room for what blocks do not share. The launch's has it where it
		// had it before the wave already.
		if brought = o.stayed(line, sector, at); brought {
			o.given++
		}
		return brought, false
	}
	if brought, coming = o.kept(line, sector, at); brought {
		o.given++
	}
	return brought, coming
}

// roomOf returns how many bytes of L2 a part of a launch has that runs on a share of the machine: all for the lines
// that blocks share, of which others says what is there, and its share of the rest.
func roomOf(p *Preset, launch *footprint, share float64) int {
	shared := min(int(launch.shared.Load())*lineBytes, p.L2Bytes)
	return shared + int(math.Ceil(float64(p.L2Bytes-shared)*share))
}
