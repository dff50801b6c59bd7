package lazy

import (
	"context"
	"fmt"
	"sync/atomic"

	"github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/kir/scan"
	"github.com/arrayrepl/arrayrepl/offload"
	"github.com/arrayrepl/arrayrepl/offload/device"
	"github.com/arrayrepl/arrayrepl/offload/partition"
)

// A long line is sorted by several devices: each sorts its tiles; then it is found where every tile must be cut so that
// what is before the cuts is the first part of the sorted line, the next is the second, and so on; and each device
// merges what belongs to its part, which it reads from the others. The bits are those of the sort of one device.

// sortsCalled is whether any line has been sorted: nobody looks for sorts before.
var sortsCalled atomic.Bool

// across is a sort of a line in tiles. cuts says of each end of a tile of the result how many elements of each sorted
// tile are before it.
type across struct {
	sortedTiles
	elem   arrays.DType
	places bool
	cuts   [][]int
	picks  int // of each tile, where some of its elements are looked at
}

// sortsAcross prepares the sorts of long lines that xs need where several devices are in use: their tiles are sorted,
// and they become merges.
func sortsAcross(ctx context.Context, xs []*Array) error {
	for sortsCalled.Load() && len(runtime().InUse()) > 1 {
		n, line, of, err := nextAcross(ctx, xs)
		if n == nil {
			return err
		}
		if err := n.mergeTiles(ctx, line, of); err != nil {
			return err
		}
	}
	return nil
}

// nextAcross returns the first sort that several devices share, the line that it sorts and its tiles.
func nextAcross(ctx context.Context, xs []*Array) (*node, view, across, error) {
	if err := lock(ctx); err != nil {
		return nil, view{}, across{}, err
	}
	defer unlock()
	var targets []*node
	for _, a := range xs {
		if n := a.view().node; !n.leaf() {
			targets = append(targets, n)
		}
	}
	rt := runtime()
	for _, n := range pending(targets) {
		if of := n.sortedAcross(rt); of.n > 0 {
			return n, n.args[0], of, nil
		}
	}
	return nil, view{}, across{}, nil
}

// sortedAcross returns the tiles in which n sorts one line on several devices; none where it does not.
func (n *node) sortedAcross(rt *offload.Runtime) (of across) {
	if n.kind != kindHost || n.outOfCore != nil || n.host.across != nil {
		return of
	}
	r, is := n.host.ann.GPU.(*routine)
	if !is || !r.sorts {
		return of
	}
	places := n.host.ann.Name == "argsort"
	x := n.args[0]
	d := x.node.dtype
	lines, length, _ := linesOf(x.layout.Shape, lastAxis(n.host.axis))
	if lines != 1 || !inKernels(d) || x.node.onDisk || tooSlow(n, rt.Device()) != "" {
		return of
	}
	tiles := min(rt.TilesOf(length*d.Size()), len(rt.InUse()), length)
	if tiles < 2 {
		return of
	}
	return across{sortedTiles: sortedTiles{length, (length + tiles - 1) / tiles}, elem: d, places: places}
}

// mergeTiles sorts the tiles of n's line, finds out where they are to be cut, and makes n a merge.
func (n *node) mergeTiles(ctx context.Context, x view, of across) error {
	line := newArray(x.node, x.layout).Reshape(-1)
	keys, from := line, []*Array{nil}
	if of.places {
		at := of.node(&placesOfTiles, Int64, line).whole()
		keys = of.node(&takenInTiles, of.elem, line, at).whole()
		from = append(from, at)
	} else {
		keys = of.node(&sortingTiles, of.elem, line).whole()
	}
	from[0] = keys
	if _, err := eval(from, false); err != nil {
		return err
	}
	var ranks []int
	for i := range of.tiles() {
		lo, _ := of.extent(i)
		ranks = append(ranks, lo)
	}
	of.cuts = of.sortedTiles.cuts(append(ranks, of.n), func(ranges []span) [][]uint64 { return of.keysOf(keys, ranges) })
	merged := of.node(&mergingTiles, n.dtype, from...) // no array of it, which a trigger might evaluate
	if err := lock(ctx); err != nil {
		return err
	}
	defer unlock()
	if n.kind != kindHost || n.done() { // another evaluation was first
		return nil
	}
	merged.host.ann.Name, merged.host.axis = n.host.ann.Name, n.host.axis
	n.become(kindHost, merged.args...)
	n.own().host = merged.host
	return nil
}

