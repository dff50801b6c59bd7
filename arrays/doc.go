// Package arrays is an eager N-dimensional array library with NumPy's semantics.
//
// Start with [Array], one type for every [DType] (bools, ints of 8 to 64 bits with and without a sign, floats of 16 to 64,
// complex numbers, strings of a width, dates and spans of a unit): creation ([Zeros], [Linspace], [FromSlice], [LoadCSV]), operators and
// whatever reads left to right as methods (x.Mul(2).Add(y).Sqrt()), the rest as functions. Operands are arrays, Go numbers
// and Go slices alike. Go numbers are weak as in NumPy 2 (NEP 50): they take the array's dtype where its kind can hold
// them. Indexing, reshaping and transposing give views that share memory with their array.
//
// [Layout] is the geometry alone (shape, strides in elements, offset), for packages that need views without data. The
// tables [Ufunc] and [Reduction] say what each operation is called, which dtypes it computes in and gives, so that another
// evaluator can resolve an expression exactly as this one does.
//
// A program that makes many arrays collects garbage after each 32 MB of them while that is quick, and reserves 64 MB of the heap, of
// which the system gives no page, so that Go's own cycles come seldom: they took longer than the arrays' operations. The 64 MB
// stand in profiles of the heap and in what runtime/metrics counts as in use. Who sets GOGC, or a limit of memory (GOMEMLIMIT) that
// is less than 1 GB above what is in use, has Go's own cycles alone.
//
// Operations on bad shapes, dtypes, axes or indices panic with [*Error]; Resolve functions and I/O return errors.
//
// Where results differ from NumPy on purpose: reciprocal of ints is a float; sums add in another order (float16 and float32
// in float64), so their last bits may differ; complex64 computes in complex128; max and min order -0 below +0; a power with
// the Go number 0.5 is C's pow, not a root (they differ for -Inf); a 0-d array has no axis 0 to reduce; of the negative
// sizes, Reshape takes -1 alone; Real and Imag are copies; strings and numbers have no common dtype; units of dates have no
// multiples; spans have no sign; NaT as a float is NaN.
//
// The package must never know who evaluates or displays its arrays: no devices, no graphs, no HTML.
package arrays
