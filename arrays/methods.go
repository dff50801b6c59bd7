package arrays

// The methods below are the operators of expressions that read left to right: a.Mul(2).Add(b). Each is the package
// function of the same operation with a as its first operand.

// Add returns a + y.
func (a *Array) Add(y ArrayLike) *Array { return apply(&opAdd, a, y) }

// Sub returns a - y.
func (a *Array) Sub(y ArrayLike) *Array { return apply(&opSub, a, y) }

// Mul returns a * y.
func (a *Array) Mul(y ArrayLike) *Array { return apply(&opMul, a, y) }

// Div returns a / y, always a float.
func (a *Array) Div(y ArrayLike) *Array { return apply(&opDiv, a, y) }

// Pow returns a to the power y.
func (a *Array) Pow(y ArrayLike) *Array { return apply(&opPow, a, y) }

// Equal returns a == y as bools.
func (a *Array) Equal(y ArrayLike) *Array { return apply(&opEqual, a, y) }

// NotEqual returns a != y as bools.
func (a *Array) NotEqual(y ArrayLike) *Array { return apply(&opNotEqual, a, y) }

// Less returns a < y as bools.
func (a *Array) Less(y ArrayLike) *Array { return apply(&opLess, a, y) }

// LessEqual returns a <= y as bools.
func (a *Array) LessEqual(y ArrayLike) *Array { return apply(&opLessEqual, a, y) }

// Greater returns a > y as bools.
func (a *Array) Greater(y ArrayLike) *Array { return apply(&opGreater, a, y) }

// GreaterEqual returns a >= y as bools.
func (a *Array) GreaterEqual(y ArrayLike) *Array { return apply(&opGreaterEqual, a, y) }

// LogicalAnd returns whether a and y are both not zero.
func (a *Array) LogicalAnd(y ArrayLike) *Array { return apply(&opLogicalAnd, a, y) }

// LogicalOr returns whether a or y is not zero.
func (a *Array) LogicalOr(y ArrayLike) *Array { return apply(&opLogicalOr, a, y) }

// LogicalNot returns whether a is zero.
func (a *Array) LogicalNot() *Array { return apply(&opLogicalNot, a) }

// Neg returns -a.
func (a *Array) Neg() *Array { return apply(&opNeg, a) }

// Abs returns the absolute value of a.
func (a *Array) Abs() *Array { return apply(&opAbs, a) }

// Sqrt returns the square root of a.
func (a *Array) Sqrt() *Array { return apply(&opSqrt, a) }

// Exp returns e to the power a.
func (a *Array) Exp() *Array { return apply(&opExp, a) }

// Log returns the natural logarithm of a.
func (a *Array) Log() *Array { return apply(&opLog, a) }

// Sin returns the sine of a radians.
func (a *Array) Sin() *Array { return apply(&opSin, a) }

// Cos returns the cosine of a radians.
func (a *Array) Cos() *Array { return apply(&opCos, a) }
