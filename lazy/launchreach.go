package lazy

import (
	"encoding/binary"

	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/kir/opt"
	"github.com/arrayrepl/arrayrepl/offload"
)

// within returns the parts of what the launch reads that its kernel can reach, of inputs of which that is less than
// all: a kernel of indices that are affine in the numbers of its threads, with the bounds of its branches and checks,
// reads an interval, see opt.Reaches.
func (r *kernelRun) within() map[*offload.Value]offload.Stretch {
	var reaches []opt.Reach
	parts := make(map[*offload.Value]offload.Stretch)
	all := make(map[*offload.Value]bool)
	for _, p := range r.places {
		if p.out >= 0 {
			continue
		}
		if reaches == nil {
			reaches = reachesOf(&r.call)
		}
		n := p.in.node
		v, unit := n.bytes(), n.dtype.Size()
		at := reaches[p.arg]
		lo, hi := (p.off+int(at.Read.Lo))/unit, (p.off+int(at.Read.Hi)+unit)/unit
		switch part, known := parts[v]; {
		case !at.Reads || at.Writes || !at.Read.Known || hi > v.Bytes()/unit || hi <= lo:
			all[v] = true // a kernel that goes beyond it fails as it would with all of it there
		case known:
			parts[v] = offload.Stretch{Unit: unit, Lo: min(lo, part.Lo), Hi: max(hi, part.Hi)}
		default:
			parts[v] = offload.Stretch{Unit: unit, Lo: lo, Hi: hi}
		}
	}
	for v, part := range parts {
		if all[v] || part.Lo == 0 && part.Hi == v.Bytes()/part.Unit {
			delete(parts, v)
		}
	}
	return parts
}

// reachKey tells launches of one kernel apart by what their reach depends on.
type reachKey struct {
	f           *kir.Func
	grid, block kir.Dim3
	bits        string
}

// reached is what has been found for launches. Evaluations use it, one at a time.
var reached = map[reachKey][]opt.Reach{}

func reachesOf(c *kernelCall) []opt.Reach {
	var bits []byte
	for _, a := range c.Args {
		bits = binary.LittleEndian.AppendUint64(bits, a.Bits)
	}
	key := reachKey{c.Func, c.Grid, c.Block, string(bits)}
	if got, ok := reached[key]; ok {
		return got
	}
	if len(reached) >= maxPlans {
		clear(reached)
	}
	got := opt.Reaches(c.Func, c.Grid, c.Block, func(n int) (uint64, bool) {
		a := c.Args[n]
		return a.Bits, a.Array == nil && a.Bytes == nil && a.Memory == nil && a.Raw == nil
	})
	reached[key] = got
	return got
}
