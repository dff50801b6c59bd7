package simgpu

import (
	"cmp"
	"encoding/binary"
	"slices"

	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/kir/cpu"
)

// The timing model sees a launch's buffers at places of its own: which channels, banks and sets a launch uses then
// follows from the launch, and not from where the allocator had room, which depends on what a garbage collector has
// freed. Buffers that parameters point to come in the order of the parameters, others in the order in which the
// recorded blocks touch them. Distances within a buffer stay, and so does the place of a pointer within allocUnit
// bytes.
const (
	placeStep = 1<<40 + 37*lineBytes // buffers begin at different channels, banks and sets
	placeRoom = 1 << 39              // that a place has below the pointer that made it
	maxPlaces = 1 << 20              // so that all stay below localBase
)

// places is where the buffers of one launch are for the timing model.
type places struct {
	regions  []region // by lo
	pointers []pointer
}

// region is a buffer: what the timing model adds to its addresses.
type region struct{ lo, hi, shift uint64 }

// pointer is what a parameter of type U64 points to: a buffer, named by the first parameter that points into it, and
// the distance from that one; of the first itself, its place within allocUnit bytes.
type pointer struct {
	param, first int
	addr, offset uint64
}

// newPlaces finds the buffers among spans, those mapped when the launch runs, that its parameters point to.
func newPlaces(f *kir.Func, l *cpu.Launch, spans []span) *places {
	pl := &places{}
	for i := range f.Params {
		p := &f.Params[i]
		if p.Type != kir.U64 {
			continue
		}
		addr := binary.LittleEndian.Uint64(l.Params[p.Offset:])
		s, ok := holding(spans, addr)
		if !ok {
			continue
		}
		at := pointer{param: i, first: i, addr: addr, offset: addr % allocUnit}
		for _, other := range pl.pointers {
			if other.addr-s.addr < s.bytes {
				at.first, at.offset = other.first, addr-pl.pointers[pl.number(other.first)].addr
				break
			}
		}
		if at.first == i {
			pl.add(s, i, addr, at.offset)
		}
		pl.pointers = append(pl.pointers, at)
	}
	return pl
}

// number returns which of the pointers parameter number param is, or -1.
func (pl *places) number(param int) int {
	return slices.IndexFunc(pl.pointers, func(p pointer) bool { return p.param == param })
}

// first returns the first parameter that points into the buffer that parameter number param points into, or -1.
func (pl *places) first(param int) int {
	if n := pl.number(param); n >= 0 {
		return pl.pointers[n].first
	}
	return -1
}

// add gives place number n to the buffer s: addr in it comes offset bytes behind what is the place's middle.
func (pl *places) add(s span, n int, addr, offset uint64) {
	place := uint64(n%maxPlaces+1)*placeStep + placeRoom + offset
	pl.regions = append(pl.regions, region{s.addr, s.addr + s.bytes, place - addr})
	slices.SortFunc(pl.regions, func(a, b region) int { return cmp.Compare(a.lo, b.lo) })
}

// key appends to b what the place of a parameter that has one follows from.
func (pl *places) key(b []byte, param int) []byte {
	p := &pl.pointers[pl.number(param)]
	return binary.AppendUvarint(binary.AppendUvarint(b, uint64(p.first+1)), p.offset)
}

// of returns the region that holds addr, or nil.
func (pl *places) of(addr uint64) *region {
	i, _ := slices.BinarySearchFunc(pl.regions, addr, func(r region, addr uint64) int {
		if r.hi <= addr {
			return -1
		}
		return 1
	})
	if i < len(pl.regions) && pl.regions[i].lo <= addr {
		return &pl.regions[i]
	}
	return nil
}

// shift returns what is added to the addresses from lo to hi, or false if they are not of one buffer with a place.
func (pl *places) shift(lo, hi uint64) (shift uint64, ok bool) {
	r := pl.of(lo)
	if r == nil || hi-r.lo >= r.hi-r.lo {
		return 0, false
	}
	return r.shift, true
}

// isBuffer reports whether addr is one of device memory as kernels see it: no place yet, no offset, no local memory.
func isBuffer(addr uint64) bool { return addr >= firstAddr && addr < placeStep }

// move replaces addresses of device memory by their places. It reports false when one has none yet; that one stays.
func (pl *places) move(addrs []uint64) (all bool) {
	all = true
	var r region
	for i, addr := range addrs {
		if addr-r.lo >= r.hi-r.lo {
			found := pl.of(addr)
			if found == nil {
				all = false
				continue
			}
			r = *found
		}
		addrs[i] = addr + r.shift
	}
	return all
}

// settle gives places to buffers that no parameter points to, in the order in which the kept blocks touch them. It must
// come after the launch and before its replay.
func (pl *places) settle(kept []*blockTrace, l *timing, spans []span) {
	next := 0
	if n := len(pl.pointers); n > 0 {
		next = pl.pointers[n-1].param + 1
	}
	for _, k := range kept {
		if !k.foreign {
			continue
		}
		r := newTraceReader(k, l.code, l.shapes, pl, l.preset.WarpSize)
		for r.step() {
			for _, m := range l.code.blocks[r.block].memory {
				if !r.access() || m.space != kir.Global || !r.strange {
					continue
				}
				r.strange = false
				for _, addr := range r.addrs {
					if !isBuffer(addr) || pl.of(addr) != nil {
						continue
					}
					s, _ := holding(spans, addr)
					pl.add(s, next, s.addr, 0)
					next++
				}
			}
		}
	}
}
