package simgpu

import (
	"fmt"
	"math/bits"
)

// LaneMap says in which lane of the hardware each thread of a warp computes. It decides which threads a policy can put
// side by side that takes them from several warps; where warps stay what they are it changes nothing.
type LaneMap interface {
	Name() string
	// Lane returns the lane of thread t of warp number warp in the hardware, which has so many lanes and warps. For
	// each warp it is a permutation.
	Lane(t, warp, lanes, warps int) int
}

// LaneShuffle is one of the published lane maps.
type LaneShuffle int

// The lane maps of Brunie, Collange and Diamos (ISCA 2012), and the swizzle of Fung et al. (2009).
const (
	Identity   LaneShuffle = iota // t
	MirrorOdd                     // lanes-1-t in odd warps
	MirrorHalf                    // lanes-1-t in the second half of the warps
	Xor                           // t xor the warp's number
	XorRev                        // t xor the warp's number with its bits in reverse
	Swizzle                       // t xor 1 in odd warps
)

// Name returns "identity", "xor reverse" and so on.
func (l LaneShuffle) Name() string {
	return [...]string{"identity", "mirror odd", "mirror half", "xor", "xor reverse", "swizzle"}[l]
}

// Lane implements LaneMap. The maps by xor need a number of lanes that is a power of two.
func (l LaneShuffle) Lane(t, warp, lanes, warps int) int {
	mirrored := false
	switch l {
	case MirrorOdd:
		mirrored = warp%2 == 1
	case MirrorHalf:
		mirrored = 2*warp >= warps
	case Xor:
		return t ^ warp%lanes
	case XorRev:
		if lanes == 1 {
			return t
		}
		return t ^ int(bits.Reverse64(uint64(warp%lanes))>>(64-bits.Len(uint(lanes-1))))
	case Swizzle:
		if t^warp&1 < lanes {
			return t ^ warp&1
		}
	}
	if mirrored {
		return lanes - 1 - t
	}
	return t
}

// LaneTable returns, for each of so many warps (rows) and each lane of the hardware (columns), which of the warp's
// threads computes there: viz.HeatMap(simgpu.LaneTable(simgpu.XorRev, 64, 16)). It panics where m is not a permutation.
func LaneTable(m LaneMap, lanes, warps int) [][]int {
	table := make([][]int, warps)
	for w := range table {
		table[w] = make([]int, lanes)
		taken := make([]bool, lanes)
		for t := range lanes {
			at := m.Lane(t, w, lanes, warps)
			if at < 0 || at >= lanes || taken[at] {
				panic(fmt.Errorf("simgpu: the lane map %q puts thread %d of warp %d in lane %d of %d, which another thread has or which does not exist", nameOf(m), t, w, at, lanes))
			}
			table[w][at], taken[at] = t, true
		}
	}
	return table
}

// homes returns, by thread, the lanes of the warp of a number in the hardware.
func (m *machine) homes(number int) (home [maxWarp]uint8) {
	p, taken := m.preset, Mask(0)
	for t := range p.WarpSize {
		at := t
		if m.policies.lanes != nil {
			m.asks = question{what: "was asked for the lane of a thread", kind: lanesKind}
			at = m.policies.lanes.Lane(t, number, p.WarpSize, max(1, p.MaxThreadsPerSM/p.WarpSize))
			m.asks = question{}
		}
		if at < 0 || at >= p.WarpSize || taken>>uint(at)&1 == 1 {
			m.blame(lanesKind, m.names.lanes, m.now, nil, &PolicyError{What: fmt.Sprintf("put thread %d of warp %d in lane %d, which another thread has or which does not exist: "+
				"it must be a permutation of %d lanes", t, number, at, p.WarpSize)})
			at = t // the run ends
		}
		taken |= 1 << uint(at)
		home[t] = uint8(at)
	}
	return home
}
