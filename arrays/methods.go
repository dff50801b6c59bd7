package arrays

// The methods below are the operators of expressions that read left to right: a.Mul(2).Add(b). Each is the package
// function of the same operation with a as its first operand.

// Add returns a + y.
func (a *Array) Add(y ArrayLike) *Array { return Apply(OpAdd, a, y) }

// Sub returns a - y.
func (a *Array) Sub(y ArrayLike) *Array { return Apply(OpSub, a, y) }

// Mul returns a * y.
func (a *Array) Mul(y ArrayLike) *Array { return Apply(OpMul, a, y) }

// Div returns a / y, always a float.
func (a *Array) Div(y ArrayLike) *Array { return Apply(OpDiv, a, y) }

// Pow returns a to the power y.
func (a *Array) Pow(y ArrayLike) *Array { return Apply(OpPow, a, y) }

// Eq returns a == y as bools.
func (a *Array) Eq(y ArrayLike) *Array { return Apply(OpEqual, a, y) }

// Ne returns a != y as bools.
func (a *Array) Ne(y ArrayLike) *Array { return Apply(OpNotEqual, a, y) }

// Lt returns a < y as bools.
func (a *Array) Lt(y ArrayLike) *Array { return Apply(OpLess, a, y) }

// Le returns a <= y as bools.
func (a *Array) Le(y ArrayLike) *Array { return Apply(OpLessEqual, a, y) }

// Gt returns a > y as bools.
func (a *Array) Gt(y ArrayLike) *Array { return Apply(OpGreater, a, y) }

// Ge returns a >= y as bools.
func (a *Array) Ge(y ArrayLike) *Array { return Apply(OpGreaterEqual, a, y) }

// And returns whether a and y are both not zero.
func (a *Array) And(y ArrayLike) *Array { return Apply(OpLogicalAnd, a, y) }

// Or returns whether a or y is not zero.
func (a *Array) Or(y ArrayLike) *Array { return Apply(OpLogicalOr, a, y) }

// Not returns whether a is zero.
func (a *Array) Not() *Array { return Apply(OpLogicalNot, a) }

// Neg returns -a.
func (a *Array) Neg() *Array { return Apply(OpNeg, a) }

// Abs returns the absolute value of a.
func (a *Array) Abs() *Array { return Apply(OpAbs, a) }

// Sqrt returns the square root of a.
func (a *Array) Sqrt() *Array { return Apply(OpSqrt, a) }

// Exp returns e to the power a.
func (a *Array) Exp() *Array { return Apply(OpExp, a) }

// Log returns the natural logarithm of a.
func (a *Array) Log() *Array { return Apply(OpLog, a) }

// Sin returns the sine of a radians.
func (a *Array) Sin() *Array { return Apply(OpSin, a) }

// Cos returns the cosine of a radians.
func (a *Array) Cos() *Array { return Apply(OpCos, a) }
