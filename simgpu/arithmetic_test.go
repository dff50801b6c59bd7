package simgpu

import (
	"encoding/binary"
	"testing"

	"github.com/arrayrepl/arrayrepl/kir"
)

// A kernel's multiply-adds, products and sums are those of B.2.6 of cuda-scan-brook.md [D], in whole warps, in those
// that part, in the order of issue, and for a value that all threads share; and cost what they cost in IEEE's
// arithmetic.
func TestArithmeticOfTheFirstMachines(t *testing.T) {
	const x, y = 0x3f800401, 0x3f800ffd
	b := kir.NewBuilder("mad")
	in, out := b.Param("in", kir.U64), b.Param("out", kir.U64)
	tid := b.GlobalIDX()
	word := func(i *kir.Value) *kir.Value { return b.Index(in, i, kir.F32) }
	two := b.Int(kir.I64, 2)
	p := b.Load(kir.Global, kir.F32, word(b.Op(kir.OpMul, tid, two)))
	q := b.Load(kir.Global, kir.F32, word(b.Op(kir.OpAdd, b.Op(kir.OpMul, tid, two), b.Int(kir.I64, 1))))
	c := b.Const(kir.F32, -1)
	put := func(at int, v *kir.Value) {
		b.Store(kir.Global, b.Index(out, b.Op(kir.OpAdd, b.Op(kir.OpMul, tid, b.Int(kir.I64, 4)), b.Int(kir.I64, int64(at))), kir.F32), v)
	}
	put(0, b.Op(kir.OpFma, p, q, c))
	put(1, b.Op(kir.OpAdd, b.Op(kir.OpMul, p, q), c))
	zero, one := b.Int(kir.I64, 0), b.Int(kir.I64, 1)
	put(2, b.Op(kir.OpFma, b.Load(kir.Global, kir.F32, word(zero)), b.Load(kir.Global, kir.F32, word(one)), c))
	odd, end := b.NewBlock("odd"), b.NewBlock("end")
	b.Branch(b.Op(kir.OpNe, b.Op(kir.OpRem, tid, two), b.Int(kir.I64, 0)), odd, end)
	b.SetBlock(odd)
	put(3, b.Op(kir.OpFma, p, q, c))
	b.Jump(end)
	b.SetBlock(end)
	b.Return()
	f := build(t, b)

	const n = 96
	var data []byte
	for range n {
		data = binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint32(data, x), y)
	}
	run := func(options ...Option) (words []uint32, cycles int64) {
		m := newBench(t, "g80", append(options, AsWritten(), Full())...)
		from, to := m.put(data), m.alloc(16*n)
		st := m.launch(f, kir.D1(1), kir.D1(n), from, to).Stats
		for bytes := m.get(to); len(bytes) > 0; bytes = bytes[4:] {
			words = append(words, binary.LittleEndian.Uint32(bytes))
		}
		return words, st.Cycles
	}
	ieee, cycles := run()
	for _, options := range [][]Option{{Tesla1()}, {Tesla1(), Check()}, {Tesla1(), WithDivergence(NREC{})}} {
		got, took := run(options...)
		for i := range n {
			w, v := got[4*i:4*i+4], ieee[4*i:4*i+4]
			if v[0] != 0x3a1ff400 || v[1] != 0x3a1ff800 {
				t.Fatalf("thread %d: IEEE's are %#x", i, v)
			}
			last := uint32(0)
			if i%2 == 1 {
				last = 0x3a1ff000
			}
			if w[0] != 0x3a1ff000 || w[1] != 0x3a1ff800 || w[2] != 0x3a1ff000 || w[3] != last {
				t.Fatalf("thread %d: %#x", i, w)
			}
		}
		if len(options) == 1 && took != cycles {
			t.Errorf("%d cycles, and %d by IEEE's", took, cycles)
		}
	}
	if a, b := Custom("g80", Tesla1()), Custom("g80", Check()); a == b || a == Custom("g80", AsWritten()) {
		t.Errorf("%s is %s", a, b)
	}
}
