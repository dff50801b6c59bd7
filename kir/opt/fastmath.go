package opt

import (
	"math"

	"github.com/arrayrepl/arrayrepl/kir"
)

// FastMath returns f with float32 computed as nvcc's --use_fast_math does, but for the flushing of what is subnormal:
// division, roots and the functions that a special function unit has become kir's approximations, with some products
// beside them, and a product that is only added to or subtracted from something becomes an fma. So do functions of
// float64 of which float32 is given and asked (RoundedCalls). Expm1, Log1p, the inverse and the other functions stay as
// they are. f is not changed.
func FastMath(f *kir.Func) *kir.Func {
	g := f.Clone()
	calls := RoundedCallsOf(g, func(string, []*kir.Value) bool { return true })
	for _, blk := range g.Blocks {
		r := rewriter{f: g, blk: blk, out: make([]*kir.Value, 0, len(blk.Values)+8)}
		for _, v := range blk.Values {
			r.at = v
			switch call := calls.Of[v]; {
			case call.Name != "":
				r.approximate(v, call.Name, r.given(call.Args))
			case v.Op == kir.OpConvert && v.Type == kir.F32 && v.Args[0].Op == kir.OpSqrt && float32Of(v.Args[0].Args[0]) != nil:
				r.approximate(v, "sqrt", r.given([]*kir.Value{float32Of(v.Args[0].Args[0])}))
			case v.Type == kir.F32 && v.Op == kir.OpDiv:
				r.quotient(v)
			case v.Type == kir.F32:
				r.approximate(v, v.Op.String(), v.Args)
			}
			r.out = append(r.out, v)
		}
		blk.Values = r.out
	}
	contract(g)
	g.Renumber()
	return g
}

// given are the arguments of a rounded call: constants among them are in no kernel yet.
func (r *rewriter) given(args []*kir.Value) []*kir.Value {
	out := make([]*kir.Value, len(args))
	for i, a := range args {
		if out[i] = a; a.Op == kir.OpConst {
			out[i] = r.constant(kir.F32, a.Imm)
		}
	}
	return out
}

// quotient makes a product with a reciprocal of a quotient.
func (r *rewriter) quotient(v *kir.Value) {
	x, y := v.Args[0], v.Args[1]
	op := kir.OpApproxRcp
	if y.Op == kir.OpApproxSqrt {
		op, y = kir.OpApproxRsqrt, y.Args[0]
	}
	if x.Op == kir.OpConst && kir.FloatOf(kir.F32, x.Imm) == 1 {
		become(v, op, y)
		return
	}
	become(v, kir.OpMul, x, r.op(op, kir.F32, y))
}

// approximate makes what a special function unit gives of the named function; other functions stay.
func (r *rewriter) approximate(v *kir.Value, name string, args []*kir.Value) {
	number := func(x float64) *kir.Value { return r.constant(kir.F32, uint64(math.Float32bits(float32(x)))) }
	op := func(op kir.Op, args ...*kir.Value) *kir.Value { return r.op(op, kir.F32, args...) }
	switch name {
	case "sqrt":
		become(v, kir.OpApproxSqrt, args[0])
	case "rsqrt":
		become(v, kir.OpApproxRsqrt, args[0])
	case "exp2":
		become(v, kir.OpApproxExp2, args[0])
	case "log2":
		become(v, kir.OpApproxLog2, args[0])
	case "sin":
		become(v, kir.OpApproxSin, args[0])
	case "cos":
		become(v, kir.OpApproxCos, args[0])
	case "exp":
		become(v, kir.OpApproxExp2, op(kir.OpMul, args[0], number(math.Log2E)))
	case "log":
		become(v, kir.OpMul, op(kir.OpApproxLog2, args[0]), number(math.Ln2))
	case "log10":
		become(v, kir.OpMul, op(kir.OpApproxLog2, args[0]), number(math.Ln2/math.Ln10))
	case "pow":
		become(v, kir.OpApproxExp2, op(kir.OpMul, args[1], op(kir.OpApproxLog2, args[0])))
	case "tan":
		become(v, kir.OpMul, op(kir.OpApproxSin, args[0]), op(kir.OpApproxRcp, op(kir.OpApproxCos, args[0])))
	case "tanh": // 1 - 2/(e^2x + 1)
		power := op(kir.OpApproxExp2, op(kir.OpMul, args[0], number(2*math.Log2E)))
		become(v, kir.OpFma, number(-2), op(kir.OpApproxRcp, op(kir.OpAdd, power, number(1))), number(1))
	}
}

// contract makes an fma of a product and the sum or difference that alone needs it.
func contract(f *kir.Func) {
	uses := useCounts(f)
	product := func(v *kir.Value) bool { return v.Op == kir.OpMul && v.ID < len(uses) && uses[v.ID] == 1 }
	for _, blk := range f.Blocks {
		r := rewriter{f: f, blk: blk, out: make([]*kir.Value, 0, len(blk.Values)+8)}
		for _, v := range blk.Values {
			if r.at = v; v.Type == kir.F32 && (v.Op == kir.OpAdd || v.Op == kir.OpSub) {
				x, y := v.Args[0], v.Args[1]
				minus := func(x *kir.Value) *kir.Value {
					if v.Op == kir.OpAdd {
						return x
					}
					return r.op(kir.OpNeg, kir.F32, x)
				}
				switch {
				case product(x):
					become(v, kir.OpFma, x.Args[0], x.Args[1], minus(y))
				case product(y):
					become(v, kir.OpFma, minus(y.Args[0]), y.Args[1], x)
				}
			}
			r.out = append(r.out, v)
		}
		blk.Values = r.out
	}
}
