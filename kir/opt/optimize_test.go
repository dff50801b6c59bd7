package opt

import (
	"strings"
	"testing"

	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/kir/internal/testkernels"
)

// optimized returns the text of the optimised kernel after its first line.
func optimized(t *testing.T, bounds kir.Bounds, make func(b *kir.Builder)) string {
	b := kir.NewBuilder("k")
	make(b)
	f := testkernels.MustFunc(t, b)
	f.Bounds = bounds
	f = Optimize(f)
	if err := kir.Verify(f); err != nil {
		t.Fatal(err)
	}
	return strings.SplitN(f.String(), "\n", 2)[1]
}

func TestOptimizeGivesTheCheaperForm(t *testing.T) {
	store := func(b *kir.Builder, v *kir.Value) {
		b.Store(kir.Global, b.Param("out", kir.U64), v)
		b.Return()
	}
	for _, c := range []struct {
		name string
		make func(b *kir.Builder)
		want string
	}{
		{"constants fold", func(b *kir.Builder) {
			store(b, b.Op(kir.OpMul, b.Op(kir.OpAdd, b.Const(kir.F32, 1), b.Const(kir.F32, 2)), b.Const(kir.F32, 4)))
		}, `b0 entry:
	v0 f32 = const 12
	v1 u64 = param 0 // out
	store global v1, v0
	return
`},
		{"an address is shifted, once, and offsets add up", func(b *kir.Builder) {
			x, i := b.Param("x", kir.U64), b.Convert(kir.I64, b.Special(kir.TidX))
			j := b.Op(kir.OpAdd, b.Op(kir.OpAdd, i, b.Int(kir.I64, 1)), b.Int(kir.I64, 2))
			store(b, b.Op(kir.OpAdd, b.Load(kir.Global, kir.F64, b.Index(x, i, kir.F64)), b.Load(kir.Global, kir.F64, b.Index(x, j, kir.F64))))
		}, `b0 entry:
	v0 u64 = param 0 // x
	v1 u32 = special tid.x
	v2 i64 = convert v1
	v3 u32 = const 3
	v4 i64 = shl v2, v3
	v5 u64 = convert v4
	v6 u64 = add v0, v5
	v7 f64 = load global v6
	v8 f64 = load global v6+24
	v9 f64 = add v7, v8
	v10 u64 = param 1 // out
	store global v10, v9
	return
`},
		{"division by two is a shift of what has no sign, and else takes care of it", func(b *kir.Builder) {
			x := b.Param("x", kir.I32)
			store(b, b.Op(kir.OpAdd, b.Op(kir.OpDiv, x, b.Int(kir.I32, 2)), b.Convert(kir.I32, b.Op(kir.OpDiv, b.Special(kir.TidY), b.Int(kir.U32, 2)))))
		}, `b0 entry:
	v0 i32 = param 0 // x
	v1 u32 = const 31
	v2 i32 = shr v0, v1
	v3 i32 = const 1
	v4 i32 = and v2, v3
	v5 i32 = add v0, v4
	v6 u32 = const 1
	v7 i32 = shr v5, v6
	v8 u32 = special tid.y
	v9 u32 = shr v8, v6
	v10 i32 = convert v9
	v11 i32 = add v7, v10
	v12 u64 = param 1 // out
	store global v12, v11
	return
`},
		{"floats keep what only looks like an identity", func(b *kir.Builder) {
			x := b.Param("x", kir.F64)
			store(b, b.Op(kir.OpMul, b.Op(kir.OpAdd, x, b.Const(kir.F64, 0)), b.Const(kir.F64, 1))) // -0 + 0 is 0
		}, `b0 entry:
	v0 f64 = param 0 // x
	v1 f64 = const 0
	v2 f64 = add v0, v1
	v3 u64 = param 1 // out
	store global v3, v2
	return
`},
		{"a square root of float32 that goes by way of float64 is one of float32", func(b *kir.Builder) {
			x := b.Convert(kir.F64, b.Param("x", kir.F32))
			// exp rounds otherwise
			store(b, b.Op(kir.OpAdd, b.Convert(kir.F32, b.Op(kir.OpSqrt, x)), b.Convert(kir.F32, b.Op(kir.OpExp, x))))
		}, `b0 entry:
	v0 f32 = param 0 // x
	v1 f64 = convert v0
	v2 f32 = sqrt v0
	v3 f64 = exp v1
	v4 f32 = convert v3
	v5 f32 = add v2, v4
	v6 u64 = param 1 // out
	store global v6, v5
	return
`},
		{"a decided branch goes, with what it decided", func(b *kir.Builder) {
			yes, no, join := b.NewBlock("yes"), b.NewBlock("no"), b.NewBlock("join", kir.I32)
			b.Branch(b.Op(kir.OpLt, b.Int(kir.I32, 1), b.Int(kir.I32, 2)), yes, no)
			b.SetBlock(yes)
			b.Jump(join, b.Int(kir.I32, 5))
			b.SetBlock(no)
			b.Barrier()
			b.Jump(join, b.Int(kir.I32, 6))
			b.SetBlock(join)
			store(b, join.Params[0])
		}, `b0 entry:
	v0 i32 = const 5
	v1 u64 = param 0 // out
	store global v1, v0
	return
`},
		{"a local array is in registers once its loop is written out", func(b *kir.Builder) {
			a := b.LocalArray("a", kir.F32, 2)
			x := b.Param("x", kir.F32)
			head, body, exit := b.NewBlock("head", kir.I64), b.NewBlock("body"), b.NewBlock("exit")
			b.Jump(head, b.Int(kir.I64, 0))
			b.SetBlock(head)
			b.Branch(b.Op(kir.OpLt, head.Params[0], b.Int(kir.I64, 2)), body, exit)
			b.SetBlock(body)
			b.Store(kir.Local, b.Index(a, head.Params[0], kir.F32), b.Op(kir.OpAdd, x, b.Convert(kir.F32, head.Params[0])))
			b.Jump(head, b.Op(kir.OpAdd, head.Params[0], b.Int(kir.I64, 1)))
			b.SetBlock(exit)
			first := b.Load(kir.Local, kir.F32, b.Index(a, b.Int(kir.I64, 0), kir.F32))
			store(b, b.Op(kir.OpMul, first, b.Load(kir.Local, kir.F32, b.Index(a, b.Int(kir.I64, 1), kir.F32))))
		}, `b0 entry:
	v0 f32 = param 0 // x
	v1 f32 = const 0
	v2 f32 = add v0, v1
	v3 f32 = const 1
	v4 f32 = add v0, v3
	v5 f32 = mul v2, v4
	v6 u64 = param 1 // out
	store global v6, v5
	return
`},
		{"a check that the kernel has made itself goes", func(b *kir.Builder) {
			n, i := b.Param("n", kir.I64), b.GlobalIDX()
			in, end := b.NewBlock("in"), b.NewBlock("end")
			b.Branch(b.Op(kir.OpLt, i, n), in, end)
			b.SetBlock(in)
			b.Check(kir.CheckIndex, b.Op(kir.OpLt, b.Convert(kir.U64, i), b.Convert(kir.U64, n)), i, n, "x[i]")
			b.Barrier()
			b.Jump(end)
			b.SetBlock(end)
			b.Return()
		}, `string "x[i]"
b0 entry:
	v0 i64 = param 0 // n
	v1 u32 = special ctaid.x
	v2 i64 = convert v1
	v3 u32 = special ntid.x
	v4 i64 = convert v3
	v5 i64 = mul v2, v4
	v6 u32 = special tid.x
	v7 i64 = convert v6
	v8 i64 = add v5, v7
	v9 bool = lt v8, v0
	branch v9, b1, b2
b1 in:
	barrier
	jump b2
b2 end:
	return
`},
		{"threads do not part over a short choice", func(b *kir.Builder) {
			x := b.Param("x", kir.I32)
			then, join := b.NewBlock("then"), b.NewBlock("join", kir.I32)
			b.BranchTo(b.Op(kir.OpLt, x, b.Int(kir.I32, 0)), kir.Edge{To: then}, kir.Edge{To: join, Args: []*kir.Value{x}})
			b.SetBlock(then)
			b.Jump(join, b.Op(kir.OpNeg, x))
			b.SetBlock(join)
			store(b, join.Params[0])
		}, `b0 entry:
	v0 i32 = param 0 // x
	v1 i32 = const 0
	v2 bool = lt v0, v1
	v3 i32 = neg v0
	v4 i32 = select v2, v3, v0
	v5 u64 = param 1 // out
	store global v5, v4
	return
`},
		{"a division by ten is a multiplication", func(b *kir.Builder) {
			x := b.Convert(kir.I32, b.Special(kir.CtaidX))
			store(b, b.Op(kir.OpDiv, x, b.Int(kir.I32, 10)))
		}, `b0 entry:
	v0 u32 = special ctaid.x
	v1 i32 = convert v0
	v2 u64 = convert v1
	v3 u64 = const 1717986919
	v4 u64 = mul v2, v3
	v5 u32 = const 34
	v6 u64 = shr v4, v5
	v7 i32 = convert v6
	v8 u64 = param 0 // out
	store global v8, v7
	return
`},
		{"a loop computes what changes, and tests at its end", func(b *kir.Builder) {
			n, x := b.Param("n", kir.U32), b.Param("x", kir.F32)
			head, body, exit := b.NewBlock("head", kir.U32, kir.F32, kir.F32), b.NewBlock("body"), b.NewBlock("exit")
			b.Jump(head, b.Int(kir.U32, 0), b.Const(kir.F32, 0), x)
			b.SetBlock(head)
			b.Branch(b.Op(kir.OpLt, head.Params[0], n), body, exit)
			b.SetBlock(body)
			same := head.Params[2] // carried round, never changed
			b.Jump(head, b.Op(kir.OpAdd, head.Params[0], b.Int(kir.U32, 1)), b.Op(kir.OpAdd, head.Params[1], b.Op(kir.OpSqrt, same)), same)
			b.SetBlock(exit)
			store(b, head.Params[1])
		}, `b0 entry:
	v0 u32 = param 0 // n
	v1 f32 = param 1 // x
	v2 u32 = const 0
	v3 f32 = const 0
	v4 bool = gt v0, v2
	branch v4, b1, b3(v3)
b1 "body entry":
	v5 u32 = const 1
	v6 f32 = sqrt v1
	jump b2(v2, v3)
b2 body(v7 u32, v8 f32):
	v9 u32 = add v7, v5
	v10 f32 = add v8, v6
	v11 bool = lt v9, v0
	branch v11, b2(v9, v10), b3(v10)
b3 exit(v12 f32):
	v13 u64 = param 2 // out
	store global v13, v12
	return
`},
	} {
		bounds := kir.Bounds{Compiled: strings.HasPrefix(c.name, "a loop")} // else it is unrolled
		if got := optimized(t, bounds, c.make); got != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", c.name, got, c.want)
		}
	}
}
