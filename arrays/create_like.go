package arrays

// ZerosLike returns zeros of the shape and dtype of x; of text, empty ones.
//
//mirror:copy
func ZerosLike(x ArrayLike) *Array {
	if a := must("zeros_like", x); a.DType().IsString() {
		return FullLike(a, "")
	}
	return FullLike(x, 0)
}

// OnesLike returns ones of the shape and dtype of x.
//
//mirror:copy
func OnesLike(x ArrayLike) *Array { return FullLike(x, 1) }

// FullLike returns an array of the shape and dtype of x, all of whose elements are value.
//
//mirror:copy
func FullLike(x, value ArrayLike) *Array {
	a := must("full_like", x)
	return BroadcastTo(assigned("full_like", value, a.DType()).AsType(a.DType()), a.Shape()...).Copy()
}
