package kir

import (
	"reflect"
	"strings"
	"testing"
)

func TestVerifyNamesTheFault(t *testing.T) {
	for _, c := range []struct {
		want string
		make func(b *Builder)
	}{
		{"block b0 entry: it does not end", func(b *Builder) {}},
		{"add of (f32, f64) giving f32", func(b *Builder) {
			b.Op(OpAdd, b.Const(F32, 1), b.Const(F64, 1))
			b.Return()
		}},
		{"rem of (f64, f64)", func(b *Builder) {
			b.Op(OpRem, b.Const(F64, 1), b.Const(F64, 1))
			b.Return()
		}},
		{"lt of (bool, bool)", func(b *Builder) {
			b.Op(OpLt, b.Int(Bool, 1), b.Int(Bool, 1))
			b.Return()
		}},
		{"shl of (i32, i32)", func(b *Builder) {
			b.Op(OpShl, b.Int(I32, 1), b.Int(I32, 1))
			b.Return()
		}},
		{"load of (i64)", func(b *Builder) {
			b.Load(Global, F32, b.Int(I64, 0))
			b.Return()
		}},
		{"number 0x12c, is not", func(b *Builder) {
			b.Int(U8, 1).Imm = 300
			b.Return()
		}},
		{"\"v1 f64 = neg v2\": it uses v2 before its definition", func(b *Builder) {
			x := b.Const(F64, 1)
			y := b.Op(OpNeg, x)
			y.Args[0] = b.Const(F64, 2)
			b.Return()
		}},
		{"which has no result", func(b *Builder) {
			p := b.Param("p", U64)
			b.Store(Global, p, p)
			b.Op(OpNot, b.cur.Values[1])
			b.Return()
		}},
		{"which no block of the kernel defines", func(b *Builder) {
			b.Op(OpNeg, &Value{Op: OpConst, Type: F64})
			b.Return()
		}},
		{"the branch's condition v0 is i32", func(b *Builder) {
			x := b.NewBlock("x")
			b.Branch(b.Int(I32, 1), x, x)
			b.SetBlock(x)
			b.Return()
		}},
		{"block b2 join, \"v3 f64 = neg v2\": it uses v2 of block b1 then, which not every way", func(b *Builder) {
			then, join := b.NewBlock("then"), b.NewBlock("join")
			b.Branch(b.Int(Bool, 1), then, join)
			b.SetBlock(then)
			b.cur.Values = nil
			x := b.Const(F64, 1)
			x.ID = 2
			b.Jump(join)
			b.SetBlock(join)
			b.Op(OpNeg, x).ID = 3
			b.f.nextID = 4
			b.Return()
		}},
		{"the edge to b1 x brings 1 values for its 2 parameters", func(b *Builder) {
			x := b.NewBlock("x", F32, I64)
			b.Jump(x, b.Const(F32, 1))
			b.SetBlock(x)
			b.Return()
		}},
		{"brings v2, f32, for parameter 0, i64", func(b *Builder) {
			x := b.NewBlock("x", I64)
			b.Const(F32, 0)
			b.Jump(x, b.Const(F32, 1))
			b.SetBlock(x)
			b.Return()
		}},
		{"shared array 0 (t) is -1 elements", func(b *Builder) {
			b.SharedArray("t", F32, -1)
			b.Return()
		}},
		{"cell:3: kernel k, block b0 entry", func(b *Builder) {
			b.Pos = Pos{File: "cell", Line: 3}
			b.Op(OpNeg, b.Int(Bool, 1))
			b.Return()
		}},
	} {
		b := NewBuilder("k")
		c.make(b)
		if _, err := b.Func(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("want %q, got %v", c.want, err)
		}
	}
}

func TestVerifyRefusesBlocksThatNoWayLeadsTo(t *testing.T) {
	b := NewBuilder("k")
	b.Return()
	f := mustFunc(t, b)
	f.Blocks = append(f.Blocks, &Block{ID: 1, Name: "lost", Term: Term{Kind: TermReturn}})
	if err := Verify(f); err == nil || !strings.Contains(err.Error(), "block b1 lost: no way leads to it") {
		t.Error(err)
	}
}

