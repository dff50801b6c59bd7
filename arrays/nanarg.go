package arrays

import "math"

// NanArg is the routine of [NanArgMax] and [NanArgMin], which op names: r is their reduction of what is not NaN.
func (Routines) NanArg(op string, r Reduction, opts []ReduceOption) Routine {
	return Routine{
		Name: op,
		Resolve: func(in []Spec) (Spec, error) {
			spec, err := r.Resolve(in[0].DType, in[0].Shape, opts...)
			if err != nil {
				return Spec{}, asOp(op, err)
			}
			return Spec{DType: spec.Out, Shape: spec.OutShape}, nil
		},
		Run: func(out *Array, in []*Array) {
			a := in[0]
			if !a.dtype.IsInexact() {
				out.Set(Reduce(r, a, opts...))
				return
			}
			nan := IsNaN(a)
			if AnyTrue(Reduce(ReduceAll, nan, opts...)).Bool() {
				panic(&Error{Op: op, Shapes: [][]int{a.Shape()}, Msg: "there are NaNs alone, of which none is an extreme; leave them out, or fill them first, as with np.NanToNum"})
			}
			fill := math.Inf(1)
			if r == ReduceArgMax {
				fill = math.Inf(-1)
			}
			out.Set(Reduce(r, Where(nan, fill, a), opts...))
		},
	}
}
