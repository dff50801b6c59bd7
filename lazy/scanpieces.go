package lazy

import (
	"errors"

	"github.com/arrayrepl/arrayrepl/kir/scan"
	"github.com/arrayrepl/arrayrepl/offload"
	"github.com/arrayrepl/arrayrepl/offload/partition"
)

// scanParts scans lines and cuts that: into lines, which are scanned alone, those before the axis or those behind it;
// or into tiles of all lines, where what stands before each is found first, in the order of the whole.
type scanParts struct {
	plan                 func(lines, inner int) (scan.Plan, error)
	tiles                func() (scan.Parts, error) // nil where threads scan lines by themselves
	shared               int                        // of the task's scratch buffers, those of tiles
	outer, length, inner int
	in                   []*offload.Value
	bytes                []int // of an element of each of in
	out                  *offload.Value
	written              int    // bytes of an element of out
	together             string // why a line is not cut, where it never is
}

func (p scanParts) Ways() int { return 3 }

func (p scanParts) Along(i int) (*offload.Cut, error) {
	domain, axis := []int{p.outer, p.length, p.inner}, []int{0, 2, 1}[i]
	switch {
	case p.together != "" && (axis == 1 || domain[axis] < 2 || p.plan == nil):
		return nil, errors.New(p.together)
	case domain[axis] < 2:
		return nil, errors.New("there is one line of it")
	}
	view := partition.View{Shape: domain, Strides: []int{p.length * p.inner, p.inner, 1}}
	field := func(size int) offload.Field {
		return offload.Field{Shape: []int{p.outer * p.length * p.inner}, Bytes: size, Views: []partition.View{view}}
	}
	cut := &offload.Cut{Unit: "lines", Domain: domain, Axis: axis, Dense: true, Out: []offload.Field{field(p.written)}}
	for _, bytes := range p.bytes {
		cut.In = append(cut.In, field(bytes))
	}
	in := func(at offload.PartView) []offload.Arg {
		args := make([]offload.Arg, len(p.in))
		for i, whole := range p.in {
			v, from := at(whole, view)
			args[i] = offload.PointerAt(v, from.Offset*p.bytes[i])
		}
		return args
	}
	if axis == 1 {
		return cut, p.acrossLines(cut, in)
	}
	cut.Launches = func(part partition.Box, at offload.PartView) ([]offload.Launch, error) {
		plan, err := p.plan(part[0].Len()*part[2].Len(), part[2].Len())
		if err != nil {
			return nil, err
		}
		return scanLaunches(plan.Launches, in(at), offload.Pointer(p.out)), nil
	}
	return cut, nil
}

// mostLines is how many lines a part may have tiles of: each takes a launch.
const mostLines = 64

func (p scanParts) acrossLines(cut *offload.Cut, in func(at offload.PartView) []offload.Arg) error {
	if p.tiles == nil || p.outer*p.inner > mostLines {
		return errors.New("even one of its lines is too long, and there are many")
	}
	parts, err := p.tiles()
	if err != nil {
		return err
	}
	cut.Unit, cut.Align, cut.Scratch = "elements", parts.Tile, p.shared
	cut.Between = scanLaunches(parts.Between, nil, offload.Arg{})
	cut.Before = func(part partition.Box, at offload.PartView) ([]offload.Launch, error) {
		return scanLaunches(parts.Totals(part[1].Start, part[1].Len()), in(at), offload.Arg{}), nil
	}
	cut.Launches = func(part partition.Box, at offload.PartView) ([]offload.Launch, error) {
		return scanLaunches(parts.Scan(part[1].Start, part[1].Len()), in(at), offload.Pointer(p.out)), nil
	}
	return nil
}

// scanLaunches are the launches of a plan with arguments in place of what it names.
func scanLaunches(planned []scan.Launch, in []offload.Arg, out offload.Arg) (launches []offload.Launch) {
	for _, l := range planned {
		args := make([]offload.Arg, len(l.Args))
		for i, a := range l.Args {
			switch a.Kind {
			case scan.In:
				args[i] = in[a.N].Plus(a.Byte)
			case scan.Out:
				args[i] = out.Plus(a.Byte)
			case scan.Scratch:
				args[i] = offload.ScratchAt(a.N, a.Byte)
			default:
				args[i] = offload.Int(a.N)
			}
		}
		launches = append(launches, offload.Launch{Func: l.Func, Hash: l.Hash, Grid: l.Grid, Block: l.Block, Args: args})
	}
	return launches
}
