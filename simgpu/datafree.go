package simgpu

import (
	"encoding/binary"
	"maps"
	"slices"

	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/kir/cpu"
	"github.com/arrayrepl/arrayrepl/offload/trace"
)

// What a value depends on: the parameters by their numbers, and these.
const (
	onMemory  = 1 << 63 // what memory holds
	onPointer = 1 << 62 // a pointer: it is an address, or on its way to be one
	maxParams = 62
)

// steady reports whether the path of every thread through f, and the distances between the addresses that it touches,
// follow from the launch alone: grid, block and parameters, whatever memory holds. Such a launch takes the same time
// whenever it is repeated and finds the same in L2. course is the set of parameters that it depends on.
//
// Device pointers are parameters of type U64 that are only added to and used as addresses; a launch on other buffers is
// a repetition, since the timing model gives buffers places of its own (see places).
func steady(f *kir.Func) (ok bool, course uint64) {
	if len(f.Params) > maxParams {
		return false, 0
	}
	on := make([]uint64, f.NumValues())
	for changed := true; changed; {
		changed = false
		set := func(v *kir.Value, t uint64) {
			if on[v.ID]|t != on[v.ID] {
				on[v.ID] |= t
				changed = true
			}
		}
		for _, b := range f.Blocks {
			for _, v := range b.Values {
				switch {
				case v.Op.IsMemory():
					course |= on[v.Args[0].ID]
					set(v, onMemory)
					for _, a := range v.Args[1:] {
						if on[a.ID]&onPointer != 0 {
							return false, 0
						}
					}
				case v.Op == kir.OpParam:
					n, _ := v.ParamRef()
					set(v, 1<<n)
					if v.Type == kir.U64 {
						set(v, onPointer)
					}
				case v.Op == kir.OpSpecial && v.Type == kir.U64: // a clock
					set(v, onMemory)
				default:
					pointers := 0
					for _, a := range v.Args {
						set(v, on[a.ID])
						if on[a.ID]&onPointer != 0 {
							pointers++
						}
					}
					if pointers > 1 || pointers == 1 && v.Op != kir.OpAdd {
						return false, 0
					}
				}
			}
			if c := b.Term.Cond; c != nil {
				course |= on[c.ID]
				if on[c.ID]&onPointer != 0 {
					return false, 0
				}
			}
			for _, e := range b.Term.Edges() {
				for i, a := range e.Args {
					set(e.To.Params[i], on[a.ID])
				}
			}
		}
	}
	return course&onMemory == 0, course
}

// maxTimes bounds how many launches of one kernel are remembered.
const maxTimes = 128

// times remembers the statistics of launches of a steady kernel.
type times struct {
	params []int // those on which the course of a launch depends
	all    []kir.Param
	known  map[string]*launched
	lines  int // that they have of L2
}

// launched is a launch that has been timed: its statistics, and what it left in L2 of its buffers.
type launched struct {
	stats       *trace.KernelStats
	end         map[int]*resident
	began, uses uint64
	from, to    int64     // cycles, of one that was timed with others
	record      *computed // for launches beside it; nil where that is large
}

// maxRemembered bounds the lines of L2 that a kernel's launches remember: 64 MB.
const maxRemembered = 1 << 22

// newTimes returns the memory of a kernel's launches, nil when f is not steady.
func newTimes(f *kir.Func) *times {
	ok, course := steady(f)
	if !ok {
		return nil
	}
	t := &times{all: f.Params, known: make(map[string]*launched)}
	for i := range f.Params {
		if course&(1<<i) != 0 {
			t.params = append(t.params, i)
		}
	}
	return t
}

// key is equal for launches that take the same time: of pointers it has what their places follow from, and what L2
// holds of their buffers; of other buffers how much of L2 they have, in eighths.
func (t *times) key(l *cpu.Launch, at *places, w *warmth) string {
	var b []byte
	for _, n := range [...]int{l.Grid.X, l.Grid.Y, l.Grid.Z, l.Block.X, l.Block.Y, l.Block.Z, l.SharedBytes} {
		b = binary.AppendVarint(b, int64(n))
	}
	for _, i := range t.params {
		p := &t.all[i]
		if p.Type == kir.U64 && at.number(i) >= 0 {
			b = at.key(b, i)
		} else {
			b = append(append(b, 0), l.Params[p.Offset:p.Offset+p.Bytes()]...)
		}
	}
	if w != nil {
		others, own := w.held.lines, w.own(at)
		for _, i := range slices.Sorted(maps.Keys(own)) {
			r := own[i]
			others -= len(r.lines)
			b = binary.AppendUvarint(binary.AppendUvarint(binary.AppendUvarint(b, uint64(i+1)), r.sum), uint64(len(r.lines)))
		}
		b = binary.AppendUvarint(b, uint64((8*others+w.room/2)/w.room))
	}
	return string(b)
}

func (t *times) put(key string, e *launched) {
	for _, r := range e.end {
		t.lines += len(r.lines)
	}
	if e.record != nil {
		t.lines += e.record.recorded() / 16
	}
	if len(t.known) >= maxTimes || t.lines > maxRemembered {
		clear(t.known)
		t.lines = 0
	}
	t.known[key] = e
}
