package cpu

import (
	"context"
	"encoding/binary"
	"fmt"
	"testing"

	"github.com/arrayrepl/arrayrepl/kir"
)

// TestBarrierWaitsForItsOperand: what threads bring to a reducing barrier is what they had when they came, whatever the
// others do until it opens: here, loads and an atomic that need lanes of their own. A random kernel found that it was
// not.
func TestBarrierWaitsForItsOperand(t *testing.T) {
	for _, op := range []kir.Op{kir.OpBarrierOr, kir.OpBarrierAnd, kir.OpBarrierCount} {
		b := kir.NewBuilder("k")
		in, out := b.Param("in", kir.U64), b.Param("out", kir.U64)
		tid := b.Convert(kir.I64, b.Special(kir.TidX))
		wait, other := b.NewBlock("wait"), b.NewBlock("other")
		b.Branch(b.Op(kir.OpLt, tid, b.Int(kir.I64, 5)), wait, other)
		b.SetBlock(wait)
		x := b.Load(kir.Global, kir.U64, b.Index(in, tid, kir.U64))
		v := b.BarrierReduce(op, b.Op(kir.OpGt, x, b.Int(kir.U64, 2))) // true for 3 and 4
		b.Store(kir.Global, b.Index(out, tid, kir.U64), b.Convert(kir.U64, v))
		b.Return()
		b.SetBlock(other)
		y := b.Load(kir.Global, kir.U64, b.Index(in, tid, kir.U64))
		b.Store(kir.Global, b.Index(out, tid, kir.U64), b.Atomic(kir.OpAtomicAnd, kir.Global, b.Index(in, b.Convert(kir.I64, y), kir.U64), b.Op(kir.OpMul, y, b.Int(kir.U64, 0))))
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
		if _, err := p.Run(context.Background(), Launch{Grid: kir.D1(1), Block: kir.D1(threads), Params: params, Memory: m, Workers: 1}); err != nil {
			t.Fatal(err)
		}
		want := map[kir.Op]string{kir.OpBarrierOr: "1 1 1 1 1 5 6 7", kir.OpBarrierAnd: "0 0 0 0 0 5 6 7", kir.OpBarrierCount: "2 2 2 2 2 5 6 7"}[op]
		got := ""
		for i := range threads {
			got += fmt.Sprint(binary.LittleEndian.Uint64(results[8*i:]), " ")
		}
		if got != want+" " {
			t.Errorf("%v: %s, want %s", op, got, want)
		}
	}
}