// keysOf returns the keys of ranges of a, which is sorted in tiles, each range in one of them. Every device picks from
// its tiles; only what it picks comes to the host.
func (of across) keysOf(a *Array, ranges []span) [][]uint64 {
	if len(ranges) == 0 {
		return nil
	}
	places, first, most := make([][]int64, of.tiles()), make([]int, len(ranges)), 0
	for r, x := range ranges {
		i := x.lo / of.each
		first[r] = len(places[i])
		for at := x.lo; at < x.hi; at += x.step {
			places[i] = append(places[i], int64(at-i*of.each))
		}
		most = max(most, len(places[i]))
	}
	at := make([]int64, of.tiles()*most)
	for i, list := range places {
		copy(at[i*most:], list)
	}
	of.picks = most
	picked := of.node(&lookingInTiles, of.elem, a, FromArray(arrays.FromSlice(at))).whole()
	keys := sortKeys(picked.Array(), of.places)
	out := make([][]uint64, len(ranges))
	for r, x := range ranges {
		out[r] = keys[x.lo/of.each*most+first[r]:][:x.len()]
	}
	return out
}

// node adds a node that r makes of arrays.
func (of across) node(r *routine, d DType, in ...*Array) *node {
	h := &hostOp{across: &of, whole: true}
	h.ann = library(map[*routine]string{&sortingTiles: "sort tiles", &placesOfTiles: "argsort tiles", &takenInTiles: "take in tiles", &lookingInTiles: "look in tiles", &mergingTiles: "merge tiles"}[r],
		func(out *arrays.Array, in []*arrays.Array) { of.onCPU(r, out, in) })
	h.ann.GPU = r
	routinesCalled.Store(true)
	views := make([]view, len(in))
	for i, a := range in {
		views[i] = a.view()
	}
	n := of.n
	if r == &lookingInTiles {
		n = of.tiles() * of.picks
	}
	return newNode(kindHost, d, contiguous([]int{n}), &rare{host: h}, views...).writtenHere()
}

// onCPU is what r does where no device has room.
func (of across) onCPU(r *routine, out *arrays.Array, in []*arrays.Array) {
	out = out.Reshape(-1)
	if r == &mergingTiles && !of.places {
		out.Set(in[0].Sort())
		return
	}
	at := func(lo, hi int) arrays.Slice { return arrays.S(lo, hi) }
	if r == &mergingTiles {
		places := in[1].Copy()
		for i := range of.tiles() {
			lo, hi := of.extent(i)
			places.At(at(lo, hi)).Set(places.At(at(lo, hi)).Add(lo))
		}
		out.Set(places.At(in[0].ArgSort()))
		return
	}
	for i := range of.tiles() {
		lo, hi := of.extent(i)
		x := in[0].At(at(lo, hi))
		if r == &lookingInTiles {
			some := at(i*of.picks, (i+1)*of.picks)
			out.At(some).Set(x.At(in[1].At(some)))
			continue
		}
		to := out.At(at(lo, hi))
		switch r {
		case &sortingTiles:
			to.Set(x.Sort())
		case &placesOfTiles:
			to.Set(x.ArgSort())
		default:
			to.Set(x.At(in[1].At(at(lo, hi))))
		}
	}
}

// The variants for devices of what a sort in tiles consists of.
var (
	sortingTiles   = routine{whole: true, plan: planTiles(false)}
	placesOfTiles  = routine{whole: true, plan: planTiles(true)}
	takenInTiles   = routine{whole: true, plan: planTakenInTiles}
	lookingInTiles = routine{whole: true, plan: planLooks}
	mergingTiles   = routine{whole: true, plan: planMerge}
)

// acrossParts cuts what is done with a line in tiles at the ends of these.
type acrossParts struct {
	*across
	in       []*offload.Value
	bytes    []int // of an element of each
	out      *offload.Value
	written  int
	launches func(lo, hi int, at func(i, from, to int) offload.Arg) ([]offload.Launch, []int, error) // and scratch memory
	ranges   func(lo, hi int) []partition.View                                                       // of the inputs; nil for the part itself
}

func (p acrossParts) Ways() int { return 1 }

