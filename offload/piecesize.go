package offload

import (
	"time"

	"github.com/arrayrepl/arrayrepl/offload/device"
	"github.com/arrayrepl/arrayrepl/offload/mempool"
)

// PiecePolicy is how large pieces are made.
type PiecePolicy uint8

// The policies.
const (
	// FastestPieces takes, of the powers of two that fit, the one whose copies and kernels are foreseen to end first:
	// smaller pieces begin sooner and leave room to copy beside the kernels, larger ones have fewer launches.
	FastestPieces PiecePolicy = iota
	// LargestPieces takes the largest power of two that fits, as the offload-annotations paper does.
	LargestPieces
)

// reserved is the part of a device's memory that pieces leave to others: one in so many.
const reserved = 4

// mostPieces bounds the search for the best size.
const mostPieces = 1 << 12

// fit chooses the size of pieces for so many bytes of d's memory: a power of two, of rows or of what they must be
// multiples of, or most rows if that is less and not 0; and for how many of them there is room at once. It returns
// false when not even one fits.
func (p *memoryPlan) fit(d device.Device, bytes int64, most int, policy PiecePolicy) bool {
	align, room := p.align, bytes-bytes/reserved-p.fixed
	if !p.fill(room) {
		return false
	}
	sets := [][2]int{{2, 2}, {2, 1}, {1, 2}, {1, 1}}
	if most > 0 {
		p.piece = min(p.piece, max(most/align*align, align))
	} else if policy == LargestPieces {
		sets = [][2]int{{2, 1}, {1, 1}}
	}
	r, best := ratesOf(d), memoryPlan{}
	for {
		for _, n := range sets {
			if p.sets(n[0], n[1]); p.need() > room || !p.covers() {
				continue
			}
			if p.took = p.forecast(r); best.rows == 0 || p.took < best.took {
				best = *p
			}
		}
		if most > 0 || policy == LargestPieces || p.piece/2 < align || p.rows/p.piece >= mostPieces {
			*p = best
			return best.rows > 0
		}
		p.piece /= 2
	}
}

// sets makes room for so many pieces of what is copied in, and of what is copied out.
func (p *memoryPlan) sets(in, out int) { p.in, p.out = in, out }

// fill makes pieces as large as so many bytes allow.
func (p *memoryPlan) fill(room int64) bool {
	p.sets(1, 1)
	p.piece = p.align
	if p.need() > room {
		return false
	}
	for p.piece < p.rows {
		p.piece *= 2
		if p.need() > room {
			p.piece /= 2
			break
		}
	}
	return true
}

// need is the memory for pieces.
func (p *memoryPlan) need() (bytes int64) {
	for _, u := range p.uses {
		if u.moves() {
			bytes += int64(p.slots(u)) * mempool.Rounded(u.size(p.piece))
		}
	}
	return bytes
}

// slots is how many pieces of a value have room.
func (p *memoryPlan) slots(u *use) int {
	switch {
	case !u.made:
		return p.in
	case u.kept:
		return p.out
	}
	return 1
}

// rates are what copies and kernels are foreseen with.
type rates struct {
	copied, pinned float64       // bytes a second of copies
	memory         float64       // and of kernels
	copying        time.Duration // of each copy, besides
	launching      time.Duration
	threads        int // that fill the device
}

// What is taken of devices that do not say: of PCIe 3 and of common cards.
const (
	commonCopied = 6e9
	commonPinned = 12e9
	commonMemory = 500e9
	commonCopy   = 10 * time.Microsecond
	commonLaunch = 5 * time.Microsecond
	// bytes a second, of elements that the host collects from several places or spreads to them
	commonPacked = 4e9
	commonRun    = 5 * time.Nanosecond // and of each place, besides
)

func ratesOf(d device.Device) rates {
	p := d.Properties()
	r := rates{p.PageableBandwidth, p.HostBandwidth, p.MemoryBandwidth, p.CopyTime, p.LaunchTime, max(p.SMs*p.MaxThreadsPerSM, 1)}
	if r.copied == 0 {
		r.copied = commonCopied
	}
	if r.pinned == 0 {
		r.pinned = commonPinned
	}
	if r.memory == 0 {
		r.memory = commonMemory
	}
	if r.copying == 0 {
		r.copying = commonCopy
	}
	if r.launching == 0 {
		r.launching = commonLaunch
	}
	return r
}

// seconds is how long n bytes take at so many a second.
func seconds(n, rate float64) time.Duration { return time.Duration(n / rate * 1e9) }

// forecast says when all pieces are done: copied in, computed and copied out on three streams, where each waits for
// what it works on and for room. Of kernels it knows the bytes that they move, which is the least that they take; less
// than fills the device takes as long as that.
func (p *memoryPlan) forecast(r rates) time.Duration {
	var in, out, compute time.Duration // of a piece
	for _, u := range p.uses {
		size := float64(u.size(p.piece))
		packed := time.Duration(0)
		if runs := u.runs(min(p.piece, p.rows)); runs > 1 {
			packed = seconds(size, commonPacked) + time.Duration(runs)*commonRun
		}
		switch {
		case u.fixed || u.there:
		case !u.made:
			rate := r.copied
			if u.v.copies.pinned.block != nil && packed == 0 {
				rate = r.pinned
			}
			in += r.copying + seconds(size, rate) + packed
		case u.kept:
			out += r.copying + seconds(size, r.copied) + packed
		}
	}
	for i, t := range p.tasks {
		n := 0.0
		for _, u := range p.uses {
			if !u.fixed && u.by(p.cuts[i]) {
				n += float64(u.size(p.piece))
			}
		}
		if l := t.Launches[0]; l.Call == nil {
			threads := float64(l.Grid.Count()*l.Block.Count()) / float64(p.rows) * float64(p.piece)
			n *= max(1, float64(r.threads)/max(threads, 1))
		}
		compute += r.launching + seconds(n, r.memory)
	}
	pieces := (p.rows + p.piece - 1) / p.piece
	if p.cuts[0].Before != nil { // all is read twice
		pieces *= 2
	}
	arrived := time.Duration(0)
	var computed, copiedOut [2]time.Duration // of the last piece, and of the one before
	for range pieces {
		arrived = max(arrived, computed[p.in-1]) + in // when the memory that it goes to is free
		done := max(arrived, computed[0], copiedOut[p.out-1]) + compute
		gone := max(done, copiedOut[0]) + out
		computed = [2]time.Duration{done, computed[0]}
		copiedOut = [2]time.Duration{gone, copiedOut[0]}
	}
	return max(computed[0], copiedOut[0])
}
