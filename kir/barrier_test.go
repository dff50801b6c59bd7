package kir

import (
	"context"
	"encoding/binary"
	"fmt"
	"testing"
)

// TestBarrierWaitsForItsOperand: what threads bring to a reducing barrier is what they had when they came, whatever the others do
// until it opens: here, loads and an atomic that need lanes of their own. A random kernel found that it was not.
func TestBarrierWaitsForItsOperand(t *testing.T) {
	for _, op := range []Op{OpBarrierOr, OpBarrierAnd, OpBarrierCount} {
		b := NewBuilder("k")
		in, out := b.Param("in", U64), b.Param("out", U64)
		tid := b.Convert(I64, b.Special(TidX))
		wait, other := b.NewBlock("wait"), b.NewBlock("other")
		b.Branch(b.Op(OpLt, tid, b.Int(I64, 5)), wait, other)
		b.SetBlock(wait)
		x := b.Load(Global, U64, b.Index(in, tid, U64))
		v := b.BarrierReduce(op, b.Op(OpGt, x, b.Int(U64, 2))) // true for 3 and 4
		b.Store(Global, b.Index(out, tid, U64), b.Convert(U64, v))
		b.Return()
		b.SetBlock(other)
		y := b.Load(Global, U64, b.Index(in, tid, U64))
		b.Store(Global, b.Index(out, tid, U64), b.Atomic(OpAtomicAnd, Global, b.Index(in, b.Convert(I64, y), U64), b.Op(OpMul, y, b.Int(U64, 0))))
		b.Return()
		f, err := b.Func()
		if err != nil {
			t.Fatal(err)
		}
		p, err := Compile(f)
		if err != nil {
			t.Fatal(err)
		}
		const threads = 8
		data, results := make([]byte, 8*threads), make([]byte, 8*threads)
		for i := range threads {
			binary.LittleEndian.PutUint64(data[8*i:], uint64(i))
		}
		m := NewMemory()
		m.Map(0x1000, data)
		m.Map(0x2000, results)
		params := binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(nil, 0x1000), 0x2000)
		if _, err := p.Run(context.Background(), Launch{Grid: D1(1), Block: D1(threads), Params: params, Memory: m, Workers: 1}); err != nil {
			t.Fatal(err)
		}
		want := map[Op]string{OpBarrierOr: "1 1 1 1 1 5 6 7", OpBarrierAnd: "0 0 0 0 0 5 6 7", OpBarrierCount: "2 2 2 2 2 5 6 7"}[op]
		got := ""
		for i := range threads {
			got += fmt.Sprint(binary.LittleEndian.Uint64(results[8*i:]), " ")
		}
		if got != want+" " {
			t.Errorf("%v: %s, want %s", op, got, want)
		}
	}
}
