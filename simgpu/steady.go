package simgpu

import (
	"encoding/binary"

	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/offload/trace"
)

// steady reports whether the path of every thread through f, and the distances between the addresses that it touches,
// follow from the launch alone: grid, block and parameters, whatever memory holds. Such a launch takes the same time
// whenever it is repeated, for a launch begins with empty caches. Device pointers are parameters of type U64 that are only
// added to and used as addresses; a launch on other buffers counts as a repetition, though which buffers share DRAM
// channels and cache sets may differ between the two.
func steady(f *kir.Func) bool {
	const (
		memory  = 1 << iota // depends on what memory holds
		pointer             // an address, or on its way to be one
	)
	taint := make([]uint8, f.NumValues())
	for changed := true; changed; {
		changed = false
		set := func(v *kir.Value, t uint8) {
			if taint[v.ID]|t != taint[v.ID] {
				taint[v.ID] |= t
				changed = true
			}
		}
		for _, b := range f.Blocks {
			for _, v := range b.Values {
				switch {
				case v.Op == kir.OpLoad:
					if taint[v.Args[0].ID]&memory != 0 {
						return false
					}
					set(v, memory)
				case v.Op == kir.OpStore:
					if taint[v.Args[0].ID]&memory != 0 || taint[v.Args[1].ID]&pointer != 0 {
						return false
					}
				case v.Op == kir.OpParam && f.Params[v.Imm].Type == kir.U64:
					set(v, pointer)
				default:
					pointers := 0
					for _, a := range v.Args {
						set(v, taint[a.ID])
						if taint[a.ID]&pointer != 0 {
							pointers++
						}
					}
					if pointers > 1 || pointers == 1 && v.Op != kir.OpAdd {
						return false
					}
				}
			}
			if c := b.Term.Cond; c != nil && taint[c.ID] != 0 {
				return false
			}
			for _, e := range b.Term.Edges() {
				for i, a := range e.Args {
					set(e.To.Params[i], taint[a.ID])
				}
			}
		}
	}
	return true
}

// maxTimes bounds how many launches of one kernel are remembered.
const maxTimes = 128

// times remembers the statistics of launches of a steady kernel.
type times struct {
	f     *kir.Func
	known map[string]*trace.KernelStats
}

// newTimes returns the memory of a kernel's launches, nil when f is not steady.
func newTimes(f *kir.Func) *times {
	if !steady(f) {
		return nil
	}
	return &times{f, make(map[string]*trace.KernelStats)}
}

// key is equal for launches that take the same time: of pointers only the alignment counts.
func (t *times) key(l *kir.Launch) string {
	var b []byte
	for _, n := range [...]int{l.Grid.X, l.Grid.Y, l.Grid.Z, l.Block.X, l.Block.Y, l.Block.Z, l.SharedBytes} {
		b = binary.AppendVarint(b, int64(n))
	}
	params := append([]byte(nil), l.Params...)
	for _, p := range t.f.Params {
		if p.Type == kir.U64 {
			clear(params[p.Offset+1 : p.Offset+8]) // little-endian: 256 bytes are left
		}
	}
	return string(append(b, params...))
}

func (t *times) put(key string, st *trace.KernelStats) {
	if len(t.known) >= maxTimes {
		clear(t.known)
	}
	t.known[key] = st
}
