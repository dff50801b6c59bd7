package kir

import (
	"slices"
	"strings"
	"testing"

	"github.com/arrayrepl/arrayrepl/internal/testsize"
)

// everyOp has each operation that the random kernels lack, and everything else that the text form can say.
func everyOp(t testing.TB) *Func {
	b := NewBuilder("every op")
	p := b.Param("p", U64)
	blk := b.ParamBlock("a struct", 24, 8)
	dyn := b.NewBlock("tail's end", F64)
	h := b.ParamField(blk, 6, F16)
	b.SharedArray("tile", F32, 64)
	b.LocalArray("stack", I64, 3)
	tab := b.ConstTable("table", U16, []byte{1, 2, 3, 4})
	b.DynamicShared("more", F64)
	mask := b.FullMask()
	lane := b.Special(LaneID)
	vs := b.LoadVector(Global, F32, 4, p)
	b.StoreVector(Global, p, vs[3], vs[2])
	b.Load(Const, U16, tab).Imm = 2
	b.Load(Global, I8, p).Imm = ^uint64(6)
	for op := OpAtomicAdd; op <= OpAtomicDec; op++ {
		if op == OpAtomicCAS {
			b.Atomic(op, Global, p, lane, lane).Imm = 4
		} else {
			b.Atomic(op, Shared, b.Int(U64, 0), lane)
		}
	}
	b.Fence(DeviceScope)
	ok := b.Op(OpLt, lane, b.Int(U32, 5))
	b.BarrierReduce(OpBarrierCount, ok)
	b.BarrierReduce(OpBarrierOr, ok)
	b.BarrierReduce(OpBarrierAnd, ok)
	b.WarpBarrier(mask)
	for mode := range numShuffles {
		b.Shuffle(NewShuffle(mode, 8), b.Convert(F64, h), lane, mask)
	}
	b.Vote(OpVoteAll, ok, mask)
	b.Vote(OpVoteAny, ok, mask)
	b.MatchAny(b.Vote(OpBallot, ok, b.ActiveMask()), mask)
	b.GridBarrier()
	b.CopyCommit()
	b.CopyWait(2)
	half := b.Const(F32, 0.5)
	for s := range NumMMAShapes {
		form := s.Form()
		b.MMA(s, []*Value{lane, mask, lane, lane}[:form.A], []*Value{lane, mask}, slices.Repeat([]*Value{half}, form.C))
	}
	for r := range numReductions {
		b.WarpReduce(r, b.ActiveMask(), mask)
	}
	b.Check(CheckIndex, ok, b.Convert(I64, lane), nil, "")
	b.Check(CheckPanic, ok, nil, nil, "a \"text\" // with\nlines")
	b.Printf("%d of %g\n", lane, vs[0])
	b.Special(Clock64)
	b.Bits(F32, 0x7fc00001)
	b.Op(OpPopc, b.Op(OpMulHi, lane, lane))
	b.Jump(dyn, b.Op(OpRint, b.Bitcast(F64, p)))
	b.SetBlock(dyn)
	b.Return()
	f, err := b.Func()
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func roundTrip(t *testing.T, f *Func) {
	t.Helper()
	text := f.String()
	g, err := Parse(text)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	if !Equal(f, g) {
		t.Fatalf("another kernel comes back from\n%s\nit is\n%s", text, g)
	}
	if again := g.String(); again != text {
		t.Fatalf("another text comes back from\n%s\nit is\n%s", text, again)
	}
}

func TestParseReadsWhatStringPrints(t *testing.T) {
	roundTrip(t, everyOp(t))
	for seed := range testsize.Seeds("kir.TestParseReadsWhatStringPrints") {
		f := randomFunc(seed)
		roundTrip(t, f)
		roundTrip(t, optimize(f))
	}
}

// TestEqualSeesEveryDifference changes one thing after another.
func TestEqualSeesEveryDifference(t *testing.T) {
	f := everyOp(t)
	text := f.String()
	for _, c := range []struct{ from, to string }{
		{"[24]bytes", "[32]bytes"}, {"param 1+6", "param 1+4"}, {"[64]f32", "[65]f32"}, {"[3]i64", "[4]i64"}, {"01020304", "01020305"},
		{"load.v4", "load"}, {"const v5+2", "const v5"}, {"atomic_add", "atomic_or"}, {"fence device", "fence system"},
		{"shuffle up:0:24", "shuffle up:0:0"}, {"check index", "check slice"}, {"of %g", "of %v"}, {"a \\\"text", "no \\\"text"},
		{"laneid", "warpid"}, {"0x7fc00001", "1"}, {"u32 5", "u32 6"},
	} {
		if c.from == "u32 5" {
			c.from, c.to = "u32 = const 5", "u32 = const 6"
		}
		changed := strings.Replace(text, c.from, c.to, 1)
		if changed == text {
			t.Errorf("%q is not in\n%s", c.from, text)
			continue
		}
		g, err := Parse(changed)
		if err != nil {
			t.Errorf("%q for %q: %v", c.to, c.from, err)
		} else if Equal(f, g) && c.from != "0x7fc00001" { // which nobody uses
			t.Errorf("%q for %q makes no difference", c.to, c.from)
		}
	}
}

func TestParseErrorsNameTheLine(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", "line 1: the text has no kernel"},
		{"kernel k(\n", "line 1: a name is missing"},
		{"kernel k(n i65)\n", `line 1: "i65" is not a type`},
		{"kernel k()\n\tv0 i32 = const 1\n", "stands before the first block"},
		{"kernel k()\nb1:\n", "line 2: block b1 stands where b0 is due"},
		{"kernel k()\nb0:\n\tv0 i32 = frob v1\n", `line 3: "frob" is not an operation`},
		{"kernel k()\nb0:\n\tv0 i32 = neg v1\n\treturn\n", "line 3: v1 is used but nowhere defined"},
		{"kernel k()\nb0:\n\tv0 i8 = const 300\n", "line 3: 300 is not a constant of type i8"},
		{"kernel k()\nb0:\n\tjump b3\n", "line 3: there is no block b3"},
		{"kernel k()\nb0:\n\tv0 i32 = const 1\n\tv0 i32 = const 1\n", "line 4: v0 is defined twice"},
		{"kernel k()\nb0:\n\treturn now\n", `line 3: "now" is too much`},
		{"kernel k()\nb0:\n\tv0 u32 = special tid.w\n", `"tid.w" is not a special register; there are tid.x, ` + strings.Join(specialNames[1:], ", ")},
		{"kernel k()\nb0:\n\tfence world\n", `line 3: "world" is not a scope; there are block, device, system`},
		{"kernel k()\nb0:\n\tv0 bool = const 1\n\tv1 f32 = add v0, v0\n\treturn\n", "add of (bool, bool) giving f32"},
	} {
		if _, err := Parse(c.text); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: want %q, got %v", c.text, c.want, err)
		}
	}
}

// FuzzParse: no text makes the parser panic, and what it accepts prints and parses as the same kernel.
func FuzzParse(f *testing.F) {
	f.Add(everyOp(f).String())
	for seed := range 5 {
		f.Add(randomFunc(uint64(seed)).String())
	}
	f.Fuzz(func(t *testing.T, text string) {
		k, err := Parse(text)
		if err != nil {
			return
		}
		back, err := Parse(k.String())
		if err != nil || !Equal(k, back) {
			t.Fatalf("%v\n%s", err, k)
		}
	})
}
