package cpu_test

import (
	"context"
	"encoding/binary"
	"errors"
	"testing"

	"github.com/arrayrepl/arrayrepl/internal/testsize"
	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/kir/cpu"
)

// TestPartsOfIndices: quotients, remainders and bits of numbers that grow from thread to thread are those of the
// reference, within a row, across the end of one, and below zero. A short test has a third of them, each turn another.
func TestPartsOfIndices(t *testing.T) {
	at := 0
	for _, typ := range []kir.Type{kir.I64, kir.U64, kir.I32, kir.U32} {
		for _, from := range []int64{0, 5, 250, 1000, -40} {
			if at++; !testsize.Part(at, 3) {
				continue
			}
			if from < 0 && !typ.IsSigned() {
				continue
			}
			f := kernel(t, func(b *kir.Builder, _ *kir.Value) (out []*kir.Value) {
				row := b.Convert(typ, b.Op(kir.OpAdd, b.GlobalIDX(), b.Int(kir.I64, from)))
				column := b.Convert(typ, b.Op(kir.OpAdd, b.Convert(kir.I64, b.Special(kir.CtaidX)), b.Int(kir.I64, from)))
				for _, x := range []*kir.Value{row, column} {
					for _, k := range []int64{1, 3, 32, 100, 1024, -3} {
						if k > 0 || typ.IsSigned() {
							out = append(out, b.Op(kir.OpDiv, x, b.Int(typ, k)), b.Op(kir.OpRem, x, b.Int(typ, k)))
						}
					}
					for _, k := range []int64{0, 31, 1023, 10, -1} {
						out = append(out, b.Op(kir.OpAnd, x, b.Int(typ, k)))
					}
					for _, k := range []int64{0, 5, 10, 31, 63} {
						out = append(out, b.Op(kir.OpShr, x, b.Int(kir.U32, k)))
					}
				}
				return out
			})
			for _, size := range [][2]int{{1, 40}, {64, 32}} { // one block, and blocks side by side
				runBoth(t, f, size[0], size[1], size[0]*size[1]*64)
			}
		}
	}
}

// TestWarpsOfBlocksSideBySide: blocks whose threads meet only in their warps run as one, and give what they give alone.
func TestWarpsOfBlocksSideBySide(t *testing.T) {
	f := kernel(t, func(b *kir.Builder, tid *kir.Value) []*kir.Value {
		x := b.Op(kir.OpMul, b.Convert(kir.U32, b.GlobalIDX()), tid)
		sum := x
		for d := 16; d > 0; d /= 2 {
			sum = b.Op(kir.OpAdd, sum, b.Shuffle(kir.NewShuffle(kir.ShuffleXor, 32), sum, b.Int(kir.U32, int64(d)), b.FullMask()))
		}
		odd := b.Op(kir.OpEq, b.Op(kir.OpAnd, x, b.Int(kir.U32, 1)), b.Int(kir.U32, 1))
		return []*kir.Value{sum, b.Vote(kir.OpBallot, odd, b.FullMask()), b.Special(kir.LaneID), b.Special(kir.WarpID)}
	})
	for _, block := range []int{32, 64, 40} { // the last has no whole warps
		runBoth(t, f, 50, block, 50*block*4)
	}
}

// TestLanesReturnInBlocksSideBySide: blocks of which some end before their lanes meet.
func TestLanesReturnInBlocksSideBySide(t *testing.T) {
	b := kir.NewBuilder("k")
	out := b.Param("out", kir.U64)
	cta := b.Special(kir.CtaidX)
	meet, end := b.NewBlock("meet"), b.NewBlock("end")
	b.Branch(b.Op(kir.OpEq, b.Op(kir.OpRem, cta, b.Int(kir.U32, 3)), b.Int(kir.U32, 0)), end, meet)
	b.SetBlock(meet)
	sum := b.Special(kir.TidX)
	for d := 16; d > 0; d /= 2 {
		sum = b.Op(kir.OpAdd, sum, b.Shuffle(kir.NewShuffle(kir.ShuffleDown, 32), sum, b.Int(kir.U32, int64(d)), b.FullMask()))
	}
	b.Store(kir.Global, b.Index(out, b.GlobalIDX(), kir.U64), b.Convert(kir.U64, b.Op(kir.OpAdd, sum, cta)))
	b.Jump(end)
	b.SetBlock(end)
	b.Return()
	f, err := b.Func()
	if err != nil {
		t.Fatal(err)
	}
	got := runBoth(t, f, 40, 32, 40*32)
	for cta := range uint64(40) {
		want := 31*32/2 + cta
		if cta%3 == 0 {
			want = 0
		}
		if x := word(got, int(cta)*32); x != want {
			t.Errorf("block %d: %d, want %d", cta, x, want)
		}
	}
}

// TestLowestWarpErrorOfBlocksSideBySide: the error is that of the lowest block that has one.
func TestLowestWarpErrorOfBlocksSideBySide(t *testing.T) {
	f := kernel(t, func(b *kir.Builder, tid *kir.Value) []*kir.Value {
		whole := b.Op(kir.OpLt, b.Special(kir.CtaidX), b.Int(kir.U32, 21))
		return []*kir.Value{b.Vote(kir.OpBallot, whole, b.Op(kir.OpSelect, whole, b.FullMask(), b.Int(kir.U32, 1)))}
	})
	m := cpu.NewMemory()
	m.Map(outAddr, make([]byte, 64*32*8))
	p, err := cpu.Compile(f)
	if err != nil {
		t.Fatal(err)
	}
	_, err = p.Run(context.Background(), cpu.Launch{Grid: kir.D1(64), Block: kir.D1(32), Params: binary.LittleEndian.AppendUint64(nil, outAddr), Memory: m})
	var warp *kir.WarpError
	if !errors.As(err, &warp) || warp.Block.X != 21 {
		t.Errorf("%v, want an error of block 21", err)
	}
}
