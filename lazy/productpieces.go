package lazy

import (
	"errors"
	"slices"

	"github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/offload"
	"github.com/arrayrepl/arrayrepl/offload/device"
	"github.com/arrayrepl/arrayrepl/offload/partition"
)

// productParts multiplies matrices and cuts that: into pairs, rows of the left or columns of the right operand. The
// axis that is summed over is not cut: each element of the result is one sum in one order.
type productParts struct {
	c       device.Call
	t       arrays.DType
	library bool
	in      [2]*offload.Value
	all     []*offload.Value // the task's inputs: the operands, in some order, or one that is both
	out     *offload.Value
}

// launch multiplies what lies at a and b.
func (p productParts) launch(c device.Call, a, b, out offload.Arg) offload.Launch {
	if p.library {
		return offload.Launch{Call: &c, Args: []offload.Arg{a, b, out}}
	}
	if p.c.N == 1 {
		return offload.Launch{
			Func: ofBlocks(columnKernel(kirTypes[p.t]), chains*lines), Block: kir.Dim3{X: chains, Y: lines, Z: 1},
			Grid: kir.Dim3{X: (c.M + lines - 1) / lines, Y: c.Batch, Z: 1},
			Args: []offload.Arg{a, b, out, offload.Int(c.M), offload.Int(c.K), offload.Int(c.StrideA), offload.Int(c.StrideB)},
		}
	}
	return offload.Launch{
		Func: ofBlocks(productKernel(kirTypes[p.t]), tile*tile), Block: kir.Dim3{X: tile, Y: tile, Z: 1},
		Grid: kir.Dim3{X: (c.N + tile - 1) / tile, Y: (c.M + tile - 1) / tile, Z: c.Batch},
		Args: []offload.Arg{a, b, out, offload.Int(c.M), offload.Int(c.N), offload.Int(c.K), offload.Int(c.StrideA), offload.Int(c.StrideB)},
	}
}

func (p productParts) Ways() int { return 3 }

func (p productParts) Along(i int) (*offload.Cut, error) {
	c, size := p.c, p.t.Size()
	domain := []int{c.Batch, c.M, c.N, c.K}
	if domain[i] < 2 {
		return nil, errors.New("what is left of it is summed over in one order")
	}
	field := func(v *offload.Value, strides ...int) offload.Field {
		return offload.Field{Shape: []int{v.Bytes() / size}, Bytes: size, Views: []partition.View{{Shape: domain, Strides: strides}}}
	}
	a, b, out := field(p.in[0], c.StrideA, c.K, 0, 1), field(p.in[1], c.StrideB, 0, 1, c.N), field(p.out, c.M*c.N, c.N, 1, 0)
	cut := &offload.Cut{Unit: []string{"pairs", "rows", "columns"}[i], Domain: domain, Axis: i, Dense: true, Out: []offload.Field{out}}
	for _, v := range p.all {
		f := a
		switch {
		case p.in[0] == p.in[1]:
			f.Views = slices.Concat(a.Views, b.Views)
		case v == p.in[1]:
			f = b
		}
		cut.In = append(cut.In, f)
	}
	cut.Launches = func(part partition.Box, at offload.PartView) ([]offload.Launch, error) {
		v, left := at(p.in[0], a.Views[0])
		w, right := at(p.in[1], b.Views[0])
		n := c
		n.Batch, n.M, n.N = part[0].Len(), part[1].Len(), part[2].Len()
		n.StrideA, n.StrideB = left.Strides[0], right.Strides[0]
		return []offload.Launch{p.launch(n, offload.PointerAt(v, left.Offset*size), offload.PointerAt(w, right.Offset*size), offload.Pointer(p.out))}, nil
	}
	return cut, nil
}
