package arrays

import "slices"

// apply evaluates op on args into o's array.
func (o Out) apply(op *operation, args ...any) *Array {
	z := o.array(op.String())
	if op.applyAlike(args, z) == nil {
		p := op.prepare(args)
		p.into(z)
	}
	return z
}

// into evaluates p into z. Operands are copied first that share memory with z otherwise than element by element.
func (p *prepared) into(z *Array) {
	check(p.op.String(), z.layout.Receives(Spec{DType: p.dtype, Shape: p.shape}, z.dtype, true))
	if z.Size() == 0 {
		return
	}
	if p.mixesSigns() || p.mayFail() {
		z.Update(p.fresh())
		return
	}
	for i, a := range p.in[:p.nin] {
		if z.disturbs(a) {
			p.in[i] = a.aside()
		}
	}
	p.run(z)
}

// mayFail reports whether elements of the operands may be refused, when some results are written already.
func (p *prepared) mayFail() bool {
	return p.op.Ufunc == OpPow && p.compute.IsInt() || slices.ContainsFunc(p.in[:p.nin], func(a *Array) bool { return a.dtype.IsString() && !p.compute.IsString() })
}

// disturbs reports whether elements of a may change before they are read while z is written in C order: the two share
// memory, but not every element with the one at the same place.
func (z *Array) disturbs(a *Array) bool {
	to, from := z.extent(), a.extent()
	if !overlap(to, from) {
		return false
	}
	if &to[0] != &from[0] || a.dtype != z.dtype || !slices.Equal(a.layout.Shape, z.layout.Shape) {
		return true
	}
	for axis, size := range z.layout.Shape {
		if size != 1 && a.layout.Strides[axis] != z.layout.Strides[axis] {
			return true
		}
	}
	return false
}

// extent is the storage between the first and the last element of a in memory.
func (a *Array) extent() []byte {
	lo, hi := a.layout.bounds()
	size := a.dtype.Size()
	return a.data[lo*size : hi*size]
}

// aside returns a copy of a in which axes that are stretched stay so.
func (a *Array) aside() *Array {
	l := Layout{Shape: slices.Clone(a.layout.Shape), Strides: a.layout.Strides, Offset: a.layout.Offset}
	for axis, stride := range l.Strides {
		if stride == 0 {
			l.Shape[axis] = min(l.Shape[axis], 1)
		}
	}
	c := (&Array{a.dtype, l, a.data}).Copy()
	return BroadcastTo(c, a.layout.Shape...)
}

// call evaluates r on args into o's array: at once where that is as the fresh array that r would fill, else by a copy
// of that.
func (o Out) call(r Routine, args ...any) *Array {
	z := o.array(r.Name)
	in, spec := r.prepare(args)
	check(r.Name, z.layout.Receives(spec, z.dtype, false))
	at := z.as(spec.DType)
	if at == nil || !r.mayFill(at, in) {
		z.Update(r.fresh(in, spec))
		return z
	}
	if !r.Whole {
		clearElements(at)
	}
	r.Run(at, in)
	return z
}

// mayFill reports whether the operands stay as they are while r writes to out, as far as it still reads them.
func (r Routine) mayFill(out *Array, in []*Array) bool {
	for _, a := range in {
		if out.disturbs(a) || !r.InPlace && overlap(out.data, a.extent()) {
			return false
		}
	}
	return true
}

// as returns z as an array whose storage is its elements, in C order; nil where they do not lie so or are of another
// dtype.
func (z *Array) as(d DType) *Array {
	if z.dtype != d || !z.layout.IsContiguous() {
		return nil
	}
	return &Array{d, Contiguous(z.layout.Shape...), contents(z)}
}

// clip writes a between lo and hi to o's array, which holds a raised to lo on the way where it can.
func (o Out) clip(a *Array, lo, hi any) *Array {
	z := o.z
	p := opMaximum.prepare([]any{a, lo})
	if z.dtype == p.dtype && slices.Equal(z.layout.Shape, p.shape) {
		q := opMinimum.prepare([]any{z, hi})
		if q.dtype == z.dtype && slices.Equal(z.layout.Shape, q.shape) && !overlap(z.extent(), q.in[1].extent()) {
			check("minimum", z.layout.Writable())
			p.into(z)
			q.into(z)
			return z
		}
	}
	return o.apply(&opMinimum, p.fresh(), hi)
}

// reduce evaluates r into o's array.
func (o Out) reduce(r Reduction, x any, opts []ReduceOption) *Array {
	z, a := o.array(r.String()), must(r.String(), x)
	spec, err := r.Resolve(a.dtype, a.layout.Shape, opts...)
	check(r.String(), err)
	check(r.String(), z.layout.Receives(Spec{DType: spec.Out, Shape: spec.OutShape}, z.dtype, false))
	z.Update(spec.Apply(a))
	return z
}

// put writes v, what op returns, into o's array.
func (o Out) put(op string, v *Array) *Array {
	z := o.array(op)
	check(op, z.layout.Receives(Spec{DType: v.dtype, Shape: v.layout.Shape}, z.dtype, false))
	z.Update(v)
	return z
}
