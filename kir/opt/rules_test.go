package opt

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/internal/testsize"
	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/kir/internal/testkernels"
	"github.com/arrayrepl/arrayrepl/kir/ref"
)

// A ruleCase is a term of x and y, which have one of the types, that a rule is for.
type ruleCase struct {
	rule  string
	types []kir.Type
	term  func(b *kir.Builder, t kir.Type, x, y *kir.Value) *kir.Value
}

var (
	wholes   = []kir.Type{kir.I8, kir.I16, kir.I32, kir.I64, kir.U8, kir.U16, kir.U32, kir.U64}
	signed   = wholes[:4]
	unsigned = wholes[4:]
	reals    = []kir.Type{kir.F32, kir.F64}
	truths   = []kir.Type{kir.Bool}
	numbers  = append(slices.Clone(wholes), reals...)
)

// terms of one and two operands.
func unary(op kir.Op) func(*kir.Builder, kir.Type, *kir.Value, *kir.Value) *kir.Value {
	return func(b *kir.Builder, _ kir.Type, x, _ *kir.Value) *kir.Value { return b.Op(op, x) }
}

func twice(op kir.Op) func(*kir.Builder, kir.Type, *kir.Value, *kir.Value) *kir.Value {
	return func(b *kir.Builder, _ kir.Type, x, _ *kir.Value) *kir.Value { return b.Op(op, b.Op(op, x)) }
}

func itself(op kir.Op) func(*kir.Builder, kir.Type, *kir.Value, *kir.Value) *kir.Value {
	return func(b *kir.Builder, _ kir.Type, x, _ *kir.Value) *kir.Value { return b.Op(op, x, x) }
}

func with(op kir.Op, k int64) func(*kir.Builder, kir.Type, *kir.Value, *kir.Value) *kir.Value {
	return func(b *kir.Builder, t kir.Type, x, _ *kir.Value) *kir.Value { return b.Op(op, x, b.Int(t, k)) }
}

func withFloat(op kir.Op, k float64) func(*kir.Builder, kir.Type, *kir.Value, *kir.Value) *kir.Value {
	return func(b *kir.Builder, t kir.Type, x, _ *kir.Value) *kir.Value { return b.Op(op, x, b.Const(t, k)) }
}

func withBool(op kir.Op, k int64) func(*kir.Builder, kir.Type, *kir.Value, *kir.Value) *kir.Value {
	return func(b *kir.Builder, _ kir.Type, x, _ *kir.Value) *kir.Value { return b.Op(op, x, b.Int(kir.Bool, k)) }
}

func shifted(op kir.Op, by ...int64) func(*kir.Builder, kir.Type, *kir.Value, *kir.Value) *kir.Value {
	return func(b *kir.Builder, _ kir.Type, x, _ *kir.Value) *kir.Value {
		for _, k := range by {
			x = b.Op(op, x, b.Int(kir.U32, k))
		}
		return x
	}
}

func converted(to ...kir.Type) func(*kir.Builder, kir.Type, *kir.Value, *kir.Value) *kir.Value {
	return func(b *kir.Builder, _ kir.Type, x, _ *kir.Value) *kir.Value {
		for _, t := range to {
			x = b.Convert(t, x)
		}
		return x
	}
}

