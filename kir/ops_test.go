package kir

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/arrayrepl/arrayrepl/internal/fma"
)

var scalarTypes = []Type{Bool, I8, I16, I32, I64, U8, U16, U32, U64, F32, F64}

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

func operands(t Type) (out []uint64) {
	switch {
	case t == Bool:
		return []uint64{0, 1}
	case t == F32:
		for _, f := range operandFloats {
			out = append(out, uint64(math.Float32bits(float32(f))))
		}
		return out
	case t == F64:
		for _, f := range operandFloats {
			out = append(out, math.Float64bits(f))
		}
		return out
	}
	seen := map[uint64]bool{}
	for _, b := range operandBits {
		if b = canonical(t, b); !seen[b] {
			seen[b] = true
			out = append(out, b)
		}
	}
	return out
}

func constOf(t Type, bits uint64) *Value { return &Value{Op: OpConst, Type: t, Imm: bits} }

func checkOp(t *testing.T, v *Value) {
	t.Helper()
	args := make([]uint64, len(v.Args))
	for i, a := range v.Args {
		args[i] = a.Imm
	}
	got, want := evaluate(v), refOp(v, args)
	result := v.Type
	if got != want && !(result.IsFloat() && math.IsNaN(floatOf(result, got)) && math.IsNaN(floatOf(result, want))) {
		var in []string
		for _, a := range v.Args {
			in = append(in, constText(a.Type, a.Imm))
		}
		t.Errorf("%v %v of %v = %s, want %s", v.Op, v.Type, in, constText(result, got), constText(result, want))
	}
}

// TestOperations compares every operation, on every pair of edge values of every type, with math/big and Go's math.
func TestOperations(t *testing.T) {
	for op := OpAdd; op < OpLoad; op++ {
		for _, typ := range scalarTypes {
			if !typesOf(op).has(typ) {
				continue
			}
			result := typ
			if op.IsCompare() {
				result = Bool
			}
			if op == OpPopc || op == OpClz {
				result = U32
			}
			t.Run(fmt.Sprintf("%v-%v", op, typ), func(t *testing.T) {
				for _, x := range operands(typ) {
					if op.NArgs() == 1 {
						checkOp(t, &Value{Op: op, Type: result, Args: []*Value{constOf(typ, x)}})
						continue
					}
					for _, y := range operands(typ) {
						v := &Value{Op: op, Type: result, Args: []*Value{constOf(typ, x), constOf(typ, y)}}
						if op == OpFma {
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
					checkOp(t, &Value{Op: OpConvert, Type: to, Args: []*Value{constOf(typ, x)}})
				}
			}
			for _, c := range []uint64{0, 1} {
				checkOp(t, &Value{Op: OpSelect, Type: typ, Args: []*Value{constOf(Bool, c), constOf(typ, x), constOf(typ, operands(typ)[1])}})
			}
			if !typ.IsInteger() {
				continue
			}
			for _, count := range []uint64{0, 1, 7, 8, 15, 16, 31, 32, 33, 63, 64, 65, 1 << 31, math.MaxUint32} {
				checkOp(t, &Value{Op: OpShl, Type: typ, Args: []*Value{constOf(typ, x), constOf(U32, count)}})
				checkOp(t, &Value{Op: OpShr, Type: typ, Args: []*Value{constOf(typ, x), constOf(U32, count)}})
			}
		}
	}
}

// TestDefinedCorners spells out what ops.go promises where languages differ. The reference follows the same words; these
// numbers were written by hand.
func TestDefinedCorners(t *testing.T) {
	f64 := math.Float64bits
	for _, c := range []struct {
		name string
		op   Op
		typ  Type // of the result
		arg  Type
		args []uint64
		want uint64
	}{
		{"x/0 is 0", OpDiv, I32, I32, []uint64{7, 0}, 0},
		{"MinInt/-1 wraps", OpDiv, I8, I8, []uint64{0x80, 0xff}, 0x80},
		{"x%0 is 0", OpRem, U64, U64, []uint64{7, 0}, 0},
		{"remainder has the dividend's sign", OpRem, I8, I8, []uint64{0xf9, 4}, 0xfd}, // -7 % 4 = -3
		{"min passes NaN on", OpMin, F64, F64, []uint64{f64(1), f64(math.NaN())}, f64(math.NaN())},
		{"min orders zeros", OpMin, F64, F64, []uint64{0, 1 << 63}, 1 << 63},
		{"abs of MinInt", OpAbs, I16, I16, []uint64{0x8000}, 0x8000},
		{"NaN differs from itself", OpNe, Bool, F64, []uint64{f64(math.NaN()), f64(math.NaN())}, 1},
		{"NaN is 0 as integer", OpConvert, I32, F64, []uint64{f64(math.NaN())}, 0},
		{"NaN is true", OpConvert, Bool, F64, []uint64{f64(math.NaN())}, 1},
		{"too large saturates", OpConvert, I64, F64, []uint64{f64(1e30)}, 1<<63 - 1},
		{"negative saturates at 0", OpConvert, U8, F64, []uint64{f64(-5)}, 0},
		{"truncation", OpConvert, I32, F64, []uint64{f64(-2.9)}, 0xfffffffe},
		{"integers wrap", OpConvert, I8, I32, []uint64{300}, 44},
		{"sign extends", OpConvert, U64, I8, []uint64{0xff}, math.MaxUint64},
	} {
		v := &Value{Op: c.op, Type: c.typ}
		for _, a := range c.args {
			v.Args = append(v.Args, constOf(c.arg, a))
		}
		if got := evaluate(v); got != c.want {
			t.Errorf("%s: %#x, want %#x", c.name, got, c.want)
		}
	}
}

// TestFma32 compares with exact rational arithmetic. (1 + a/2^12) * (1 + b/2^12) with odd a and b lies half-way between two
// float32, and a third operand below 2^-53, which a float64 sum loses, decides the rounding.
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
		got, want := fma.Float32(x, y, z), float32(refFma32(float64(x), float64(y), float64(z)))
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