func (p acrossParts) Along(int) (*offload.Cut, error) {
	view := partition.View{Shape: []int{p.n}, Strides: []int{1}}
	cut := &offload.Cut{Unit: "elements", Domain: []int{p.n}, Align: p.each, Apart: true, Dense: true,
		Out: []offload.Field{{Shape: []int{p.n}, Bytes: p.written, Views: []partition.View{view}}}}
	for _, bytes := range p.bytes {
		f := offload.Field{Shape: []int{p.n}, Bytes: bytes}
		if p.ranges == nil {
			f.Views = []partition.View{view}
		} else {
			f.Ranges = func(part partition.Box) []partition.View { return p.ranges(part[0].Start, part[0].Stop) }
		}
		cut.In = append(cut.In, f)
	}
	cut.Room = func(part partition.Box) ([]int, error) {
		_, room, err := p.launches(part[0].Start, part[0].Stop, func(int, int, int) offload.Arg { return offload.Arg{} })
		return room, err
	}
	cut.Launches = func(part partition.Box, at offload.PartView) ([]offload.Launch, error) {
		lo := part[0].Start
		launches, _, err := p.launches(lo, part[0].Stop, func(i, from, to int) offload.Arg {
			if p.ranges == nil {
				v, got := at(p.in[i], view)
				return offload.PointerAt(v, (got.Offset+from-lo)*p.bytes[i])
			}
			v, got := at(p.in[i], stretch(from, to))
			return offload.PointerAt(v, got.Offset*p.bytes[i])
		})
		return launches, err
	}
	return cut, nil
}

// stretch is the view of elements from lo to hi-1 of a line.
func stretch(lo, hi int) partition.View {
	return partition.View{Offset: lo, Shape: []int{hi - lo}, Strides: []int{1}}
}

// give gives t the launches for the whole, and p as its parts.
func (p acrossParts) give(n *node, t *offload.Task) {
	p.out, p.written = n.value, n.dtype.Size()
	for i, a := range n.args {
		p.in, p.bytes = append(p.in, n.input(t, i)), append(p.bytes, a.node.dtype.Size())
	}
	launches, room, err := p.launches(0, p.n, func(i, from, _ int) offload.Arg { return offload.PointerAt(p.in[i], from*p.bytes[i]) })
	check(n.host.ann.Name, err)
	t.Launches, t.Scratch, t.Parts = launches, room, p
}

// eachTile calls do for the tiles from element lo to hi-1, and adds up what memory their launches need in turn.
func (of across) eachTile(lo, hi int, do func(from, to int) (scan.Plan, error), launch func(p scan.Plan, from, to int)) (room []int, err error) {
	for from := lo; from < hi; from += of.each {
		to := min(from+of.each, hi)
		p, err := do(from, to)
		if err != nil {
			return nil, err
		}
		for i, n := range p.Scratch {
			if i == len(room) {
				room = append(room, 0)
			}
			room[i] = max(room[i], n)
		}
		launch(p, from, to)
	}
	return room, nil
}

// planTiles sorts each tile, or finds the places in it that sort it.
func planTiles(places bool) func(n *node, d device.Device, library bool) onDevice {
	return func(n *node, d device.Device, _ bool) onDevice {
		of := n.host.across
		s, form := sortOn(d, of.elem, places), scan.Default
		form.Shuffles = shuffles(d)
		plan := func(from, to int) (scan.Plan, error) {
			return s.Plan(1, to-from, 1, form, madeFor(d.Properties(), nil), sortKernel)
		}
		if _, err := plan(0, of.each); err != nil {
			return nil
		}
		n.why = []string{"each tile of the line by itself"}
		n.contiguous(0, of.elem, n.args[0].layout.Shape)
		return func(n *node, t *offload.Task) {
			p := acrossParts{across: of}
			p.launches = func(lo, hi int, at func(i, from, to int) offload.Arg) (out []offload.Launch, room []int, err error) {
				room, err = of.eachTile(lo, hi, plan, func(plan scan.Plan, from, to int) {
					result := offload.Pointer(p.out).Plus((from - lo) * n.dtype.Size())
					out = append(out, scanLaunches(plan.Launches, []offload.Arg{at(0, from, to)}, result)...)
				})
				return out, room, err
			}
			p.out = n.value
			p.give(n, t)
		}
	}
}

// planTakenInTiles takes the elements at the places in each tile.
func planTakenInTiles(n *node, _ device.Device, _ bool) onDevice {
	of := n.host.across
	for i, a := range n.args {
		n.contiguous(i, a.node.dtype, a.layout.Shape)
	}
	n.why = []string{"each element by a thread, in its tile"}
	return func(n *node, t *offload.Task) {
		f, out := takeKernel(of.elem, false, false), n.value
		p := acrossParts{across: of, launches: func(lo, hi int, at func(i, from, to int) offload.Arg) (all []offload.Launch, _ []int, err error) {
			for from := lo; from < hi; from += of.each {
				to := min(from+of.each, hi)
				result := offload.Pointer(out).Plus((from - lo) * of.elem.Size())
				all = append(all, elementwise(f, to-from, result, at(0, from, to), at(1, from, to), offload.Int(to-from), offload.Int(to-from), offload.Int(1)))
			}
			return all, nil, nil
		}}
		p.give(n, t)
	}
}