var ruleCases = []ruleCase{
	{"choice between equals", numbers, func(b *kir.Builder, _ kir.Type, x, y *kir.Value) *kir.Value {
		return b.Op(kir.OpSelect, b.Op(kir.OpLt, x, y), y, y)
	}},
	{"choice that is known", numbers, func(b *kir.Builder, _ kir.Type, x, y *kir.Value) *kir.Value {
		return b.Op(kir.OpSelect, b.Int(kir.Bool, 1), x, y)
	}},
	{"choice that is known", numbers, func(b *kir.Builder, _ kir.Type, x, y *kir.Value) *kir.Value {
		return b.Op(kir.OpSelect, b.Int(kir.Bool, 0), x, y)
	}},
	{"choice by a not", numbers, func(b *kir.Builder, _ kir.Type, x, y *kir.Value) *kir.Value {
		both := b.Op(kir.OpAnd, b.Op(kir.OpLt, x, y), b.Op(kir.OpLt, b.Int(kir.U32, 3), b.Special(kir.TidX)))
		return b.Op(kir.OpSelect, b.Op(kir.OpNot, both), x, y)
	}},
	{"choice between true and false", numbers, func(b *kir.Builder, _ kir.Type, x, y *kir.Value) *kir.Value {
		return b.Op(kir.OpSelect, b.Op(kir.OpLt, x, y), b.Int(kir.Bool, 1), b.Int(kir.Bool, 0))
	}},
	{"choice between true and false", numbers, func(b *kir.Builder, _ kir.Type, x, y *kir.Value) *kir.Value {
		return b.Op(kir.OpSelect, b.Op(kir.OpLt, x, y), b.Int(kir.Bool, 0), b.Int(kir.Bool, 1))
	}},
	{"function between conversions", []kir.Type{kir.F32}, func(b *kir.Builder, _ kir.Type, x, _ *kir.Value) *kir.Value {
		return b.Convert(kir.F32, b.Op(kir.OpSqrt, b.Convert(kir.F64, x)))
	}},
	{"function between conversions", []kir.Type{kir.F32}, func(b *kir.Builder, _ kir.Type, x, _ *kir.Value) *kir.Value {
		return b.Convert(kir.F32, b.Op(kir.OpRint, b.Convert(kir.F64, x)))
	}},
	{"conversion and back", []kir.Type{kir.F32}, converted(kir.F64, kir.F32)},
	{"conversion and back", truths, converted(kir.F32, kir.Bool)},
	{"conversion and back", []kir.Type{kir.I32}, converted(kir.U32, kir.I32)},
	{"conversion and back", []kir.Type{kir.I16, kir.U8, kir.I32}, func(b *kir.Builder, t kir.Type, x, _ *kir.Value) *kir.Value {
		return b.Convert(t, b.Convert(kir.I64, x))
	}},
	{"conversion of a bool's number", truths, converted(kir.I32, kir.F64)},
	{"conversion of a conversion", []kir.Type{kir.I8, kir.U8, kir.I16, kir.U16}, converted(kir.I32, kir.I64)},
	{"conversion of a conversion", []kir.Type{kir.I32, kir.U32}, converted(kir.I64, kir.I16)},
	{"negative of a negative", numbers, twice(kir.OpNeg)},
	{"not of a not", append(slices.Clone(wholes), kir.Bool), twice(kir.OpNot)},
	{"not of a comparison", wholes, func(b *kir.Builder, _ kir.Type, x, y *kir.Value) *kir.Value {
		return b.Op(kir.OpNot, b.Op(kir.OpLe, x, y))
	}},
	{"not of a comparison", reals, func(b *kir.Builder, _ kir.Type, x, y *kir.Value) *kir.Value {
		return b.Op(kir.OpNot, b.Op(kir.OpEq, x, y))
	}},
	{"flush of what is not subnormal", []kir.Type{kir.F32}, twice(kir.OpFlush)},
	{"flush of what is not subnormal", wholes, func(b *kir.Builder, _ kir.Type, x, _ *kir.Value) *kir.Value {
		return b.Op(kir.OpFlush, b.Convert(kir.F32, x))
	}},
	{"absolute of an absolute", numbers, twice(kir.OpAbs)},
	{"absolute of an absolute", unsigned, unary(kir.OpAbs)},
	{"absolute of a negative", append(slices.Clone(signed), reals...), func(b *kir.Builder, _ kir.Type, x, _ *kir.Value) *kir.Value {
		return b.Op(kir.OpAbs, b.Op(kir.OpNeg, x))
	}},
	{"constant to the right", numbers, func(b *kir.Builder, t kir.Type, x, _ *kir.Value) *kir.Value {
		return b.Op(kir.OpMul, b.Bits(t, 5), x)
	}},
	{"constant to the right", numbers, func(b *kir.Builder, t kir.Type, x, _ *kir.Value) *kir.Value {
		return b.Op(kir.OpLe, b.Bits(t, 5), x)
	}},
	{"with itself", numbers, itself(kir.OpMin)},
	{"with itself", append(slices.Clone(wholes), kir.Bool), itself(kir.OpAnd)},
	{"without itself", append(slices.Clone(wholes), kir.Bool), itself(kir.OpXor)},
	{"without itself", wholes, itself(kir.OpSub)},
	{"without itself", wholes, itself(kir.OpRem)},
	{"less than itself", numbers, itself(kir.OpLt)},
	{"less than itself", numbers, itself(kir.OpGt)},
	{"compared with itself", wholes, itself(kir.OpLe)},
	{"compared with itself", append(slices.Clone(wholes), kir.Bool), itself(kir.OpEq)},
	{"compared with itself", append(slices.Clone(wholes), kir.Bool), itself(kir.OpNe)},
	{"bool compared with a bool", truths, withBool(kir.OpEq, 0)},
	{"bool compared with a bool", truths, withBool(kir.OpNe, 0)},
	{"bool compared with a bool", truths, withBool(kir.OpEq, 1)},
	{"comparison that ranges decide", []kir.Type{kir.U8, kir.I8}, func(b *kir.Builder, _ kir.Type, x, _ *kir.Value) *kir.Value {
		return b.Op(kir.OpLt, b.Convert(kir.I32, x), b.Int(kir.I32, 256))
	}},
	{"comparison of conversions", []kir.Type{kir.U8, kir.I8, kir.I16, kir.I32}, func(b *kir.Builder, _ kir.Type, x, y *kir.Value) *kir.Value {
		return b.Op(kir.OpLt, b.Convert(kir.I64, x), b.Convert(kir.I64, y))
	}},
	{"comparison of a conversion", []kir.Type{kir.U8, kir.I8, kir.I16, kir.I32}, func(b *kir.Builder, _ kir.Type, x, _ *kir.Value) *kir.Value {
		return b.Op(kir.OpLt, b.Convert(kir.I64, x), b.Int(kir.I64, 100))
	}},
	{"sum compared with a number", wholes, func(b *kir.Builder, t kir.Type, x, _ *kir.Value) *kir.Value {
		return b.Op(kir.OpEq, b.Op(kir.OpAdd, x, b.Int(t, 5)), b.Int(t, 4))
	}},
	{"bool's number compared with 0", truths, func(b *kir.Builder, _ kir.Type, x, _ *kir.Value) *kir.Value {
		return b.Op(kir.OpNe, b.Convert(kir.I32, x), b.Int(kir.I32, 0))
	}},
	{"bool's number compared with 0", truths, func(b *kir.Builder, _ kir.Type, x, _ *kir.Value) *kir.Value {
		return b.Op(kir.OpEq, b.Convert(kir.I32, x), b.Int(kir.I32, 0))
	}},
	{"sum with a negative", numbers, func(b *kir.Builder, _ kir.Type, x, y *kir.Value) *kir.Value {
		return b.Op(kir.OpAdd, x, b.Op(kir.OpNeg, y))
	}},
	{"sum with a negative", numbers, func(b *kir.Builder, _ kir.Type, x, y *kir.Value) *kir.Value {
		return b.Op(kir.OpAdd, b.Op(kir.OpNeg, x), y)
	}},
	{"difference with a negative", numbers, func(b *kir.Builder, _ kir.Type, x, y *kir.Value) *kir.Value {
		return b.Op(kir.OpSub, x, b.Op(kir.OpNeg, y))
	}},
	{"difference from 0", wholes, func(b *kir.Builder, t kir.Type, x, _ *kir.Value) *kir.Value {
		return b.Op(kir.OpSub, b.Int(t, 0), x)
	}},
	{"product with 1", reals, withFloat(kir.OpMul, 1)},
	{"product with 1", reals, withFloat(kir.OpDiv, 1)},
	{"product with -1", reals, withFloat(kir.OpMul, -1)},
	{"product with -1", reals, withFloat(kir.OpDiv, -1)},
	{"quotient by a power of two", reals, withFloat(kir.OpDiv, -8)},
	{"quotient by a power of two", reals, withFloat(kir.OpDiv, 0x1p-100)},
	{"difference with 0", reals, withFloat(kir.OpSub, 0)},
	{"sum with -0", reals, withFloat(kir.OpAdd, math.Copysign(0, -1))},
	{"bool that is decided", truths, withBool(kir.OpAnd, 0)},
	{"bool that is decided", truths, withBool(kir.OpOr, 1)},
	{"bool that stays", truths, withBool(kir.OpAnd, 1)},
	{"bool that stays", truths, withBool(kir.OpOr, 0)},
	{"bool that stays", truths, withBool(kir.OpXor, 0)},
	{"bool that turns", truths, withBool(kir.OpXor, 1)},
	{"nothing added", wholes, with(kir.OpAdd, 0)},
	{"nothing added", wholes, with(kir.OpSub, 0)},
	{"nothing added", wholes, with(kir.OpOr, 0)},
	{"nothing added", wholes, with(kir.OpXor, 0)},
	{"nothing added", wholes, shifted(kir.OpShr, 0)},
	{"all bits kept", wholes, with(kir.OpAnd, -1)},
	{"no bits kept", wholes, with(kir.OpAnd, 0)},
	{"no bits kept", wholes, with(kir.OpMul, 0)},
	{"all bits set", wholes, with(kir.OpOr, -1)},
	{"all bits changed", wholes, with(kir.OpXor, -1)},
	{"difference with a number", wholes, with(kir.OpSub, 7)},
	{"shift by the width", wholes, shifted(kir.OpShl, 64)},
	{"shift by the width", unsigned, shifted(kir.OpShr, 70)},
	{"product with 1", wholes, with(kir.OpMul, 1)},
	{"product with -1", signed, with(kir.OpMul, -1)},
	{"product with a power of two", wholes, with(kir.OpMul, 64)},
	{"number after a number", wholes, func(b *kir.Builder, t kir.Type, x, _ *kir.Value) *kir.Value {
		return b.Op(kir.OpAdd, b.Op(kir.OpAdd, x, b.Int(t, 100)), b.Int(t, 99))
	}},
	{"number after a number", wholes, func(b *kir.Builder, t kir.Type, x, _ *kir.Value) *kir.Value {
		return b.Op(kir.OpXor, b.Op(kir.OpXor, x, b.Int(t, 100)), b.Int(t, 99))
	}},
	{"number after a number", wholes, func(b *kir.Builder, t kir.Type, x, _ *kir.Value) *kir.Value {
		return b.Op(kir.OpMul, b.Op(kir.OpMul, x, b.Int(t, 100)), b.Int(t, 99))
	}},
	{"number after a number", wholes, func(b *kir.Builder, t kir.Type, x, _ *kir.Value) *kir.Value {
		return b.Op(kir.OpOr, b.Op(kir.OpOr, x, b.Int(t, 100)), b.Int(t, 99))
	}},
	{"number after a number", wholes, func(b *kir.Builder, t kir.Type, x, _ *kir.Value) *kir.Value {
		return b.Op(kir.OpAnd, b.Op(kir.OpAnd, x, b.Int(t, 100)), b.Int(t, 102))
	}},
	{"shift of a shift", wholes, shifted(kir.OpShl, 3, 2)},
	{"shift of a shift", wholes, shifted(kir.OpShr, 3, 2)},
	{"shift of a shift", signed, shifted(kir.OpShr, 7, 63)},
	{"mask of what fits", []kir.Type{kir.U8, kir.U16}, func(b *kir.Builder, _ kir.Type, x, _ *kir.Value) *kir.Value {
		return b.Op(kir.OpAnd, b.Convert(kir.I32, x), b.Int(kir.I32, 1<<16-1))
	}},
	{"quotient by a number", wholes, with(kir.OpDiv, 8)},
	{"quotient by a number", []kir.Type{kir.I32, kir.U8, kir.U16, kir.I16}, with(kir.OpDiv, 7)},
	{"quotient by a number", signed, with(kir.OpDiv, -5)},
	{"quotient by a number", wholes, with(kir.OpDiv, 0)},
	{"remainder by a number", wholes, with(kir.OpRem, 8)},
	{"remainder by a number", signed, with(kir.OpRem, -5)},
	{"remainder by a number", wholes, with(kir.OpRem, 1)},
}

