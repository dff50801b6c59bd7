package lazy

import (
	"slices"

	"github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/offload"
)

// cutting is how the inputs of a kernel are cut along the first axis of its domain.
type cutting struct {
	rows, row int         // of the domain, and elements of one
	in        []int       // bytes of a row of each of the task's inputs; 0 of those that every piece reads whole
	iotas     map[int]int // arguments that are the first number of an iota, and how much they grow with a row
}

// cut returns nil when a piece of the domain needs more of an input than the same rows of it, or all.
func (f *fused) cut() *cutting {
	if len(f.g.domain) == 0 || f.g.domain[0] < 2 {
		return nil
	}
	size := arrays.Contiguous(f.g.domain...).Size()
	c := &cutting{rows: f.g.domain[0], in: make([]int, len(f.reads)), iotas: make(map[int]int)}
	c.row = size / c.rows
	seen := make([]bool, len(f.reads))
	for i, in := range f.inputs { // input i is argument i
		switch in.node.kind {
		case kindConst:
			continue
		case kindIota:
			c.iotas[i] = in.layout.Strides[0]
			continue
		}
		l, row := in.layout, 0
		switch {
		case l.Strides[0] == 0:
		case l.Offset == 0 && l.IsContiguous() && size == in.node.layout.Size():
			row = c.row * in.node.dtype.Size()
		default:
			return nil
		}
		k := in.read
		if seen[k] && c.in[k] != row {
			return nil
		}
		seen[k], c.in[k] = true, row
	}
	return c
}

// args are those of a launch for the rows from lo on.
func (c *cutting) args(l offload.Launch, in []input, lo int) []offload.Arg {
	args := slices.Clone(l.Args)
	for i, step := range c.iotas {
		args[i] = offload.Int(in[i].layout.Offset + lo*step)
	}
	return args
}

// mapPieces says how an elementwise kernel is cut; argument sizeAt is the number of elements.
func (f *fused) mapPieces(sizeAt int, l offload.Launch) *offload.Pieces {
	c := f.cut()
	if c == nil {
		return nil
	}
	inputs := f.inputs
	rows := make([]int, len(f.g.outs))
	for k, out := range f.g.outs {
		rows[k] = c.row * out.dtype.Size()
	}
	return &offload.Pieces{Rows: c.rows, In: c.in, Out: rows, Launches: func(lo, rows int) []offload.Launch {
		piece := l
		piece.Args = c.args(l, inputs, lo)
		piece.Args[sizeAt] = offload.Int(rows * c.row)
		piece.Grid = kir.D1((rows*c.row + blockSize - 1) / blockSize)
		return []offload.Launch{piece}
	}}
}

// reducePieces says how a reduction to one number is cut, whose blocks reduce chunks of so many elements to parts of accBytes
// bytes: pieces have whole chunks, so that the order of the additions stays. Arguments lengthAt and those after it are the
// number of elements, the length of a chunk and the parts.
func (f *fused) reducePieces(lengthAt, step, accBytes int, launches []offload.Launch) *offload.Pieces {
	c := f.cut()
	if c == nil {
		return nil
	}
	align := step
	for align%c.row != 0 {
		align += step
		if align/c.row > c.rows {
			return nil
		}
	}
	inputs := f.inputs
	return &offload.Pieces{Rows: c.rows, Align: align / c.row, In: c.in, Out: []int{0}, Last: launches[1:], Launches: func(lo, rows int) []offload.Launch {
		piece := launches[0]
		piece.Args = c.args(piece, inputs, lo)
		piece.Args[lengthAt] = offload.Int(rows * c.row)
		piece.Args[lengthAt+2] = offload.ScratchAt(0, lo*c.row/step*accBytes)
		piece.Grid = kir.Dim3{X: (rows*c.row + step - 1) / step, Y: 1, Z: 1}
		return []offload.Launch{piece}
	}}
}
