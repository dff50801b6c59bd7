package lazy

import (
	"errors"
	"fmt"
	"slices"
	"sort"

	"github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/offload"
	"github.com/arrayrepl/arrayrepl/offload/device"
	"github.com/arrayrepl/arrayrepl/offload/partition"
)

// Additions and assignments at places in the order of the index: a thread adds all numbers of an element, one after the
// other, or stores the last of them, so that the bits are those of package arrays and parts of the array can be on
// different devices.

// mostInOrder bounds the numbers that one thread adds.
const mostInOrder = 1 << 16

// addends are the numbers to be added, by the rows to which they go.
type addends struct {
	// lists are one after the other: the rows that get any, in their order, then where the numbers of each begin, and
	// then the numbers of all, those of a row in the order of the index. The first is filled with zeros to the length
	// of the index, and the second to one more with the end.
	lists   []int64
	rows    []int64 // the first, without what fills it
	longest int     // numbers that one row gets
}

// addendsOf sorts what an index of an axis of size rows picks, in time linear in both or, where the index is much
// shorter than the axis, in n log n.
func addendsOf(places *arrays.Array, size int) *addends {
	at := places.AsType(arrays.Int64).Reshape(-1).Copy().Int64s()
	n := len(at)
	for i, k := range at {
		if k < 0 {
			at[i] += int64(size)
		}
	}
	a := &addends{lists: make([]int64, 3*n+1)}
	starts, order := a.lists[n:2*n+1], a.lists[2*n+1:]
	if size <= 16*n {
		counts := make([]int64, size+1)
		for _, k := range at {
			counts[k+1]++
		}
		for k := range size {
			counts[k+1] += counts[k]
		}
		for i, k := range at {
			order[counts[k]] = int64(i)
			counts[k]++
		}
	} else {
		for i := range order {
			order[i] = int64(i)
		}
		sort.SliceStable(order, func(i, j int) bool { return at[order[i]] < at[order[j]] })
	}
	rows := 0
	for k, i := range order {
		if k == 0 || at[i] != a.lists[rows-1] {
			a.lists[rows], starts[rows] = at[i], int64(k)
			rows++
		}
	}
	for k := rows; k <= n; k++ {
		starts[k] = int64(n)
	}
	a.rows = a.lists[:rows]
	for k := range rows {
		a.longest = max(a.longest, int(starts[k+1]-starts[k]))
	}
	return a
}

// between are the numbers of the rows from lo to hi-1 that get any.
func (a *addends) between(lo, hi int) (from, to int) {
	find := func(row int) int {
		return sort.Search(len(a.rows), func(i int) bool { return a.rows[i] >= int64(row) })
	}
	return find(lo), find(hi)
}

// orderPlaces sorts what n's index picks, once, and has n read that.
func orderPlaces(n *node, size int) {
	if n.host.sums == nil {
		n.host.sums = addendsOf(n.host.places, size)
		n.args = append(n.args, FromArray(arrays.FromSlice(n.host.sums.lists)).view())
	}
}

// planInOrder adds, or assigns, picks rows of inner numbers; kernel makes the kernel that does.
func planInOrder(n *node, picks, inner int, kernel func(d arrays.DType) *kir.Func) onDevice {
	to, idx := n.host.to, n.args[2]
	n.contiguous(1, n.dtype, append(append([]int{}, idx.layout.Shape...), to.Shape[1:]...))
	n.why = []string{"the numbers of each element by a thread, in the order of the index"}
	return func(n *node, t *offload.Task) {
		p := orderParts{n: n, sums: n.host.sums, kernel: kernel, domain: []int{to.Shape[0], inner, picks, len(n.host.sums.lists)}, x: n.input(t, 1), lists: n.input(t, 3)}
		p.all = t.In
		t.Parts = p
		whole := partition.Whole(p.domain)
		t.Launches = p.launches(whole, n.value, p.out(), p.x, p.picked(), offload.Pointer(p.lists))
	}
}