// TestRules: each rule is used on a term that it is for, and the term's values stay as the reference interpreter
// computes them, on numbers at the edges of the types and on random ones.
func TestRules(t *testing.T) {
	testsize.InTurn(t, 2)
	used := map[string]bool{}
	for i, c := range ruleCases {
		for _, typ := range c.types {
			used[c.rule] = true
			f, result := termKernel(t, typ, c)
			var notes []string
			g := f.Clone()
			fold(g, func(rule string) { notes = append(notes, rule) })
			require.NoError(t, kir.Verify(g), "%s, %v", c.rule, typ)
			require.Contains(t, notes, c.rule, "case %d, %v:\n%s", i, typ, f)
			r := rand.New(rand.NewPCG(uint64(i), uint64(typ)))
			x, y := randomWords(r, typ), randomWords(r, typ)
			want, got := runTerm(t, f, x, y), runTerm(t, g, x, y)
			for k := range want {
				nan := result.IsFloat() && math.IsNaN(kir.FloatOf(result, want[k])) && math.IsNaN(kir.FloatOf(result, got[k]))
				require.True(t, nan || want[k] == got[k], "%s, %v: of %#x and %#x comes %#x, want %#x:\n%s", c.rule, typ, x[k], y[k], got[k], want[k], g)
			}
		}
	}
	for _, r := range rules {
		assert.True(t, used[r.name], "no case is for the rule %q", r.name)
	}
}

