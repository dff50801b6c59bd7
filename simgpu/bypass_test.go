package simgpu

import (
	"testing"

	"github.com/arrayrepl/arrayrepl/kir"
)

// A load that bypasses L1 finds nothing there and leaves what is there alone: a table that is read again and again
// stays, though a stream of any length passes.
func TestLoadsThatBypassL1(t *testing.T) {
	const n, table = 1 << 14, 2048 // 8 KB, as L1 of nv40
	hits := map[kir.Access]int64{}
	for _, access := range []kir.Access{kir.Ordinary, kir.Bypass} {
		f := elementwise(t, "lookup", []string{"x", "table", "y"}, func(b *kir.Builder, p []*kir.Value, i *kir.Value) {
			x := b.Load(kir.Global, kir.F32, b.Index(p[0], i, kir.F32))
			x.Access, x.Note = access, "stream"
			for k := range 4 {
				at := b.Op(kir.OpAnd, b.Op(kir.OpAdd, b.Op(kir.OpMul, i, b.Int(kir.I64, 37)), b.Int(kir.I64, int64(k*512))), b.Int(kir.I64, table-1))
				x = b.Op(kir.OpAdd, x, b.Load(kir.Global, kir.F32, b.Index(p[1], at, kir.F32)))
			}
			b.Store(kir.Global, b.Index(p[2], i, kir.F32), x)
		})
		b := newBench(t, "nv40", Full())
		st := b.launch(f, kir.D1(n/256), kir.D1(256), b.alloc(4*n), b.alloc(4*table), b.alloc(4*n), n).Stats
		for _, l := range st.Detail.Lines {
			if l.Note == "stream" && access == kir.Bypass && l.L1Hits != 0 {
				t.Errorf("%d sectors of the stream were found in L1", l.L1Hits)
			}
		}
		hits[access] = st.L1Hits
		if st.BytesRequested != 4*n*6 {
			t.Errorf("%d bytes asked for", st.BytesRequested)
		}
	}
	if hits[kir.Bypass] <= hits[kir.Ordinary] {
		t.Errorf("%d sectors from L1, %d where the stream goes through it", hits[kir.Bypass], hits[kir.Ordinary])
	}
}