func diamondLoop(t *testing.T, name string) *Func {
	b := NewBuilder(name)
	head, body, left, right, latch, exit := b.NewBlock("head", U32), b.NewBlock("body"), b.NewBlock("left"), b.NewBlock("right"),
		b.NewBlock("latch", F32), b.NewBlock("exit")
	n, x := b.Param("n", U32), b.Param(name+"x", F32)
	b.Jump(head, b.Int(U32, 0))
	b.SetBlock(head)
	i := head.Params[0]
	b.Branch(b.Op(OpLt, i, n), body, exit)
	b.SetBlock(body)
	b.Branch(b.Op(OpEq, i, b.Int(U32, 3)), left, right)
	b.SetBlock(left)
	b.Jump(latch, x)
	b.SetBlock(right)
	b.Jump(latch, b.Op(OpNeg, x))
	b.SetBlock(latch)
	b.Jump(head, b.Op(OpAdd, i, b.Int(U32, 1)))
	b.SetBlock(exit)
	b.Return()
	return mustFunc(t, b)
}

func TestTextForm(t *testing.T) {
	const want = `kernel d(n u32, dx f32)
b0 entry:
	v2 u32 = param 0 // n
	v3 f32 = param 1 // dx
	v4 u32 = const 0
	jump b1(v4)
b1 head(v0 u32):
	v5 bool = lt v0, v2
	branch v5, b2, b6
b2 body:
	v6 u32 = const 3
	v7 bool = eq v0, v6
	branch v7, b3, b4
b3 left:
	jump b5(v3)
b4 right:
	v8 f32 = neg v3
	jump b5(v8)
b5 latch(v1 f32):
	v9 u32 = const 1
	v10 u32 = add v0, v9
	jump b1(v10)
b6 exit:
	return
`
	if got := diamondLoop(t, "d").String(); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}

func TestImmediatePostDominators(t *testing.T) {
	// By block number, as in TestTextForm: entry, head, body, left, right, latch, exit.
	if got, want := ImmediatePostDominators(diamondLoop(t, "d")), []int{1, 6, 5, 5, 5, 1, -1}; !reflect.DeepEqual(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	b := NewBuilder("k") // one way returns, the other never ends
	loop, out := b.NewBlock("loop"), b.NewBlock("out")
	b.Branch(b.Int(Bool, 1), loop, out)
	b.SetBlock(loop)
	b.Jump(loop)
	b.SetBlock(out)
	b.Return()
	f := mustFunc(t, b)
	for i, d := range ImmediatePostDominators(f) {
		if want := map[string]int{"entry": 2, "loop": -1, "out": -1}[f.Blocks[i].Name]; f.Blocks[i].Name != "entry" && d != want {
			t.Errorf("%s: %d, want %d", f.Blocks[i].Name, d, want)
		}
	}
}

func TestHashIsOfTheStructure(t *testing.T) {
	a, b := diamondLoop(t, "one"), diamondLoop(t, "two")
	if a.Hash() != b.Hash() {
		t.Error("names count")
	}
	g := a.Clone()
	g.Renumber()
	g.Blocks[0].Values[0].Note, g.Blocks[0].Values[0].Pos = "other", Pos{Line: 3}
	if g.Hash() != a.Hash() {
		t.Error("IDs, notes or positions count")
	}
	for name, change := range map[string]func(*Func){
		"constant":  func(f *Func) { f.Blocks[2].Values[0].Imm++ },
		"operation": func(f *Func) { f.Blocks[1].Values[0].Op = OpLe },
		"operand":   func(f *Func) { f.Blocks[5].Values[1].Args[1] = f.Blocks[0].Values[0] },
		"targets":   func(f *Func) { t := &f.Blocks[2].Term; t.To[0], t.To[1] = t.To[1], t.To[0] },
		"argument":  func(f *Func) { f.Blocks[4].Term.To[0].Args[0] = f.Blocks[0].Values[1] },
		"parameter": func(f *Func) { f.Params[1].Type = F64 },
	} {
		g := a.Clone()
		change(g)
		if g.Hash() == a.Hash() {
			t.Errorf("another %s gives the same hash", name)
		}
	}
}
