package arrays

// The methods of earlier releases that had other words than the functions: one word for one operation. They go with the
// release after the next.

// Eq is Equal.
//
// Deprecated: use [Array.Equal].
func (a *Array) Eq(y ArrayLike) *Array { return apply(&opEqual, a, y) }

// Ne is NotEqual.
//
// Deprecated: use [Array.NotEqual].
func (a *Array) Ne(y ArrayLike) *Array { return apply(&opNotEqual, a, y) }

// Lt is Less.
//
// Deprecated: use [Array.Less].
func (a *Array) Lt(y ArrayLike) *Array { return apply(&opLess, a, y) }

// Le is LessEqual.
//
// Deprecated: use [Array.LessEqual].
func (a *Array) Le(y ArrayLike) *Array { return apply(&opLessEqual, a, y) }

// Gt is Greater.
//
// Deprecated: use [Array.Greater].
func (a *Array) Gt(y ArrayLike) *Array { return apply(&opGreater, a, y) }

// Ge is GreaterEqual.
//
// Deprecated: use [Array.GreaterEqual].
func (a *Array) Ge(y ArrayLike) *Array { return apply(&opGreaterEqual, a, y) }

// And is LogicalAnd.
//
// Deprecated: use [Array.LogicalAnd].
func (a *Array) And(y ArrayLike) *Array { return apply(&opLogicalAnd, a, y) }

// Or is LogicalOr.
//
// Deprecated: use [Array.LogicalOr].
func (a *Array) Or(y ArrayLike) *Array { return apply(&opLogicalOr, a, y) }

// Not is LogicalNot.
//
// Deprecated: use [Array.LogicalNot].
func (a *Array) Not() *Array { return apply(&opLogicalNot, a) }

// All is AllTrue.
//
// Deprecated: use [Array.AllTrue].
func (a *Array) All(opts ...ReduceOption) *Array { return Reduce(ReduceAll, a, opts...) }

// Any is AnyTrue.
//
// Deprecated: use [Array.AnyTrue].
func (a *Array) Any(opts ...ReduceOption) *Array { return Reduce(ReduceAny, a, opts...) }