// planLooks picks some elements of each tile.
func planLooks(n *node, _ device.Device, _ bool) onDevice {
	of := n.host.across
	for i, a := range n.args {
		n.contiguous(i, a.node.dtype, a.layout.Shape)
	}
	n.why = []string{"each element by a thread, in its tile"}
	return func(n *node, t *offload.Task) {
		p := lookParts{across: of, x: n.input(t, 0), at: n.input(t, 1), out: n.value}
		t.Launches = p.launches(0, of.tiles(), offload.Pointer(p.x), offload.Pointer(p.at))
		t.Parts = p
	}
}

// lookParts cuts what is picked of tiles into some tiles.
type lookParts struct {
	*across
	x, at, out *offload.Value
}

func (p lookParts) launches(lo, hi int, x, at offload.Arg) (all []offload.Launch) {
	f, bytes := takeKernel(p.elem, false, false), p.elem.Size()
	for i := lo; i < hi; i++ {
		from, to := p.extent(i)
		first := (i - lo) * p.picks
		all = append(all, elementwise(f, p.picks, offload.Pointer(p.out).Plus(first*bytes), x.Plus((from-lo*p.each)*bytes), at.Plus(8*first),
			offload.Int(to-from), offload.Int(p.picks), offload.Int(1)))
	}
	return all
}

func (p lookParts) Ways() int { return 1 }

func (p lookParts) Along(int) (*offload.Cut, error) {
	shape := []int{p.tiles(), p.picks}
	view := partition.View{Shape: shape, Strides: []int{p.picks, 1}}
	read := func(part partition.Box) partition.View {
		first, _ := p.extent(part[0].Start)
		_, last := p.extent(part[0].Stop - 1)
		return stretch(first, last)
	}
	return &offload.Cut{
		Unit: "tiles", Domain: shape, Dense: true,
		In: []offload.Field{
			{Shape: []int{p.n}, Bytes: p.elem.Size(), Ranges: func(part partition.Box) []partition.View { return []partition.View{read(part)} }},
			{Shape: shape, Bytes: arrays.Int64.Size(), Views: []partition.View{view}},
		},
		Out: []offload.Field{{Shape: shape, Bytes: p.elem.Size(), Views: []partition.View{view}}},
		Launches: func(part partition.Box, at offload.PartView) ([]offload.Launch, error) {
			x, from := at(p.x, read(part))
			list, places := at(p.at, view)
			return p.launches(part[0].Start, part[0].Stop, offload.PointerAt(x, from.Offset*p.elem.Size()), offload.PointerAt(list, 8*places.Offset)), nil
		},
	}, nil
}

// planMerge merges what the sorted tiles have of each tile of the result.
func planMerge(n *node, d device.Device, _ bool) onDevice {
	of := n.host.across
	if len(of.cuts) == 0 {
		return nil
	}
	s := sortOn(d, of.elem, of.places)
	n.why = []string{"what belongs to each tile of the sorted line, merged from all sorted tiles"}
	for i, a := range n.args {
		n.contiguous(i, a.node.dtype, a.layout.Shape)
	}
	return func(n *node, t *offload.Task) {
		out := n.value
		p := acrossParts{across: of, ranges: of.ranges}
		p.launches = func(lo, hi int, at func(i, from, to int) offload.Arg) ([]offload.Launch, []int, error) {
			var runs []scan.Run
			var in []offload.Arg
			for i := range n.args {
				for _, r := range of.ranges(lo, hi) {
					if i == 0 {
						tile := r.Offset / of.each
						runs = append(runs, scan.Run{N: r.Shape[0], From: tile * of.each})
					}
					in = append(in, at(i, r.Offset, r.Offset+r.Shape[0]))
				}
			}
			plan, err := s.Merge(runs, sortKernel)
			if err != nil {
				return nil, nil, err
			}
			return scanLaunches(plan.Launches, in, offload.Pointer(out)), plan.Scratch, nil
		}
		p.give(n, t)
	}
}

// ranges are what the sorted tiles have of elements lo to hi-1 of the sorted line, which are ends of tiles.
func (of across) ranges(lo, hi int) (out []partition.View) {
	before, behind := of.cuts[lo/of.each], of.cuts[(hi+of.each-1)/of.each]
	for i := range of.tiles() {
		first, _ := of.extent(i)
		if before[i] < behind[i] {
			out = append(out, stretch(first+before[i], first+behind[i]))
		}
	}
	return out
}

// together says, for Explain, why no part of a sort of one line is done by itself as yet.
func (n *node) together(rt *offload.Runtime) string {
	if of := n.sortedAcross(rt); of.n > 0 {
		return fmt.Sprintf("%d tiles of it are sorted first, each where it is, and only then it is known which elements each device merges", of.tiles())
	}
	return "the elements of a line are sorted together"
}
