package lazy

import (
	"fmt"
	"slices"

	"github.com/arrayrepl/arrayrepl/arrays"
)

// Set assigns value to the elements that idx selects, as a[idx] = value does in NumPy; see arrays.Array.Set. Views of a
// see the change; what was computed from a before does not, though it may be evaluated later. Nothing is evaluated but
// index arrays, masks where value is more than one number, and floats or wider ints that go to ints. It panics with
// *Error on a bad index or shape, and a is as before.
//
// Assignments through slices run as kernels, in the array's own memory where nobody else needs what was there. Numbers
// assigned one by one are collected and cost about 100 ns each. Where several devices are in use, these, and numbers
// assigned where masks and arrays of ints for the first axes say, go to the devices that have the tiles, if a's
// elements lie side by side; else the CPU assigns them.
func (a *Array) Set(value ArrayLike, idx ...any) {
	a.assigned()
	v := assigned("set", value, a.dtype)
	check("set", a.layout.Writable())
	idx, picks := indices(idx)
	if f := a.inFile(); f != nil {
		f.set(a, v, idx, picks)
		return
	}
	if picks {
		a.setPicked(v, idx)
		return
	}
	l, err := a.layout.Index(idx...)
	check("set", err)
	from := v.view()
	stretched, err := from.layout.Assignable(l.Shape)
	check("set", err)
	from.layout = &stretched
	if l.Size() == 0 {
		return
	}
	a.replace(func(old *node) *node {
		switch {
		case view{old, &l}.isWhole():
			return newNode(kindCast, a.dtype, old.layout, &ordinary, from)
		case l.Size() == 1 && from.node.kind == kindConst:
			return update(old, l.Offset, from.node.scalar)
		}
		return newNode(kindPatch, a.dtype, old.layout, &rare{into: &l}, all(old), from)
	})
}

// Update assigns what was computed of the elements themselves, as x[idx] op= y does; see arrays.Array.Update.
func (a *Array) Update(value ArrayLike, idx ...any) {
	a.assigned()
	v := must("update", value)
	check("update", a.dtype.TakesBack(v.dtype))
	if a.dtype.IsInt() && v.dtype.IsInt() {
		v = v.AsType(a.dtype)
	}
	a.Set(v, idx...)
}

// assigned returns value as what is assigned to elements of dtype d, which must hold it. What only its elements tell is
// evaluated.
func assigned(op string, value any, d arrays.DType) *Array {
	v, _, err := operand(value)
	check(op, err)
	known := arrays.New(v.dtype, 0)
	switch _, isArray := value.(*Array); {
	case !isArray:
		known, _, err = arrays.AsArray(value)
		check(op, err)
	case d.Looks(v.dtype):
		known = v.Array()
	}
	check(op, d.Holds(known))
	return v
}

// AddAt adds value to the elements that idx selects, twice to those that an index array names twice; see
// arrays.Array.AddAt. It evaluates index arrays. Where the index is arrays of ints or masks for the first axes and a's
// elements lie side by side, numbers but complex ones are added on the devices in use, in the order of the index; all
// else runs on the CPU.
func (a *Array) AddAt(value ArrayLike, idx ...any) {
	a.assigned()
	check("add_at", arrays.Rules{}.Addable(a.dtype))
	check("add_at", a.dtype.Adds(must("add_at", value).dtype))
	v := assigned("add_at", value, a.dtype)
	check("add_at", a.layout.Writable())
	if f := a.inFile(); f != nil {
		f.changeCopy(a, func(c *Array) { c.AddAt(v, idx...) })
		return
	}
	idx, _ = indices(idx)
	var gpu *routine
	if inKernels(a.dtype) && !a.dtype.IsBool() {
		gpu = &adding
	}
	a.write("add_at", v, idx, (*arrays.Array).AddAt, gpu)
}

// replace puts the node that next makes of the storage's in its place. next runs under the storage's lock.
func (a *Array) replace(next func(old *node) *node) { a.bound(a.replaced(next)) }

