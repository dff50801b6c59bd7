package gosrc

import (
	"math"

	"github.com/arrayrepl/arrayrepl/kir"
)

// mathFuncs are the functions of package math that kernels have. Those that round are the ones of kir, which give the
// same bits on every device but not always Go's last bit.
func mathFuncs() map[string]intrinsic {
	m := map[string]intrinsic{}
	for name, op := range map[string]kir.Op{
		"Sqrt": kir.OpSqrt, "Abs": kir.OpAbs, "Floor": kir.OpFloor, "Ceil": kir.OpCeil, "Trunc": kir.OpTrunc, "RoundToEven": kir.OpRint, "FMA": kir.OpFma,
		"Exp": kir.OpExp, "Exp2": kir.OpExp2, "Expm1": kir.OpExpm1, "Log": kir.OpLog, "Log2": kir.OpLog2, "Log10": kir.OpLog10, "Log1p": kir.OpLog1p,
		"Sin": kir.OpSin, "Cos": kir.OpCos, "Tan": kir.OpTan, "Asin": kir.OpAsin, "Acos": kir.OpAcos, "Atan": kir.OpAtan, "Atan2": kir.OpAtan2,
		"Sinh": kir.OpSinh, "Cosh": kir.OpCosh, "Tanh": kir.OpTanh, "Asinh": kir.OpAsinh, "Acosh": kir.OpAcosh, "Atanh": kir.OpAtanh,
		"Pow": kir.OpPow, "Hypot": kir.OpHypot, "Cbrt": kir.OpCbrt, "Erf": kir.OpErf, "Erfc": kir.OpErfc, "Gamma": kir.OpGamma,
	} {
		m["math."+name] = operation(op)
	}
	for name, f := range map[string]func(l *lowerer, x []*kir.Value) *kir.Value{
		"Max": func(l *lowerer, x []*kir.Value) *kir.Value { return l.extreme(kir.OpMax, x[0], x[1], math.Inf(1)) },
		"Min": func(l *lowerer, x []*kir.Value) *kir.Value { return l.extreme(kir.OpMin, x[0], x[1], math.Inf(-1)) },
		"Dim": func(l *lowerer, x []*kir.Value) *kir.Value { return l.dim(x[0], x[1]) },
		"Round": func(l *lowerer, x []*kir.Value) *kir.Value {
			t := l.b.Op(kir.OpTrunc, x[0])
			far := l.b.Op(kir.OpGe, l.b.Op(kir.OpAbs, l.b.Op(kir.OpSub, x[0], t)), l.b.Const(kir.F64, 0.5))
			away := l.b.Op(kir.OpAdd, t, l.copysign(l.b.Const(kir.F64, 1), x[0]))
			return l.b.Op(kir.OpSelect, far, away, t)
		},
		"Copysign": func(l *lowerer, x []*kir.Value) *kir.Value { return l.copysign(x[0], x[1]) },
		"Signbit": func(l *lowerer, x []*kir.Value) *kir.Value {
			return l.b.Op(kir.OpLt, l.b.Bitcast(kir.I64, x[0]), l.b.Int(kir.I64, 0))
		},
		"IsNaN":           func(l *lowerer, x []*kir.Value) *kir.Value { return l.b.Op(kir.OpNe, x[0], x[0]) },
		"IsInf":           func(l *lowerer, x []*kir.Value) *kir.Value { return l.isInf(x[0], x[1]) },
		"NaN":             func(l *lowerer, x []*kir.Value) *kir.Value { return l.b.Const(kir.F64, math.NaN()) },
		"Inf":             func(l *lowerer, x []*kir.Value) *kir.Value { return l.inf(x[0]) },
		"Float32bits":     func(l *lowerer, x []*kir.Value) *kir.Value { return l.b.Bitcast(kir.U32, x[0]) },
		"Float32frombits": func(l *lowerer, x []*kir.Value) *kir.Value { return l.b.Bitcast(kir.F32, x[0]) },
		"Float64bits":     func(l *lowerer, x []*kir.Value) *kir.Value { return l.b.Bitcast(kir.U64, x[0]) },
		"Float64frombits": func(l *lowerer, x []*kir.Value) *kir.Value { return l.b.Bitcast(kir.F64, x[0]) },
	} {
		m["math."+name] = scalars(f)
	}
	m["github.com/arrayrepl/arrayrepl/internal/fma.Float32"] = operation(kir.OpFma) // for elementary functions
	m["math.Sincos"] = func(l *lowerer, c *intrinsicCall) value {
		return plain(l.b.Op(kir.OpSin, c.arg(0)), l.b.Op(kir.OpCos, c.arg(0)))
	}
	m["math.Modf"] = func(l *lowerer, c *intrinsicCall) value {
		x := c.arg(0)
		t := l.b.Op(kir.OpTrunc, x)
		return plain(t, l.copysign(l.b.Op(kir.OpSub, x, t), x))
	}
	return m
}

// operation is a function that is one operation.
func operation(op kir.Op) intrinsic {
	return scalars(func(l *lowerer, x []*kir.Value) *kir.Value { return l.b.Op(op, x...) })
}

// scalars is a function of scalars with one result.
func scalars(f func(l *lowerer, x []*kir.Value) *kir.Value) intrinsic {
	return func(l *lowerer, c *intrinsicCall) value {
		xs := make([]*kir.Value, len(c.args))
		for i := range c.args {
			xs[i] = c.arg(i)
		}
		return plain(f(l, xs))
	}
}

// extreme is math.Max or math.Min, for which an infinity beats a NaN.
func (l *lowerer) extreme(op kir.Op, x, y *kir.Value, inf float64) *kir.Value {
	end := l.b.Const(kir.F64, inf)
	either := l.b.Op(kir.OpOr, l.b.Op(kir.OpEq, x, end), l.b.Op(kir.OpEq, y, end))
	return l.b.Op(kir.OpSelect, either, end, l.b.Op(op, x, y))
}

func (l *lowerer) dim(x, y *kir.Value) *kir.Value {
	d, zero := l.b.Op(kir.OpSub, x, y), l.b.Const(kir.F64, 0)
	return l.b.Op(kir.OpSelect, l.b.Op(kir.OpLe, d, zero), zero, d)
}

func (l *lowerer) copysign(x, sign *kir.Value) *kir.Value {
	top := l.b.Bits(kir.U64, 1<<63)
	size := l.b.Op(kir.OpAnd, l.b.Bitcast(kir.U64, x), l.b.Bits(kir.U64, 1<<63-1))
	return l.b.Bitcast(kir.F64, l.b.Op(kir.OpOr, size, l.b.Op(kir.OpAnd, l.b.Bitcast(kir.U64, sign), top)))
}

func (l *lowerer) isInf(x, sign *kir.Value) *kir.Value {
	zero := l.b.Int(kir.I64, 0)
	up := l.b.Op(kir.OpAnd, l.b.Op(kir.OpGe, sign, zero), l.b.Op(kir.OpEq, x, l.b.Const(kir.F64, math.Inf(1))))
	down := l.b.Op(kir.OpAnd, l.b.Op(kir.OpLe, sign, zero), l.b.Op(kir.OpEq, x, l.b.Const(kir.F64, math.Inf(-1))))
	return l.b.Op(kir.OpOr, up, down)
}

func (l *lowerer) inf(sign *kir.Value) *kir.Value {
	up := l.b.Op(kir.OpGe, sign, l.b.Int(kir.I64, 0))
	return l.b.Op(kir.OpSelect, up, l.b.Const(kir.F64, math.Inf(1)), l.b.Const(kir.F64, math.Inf(-1)))
}
