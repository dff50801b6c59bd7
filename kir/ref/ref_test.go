package ref

import (
	"encoding/binary"
	"strings"
	"testing"

	"github.com/arrayrepl/arrayrepl/kir"
)

// reverse writes each thread's number to shared memory and, after a barrier, what its mirror image wrote to out.
func reverse(t *testing.T, n int64, diverge bool) *kir.Func {
	b := kir.NewBuilder("reverse")
	out := b.Param("out", kir.U64)
	tile := b.SharedArray("tile", kir.I64, int(n))
	tid := b.Convert(kir.I64, b.Special(kir.TidX))
	b.Store(kir.Shared, b.Index(tile, tid, kir.I64), tid)
	if diverge {
		yes, no, join := b.NewBlock("yes"), b.NewBlock("no"), b.NewBlock("join")
		b.Branch(b.Op(kir.OpLt, tid, b.Int(kir.I64, 1)), yes, no)
		for _, blk := range []*kir.Block{yes, no} {
			b.SetBlock(blk)
			b.Barrier()
			b.Jump(join)
		}
		b.SetBlock(join)
	}
	b.Barrier()
	b.Store(kir.Global, b.Index(out, tid, kir.I64), b.Load(kir.Shared, kir.I64, b.Index(tile, b.Op(kir.OpSub, b.Int(kir.I64, n-1), tid), kir.I64)))
	b.Return()
	f, err := b.Func()
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestRun(t *testing.T) {
	const n = 5
	params := binary.LittleEndian.AppendUint64(nil, 4096)
	out := make([]byte, 8*n)
	l := Launch{Grid: kir.D1(1), Block: kir.D1(n), Params: params, Memory: map[uint64][]byte{4096: out}}
	if err := Run(reverse(t, n, false), l); err != nil {
		t.Fatal(err)
	}
	for i := range n {
		if got := binary.LittleEndian.Uint64(out[8*i:]); got != uint64(n-1-i) {
			t.Errorf("thread %d: %d", i, got)
		}
	}
	for want, change := range map[string]func(*Launch) *kir.Func{
		"different barriers":       func(*Launch) *kir.Func { return reverse(t, n, true) },
		"no global memory at 0x10": func(l *Launch) *kir.Func { l.Memory = nil; return reverse(t, n, false) },
		"no shared memory at 0x28": func(l *Launch) *kir.Func { l.Block = kir.D1(n + 1); return reverse(t, n, false) },
		"still running after 3":    func(l *Launch) *kir.Func { l.MaxSteps = 3; return reverse(t, n, false) },
	} {
		l := l
		f := change(&l)
		if err := Run(f, l); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("want %q, got %v", want, err)
		}
	}
}
