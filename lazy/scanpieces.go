package lazy

import (
	"errors"

	"github.com/arrayrepl/arrayrepl/kir/scan"
	"github.com/arrayrepl/arrayrepl/offload"
	"github.com/arrayrepl/arrayrepl/offload/partition"
)

// scanParts scans lines and cuts that into lines, which are scanned alone: those before the axis, or those behind it.
// A line is not cut, as each element is one sum in an order that its length decides.
type scanParts struct {
	plan                 func(lines, inner int) (scan.Plan, error)
	outer, length, inner int
	in, out              *offload.Value
	bytes                [2]int // of an element of in, out
}

func (p scanParts) Ways() int { return 2 }

func (p scanParts) Along(i int) (*offload.Cut, error) {
	domain, axis := []int{p.outer, p.length, p.inner}, 2*i
	if domain[axis] < 2 {
		return nil, errors.New("what is left of it is one line, of which each element is a sum of those before it")
	}
	view := partition.View{Shape: domain, Strides: []int{p.length * p.inner, p.inner, 1}}
	field := func(size int) offload.Field {
		return offload.Field{Shape: []int{p.outer * p.length * p.inner}, Bytes: size, Views: []partition.View{view}}
	}
	cut := &offload.Cut{Unit: "lines", Domain: domain, Axis: axis, Dense: true, In: []offload.Field{field(p.bytes[0])}, Out: []offload.Field{field(p.bytes[1])}}
	cut.Launches = func(part partition.Box, at offload.PartView) ([]offload.Launch, error) {
		v, from := at(p.in, view)
		plan, err := p.plan(part[0].Len()*part[2].Len(), part[2].Len())
		if err != nil {
			return nil, err
		}
		return scanLaunches(plan, []offload.Arg{offload.PointerAt(v, from.Offset*p.bytes[0])}, offload.Pointer(p.out)), nil
	}
	return cut, nil
}

// scanLaunches are the launches of a plan with arguments in place of what it names.
func scanLaunches(p scan.Plan, in []offload.Arg, out offload.Arg) (launches []offload.Launch) {
	for _, l := range p.Launches {
		args := make([]offload.Arg, len(l.Args))
		for i, a := range l.Args {
			switch a.Kind {
			case scan.In:
				args[i] = in[a.N]
			case scan.Out:
				args[i] = out
			case scan.Scratch:
				args[i] = offload.Scratch(a.N)
			default:
				args[i] = offload.Int(a.N)
			}
		}
		launches = append(launches, offload.Launch{Func: l.Func, Hash: l.Hash, Grid: l.Grid, Block: l.Block, Args: args})
	}
	return launches
}