// orderParts cuts additions, and assignments, into boxes of what is added to: each needs all that is added in its
// columns.
type orderParts struct {
	n        *node
	sums     *addends
	kernel   func(d arrays.DType) *kir.Func
	domain   []int // rows, columns, numbers that are added to a column, and the lists, which no part divides
	x, lists *offload.Value
	all      []*offload.Value
}

func (p orderParts) Ways() int { return 1 }

func (p orderParts) Along(int) (*offload.Cut, error) {
	return nil, errors.New("any piece may need all that is added")
}

func (p orderParts) out() partition.View {
	return partition.View{Offset: p.n.host.to.Offset, Shape: p.domain, Strides: []int{p.domain[1], 1, 0, 0}}
}

func (p orderParts) picked() partition.View {
	return partition.View{Shape: p.domain, Strides: []int{0, 1, p.domain[1], 0}}
}

// Patch is the cut for any box of the array.
func (p orderParts) Patch() *offload.Cut {
	n, inner := p.n, p.domain[1]
	lists := partition.View{Shape: p.domain, Strides: []int{0, 0, 0, 1}}
	c := &offload.Cut{Unit: "rows", Domain: p.domain}
	for _, v := range p.all {
		switch v {
		case p.x:
			c.In = append(c.In, offload.Field{Shape: []int{p.domain[2], inner}, Bytes: n.dtype.Size(), Views: []partition.View{p.picked()}})
		case p.lists:
			c.In = append(c.In, offload.Field{Shape: p.domain[3:], Bytes: arrays.Int64.Size(), Views: []partition.View{lists}})
		default: // the index, which the lists have sorted
			c.In = append(c.In, offload.Field{Shape: []int{v.Bytes()}, Bytes: 1})
		}
	}
	root := []int{n.layout.Size() / inner, inner}
	c.Out = []offload.Field{{Shape: root, Bytes: n.dtype.Size(), Views: []partition.View{p.out()}}}
	c.Launches = func(part partition.Box, at offload.PartView) ([]offload.Launch, error) {
		out, to := at(n.value, p.out())
		x, from := at(p.x, p.picked())
		held, view := at(p.lists, lists)
		if part[0].Step != 1 || part[1].Step != 1 {
			return nil, fmt.Errorf("a part of additions has steps: %v", part)
		}
		return p.launches(part, out, to, x, from, offload.PointerAt(held, view.Offset*arrays.Int64.Size())), nil
	}
	return c
}

// launches add to a part, which out has as to says, what x has as from says.
func (p orderParts) launches(part partition.Box, out *offload.Value, to partition.View, x *offload.Value, from partition.View, lists offload.Arg) []offload.Launch {
	first, last := p.sums.between(part[0].Start, part[0].Stop)
	columns, bytes := part[1].Len(), p.n.dtype.Size()
	if last == first {
		return nil
	}
	return []offload.Launch{elementwise(p.kernel(p.n.dtype), (last-first)*columns, offload.PointerAt(out, to.Offset*bytes), offload.PointerAt(x, from.Offset*bytes), lists,
		offload.Int(p.domain[2]), offload.Int(first), offload.Int(part[0].Start), offload.Int(columns), offload.Int(to.Strides[0]), offload.Int(from.Strides[2]))}
}

// pickedElement is what a kernel for places knows of an element: where it is, where the numbers given to it begin and
// end in the lists, and how to load one of them.
type pickedElement struct {
	addr, from, end *kir.Value
	given           func(at *kir.Value) *kir.Value
}

