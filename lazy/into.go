package lazy

import "github.com/arrayrepl/arrayrepl/arrays"

// What functions write into an array is assigned to it as [Array.Set] does, which also keeps the order of the program:
// operands are what they were at the call, views of the array see the result.

// apply writes what u makes of args.
func (o Out) apply(u arrays.Ufunc, args ...any) *Array {
	o.array(u.String())
	return o.write(u.String(), Apply(u, args...), true)
}

// call writes what r makes of args.
func (o Out) call(r arrays.Routine, args ...any) *Array {
	o.array(r.Name)
	return o.put(r.Name, call(r, args...))
}

// reduce writes what r makes of x.
func (o Out) reduce(r arrays.Reduction, x any, opts []ReduceOption) *Array {
	o.array(r.String())
	return o.put(r.String(), Reduce(r, x, opts...))
}

// take writes the elements of x at the given indices.
func (o Out) take(x, indices any, axis []int) *Array {
	o.array("take")
	return o.put("take", Take(x, indices, axis))
}

// clip writes a between lo and hi.
func (o Out) clip(a *Array, lo, hi any) *Array { return o.apply(arrays.OpMinimum, Maximum(a, lo), hi) }

// put writes v, what op returns.
func (o Out) put(op string, v *Array) *Array { return o.write(op, v, false) }

func (o Out) write(op string, v *Array, stretch bool) *Array {
	z := o.array(op)
	check(op, z.layout.Receives(arrays.Spec{DType: v.dtype, Shape: v.layout.Shape}, z.dtype, stretch))
	z.Update(v)
	return z
}
