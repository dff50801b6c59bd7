// Package arrays is an eager N-dimensional array library with NumPy's semantics.
//
// Start with [Array], one type for every [DType] (bools, ints of 8 to 64 bits with and without a sign, floats of 16 to
// 64, complex numbers, strings of a width, dates and spans of a unit): creation ([Zeros], [Linspace], [FromSlice],
// [LoadCSV]), operators and whatever reads left to right as methods (x.Mul(2).Add(y).Sqrt()), the rest as functions.
// Operands are arrays, Go numbers and Go slices alike. Go numbers are weak as in NumPy 2 (NEP 50): they take the
// array's dtype where its kind can hold them. Indexing, reshaping and transposing give views that share memory with
// their array.
//
// [Layout] is the geometry alone (shape, strides in elements, offset), for packages that need views without data. The
// tables [Ufunc] and [Reduction] say what each operation is called, which dtypes it computes in and gives, so that
// another evaluator can resolve an expression exactly as this one does.
//
// Go's collector is left as it is. [TuneCollector] is for programs whose memory is mostly arrays.
//
// Operations on bad shapes, dtypes, axes or indices panic with [*Error]; Resolve functions and I/O return errors.
//
// Where results differ from NumPy on purpose: reciprocal of ints is a float; sums add in another order (float16 and
// float32 in float64), so their last bits may differ; complex64 computes in complex128; max and min order -0 below +0;
// a power with the Go number 0.5 is C's pow, not a root (they differ for -Inf); a 0-d array has no axis 0 to reduce; of
// the negative sizes, Reshape takes -1 alone; Real and Imag are copies; strings and numbers have no common dtype; units
// of dates have no multiples; spans have no sign; NaT as a float is NaN.
//
// The package must never know who evaluates or displays its arrays: no devices, no graphs, no HTML.
package arrays
