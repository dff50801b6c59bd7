package arrays

import "testing"

func fresh(x any) *Array { return must("copy", x).Copy() }

// numPyEditing calls ours by the names of editing.json.
var numPyEditing = map[string]func(x []any) []*Array{
	"fliplr":       func(x []any) []*Array { return one(FlipLR(x[0])) },
	"flipud":       func(x []any) []*Array { return one(FlipUD(x[0])) },
	"atleast_1d":   func(x []any) []*Array { return one(AtLeast1D(x[0])) },
	"atleast_2d":   func(x []any) []*Array { return one(AtLeast2D(x[0])) },
	"atleast_3d":   func(x []any) []*Array { return one(AtLeast3D(x[0])) },
	"hsplit":       func(x []any) []*Array { return HSplit(x[0], x[1]) },
	"vsplit":       func(x []any) []*Array { return VSplit(x[0], x[1]) },
	"dsplit":       func(x []any) []*Array { return DSplit(x[0], x[1]) },
	"column_stack": func(x []any) []*Array { return one(ColumnStack(x...)) },
	"dstack":       func(x []any) []*Array { return one(DStack(x...)) },
	"block":        func(x []any) []*Array { return one(Block([][]any{{x[0], x[0]}, {x[1], x[1]}})) },
	"block_row":    func(x []any) []*Array { return one(Block(x)) },
	"block_alone":  func(x []any) []*Array { return one(Block(x[0])) },
	"delete":       func(x []any) []*Array { return one(Delete(x[0], x[1], ints(x[2:]))) },
	"delete_odd":   func(x []any) []*Array { return one(Delete(x[0], S(0, End, 2), 1)) },
	"insert":       func(x []any) []*Array { return one(Insert(x[0], x[1], x[2], ints(x[3:]))) },
	"resize":       func(x []any) []*Array { return one(Resize(x[0], x[1].([]int)...)) },
	"trim_zeros":   func(x []any) []*Array { return one(TrimZeros(x[0])) },
	"trim_front":   func(x []any) []*Array { return one(TrimZeros(x[0], "f")) },
	"trim_back":    func(x []any) []*Array { return one(TrimZeros(x[0], "b")) },
	"ediff1d":      func(x []any) []*Array { return one(EDiff1D(x[0])) },

	"indices": func(x []any) []*Array { return one(Indices(x[0].([]int)...)) },
	"fromfunction": func([]any) []*Array {
		return one(FromFunction(func(i, j int) int { return i*3 - j }, 3, 4))
	},
	"fromfunction_arrays": func([]any) []*Array {
		return one(FromFunction(func(i, j *Array) *Array { return i.Mul(3).Sub(j) }, 3, 4))
	},
	"tri":               func(x []any) []*Array { return one(Tri(x[0].(int), ints(x[1:])...)) },
	"tril_indices":      func(x []any) []*Array { return two(TrilIndices(x[0].(int), x[2].(int), x[1].(int))) },
	"triu_indices":      func(x []any) []*Array { return two(TriuIndices(x[0].(int), x[2].(int), x[1].(int))) },
	"diagflat":          func(x []any) []*Array { return one(DiagFlat(x[0], ints(x[1:])...)) },
	"fill_diagonal":     func(x []any) []*Array { a := fresh(x[0]); FillDiagonal(a, x[1]); return one(a) },
	"flatnonzero":       func(x []any) []*Array { return one(FlatNonZero(x[0])) },
	"ix_":               func(x []any) []*Array { return one(x[0].(*Array).At(Ix(x[1:]...)...)) },
	"unravel_index":     func(x []any) []*Array { return UnravelIndex(x[0], 4, 6) },
	"ravel_multi_index": func(x []any) []*Array { return one(RavelMultiIndex(x, 6, 4)) },

	"extract":  func(x []any) []*Array { return one(Extract(x[0], x[1])) },
	"compress": func(x []any) []*Array { return one(Compress(x[0], x[1], ints(x[2:]))) },
	"choose":   func(x []any) []*Array { return one(Choose(x[0], x[1:]...)) },
	"piecewise": func(x []any) []*Array {
		a := x[0].(*Array)
		return one(Piecewise(a, []any{a.Lt(0), a.Gt(2)}, (*Array).Neg, 2.75))
	},
	"piecewise_else": func(x []any) []*Array {
		a := x[0].(*Array)
		return one(Piecewise(a, []any{a.Lt(0), a.Lt(2)}, -1, func(v *Array) *Array { return v.Mul(2) }, 7))
	},
	"put_along_axis": func(x []any) []*Array {
		a := fresh(x[0])
		PutAlongAxis(a, x[1], x[2], ints(x[3:]))
		return one(a)
	},
	"apply_sum": func(x []any) []*Array { return one(ApplyAlongAxis(Sum, x[1].(int), x[0])) },
	"apply_list": func(x []any) []*Array {
		return one(ApplyAlongAxis(func(v *Array) *Array { return CumSum(v).At(From(1)) }, x[1].(int), x[0]))
	},
	"apply_matrix": func(x []any) []*Array {
		return one(ApplyAlongAxis(func(v *Array) *Array { return Outer(v, v.At(To(2))) }, x[1].(int), x[0]))
	},
	"lexsort":   func(x []any) []*Array { return one(LexSort(x...)) },
	"partition": func(x []any) []*Array { return one(Partition(x[0], x[1].(int)).At(Dots, x[1])) },
	"argpartition": func(x []any) []*Array {
		return one(TakeAlongAxis(x[0], ArgPartition(x[0], x[1].(int))).At(Dots, x[1]))
	},

	"fmod":          func(x []any) []*Array { return one(FMod(x[0], x[1])) },
	"divmod":        func(x []any) []*Array { return two(DivMod(x[0], x[1])) },
	"float_power":   func(x []any) []*Array { return one(FloatPower(x[0], x[1])) },
	"gcd":           func(x []any) []*Array { return one(GCD(x[0], x[1])) },
	"lcm":           func(x []any) []*Array { return one(LCM(x[0], x[1])) },
	"modf":          func(x []any) []*Array { return two(ModF(x[0])) },
	"frexp":         func(x []any) []*Array { return two(FRexp(x[0])) },
	"ldexp":         func(x []any) []*Array { return one(LDExp(x[0], x[1])) },
	"fabs":          func(x []any) []*Array { return one(Fabs(x[0])) },
	"spacing":       func(x []any) []*Array { return one(Spacing(x[0])) },
	"isposinf":      func(x []any) []*Array { return one(IsPosInf(x[0])) },
	"isneginf":      func(x []any) []*Array { return one(IsNegInf(x[0])) },
	"isreal":        func(x []any) []*Array { return one(IsReal(x[0])) },
	"iscomplex":     func(x []any) []*Array { return one(IsComplex(x[0])) },
	"logaddexp2":    func(x []any) []*Array { return one(LogAddExp2(x[0], x[1])) },
	"bitwise_count": func(x []any) []*Array { return one(BitCount(x[0])) },
	"packbits":      func(x []any) []*Array { return one(PackBits(x[0], ints(x[1:]))) },
	"unpackbits":    func(x []any) []*Array { return one(UnpackBits(x[0], ints(x[1:]))) },
	"unpack_packed": func(x []any) []*Array { return one(UnpackBits(PackBits(x[0], x[1].(int)), x[1].(int))) },
	"array_equiv":   func(x []any) []*Array { return one(Scalar(ArrayEquiv(x[0], x[1]))) },
	"nanpercentile": func(x []any) []*Array { return one(NanPercentile(x[0], x[1], optionsOf[QuantileOption](x[2:])...)) },

	"vdot":                func(x []any) []*Array { return one(VDot(x[0], x[1])) },
	"multi_dot":           func(x []any) []*Array { return one(MultiDot(x...)) },
	"tensorsolve":         func(x []any) []*Array { return one(TensorSolve(x[0], x[1])) },
	"tensorinv":           func(x []any) []*Array { return one(TensorInv(x[0], ints(x[1:])...)) },
	"roots":               func(x []any) []*Array { return one(Sort(Roots(x[0]))) },
	"poly":                func(x []any) []*Array { return one(Poly(x[0])) },
	"polysub":             func(x []any) []*Array { return one(PolySub(x[0], x[1])) },
	"polydiv":             func(x []any) []*Array { return two(PolyDiv(x[0], x[1])) },
	"bartlett":            func(x []any) []*Array { return one(Bartlett(x[0].(int))) },
	"kaiser":              func(x []any) []*Array { return one(Kaiser(x[0].(int), x[1].(float64))) },
	"i0":                  func(x []any) []*Array { return one(I0(x[0])) },
	"histogram_bin_edges": func(x []any) []*Array { return one(HistogramBinEdges(x[0], x[1].(int), limitsOf(x[2:])...)) },
	"histogram2d":         func(x []any) []*Array { return three(Histogram2D(x[0], x[1], x[2].([]int), float64sOf(x[3:])...)) },
}

// limitsOf is the option of two numbers, if there are any.
func limitsOf(args []any) (opts []HistogramOption) {
	if v := float64sOf(args); len(v) > 0 {
		opts = append(opts, Limits(v[0], v[1]))
	}
	return opts
}

func float64sOf(args []any) (out []float64) {
	for _, a := range args {
		out = append(out, a.(float64))
	}
	return out
}

func TestEditingAsNumPy(t *testing.T) {
	asNumPy(t, "editing.json", numPyEditing, map[string]float64{"float_power": 2, "logaddexp2": 2, "nanpercentile": 2, "vdot": 4, "multi_dot": 4, "tensorsolve": 100,
		"tensorinv": 100, "roots": 400, "poly": 400, "polydiv": 16, "bartlett": 2, "kaiser": 16, "i0": 16, "apply_sum": 2, "apply_list": 2, "histogram_bin_edges": 1, "histogram2d": 1})
}