const termThreads = 96

// termKernel is out[i] = term(x[i], y[i]), and the type of the results. Each element has 8 bytes.
func termKernel(t *testing.T, typ kir.Type, c ruleCase) (*kir.Func, kir.Type) {
	b := kir.NewBuilder("term")
	px, py, out := b.Param("x", kir.U64), b.Param("y", kir.U64), b.Param("out", kir.U64)
	at := func(p *kir.Value) *kir.Value { return b.Index(p, b.Convert(kir.I64, b.Special(kir.TidX)), kir.U64) }
	v := c.term(b, typ, b.Load(kir.Global, typ, at(px)), b.Load(kir.Global, typ, at(py)))
	b.Store(kir.Global, at(out), v)
	b.Return()
	return testkernels.MustFunc(t, b), v.Type
}

// randomWords returns numbers of a type, those at its edges first.
func randomWords(r *rand.Rand, t kir.Type) []uint64 {
	out := make([]uint64, termThreads)
	edges := []uint64{0, 1, 2, ^uint64(0), ^uint64(1), 1 << (max(8*t.Bytes(), 8) - 1), 1<<(max(8*t.Bytes(), 8)-1) - 1, 255, 256}
	for _, x := range []float64{1, -1, 0.5, 1e30, -1e-40, math.Inf(1), math.Inf(-1), math.NaN()} {
		if edge := math.Float64bits(x); t == kir.F64 {
			edges = append(edges, edge)
		} else if t == kir.F32 {
			edges = append(edges, uint64(math.Float32bits(float32(x))))
		}
	}
	for i := range out {
		if out[i] = r.Uint64(); i%2 == 0 {
			out[i] = edges[r.IntN(len(edges))]
		}
		out[i] = kir.Canonical(t, out[i])
		if t == kir.Bool {
			out[i] = uint64(i / 2 & 1)
		}
	}
	return out
}

