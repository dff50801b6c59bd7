package main

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	np "github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/tests/bench/peer"
)

// oneOperand and twoOperands are the elementwise operations, by NumPy's names.
var (
	oneOperand = map[string]func(np.Out, any) *np.Array{
		"negative": np.Out.Neg, "absolute": np.Out.Abs, "sqrt": np.Out.Sqrt, "exp": np.Out.Exp, "log": np.Out.Log, "sin": np.Out.Sin, "cos": np.Out.Cos,
		"exp2": np.Out.Exp2, "expm1": np.Out.Expm1, "log2": np.Out.Log2, "log10": np.Out.Log10, "log1p": np.Out.Log1p, "tan": np.Out.Tan,
		"arcsin": np.Out.Asin, "arccos": np.Out.Acos, "arctan": np.Out.Atan, "sinh": np.Out.Sinh, "cosh": np.Out.Cosh, "tanh": np.Out.Tanh,
		"arcsinh": np.Out.Asinh, "arccosh": np.Out.Acosh, "arctanh": np.Out.Atanh, "erf": np.Out.Erf, "erfc": np.Out.Erfc, "gamma": np.Out.Gamma,
		"gammaln": np.Out.LGamma, "cbrt": np.Out.Cbrt, "floor": np.Out.Floor, "ceil": np.Out.Ceil, "trunc": np.Out.Trunc, "rint": np.Out.Rint,
		"sign": np.Out.Sign, "square": np.Out.Square, "reciprocal": np.Out.Reciprocal, "deg2rad": np.Out.Deg2Rad, "rad2deg": np.Out.Rad2Deg,
		"isnan": np.Out.IsNaN, "isinf": np.Out.IsInf, "isfinite": np.Out.IsFinite, "signbit": np.Out.SignBit, "invert": np.Out.Invert,
		"logical_not": np.Out.LogicalNot, "conjugate": np.Out.Conj,
	}
	twoOperands = map[string]func(_ np.Out, x, y any) *np.Array{
		"add": np.Out.Add, "subtract": np.Out.Sub, "multiply": np.Out.Mul, "divide": np.Out.Div, "power": np.Out.Pow, "minimum": np.Out.Minimum,
		"maximum": np.Out.Maximum, "arctan2": np.Out.Atan2, "hypot": np.Out.Hypot, "logaddexp": np.Out.LogAddExp, "floor_divide": np.Out.FloorDivide,
		"remainder": np.Out.Remainder, "copysign": np.Out.CopySign, "fmin": np.Out.FMin, "fmax": np.Out.FMax, "bitwise_and": np.Out.BitAnd,
		"bitwise_or": np.Out.BitOr, "bitwise_xor": np.Out.BitXor, "left_shift": np.Out.LeftShift, "right_shift": np.Out.RightShift,
		"equal": np.Out.Equal, "not_equal": np.Out.NotEqual, "less": np.Out.Less, "less_equal": np.Out.LessEqual, "greater": np.Out.Greater,
		"greater_equal": np.Out.GreaterEqual, "logical_and": np.Out.LogicalAnd, "logical_or": np.Out.LogicalOr, "logical_xor": np.Out.LogicalXor,
	}
)

// ufuncs times every elementwise operation beside NumPy's (and SciPy's), each into an array that was made before: what
// is left out has no such dtype in one of the two. dtypes are their names with commas between; of the operations are
// those timed that have one of parts in their names, all where there are none.
func ufuncs(beside *peer.Peer, most int, dtypes string, parts []string) error {
	logs, count := 0.0, 0
	for d := range np.Complex128 + 1 {
		if !slices.Contains(strings.Split(dtypes, ","), d.String()) {
			continue
		}
		fmt.Printf("\n%-16v", d)
		sizes := slices.DeleteFunc(slices.Clone(lengths), func(n int) bool { return n > most })
		for _, n := range sizes {
			fmt.Printf("%10d", n)
		}
		fmt.Println()
		for _, name := range append(slices.Sorted(maps.Keys(oneOperand)), slices.Sorted(maps.Keys(twoOperands))...) {
			if !asked(name, parts) {
				continue
			}
			line := fmt.Sprintf("%-16s", name)
			timed := false
			for _, n := range sizes {
				f := ufunc(name, d, n)
				theirs, ok, err := beside.Time(fmt.Sprintf("ufunc %s %v", name, d), n)
				if err != nil {
					return err
				}
				if f == nil || !ok {
					line += fmt.Sprintf("%10s", "")
					continue
				}
				ours := best(f, 4)
				for range 2 {
					t, _, err := beside.Time(fmt.Sprintf("ufunc %s %v", name, d), n)
					if err != nil {
						return err
					}
					theirs, ours = min(theirs, t), min(ours, best(f, 4))
				}
				timed = true
				ratio := float64(theirs) / float64(max(ours, time.Nanosecond))
				line += fmt.Sprintf("%10.2f", ratio)
				logs, count = logs+math.Log(ratio), count+1
			}
			if timed {
				fmt.Println(line)
			}
		}
	}
	fmt.Printf("\ngeometric mean of %d: %.2f\n", count, math.Exp(logs/float64(count)))
	return nil
}

// ufunc returns a call of the operation on n numbers of dtype d, or nil where it has none.
func ufunc(name string, d np.DType, n int) func() {
	rng := np.DefaultRNG(1)
	x, y := rng.Random(n), rng.Random(n)
	switch {
	case d.IsInt():
		x, y = x.Mul(100), y.Mul(100).Add(1)
	case name == "arccosh":
		x = x.Add(1)
	}
	x, y = x.AsType(d), y.AsType(d)
	one, two := oneOperand[name], twoOperands[name]
	fresh := func(x, y *np.Array) (z *np.Array) { // tells the dtype of the result
		defer func() {
			if recover() != nil {
				z = nil
			}
		}()
		for u := range np.Ufunc(np.NumUfuncs) {
			switch {
			case u.String() != name && !(u == np.OpLGamma && name == "gammaln"):
			case one != nil:
				return np.Apply(u, x)
			default:
				return np.Apply(u, x, y)
			}
		}
		return nil
	}(x.At(np.S(0, 1)), y.At(np.S(0, 1)))
	if fresh == nil {
		return nil
	}
	z := np.New(fresh.DType(), n)
	if one != nil {
		return func() { one(np.Into(z), x) }
	}
	return func() { two(np.Into(z), x, y) }
}
