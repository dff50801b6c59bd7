package arrays

// Out is an array that exists, into which functions write their results, as NumPy's do with out=. Its methods have the
// names and parameters of the package functions, write what these return, and return the array itself:
//
//	Into(z).Add(x, y)                 // numpy.add(x, y, out=z)
//	Into(z.At(S(0, 10))).Sqrt(x)      // into a part of z
//	Into(x).Mul(x, 2)                 // in place
//
// Dtypes are those of the function without an array to write into; the result is then converted to the array's dtype,
// which must be of the same kind or a higher one (bool, uint, int, float, complex, as numpy.can_cast has it with
// "same_kind"): a float64 goes into a float32, but not into an int64. Operands of elementwise functions broadcast to
// the shape of the array, which is not stretched itself; other functions need an array of exactly the shape of their
// result. An operand may share memory with the array: the result is that of operands copied before. The methods panic
// with *Error when the function refuses its operands, when shape or dtype do not fit, when the array is nil, or where
// broadcasting has made its elements one in memory; it is then as before.
//
// What At gives by value, one element or what an index array picks, is an array of its own: writing into that changes
// no other.
//
//mirror:copy
type Out struct{ z *Array }

// Into returns out as what functions write their results into.
//
//mirror:copy
func Into(out *Array) Out { return Out{out} }

// array returns where op writes.
//
//mirror:copy
func (o Out) array(op string) *Array {
	if o.z == nil {
		check(op, &Error{Msg: "the array to write into is nil; make one, as with Zeros, or leave Into out"})
	}
	return o.z
}