// runTerm runs f on the reference interpreter.
func runTerm(t *testing.T, f *kir.Func, x, y []uint64) []uint64 {
	const at = 1 << 20
	memory := map[uint64][]byte{at: nil, 2 * at: nil, 3 * at: make([]byte, 8*termThreads)}
	for i := range x {
		memory[at] = binary.LittleEndian.AppendUint64(memory[at], x[i])
		memory[2*at] = binary.LittleEndian.AppendUint64(memory[2*at], y[i])
	}
	require.NoError(t, ref.Run(f, ref.Launch{Grid: kir.D1(1), Block: kir.D1(termThreads), Params: testkernels.PackParams(at, 2*at, 3*at), Memory: memory}))
	out := make([]uint64, termThreads)
	for i := range out {
		out[i] = binary.LittleEndian.Uint64(memory[3*at][8*i:])
	}
	return out
}

// TestExplain names what Optimize does to a kernel, and Optimize does the same without being asked.
func TestExplain(t *testing.T) {
	f := testkernels.MatmulKernel(t, 4)
	g, changes := Explain(f)
	require.Equal(t, Optimize(f).String(), g.String())
	text := Text(changes)
	for _, want := range []string{"fold: product with a power of two", "unroll\n", "common"} {
		assert.Contains(t, text, want)
	}
}
