package simgpu

import (
	"encoding/binary"
	"testing"

	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/offload/trace"
)

// histogram counts the bytes 0 to 255 of keys, one to a thread, in shared or in global memory. Bin i of bins has 4
// bytes.
func histogram(t testing.TB, space kir.Space) *kir.Func {
	b := kir.NewBuilder("histogram")
	keys, bins := b.Param("keys", kir.U64), b.Param("bins", kir.U64)
	tid, i := b.Convert(kir.I64, b.Special(kir.TidX)), b.GlobalIDX()
	one := b.Int(kir.U32, 1)
	key := b.Convert(kir.I64, b.Load(kir.Global, kir.U8, b.Op(kir.OpAdd, keys, b.Convert(kir.U64, i))))
	if space == kir.Global {
		b.Atomic(kir.OpAtomicAdd, kir.Global, b.Index(bins, key, kir.U32), one)
		b.Return()
		return build(t, b)
	}
	own := b.SharedArray("own", kir.U32, 256)
	at := b.Index(own, tid, kir.U32)
	b.Store(kir.Shared, at, b.Int(kir.U32, 0))
	b.Barrier()
	b.Atomic(kir.OpAtomicAdd, kir.Shared, b.Index(own, key, kir.U32), one)
	b.Barrier()
	b.Atomic(kir.OpAtomicAdd, kir.Global, b.Index(bins, tid, kir.U32), b.Load(kir.Shared, kir.U32, at))
	b.Return()
	return build(t, b)
}

// TestHistogram counts keys that are all the same, and keys that are all different in a warp: the figures are those of
// plain Go, and lanes that meet take turns.
func TestHistogram(t *testing.T) {
	const blocks, threads = 40, 256
	for _, space := range []kir.Space{kir.Shared, kir.Global} {
		var stats [2]*trace.KernelStats
		for same := range 2 {
			keys, want := make([]byte, blocks*threads), [256]uint32{}
			for i := range keys {
				keys[i] = byte(i)
				if same == 1 {
					keys[i] = 7
				}
				want[keys[i]]++
			}
			b := newBench(t, "v100", Full())
			bins := b.put(make([]byte, 4*256))
			stats[same] = b.launch(histogram(t, space), kir.D1(blocks), kir.D1(threads), b.put(keys), bins).Stats
			got := b.get(bins)
			for i, n := range want {
				if g := binary.LittleEndian.Uint32(got[4*i:]); g != n {
					t.Fatalf("%v, same %d: bin %d has %d, want %d", space, same, i, g, n)
				}
			}
		}
		if space == kir.Shared {
			// Every warp's 32 lanes take turns at the one word; with neighbouring words none has to.
			if a, b := stats[0].BankConflicts, stats[1].BankConflicts; a != 0 || b != blocks*threads/32*31 {
				t.Errorf("conflicts %d and %d, want 0 and %d", a, b, blocks*threads/32*31)
			}
		}
		if stats[1].Cycles < stats[0].Cycles*9/8 {
			t.Errorf("%v: %d cycles with lanes that meet, %d without", space, stats[1].Cycles, stats[0].Cycles)
		}
	}
}

// chain launches one warp that does op so many times on the result of the last, and returns the cycles.
func chain(t *testing.T, n int, op func(b *kir.Builder, p, x *kir.Value) *kir.Value) int64 {
	b := kir.NewBuilder("chain")
	p := b.Param("p", kir.U64)
	x := b.Special(kir.TidX)
	for range n {
		x = op(b, p, x)
	}
	b.Store(kir.Global, b.Index(p, b.Convert(kir.I64, b.Special(kir.TidX)), kir.U32), x)
	b.Return()
	m := newBench(t, "v100")
	return m.launch(build(t, b), kir.D1(1), kir.D1(32), m.alloc(4096)).Stats.Cycles
}

