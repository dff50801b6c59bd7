package cpu

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/arrayrepl/arrayrepl/internal/fma"
	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/kir/ref"
)

var scalarTypes = []kir.Type{kir.Bool, kir.I8, kir.I16, kir.I32, kir.I64, kir.U8, kir.U16, kir.U32, kir.U64, kir.F32, kir.F64}

// operandBits are bit patterns at the edges of every type, cut to its width by the caller.
var operandBits = []uint64{
	0, 1, 2, 3, 31, 32, 63, 64, 100, 0x7f, 0x80, 0x81, 0xff, 0x7fff, 0x8000, 0xffff, 0x7fffffff, 0x80000000, 0xffffffff,
	1<<63 - 1, 1 << 63, 1<<63 + 1, math.MaxUint64, math.MaxUint64 - 1,
}

var operandFloats = []float64{
	0, math.Copysign(0, -1), 1, -1, 0.5, -0.5, 1.5, 2.5, -2.5, 127, 128, -128, -129, 255.9, 256, 65535.5, 1 << 31, 1<<31 - 1,
	-(1 << 31), 1 << 32, 1 << 53, 1 << 63, -(1 << 63), 1 << 64, 1e10, 1e-10, 1e38, 1e39, 1e-40, 1e300, 5e-324, math.Pi,
	math.Inf(1), math.Inf(-1), math.NaN(), math.MaxFloat32, math.SmallestNonzeroFloat32, math.MaxFloat64,
}

func operands(t kir.Type) (out []uint64) {
	switch {
	case t == kir.Bool:
		return []uint64{0, 1}
	case t == kir.F32:
		for _, f := range operandFloats {
			out = append(out, uint64(math.Float32bits(float32(f))))
		}
		return out
	case t == kir.F64:
		for _, f := range operandFloats {
			out = append(out, math.Float64bits(f))
		}
		return out
	}
	seen := map[uint64]bool{}
	for _, b := range operandBits {
		if b = kir.Canonical(t, b); !seen[b] {
			seen[b] = true
			out = append(out, b)
		}
	}
	return out
}

func constOf(t kir.Type, bits uint64) *kir.Value {
	return &kir.Value{Op: kir.OpConst, Type: t, Imm: bits}
}

// evaluate computes v from constant operands.
func evaluate(v *kir.Value) uint64 {
	var args [3]uint64
	for i, a := range v.Args {
		args[i] = a.Imm
	}
	return Evaluate(v, args)
}

func checkOp(t *testing.T, v *kir.Value) {
	t.Helper()
	args := make([]uint64, len(v.Args))
	for i, a := range v.Args {
		args[i] = a.Imm
	}
	got, want := evaluate(v), ref.Op(v, args)
	result := v.Type
	if got != want && !(result.IsFloat() && math.IsNaN(kir.FloatOf(result, got)) && math.IsNaN(kir.FloatOf(result, want))) {
		var in []string
		for _, a := range v.Args {
			in = append(in, fmt.Sprintf("%#x", a.Imm))
		}
		t.Errorf("%v %v of %v = %s, want %s", v.Op, v.Type, in, fmt.Sprintf("%#x", got), fmt.Sprintf("%#x", want))
	}
}

// TestOperations compares every operation, on every pair of edge values of every type, with math/big and Go's math.
func TestOperations(t *testing.T) {
	for op := kir.OpAdd; op < kir.OpLoad; op++ {
		for _, typ := range scalarTypes {
			if !op.Takes(typ) {
				continue
			}
			result := typ
			if op.IsCompare() {
				result = kir.Bool
			}
			if op == kir.OpPopc || op == kir.OpClz {
				result = kir.U32
			}
			t.Run(fmt.Sprintf("%v-%v", op, typ), func(t *testing.T) {
				for _, x := range operands(typ) {
					if op.NArgs() == 1 {
						checkOp(t, &kir.Value{Op: op, Type: result, Args: []*kir.Value{constOf(typ, x)}})
						continue
					}
					for _, y := range operands(typ) {
						v := &kir.Value{Op: op, Type: result, Args: []*kir.Value{constOf(typ, x), constOf(typ, y)}}
						if op == kir.OpFma {
							v.Args = append(v.Args, constOf(typ, operands(typ)[int((x^y)%5)]))
						}
						checkOp(t, v)
					}
				}
			})
		}
	}
}

func TestShiftsSelectsAndConversions(t *testing.T) {
	for _, typ := range scalarTypes {
		for _, x := range operands(typ) {
			for _, to := range scalarTypes {
				if to != typ {
					checkOp(t, &kir.Value{Op: kir.OpConvert, Type: to, Args: []*kir.Value{constOf(typ, x)}})
				}
			}
			for _, c := range []uint64{0, 1} {
				checkOp(t, &kir.Value{Op: kir.OpSelect, Type: typ, Args: []*kir.Value{constOf(kir.Bool, c), constOf(typ, x), constOf(typ, operands(typ)[1])}})
			}
			if !typ.IsInteger() {
				continue
			}
			for _, count := range []uint64{0, 1, 7, 8, 15, 16, 31, 32, 33, 63, 64, 65, 1 << 31, math.MaxUint32} {
				checkOp(t, &kir.Value{Op: kir.OpShl, Type: typ, Args: []*kir.Value{constOf(typ, x), constOf(kir.U32, count)}})
				checkOp(t, &kir.Value{Op: kir.OpShr, Type: typ, Args: []*kir.Value{constOf(typ, x), constOf(kir.U32, count)}})
			}
		}
	}
}

