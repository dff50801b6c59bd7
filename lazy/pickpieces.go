package lazy

import (
	"errors"

	"github.com/arrayrepl/arrayrepl/kir/scan"
	"github.com/arrayrepl/arrayrepl/offload"
	"github.com/arrayrepl/arrayrepl/offload/partition"
)

// tally is how many elements of a mask are true before each of its blocks, and in all of it.
type tally struct {
	block  int // elements
	places []int
}

// mostBlocks is how many blocks a mask is counted by; each is a tile or more.
const mostBlocks = 4096

// tallied counts what is true in mask by blocks, which takes no more of it than one at a time. The counts are copied to
// the host.
func tallied(mask *Array) *tally {
	n, tile := mask.Size(), scan.Default.Tile()
	t := &tally{block: (n/mostBlocks + tile) / tile * tile}
	flat, blocks := Reshape(mask, n), n/t.block
	whole := flat.At(To(blocks*t.block)).Reshape(blocks, t.block).Sum(Axis(1))
	counts := []*Array{mask, whole}
	if n > blocks*t.block {
		counts = append(counts, flat.At(From(blocks*t.block)).Sum())
	}
	Eval(counts...)
	t.places = append(t.places, 0)
	at, blockwise := 0, whole.Array().Int64s()
	for _, rest := range counts[2:] {
		blockwise = append(blockwise, int64(rest.Int()))
	}
	for _, k := range blockwise {
		at += int(k)
		t.places = append(t.places, at)
	}
	return t
}

// span says where what the elements lo to hi-1 of the mask pick goes; lo is where a block begins, hi where one ends.
func (t *tally) span(lo, hi int) (from, to int) {
	return t.places[lo/t.block], t.places[min((hi+t.block-1)/t.block, len(t.places)-1)]
}

// pickParts packs what a mask picks, and cuts that into blocks of the mask, of which it is known where what they pick
// goes.
type pickParts struct {
	n    *node
	t    *offload.Task
	in   []*offload.Value // the mask and what is picked from, which may be one value
	plan func(from, elements int) (scan.Plan, error)
}

func (p pickParts) Ways() int { return 1 }

func (p pickParts) Along(int) (*offload.Cut, error) {
	n, before := p.n, p.n.host.before
	size := elementsIn(n.args[0].layout.Shape)
	if n.layout.Size() == 0 {
		return nil, errors.New("it picks nothing")
	}
	view := partition.View{Shape: []int{size}, Strides: []int{1}}
	cut := &offload.Cut{Unit: "elements", Domain: []int{size}, Align: before.block, Apart: true}
	for _, v := range p.t.In {
		cut.In = append(cut.In, offload.Field{Shape: []int{size}, Bytes: v.Bytes() / size, Views: []partition.View{view}})
	}
	cut.Out = []offload.Field{{Shape: n.layout.Shape, Bytes: n.dtype.Size(), Span: before.span}}
	cut.Launches = func(part partition.Box, at offload.PartView) ([]offload.Launch, error) {
		from, elements := part[0].Start, part[0].Len()
		plan, err := p.plan(from, elements)
		if err != nil {
			return nil, err
		}
		in := make([]offload.Arg, len(p.in))
		for i, v := range p.in {
			held, w := at(v, view)
			in[i] = offload.PointerAt(held, w.Offset*(v.Bytes()/size))
		}
		return scanLaunches(plan.Launches, in, offload.Pointer(n.value)), nil
	}
	return cut, nil
}
