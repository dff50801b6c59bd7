package elementary

// Function describes one elementary function. Either Unary and Unary32 or Binary and Binary32 are set.
type Function struct {
	Name string // in the words of C and NumPy: "exp", "log1p", "atan2"

	// Bound is the largest error in units in the last place, for both widths. Logaddexp and Lgamma say where it is
	// an absolute one.
	Bound float64

	Unary    func(float64) float64
	Unary32  func(float32) float32
	Binary   func(x, y float64) float64
	Binary32 func(x, y float32) float32
}

// Arity is the number of arguments.
func (f Function) Arity() int {
	if f.Unary != nil {
		return 1
	}
	return 2
}

// Functions lists all elementary functions.
var Functions = []Function{
	{Name: "exp", Bound: 1, Unary: Exp, Unary32: Expf},
	{Name: "exp2", Bound: 1, Unary: Exp2, Unary32: Exp2f},
	{Name: "expm1", Bound: 1, Unary: Expm1, Unary32: Expm1f},
	{Name: "log", Bound: 1, Unary: Log, Unary32: Logf},
	{Name: "log2", Bound: 1, Unary: Log2, Unary32: Log2f},
	{Name: "log10", Bound: 1, Unary: Log10, Unary32: Log10f},
	{Name: "log1p", Bound: 1, Unary: Log1p, Unary32: Log1pf},
	{Name: "sin", Bound: 1, Unary: Sin, Unary32: Sinf},
	{Name: "cos", Bound: 1, Unary: Cos, Unary32: Cosf},
	{Name: "tan", Bound: 2, Unary: Tan, Unary32: Tanf},
	{Name: "asin", Bound: 1, Unary: Asin, Unary32: Asinf},
	{Name: "acos", Bound: 1, Unary: Acos, Unary32: Acosf},
	{Name: "atan", Bound: 1, Unary: Atan, Unary32: Atanf},
	{Name: "atan2", Bound: 1, Binary: Atan2, Binary32: Atan2f},
	{Name: "sinh", Bound: 1, Unary: Sinh, Unary32: Sinhf},
	{Name: "cosh", Bound: 1, Unary: Cosh, Unary32: Coshf},
	{Name: "tanh", Bound: 1, Unary: Tanh, Unary32: Tanhf},
	{Name: "asinh", Bound: 1, Unary: Asinh, Unary32: Asinhf},
	{Name: "acosh", Bound: 1, Unary: Acosh, Unary32: Acoshf},
	{Name: "atanh", Bound: 1, Unary: Atanh, Unary32: Atanhf},
	{Name: "hypot", Bound: 1, Binary: Hypot, Binary32: Hypotf},
	{Name: "logaddexp", Bound: 1, Binary: Logaddexp, Binary32: Logaddexpf},
	{Name: "erf", Bound: 2, Unary: Erf, Unary32: Erff},
	{Name: "erfc", Bound: 2, Unary: Erfc, Unary32: Erfcf},
	{Name: "gamma", Bound: 4, Unary: Gamma, Unary32: Gammaf},
	{Name: "lgamma", Bound: 4, Unary: Lgamma, Unary32: Lgammaf},
	{Name: "sinc", Bound: 1, Unary: Sinc, Unary32: Sincf},
	{Name: "pow", Bound: 2, Binary: Pow, Binary32: Powf},
	{Name: "cbrt", Bound: 1, Unary: Cbrt, Unary32: Cbrtf},
}