// TestDefinedCorners spells out what ops.go promises where languages differ. The reference follows the same words;
// these numbers were written by hand.
func TestDefinedCorners(t *testing.T) {
	f64 := math.Float64bits
	for _, c := range []struct {
		name string
		op   kir.Op
		typ  kir.Type // of the result
		arg  kir.Type
		args []uint64
		want uint64
	}{
		{"x/0 is 0", kir.OpDiv, kir.I32, kir.I32, []uint64{7, 0}, 0},
		{"MinInt/-1 wraps", kir.OpDiv, kir.I8, kir.I8, []uint64{0x80, 0xff}, 0x80},
		{"x%0 is 0", kir.OpRem, kir.U64, kir.U64, []uint64{7, 0}, 0},
		{"remainder has the dividend's sign", kir.OpRem, kir.I8, kir.I8, []uint64{0xf9, 4}, 0xfd}, // -7 % 4 = -3
		{"min passes NaN on", kir.OpMin, kir.F64, kir.F64, []uint64{f64(1), f64(math.NaN())}, f64(math.NaN())},
		{"min orders zeros", kir.OpMin, kir.F64, kir.F64, []uint64{0, 1 << 63}, 1 << 63},
		{"abs of MinInt", kir.OpAbs, kir.I16, kir.I16, []uint64{0x8000}, 0x8000},
		{"NaN differs from itself", kir.OpNe, kir.Bool, kir.F64, []uint64{f64(math.NaN()), f64(math.NaN())}, 1},
		{"NaN is 0 as integer", kir.OpConvert, kir.I32, kir.F64, []uint64{f64(math.NaN())}, 0},
		{"NaN is true", kir.OpConvert, kir.Bool, kir.F64, []uint64{f64(math.NaN())}, 1},
		{"too large saturates", kir.OpConvert, kir.I64, kir.F64, []uint64{f64(1e30)}, 1<<63 - 1},
		{"negative saturates at 0", kir.OpConvert, kir.U8, kir.F64, []uint64{f64(-5)}, 0},
		{"truncation", kir.OpConvert, kir.I32, kir.F64, []uint64{f64(-2.9)}, 0xfffffffe},
		{"integers wrap", kir.OpConvert, kir.I8, kir.I32, []uint64{300}, 44},
		{"sign extends", kir.OpConvert, kir.U64, kir.I8, []uint64{0xff}, math.MaxUint64},
	} {
		v := &kir.Value{Op: c.op, Type: c.typ}
		for _, a := range c.args {
			v.Args = append(v.Args, constOf(c.arg, a))
		}
		if got := evaluate(v); got != c.want {
			t.Errorf("%s: %#x, want %#x", c.name, got, c.want)
		}
	}
}

// TestFma32 compares with exact rational arithmetic. (1 + a/2^12) * (1 + b/2^12) with odd a and b lies half-way between
// two float32, and a third operand below 2^-53, which a float64 sum loses, decides the rounding.
func TestFma32(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	plainDiffers := 0
	for i := range 20000 {
		x := math.Float32frombits(r.Uint32()&0x807fffff | (100+r.Uint32N(50))<<23)
		y := math.Float32frombits(r.Uint32()&0x807fffff | (100+r.Uint32N(50))<<23)
		z := math.Float32frombits(r.Uint32()&0x807fffff | (100+r.Uint32N(50))<<23)
		switch i % 3 {
		case 0:
			x, y = 1+float32(2*r.IntN(500)+1)/(1<<12), 1+float32(2*r.IntN(500)+1)/(1<<12)
			z = float32(math.Ldexp(float64(r.IntN(3)-1), -60-r.IntN(60)))
		case 1: // results below the normal numbers
			x = math.Float32frombits(r.Uint32()&0x807fffff | (20+r.Uint32N(50))<<23)
			y = math.Float32frombits(r.Uint32()&0x807fffff | (10+r.Uint32N(60))<<23)
			z = math.Float32frombits(r.Uint32() & 0x807fffff)
		}
		got, want := fma.Float32(x, y, z), float32(ref.Fma32(float64(x), float64(y), float64(z)))
		if got != want {
			t.Fatalf("fma(%g, %g, %g) = %g, want %g", x, y, z, got, want)
		}
		if float32(float64(x)*float64(y)+float64(z)) != want {
			plainDiffers++
		}
	}
	if plainDiffers == 0 {
		t.Error("float64 arithmetic alone would do: the operands show nothing")
	}
}
