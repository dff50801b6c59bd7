package arrays

// The functions below work element by element. Operands are arrays, Go numbers (weak) and Go slices; they broadcast,
// and the result is a fresh array. All panic with *Error when shapes do not broadcast or the dtypes are refused.

// Add returns x + y. Of bools it is "or".
func Add(x, y ArrayLike) *Array { return Apply(OpAdd, x, y) }

// Sub returns x - y. Bools have no difference.
func Sub(x, y ArrayLike) *Array { return Apply(OpSub, x, y) }

// Mul returns x * y. Of bools it is "and".
func Mul(x, y ArrayLike) *Array { return Apply(OpMul, x, y) }

// Div returns x / y, always a float (NumPy's true division).
func Div(x, y ArrayLike) *Array { return Apply(OpDiv, x, y) }

// Pow returns x to the power y. int64 powers wrap, and a negative int64 exponent
// panics.
func Pow(x, y ArrayLike) *Array { return Apply(OpPow, x, y) }

// Minimum returns the smaller of x and y; NaN where either is.
func Minimum(x, y ArrayLike) *Array { return Apply(OpMinimum, x, y) }

// Maximum returns the larger of x and y; NaN where either is.
func Maximum(x, y ArrayLike) *Array { return Apply(OpMaximum, x, y) }

// Equal returns x == y.
func Equal(x, y ArrayLike) *Array { return Apply(OpEqual, x, y) }

// NotEqual returns x != y.
func NotEqual(x, y ArrayLike) *Array { return Apply(OpNotEqual, x, y) }

// Less returns x < y.
func Less(x, y ArrayLike) *Array { return Apply(OpLess, x, y) }

// LessEqual returns x <= y.
func LessEqual(x, y ArrayLike) *Array { return Apply(OpLessEqual, x, y) }

// Greater returns x > y.
func Greater(x, y ArrayLike) *Array { return Apply(OpGreater, x, y) }

// GreaterEqual returns x >= y.
func GreaterEqual(x, y ArrayLike) *Array { return Apply(OpGreaterEqual, x, y) }

// LogicalAnd returns whether x and y are both not zero.
func LogicalAnd(x, y ArrayLike) *Array { return Apply(OpLogicalAnd, x, y) }

// LogicalOr returns whether x or y is not zero.
func LogicalOr(x, y ArrayLike) *Array { return Apply(OpLogicalOr, x, y) }

// Neg returns -x. Bools have no negative.
func Neg(x ArrayLike) *Array { return Apply(OpNeg, x) }

// Abs returns the absolute value of x; the smallest int64 stays as it is.
func Abs(x ArrayLike) *Array { return Apply(OpAbs, x) }

// Sqrt returns the square root of x; NaN below zero.
func Sqrt(x ArrayLike) *Array { return Apply(OpSqrt, x) }

// Exp returns e to the power x.
func Exp(x ArrayLike) *Array { return Apply(OpExp, x) }

// Log returns the natural logarithm of x; -Inf at zero, NaN below.
func Log(x ArrayLike) *Array { return Apply(OpLog, x) }

// Sin returns the sine of x radians.
func Sin(x ArrayLike) *Array { return Apply(OpSin, x) }

// Cos returns the cosine of x radians.
func Cos(x ArrayLike) *Array { return Apply(OpCos, x) }

// LogicalNot returns whether x is zero.
func LogicalNot(x ArrayLike) *Array { return Apply(OpLogicalNot, x) }

// Where returns x where cond is not zero and y elsewhere. The three broadcast together.
func Where(cond, x, y ArrayLike) *Array { return Apply(OpWhere, cond, x, y) }

// Reshape returns the elements of x in C order under another shape, as [Array.Reshape] does.
func Reshape(x ArrayLike, shape ...int) *Array {
	a, _, err := AsArray(x)
	check("reshape", err)
	return a.Reshape(shape...)
}
