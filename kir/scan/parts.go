package scan

import (
	"errors"

	"github.com/arrayrepl/arrayrepl/kir"
)

// Parts is how lines are scanned that go through memory in parts, in the order in which a [Plan] scans them whole:
// first the totals of the tiles of all parts are taken, then Between scans those, then each part is scanned,
// beginning with what stands before it. A part has the same elements of each line, side by side as a whole has them.
type Parts struct {
	Tile    int      // elements; parts begin at multiples of it
	Between []Launch // once the totals of all parts are there
	Scratch []int    // as in Plan

	spec                 Spec
	lines, length, inner int
	totals, scan         Launch // of the whole
	later                Kernel // scan, for parts that are not the first
}

// Parts plans the scan of lines as Plan does, for parts of them; an error where one tile has room for a line.
func (s Spec) Parts(lines, length, inner int, kernel func(s Spec, k Kind) (Kernel, error)) (Parts, error) {
	whole, err := s.Plan(lines, length, inner, kernel)
	if err != nil {
		return Parts{}, err
	}
	last := len(whole.Launches) - 1
	if last == 0 {
		return Parts{}, errors.New("one tile has room for all of a line")
	}
	s.Form, s.Strided = s.Form.Fitted(length), inner > 1
	p := Parts{Tile: s.Form.Tile(), Between: whole.Launches[1:last], Scratch: whole.Scratch, spec: s, lines: lines, length: length, inner: inner, totals: whole.Launches[0], scan: whole.Launches[last]}
	s.Later, s.Alone, s.Aligned = true, lines == 1 && !s.Strided, s.Aligned && (lines == 1 || length%4 == 0)
	p.later, err = kernel(s, ScanKernel)
	return p, err
}

// place is where line l begins in a part of so many elements of each line.
func (p Parts) place(l, elements int) int { return l/p.inner*elements*p.inner + l%p.inner }

// tiles is how many tiles of a line, but for its last one, have their total taken.
func (p Parts) tiles() int { return (p.length - 1) / p.Tile }

// Totals are the launches that take the totals of the tiles of n elements of each line from element at on.
func (p Parts) Totals(at, n int) (launches []Launch) {
	whole := min((n+p.Tile-1)/p.Tile, p.tiles()-at/p.Tile)
	if whole == 0 {
		return nil
	}
	for l := range p.lines {
		in := p.spec.lifted(p.arrays(In, p.spec.In, p.place(l, n)))
		args := append(p.spec.sizes(in, n, p.inner, whole), p.states(p.totals, 0, l*p.tiles()+at/p.Tile)...)
		launches = append(launches, Launch{p.totals.Kernel, kir.D1(whole), p.totals.Block, args})
	}
	return launches
}

// Scan are the launches that scan n elements of each line from element at on.
func (p Parts) Scan(at, n int) (launches []Launch) {
	tiles, k := (n+p.Tile-1)/p.Tile, p.scan.Kernel
	if at > 0 {
		k = p.later
	}
	for l := range p.lines {
		args := p.spec.sizes(p.arrays(In, p.spec.In, p.place(l, n)), n, p.inner, tiles)
		args = append(args, p.states(p.scan, len(p.spec.Given)+len(p.spec.Out), l*p.tiles()+max(at/p.Tile-1, 0))...)
		args = append(args, p.arrays(Out, p.spec.Out, p.place(l, n))...)
		for _, x := range p.spec.Given {
			args = append(args, Arg{Kind: Number, N: x})
		}
		launches = append(launches, Launch{k, kir.D1(tiles), p.scan.Block, args})
	}
	return launches
}

// Section is bytes of a scratch buffer of a plan.
type Section struct{ Scratch, At, Bytes int }

// Filled is what the launches of Totals(at, n) fill of scratch memory, which Between reads.
func (p Parts) Filled(at, n int) []Section {
	return p.sections(p.totals, 0, at/p.Tile, min((n+p.Tile-1)/p.Tile, p.tiles()-at/p.Tile))
}

// Wanted is what the launches of Scan(at, n) read of scratch memory, which Between has made.
func (p Parts) Wanted(at, n int) []Section {
	tiles := (n + p.Tile - 1) / p.Tile
	if at == 0 { // nothing stands before the first
		tiles--
	}
	return p.sections(p.scan, len(p.spec.Given)+len(p.spec.Out), max(at/p.Tile-1, 0), tiles)
}

// sections are n states of each line from number at on, in the scratch memory of a launch: see states.
func (p Parts) sections(of Launch, behind, at, n int) (out []Section) {
	for l := range p.lines {
		for i, a := range p.states(of, behind, l*p.tiles()+at) {
			if n > 0 {
				out = append(out, Section{a.N, a.Byte, n * p.spec.Op.State[i].Bytes()})
			}
		}
	}
	return out
}

// arrays are the addresses of element at of arrays.
func (p Parts) arrays(kind ArgKind, types []kir.Type, at int) []Arg {
	out := make([]Arg, len(types))
	for i, t := range types {
		out[i] = Arg{kind, i, at * t.Bytes()}
	}
	return out
}

// states are the scratch memory of a launch of the whole, which stands before its last so many arguments, from state
// number at on.
func (p Parts) states(of Launch, behind, at int) []Arg {
	types := p.spec.Op.State
	end := len(of.Args) - behind
	out := make([]Arg, len(types))
	for i, a := range of.Args[end-len(types) : end] {
		out[i] = Arg{a.Kind, a.N, at * types[i].Bytes()}
	}
	return out
}
