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
// axis that is summed over is cut where the order of the sums has pieces of its own, as that of products with a column
// has: each element of the result is one sum in one order. And it is cut into parts of which each goes on with the sums
// of those before it.
type productParts struct {
	c       device.Call
	t       arrays.DType
	library bool
	in      [2]*offload.Value
	all     []*offload.Value // the task's inputs: the operands, in some order, or one that is both
	out     *offload.Value
}

// task gives t what multiplies the operands, whole or in parts.
func (p productParts) task(t *offload.Task, a, b offload.Arg) {
	if p.pieces() > 1 {
		t.Scratch = []int{p.pieces() * p.pieceBytes()}
	}
	t.Launches = p.launches(p.c, a, b, offload.Pointer(p.out))
	t.Parts = p
}

// pieces is how many pieces the terms of a product with a column have that kernels of ours can add; 0 of others.
func (p productParts) pieces() int {
	if p.c.N > 1 || !inProducts(p.t) {
		return 0
	}
	return chainPieces(p.c.K)
}

// pieceBytes is the memory for what one piece has for all elements of the result.
func (p productParts) pieceBytes() int { return p.c.Batch * p.c.M * p.t.Size() }

// launches multiply what lies at a and b.
func (p productParts) launches(c device.Call, a, b, out offload.Arg) []offload.Launch {
	switch pieces := p.pieces(); {
	case p.library:
		return []offload.Launch{{Call: &c, Args: []offload.Arg{a, b, out}}}
	case pieces > 1:
		return []offload.Launch{p.column(c, a, b, offload.Scratch(0)), p.together(c.Batch*c.M, out)}
	case pieces == 1:
		return []offload.Launch{p.column(c, a, b, out)}
	}
	return []offload.Launch{p.tiled(c, a, b, out, false)}
}

// What tells kernels of products apart.
type (
	productKind struct {
		t            kir.Type
		long, goesOn bool
	}
	columnKind   kir.Type
	togetherKind kir.Type
)

// tiled multiplies in tiles; c may be a part of p's terms, which goes on with the sums that out has.
func (p productParts) tiled(c device.Call, a, b, out offload.Arg, goesOn bool) offload.Launch {
	t, far := kirTypes[p.t], long(p.c)
	k := kept(productKind{t, far, goesOn}, func() *kir.Func { return ofBlocks(productKernel(t, far, goesOn), tile*tile) })
	return offload.Launch{
		Func: k.f, Hash: k.hash, Block: kir.Dim3{X: tile, Y: tile, Z: 1},
		Grid: kir.Dim3{X: (c.N + tile - 1) / tile, Y: (c.M + tile - 1) / tile, Z: c.Batch},
		Args: []offload.Arg{a, b, out, offload.Int(c.M), offload.Int(c.N), offload.Int(c.K), offload.Int(c.StrideA), offload.Int(c.StrideB)},
	}
}

// column adds the pieces of the products with a column.
func (p productParts) column(c device.Call, a, b, out offload.Arg) offload.Launch {
	t := kirTypes[p.t]
	k := kept(columnKind(t), func() *kir.Func { return ofBlocks(columnKernel(t), chains*lines) })
	return offload.Launch{
		Func: k.f, Hash: k.hash, Block: kir.Dim3{X: chains, Y: lines, Z: 1},
		Grid: kir.Dim3{X: (c.M + lines - 1) / lines, Y: c.Batch, Z: chainPieces(c.K)},
		Args: []offload.Arg{a, b, out, offload.Int(c.M), offload.Int(c.K), offload.Int(c.StrideA), offload.Int(c.StrideB)},
	}
}

// together adds what the pieces have for so many elements of the result.
func (p productParts) together(results int, out offload.Arg) offload.Launch {
	t := kirTypes[p.t]
	k := kept(togetherKind(t), func() *kir.Func { return ofBlocks(columnTogetherKernel(t), blockSize) })
	return k.each(results, offload.Scratch(0), out, offload.Int(results), offload.Int(p.pieces()))
}