// replaced is replace, but for what it may evaluate; it returns the node.
func (a *Array) replaced(next func(old *node) *node) *node {
	a.ref.mu.Lock()
	defer a.ref.mu.Unlock()
	old := a.current()
	n := next(old)
	if n == old {
		return n
	}
	old.see()
	a.ref.become(n)
	return n
}

// all is all of n's elements.
func all(n *node) view { return view{n, n.layout} }

// setPicked assigns where idx has arrays. A mask of the array's shape and one number make an elementwise expression.
func (a *Array) setPicked(v *Array, idx []any) {
	if m, ok := idx[0].(*Array); ok && len(idx) == 1 && m.dtype.IsBool() && v.Size() == 1 && slices.Equal(m.layout.Shape, a.layout.Shape) {
		a.Set(Where(m, v.Reshape().AsType(a.dtype), a))
		return
	}
	var gpu *routine
	if inKernels(a.dtype) {
		gpu = &setting
	}
	a.write("set", v, idx, (*arrays.Array).Set, gpu)
}

// write lets put, a method of arrays, assign on the CPU, or its variant for devices where there is one: this takes the
// index as places along one axis.
func (a *Array) write(op string, v *Array, idx []any, put func(a *arrays.Array, value any, idx ...any), gpu *routine) {
	p := newPicker(op, a.layout.Shape, idx, true)
	_, err := v.layout.Assignable(p.shape)
	check(op, err)
	l, args := *a.layout, append([]view{v.view()}, p.args...)
	var places *arrays.Array
	why := ""
	devices := onDevices()
	switch {
	case gpu == nil:
		why = fmt.Sprintf("there is no kernel for %s of %v", op, a.dtype)
	case !a.layout.IsContiguous():
		why = "the elements of what is assigned to do not lie side by side"
	case len(idx) == 1 && len(p.args) == 1:
		places = p.known
	case devices > 1 || devices == 1 && gpu == &adding:
		var axes int
		if places, axes, why = asRows(a.layout.Shape, idx); places != nil {
			if more := len(v.layout.Shape) - len(p.shape); more > 0 { // axes of length 1, which ints in the index allow
				v = v.Reshape(v.layout.Shape[more:]...)
			}
			l, args = *a.rowsOf(axes), []view{v.view(), FromArray(places).view()}
			p = picker{idx: []any{nil}, at: []int{0}}
		}
	}
	a.replace(func(old *node) *node {
		h := &hostOp{from: true, ann: library(op, func(out *arrays.Array, in []*arrays.Array) {
			put(out.View(l), in[1], p.index(in[2:])...)
		})}
		n := newNode(kindHost, a.dtype, old.layout, &rare{host: h}, append([]view{all(old)}, args...)...).writtenHere()
		if places != nil {
			h.ann.GPU, h.to, h.places = gpu, &l, places
			routinesCalled.Store(true)
		} else if why != "" && devices > 1 {
			n.own().why = []string{why}
		}
		return n
	})
}

// update assigns a number to element at. Those that nothing has seen since the one before become one operation.
func update(old *node, at int, v *arrays.Array) *node {
	v = v.AsType(old.dtype)
	if old.kind == kindHost && old.host.updates != nil && old.host.sums == nil && old.refs.Load() == 0 {
		old.host.updates[at] = v
		return old
	}
	h := &hostOp{from: true, updates: map[int]*arrays.Array{at: v}}
	h.ann = library("set", func(out *arrays.Array, _ []*arrays.Array) {
		if hasTexts(out.DType()) {
			for at, v := range h.updates {
				out.Reshape(-1).Set(v, at)
			}
			return
		}
		to := out.Bytes()
		size := out.DType().Size()
		for at, v := range h.updates {
			copy(to[at*size:], v.Bytes())
		}
	})
	if inKernels(old.dtype) {
		h.ann.GPU = &setting
		routinesCalled.Store(true)
	}
	return newNode(kindHost, old.dtype, old.layout, &rare{host: h}, all(old))
}