// elementsInOrder makes a kernel of element c of each of some rows, which begin with number first of those in lists.
func elementsInOrder(name string, t kir.Type, do func(b *kir.Builder, e pickedElement)) *kir.Func {
	b := kir.NewBuilder(name)
	out, x, lists := b.Param("out", kir.U64), b.Param("x", kir.U64), b.Param("lists", kir.U64)
	picks, first, begin, columns := b.Param("picks", kir.I64), b.Param("first", kir.I64), b.Param("begin", kir.I64), b.Param("columns", kir.I64)
	pitchOut, pitchX := b.Param("pitchOut", kir.I64), b.Param("pitchX", kir.I64)
	add := func(x, y *kir.Value) *kir.Value { return b.Op(kir.OpAdd, x, y) }
	element := func(row, pitch, column *kir.Value) *kir.Value { return add(b.Op(kir.OpMul, row, pitch), column) }
	return eachElement(b, func(i *kir.Value) {
		list := func(at *kir.Value) *kir.Value { return b.Load(kir.Global, kir.I64, b.Index(lists, at, kir.I64)) }
		q := b.Op(kir.OpDiv, i, columns)
		c, g := b.Op(kir.OpSub, i, b.Op(kir.OpMul, q, columns)), add(first, q)
		row := b.Op(kir.OpSub, list(g), begin)
		start := add(picks, g)
		k, end := list(start), list(add(start, b.Int(kir.I64, 1)))
		numbers := add(add(picks, picks), b.Int(kir.I64, 1))
		do(b, pickedElement{b.Index(out, element(row, pitchOut, c), t), k, end, func(at *kir.Value) *kir.Value {
			return b.Load(kir.Global, t, b.Index(x, element(list(add(numbers, at)), pitchX, c), t))
		}})
	})
}

// addInOrder adds all numbers of an element to it.
func addInOrder(d arrays.DType) *kir.Func {
	t := kirTypes[d]
	in := computeType(t)
	return elementsInOrder("add_in_order", t, func(b *kir.Builder, e pickedElement) {
		sum := b.Load(kir.Global, t, e.addr)
		loop, body, done := b.NewBlock("loop"), b.NewBlock("body"), b.NewBlock("done")
		at, now := b.BlockParam(loop, kir.I64), b.BlockParam(loop, t)
		b.Jump(loop, e.from, sum)
		b.SetBlock(loop)
		b.Branch(b.Op(kir.OpLt, at, e.end), body, done)
		b.SetBlock(body)
		next := b.Op(kir.OpAdd, b.Convert(in, now), b.Convert(in, e.given(at)))
		b.Jump(loop, b.Op(kir.OpAdd, at, b.Int(kir.I64, 1)), b.Convert(t, next))
		b.SetBlock(done)
		b.Store(kir.Global, e.addr, now)
	})
}

// setInOrder stores the last number of an element.
func setInOrder(d arrays.DType) *kir.Func {
	t := sameSize[d.Size()]
	return elementsInOrder("set_in_order", t, func(b *kir.Builder, e pickedElement) {
		b.Store(kir.Global, e.addr, e.given(b.Op(kir.OpSub, e.end, b.Int(kir.I64, 1))))
	})
}

// setting is the variant of Set for several devices, with one array of ints for the first axis, and of numbers that are
// assigned one by one: what each device has of the array stays there. A single device leaves both to the CPU.
var setting = routine{whole: true, plan: func(n *node, _ device.Device, _ bool) onDevice {
	if n.why = []string{}; len(runtime().InUse()) < 2 || !inKernels(n.dtype) {
		return nil
	}
	if n.host.updates != nil && n.host.sums == nil {
		n.givesUpdates()
	}
	to, picks := n.host.to, elementsIn(n.args[2].layout.Shape)
	inner := elementsIn(to.Shape[1:])
	if picks*inner == 0 {
		n.why = []string{"it changes nothing"}
		return nil
	}
	orderPlaces(n, to.Shape[0])
	f := planInOrder(n, picks, inner, setInOrder)
	n.why = []string{"each element by a thread, the last number that the index gives it"}
	return f
}}

// givesUpdates makes arrays of the numbers that n assigns one by one, which it reads from now on: see update.
func (n *node) givesUpdates() {
	h := n.host
	places := make([]int64, 0, len(h.updates))
	for at := range h.updates {
		places = append(places, int64(at))
	}
	slices.Sort(places)
	values := arrays.New(n.dtype, len(places))
	size := n.dtype.Size()
	for i, at := range places {
		copy(values.Bytes()[i*size:][:size], h.updates[int(at)].Bytes())
	}
	h.places, h.to = arrays.FromSlice(places), contiguous([]int{n.layout.Size()})
	n.args = append(n.args, FromArray(values).view(), FromArray(h.places).view())
}