// inOrder is the way in which the terms are cut into parts that go on.
const inOrder = 4

func (p productParts) Ways() int { return 5 }

func (p productParts) Along(i int) (*offload.Cut, error) {
	c, size := p.c, p.t.Size()
	domain := []int{c.Batch, c.M, c.N, c.K}
	axis := min(i, 3)
	if domain[axis] < 2 || i == 3 && p.pieces() < 2 || i == inOrder && p.library {
		return nil, errors.New("what is left of it is summed over in one order")
	}
	field := func(v *offload.Value, strides ...int) offload.Field {
		return offload.Field{Shape: []int{v.Bytes() / size}, Bytes: size, Views: []partition.View{{Shape: domain, Strides: strides}}}
	}
	a, b, out := field(p.in[0], c.StrideA, c.K, 0, 1), field(p.in[1], c.StrideB, 0, 1, c.N), field(p.out, c.M*c.N, c.N, 1, 0)
	cut := &offload.Cut{Unit: []string{"pairs", "rows", "columns", "terms"}[axis], Domain: domain, Axis: axis, Dense: true, Out: []offload.Field{out}}
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
		n.Batch, n.M, n.N, n.K = part[0].Len(), part[1].Len(), part[2].Len(), part[3].Len()
		n.StrideA, n.StrideB = left.Strides[0], right.Strides[0]
		a, b := offload.PointerAt(v, left.Offset*size), offload.PointerAt(w, right.Offset*size)
		switch {
		case i == inOrder && c.N > 1:
			return []offload.Launch{p.tiled(n, a, b, offload.Pointer(p.out), part[3].Start > 0)}, nil
		case i == inOrder:
			return p.chained(n, v, w, left.Offset, right.Offset, part[3].Start), nil
		}
		if cut.Last != nil {
			return []offload.Launch{p.column(n, a, b, offload.ScratchAt(0, part[3].Start/chainPiece*p.pieceBytes()))}, nil
		}
		return p.launches(n, a, b, offload.Pointer(p.out)), nil
	}
	switch {
	case i == inOrder && c.N == 1:
		cut.Align, cut.Buffers = chains, []int{chains * p.pieceBytes()}
	case i == inOrder && long(c):
		cut.Align = sumBlock
	case i == inOrder:
		cut.Align = tile
	case i == 3:
		cut.Align, cut.Last = chainPiece, []offload.Launch{p.together(c.Batch*c.M, offload.Pointer(p.out))}
		cut.Filled = func(part partition.Box) []offload.Section {
			return []offload.Section{{At: part[3].Start / chainPiece * p.pieceBytes(), Bytes: chainPieces(part[3].Len()) * p.pieceBytes()}}
		}
	}
	return cut, nil
}

// chained makes the launches for a part of the terms of products with a column, which begins with number from: those of
// each piece go on with the chains that scratch memory has, and at its end the result gets their sum. v and w have the
// part from the elements at left and right on.
func (p productParts) chained(c device.Call, v, w *offload.Value, left, right, from int) (out []offload.Launch) {
	size, end := p.t.Size(), from+c.K
	for at := from; at < end; {
		to := min((at/chainPiece+1)*chainPiece, end)
		part := at - from
		out = append(out, offload.Launch{
			Func:  ofBlocks(chainsKernel(kirTypes[p.t], at%chainPiece > 0, to%chainPiece == 0 || to == p.c.K, at >= chainPiece), chains*lines),
			Block: kir.Dim3{X: chains, Y: lines, Z: 1}, Grid: kir.Dim3{X: (c.M + lines - 1) / lines, Y: c.Batch, Z: 1},
			Args: []offload.Arg{offload.PointerAt(v, (left+part)*size), offload.PointerAt(w, (right+part)*size), offload.Scratch(0), offload.Pointer(p.out),
				offload.Int(c.M), offload.Int(c.K), offload.Int(to - at), offload.Int(c.StrideA), offload.Int(c.StrideB)},
		})
		at = to
	}
	return out
}
