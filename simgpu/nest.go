package simgpu

import (
	"bytes"
	"encoding/binary"
	"slices"

	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/offload/trace"
)

// nesting is what a launch has to do with launches from kernels.
type nesting struct {
	how  int  // kir.Bounds.Nested
	asks bool // its kernel launches others
}

func nestingOf(f *kir.Func) nesting { return nesting{f.Bounds.Nested, f.Launches() != nil} }

// settles reports whether the times of what waits to be timed must be known before the launch's moment is; else says
// whether that is so for one by the host. Grids of one level are timed together.
func (n nesting) settles(otherwise bool) bool {
	switch n.how {
	case kir.NestedAfter:
		return true
	case kir.NestedBeside:
		return false
	}
	return otherwise
}

// nest is where a GPU is in launches from kernels. In the model the grids that kernels of one level launch begin
// Preset.LaunchGap after the last of these has ended, and run beside each other; the host, which does it here, takes no
// time. [A]: a figure for launches from kernels of today's CUDA was not found.
type nest struct {
	end   trace.Time // of what is nested, or asks for launches
	level trace.Time // when that of the level before had ended
}

// moment returns what a launch cannot begin before.
func (n *nest) moment(of nesting, at moment) moment {
	switch of.how {
	case kir.NestedAfter:
		n.level = n.end
	case kir.NestedBeside:
	default:
		return at
	}
	at.nested, at.previous = true, n.level
	return at
}

// ended notes the end of a launch.
func (n *nest) ended(of nesting, end trace.Time) {
	if of.how != 0 || of.asks {
		n.end = max(n.end, end)
	}
}

// sameRequests reports whether two contents of the buffer at base are requests for the same launches, which the threads
// have made in other orders.
func (x *exec) sameRequests(base uint64, a, b []byte) bool {
	value := func(name string) uint64 {
		for _, p := range x.f.Params {
			if p.Name == name {
				return binary.LittleEndian.Uint64(x.l.Params[p.Offset:])
			}
		}
		return 0
	}
	size := int(value(kir.LaunchStride))
	if value(kir.LaunchRecords) != base || size == 0 {
		return false
	}
	sorted := func(b []byte) [][]byte {
		return slices.SortedFunc(slices.Chunk(b, size), bytes.Compare)
	}
	return slices.EqualFunc(sorted(a), sorted(b), bytes.Equal)
}