// TestLatenciesOfMeetings gives back what the tables say: a shuffle is a trip through shared memory's crossbar, an
// atomic one to L2, and one whose result nobody wants is not waited for.
func TestLatenciesOfMeetings(t *testing.T) {
	p, _ := PresetByName("v100")
	per := func(op func(b *kir.Builder, p, x *kir.Value) *kir.Value) int64 {
		return (chain(t, 40, op) - chain(t, 20, op)) / 20
	}
	near := func(name string, got, want int64) {
		if got < want || got > want+want/10+2 {
			t.Errorf("%s: %d cycles, want about %d", name, got, want)
		}
	}
	near("shuffle", per(func(b *kir.Builder, _, x *kir.Value) *kir.Value {
		return b.Shuffle(kir.NewShuffle(kir.ShuffleXor, 32), x, b.Int(kir.U32, 1), b.FullMask())
	}), int64(p.SharedLatency))
	near("atomic", per(func(b *kir.Builder, p, x *kir.Value) *kir.Value {
		at := b.Index(p, b.Convert(kir.I64, b.Special(kir.TidX)), kir.U32)
		return b.Atomic(kir.OpAtomicExch, kir.Global, at, x)
	}), int64(p.L1Latency+p.L2Latency))
	if n := per(func(b *kir.Builder, p, x *kir.Value) *kir.Value {
		b.Atomic(kir.OpAtomicAdd, kir.Global, b.Index(p, b.Convert(kir.I64, b.Special(kir.TidX)), kir.U32), x)
		return x
	}); n > int64(p.L2Latency)/4 {
		t.Errorf("an atomic whose result is not used takes %d cycles", n)
	}
}

// TestVectorAccesses copies with accesses of one f32 and of four: as many bytes and sectors, a quarter of the requests.
func TestVectorAccesses(t *testing.T) {
	const n = 1 << 16
	var st [2]*trace.KernelStats
	for i, width := range []int{1, 4} {
		b := kir.NewBuilder("copy")
		x, y := b.Param("x", kir.U64), b.Param("y", kir.U64)
		off := b.Convert(kir.U64, b.Op(kir.OpMul, b.GlobalIDX(), b.Int(kir.I64, int64(4*width))))
		from, to := b.Op(kir.OpAdd, x, off), b.Op(kir.OpAdd, y, off)
		if width == 1 {
			b.Store(kir.Global, to, b.Load(kir.Global, kir.F32, from))
		} else {
			b.StoreVector(kir.Global, to, b.LoadVector(kir.Global, kir.F32, 4, from)...)
		}
		b.Return()
		m := newBench(t, "v100", Full())
		st[i] = m.launch(build(t, b), kir.D1(n/256/width), kir.D1(256), m.put(make([]byte, 4*n)), m.alloc(4*n)).Stats
	}
	if st[0].Requests != 4*st[1].Requests || st[0].Sectors != st[1].Sectors || st[0].BytesRequested != st[1].BytesRequested {
		t.Errorf("requests %d and %d, sectors %d and %d", st[0].Requests, st[1].Requests, st[0].Sectors, st[1].Sectors)
	}
	if st[1].WarpInstructions*2 > st[0].WarpInstructions {
		t.Errorf("%d warp instructions with vectors, %d without", st[1].WarpInstructions, st[0].WarpInstructions)
	}
}

// TestLocalMemoryIsCoalesced: lanes that use the same place of their local memories touch neighbouring words.
func TestLocalMemoryIsCoalesced(t *testing.T) {
	b := kir.NewBuilder("local")
	p := b.Param("p", kir.U64)
	a := b.LocalArray("a", kir.F32, 16)
	k := b.Load(kir.Global, kir.I64, p) // one place for all that nobody knows beforehand
	b.Store(kir.Local, b.Index(a, k, kir.F32), b.Const(kir.F32, 1))
	b.Return()
	m := newBench(t, "v100")
	st := m.launch(build(t, b), kir.D1(1), kir.D1(32), m.put(make([]byte, 8))).Stats
	if st.Requests != 2 || st.Sectors != 1+4 {
		t.Errorf("%d requests of %d sectors, want 2 of 5", st.Requests, st.Sectors)
	}
}
