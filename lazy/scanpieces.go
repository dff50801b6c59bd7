package lazy

import (
	"errors"

	"github.com/arrayrepl/arrayrepl/kir/scan"
	"github.com/arrayrepl/arrayrepl/offload"
	"github.com/arrayrepl/arrayrepl/offload/partition"
)

// scanParts scans, or sorts, lines and cuts that: into lines, which are scanned alone, along each of the other axes or
// all of those before or behind the lines' own; or into tiles of all lines, where what stands before each is found
// first, in the order of the whole.
type scanParts struct {
	plan     func(lines, inner int) (scan.Plan, error)
	tiles    func() (scan.Parts, error) // nil where threads scan lines by themselves
	shared   int                        // of the task's scratch buffers, those of tiles
	aligned  bool                       // the kernels load several elements at once
	shape    []int                      // of all elements
	axis     int                        // along which lines lie
	in       []*offload.Value
	bytes    []int // of an element of each of in
	out      *offload.Value
	written  int    // bytes of an element of out
	together string // why a line is not cut, where it never is
}

// around are the elements along the axes before and behind one.
func around(shape []int, axis int) (outer, inner int) {
	return elementsIn(shape[:axis]), elementsIn(shape[axis+1:])
}

// ways are the shapes that the elements have, each with the axis of its lines and the one that is cut.
func (p scanParts) ways() (out []scanWay) {
	for a := range p.shape {
		if a != p.axis {
			out = append(out, scanWay{p.shape, p.axis, a})
		}
	}
	out = append(out, scanWay{p.shape, p.axis, p.axis})
	outer, inner := around(p.shape, p.axis)
	flat := []int{outer, p.shape[p.axis], inner}
	if p.axis > 1 {
		out = append(out, scanWay{flat, 1, 0})
	}
	if p.axis < len(p.shape)-2 {
		out = append(out, scanWay{flat, 1, 2})
	}
	return out
}

type scanWay struct {
	domain    []int
	line, cut int
}

func (p scanParts) Ways() int { return len(p.ways()) }

func (p scanParts) Along(i int) (*offload.Cut, error) {
	w := p.ways()[i]
	across := w.cut == w.line
	switch {
	case p.together != "" && (across || w.domain[w.cut] < 2):
		return nil, errors.New(p.together)
	case w.domain[w.cut] < 2:
		return nil, errors.New("there is one line of it")
	}
	view := partition.View{Shape: w.domain, Strides: contiguous(w.domain).Strides}
	field := func(size int) offload.Field {
		return offload.Field{Shape: w.domain, Bytes: size, Views: []partition.View{view}}
	}
	cut := &offload.Cut{Unit: "lines", Domain: w.domain, Axis: w.cut, Dense: true, Aligned: p.aligned && (across || p.shape[p.axis]%4 == 0), Out: []offload.Field{field(p.written)}}
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
	if across {
		return cut, p.acrossLines(cut, in)
	}
	plan := func(part partition.Box) (scan.Plan, error) {
		outer, inner := around(part.Shape(), w.line)
		return p.plan(outer*inner, inner)
	}
	if p.together != "" {
		cut.Room = func(part partition.Box) ([]int, error) {
			made, err := plan(part)
			return made.Scratch, err
		}
	}
	cut.Launches = func(part partition.Box, at offload.PartView) ([]offload.Launch, error) {
		made, err := plan(part)
		if err != nil {
			return nil, err
		}
		return scanLaunches(made.Launches, in(at), offload.Pointer(p.out)), nil
	}
	return cut, nil
}

// mostLines is how many lines a part may have tiles of: each takes a launch.
const mostLines = 64

func (p scanParts) acrossLines(cut *offload.Cut, in func(at offload.PartView) []offload.Arg) error {
	outer, inner := around(p.shape, p.axis)
	if p.tiles == nil || outer*inner > mostLines {
		return errors.New("even one of its lines is too long, and there are many")
	}
	parts, err := p.tiles()
	if err != nil {
		return err
	}
	extent := func(part partition.Box) (at, n int) { return part[p.axis].Start, part[p.axis].Len() }
	cut.Unit, cut.Align, cut.Scratch = "elements", parts.Tile, p.shared
	cut.Between = scanLaunches(parts.Between, nil, offload.Arg{})
	cut.Before = func(part partition.Box, at offload.PartView) ([]offload.Launch, error) {
		return scanLaunches(parts.Totals(extent(part)), in(at), offload.Arg{}), nil
	}
	cut.Launches = func(part partition.Box, at offload.PartView) ([]offload.Launch, error) {
		return scanLaunches(parts.Scan(extent(part)), in(at), offload.Pointer(p.out)), nil
	}
	cut.Filled = func(part partition.Box) []offload.Section { return scratchOf(parts.Filled(extent(part))) }
	cut.Wanted = func(part partition.Box) []offload.Section { return scratchOf(parts.Wanted(extent(part))) }
	return nil
}

func scratchOf(sections []scan.Section) []offload.Section {
	out := make([]offload.Section, len(sections))
	for i, x := range sections {
		out[i] = offload.Section{Buffer: x.Scratch, At: x.At, Bytes: x.Bytes}
	}
	return out
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
