package simgpu

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/offload/device"
)

// increment adds 1 to each of n words of 4 bytes at y.
func increment(t testing.TB) *kir.Func {
	return elementwise(t, "increment", []string{"y"}, func(b *kir.Builder, p []*kir.Value, i *kir.Value) {
		at := b.Index(p[0], i, kir.I32)
		b.Store(kir.Global, at, b.Op(kir.OpAdd, b.Load(kir.Global, kir.I32, at), b.Const(kir.I32, 1)))
	})
}

// Buffers that share the host's memory hold what buffers with memory of their own would, whatever is done to either;
// the host's bytes stay as they are, and nothing takes other time.
func TestSharedMemoryIsWrittenByNobody(t *testing.T) {
	const size, buffers = 256, 6
	inc := increment(t)
	for seed := range uint64(30) {
		shared, apart := newBench(t, "tiny"), newBench(t, "tiny")
		var at, at2 [buffers]device.Buffer
		for i := range at {
			at[i], at2[i] = shared.alloc(size), apart.alloc(size)
		}
		type pair struct{ now, was []byte } // of the host
		var host []pair
		keep := func(b []byte) { host = append(host, pair{b, bytes.Clone(b)}) }
		random := func(r *rand.Rand) []byte {
			b := make([]byte, size)
			for i := range b {
				b[i] = byte(r.Uint32())
			}
			return b
		}
		r := rand.New(rand.NewPCG(seed, 1))
		var log []string
		var ends [2]device.Event
		for range 60 {
			i, j, off := r.IntN(buffers), r.IntN(buffers), r.IntN(size/2)
			op := r.IntN(7)
			log = append(log, fmt.Sprint(op, i, j))
			switch op {
			case 0, 1:
				b := random(r)
				if len(host) > 0 && r.IntN(2) == 0 {
					b = host[r.IntN(len(host))].now // which others may have too
				}
				ends[0] = shared.stream.(device.Adopter).Adopt(at[i], b)
				ends[1] = apart.stream.CopyIn(at2[i], 0, bytes.Clone(b))
				keep(b)
			case 2:
				var b []byte
				own := make([]byte, size)
				ends[0] = shared.stream.(device.Adopter).Lend(&b, at[i])
				ends[1] = apart.stream.CopyOut(own, at2[i], 0)
				for k, x := range []*bench{shared, apart} {
					if err := ends[k].Wait(ctx); err != nil {
						t.Fatal(err)
					}
					x.stream.Sync(ctx)
				}
				if !bytes.Equal(b, own) {
					t.Fatalf("seed %d: lent %x, copied %x after %v", seed, b, own, log)
				}
				keep(b)
			case 3:
				b := random(r)[:size/4]
				ends[0] = shared.stream.CopyIn(at[i], off, b)
				ends[1] = apart.stream.CopyIn(at2[i], off, b)
			case 4:
				ends[0] = shared.stream.CopyPeer(at[i], off, at[j], size/2-off, size/4)
				ends[1] = apart.stream.CopyPeer(at2[i], off, at2[j], size/2-off, size/4)
			case 5:
				for k, x := range []*bench{shared, apart} {
					f, err := x.gpu.Load(inc)
					if err != nil {
						t.Fatal(err)
					}
					y := [2]device.Buffer{at[i], at2[i]}[k]
					ends[k] = x.stream.Launch(f, kir.D1(1), kir.D1(64), 0, pack(t, y, size/4))
				}
			case 6:
				at[i].Free()
				at2[i].Free()
				at[i], at2[i] = shared.alloc(size), apart.alloc(size)
			}
		}
		for i := range at {
			if got, want := shared.get(at[i]), apart.get(at2[i]); !bytes.Equal(got, want) {
				t.Errorf("seed %d: buffer %d holds %x, not %x, after %v", seed, i, got, want, log)
			}
		}
		for _, h := range host {
			if !bytes.Equal(h.now, h.was) {
				t.Errorf("seed %d: the host's memory was written to, after %v", seed, log)
			}
		}
		if a, b := ends[0].Trace(), ends[1].Trace(); a.Start != b.Start || a.End != b.End || a.Bytes != b.Bytes {
			t.Errorf("seed %d: the last operation from %d to %d, %d bytes; without sharing %d to %d, %d", seed, a.Start, a.End, a.Bytes, b.Start, b.End, b.Bytes)
		}
	}
}

// A copy between the host and a buffer that neither writes to is none; a copy on the device, or to another, does not
// change what it came from.
func TestCopiesAreNotMade(t *testing.T) {
	p, err := PresetByName("v100x8")
	if err != nil {
		t.Fatal(err)
	}
	gpus := NewMachine(p)
	defer func() {
		for _, g := range gpus {
			g.Close()
		}
	}()
	s, err := gpus[0].NewStream(0)
	if err != nil {
		t.Fatal(err)
	}
	const size = 1 << 16
	src := bytes.Repeat([]byte{7}, size)
	a, _ := gpus[0].Alloc(size)
	far, _ := gpus[1].Alloc(size)
	var out, other []byte
	s.(device.Adopter).Adopt(a, src)
	s.CopyPeer(far, 0, a, 0, size)
	s.CopyIn(far, 8, []byte{1, 2, 3})
	s.(device.Adopter).Lend(&out, a)
	if err := s.Sync(ctx); err == nil {
		t.Fatal("a copy to another GPU's buffer went well")
	}
	s.CopyPeer(far, 0, a, 0, size)
	s.(device.Adopter).Lend(&out, a)
	if err := s.Sync(ctx); err != nil {
		t.Fatal(err)
	}
	s2, _ := gpus[1].NewStream(0)
	s2.(device.Adopter).Lend(&other, far)
	s2.CopyIn(far, 8, []byte{1, 2, 3})
	if err := s2.Sync(ctx); err != nil {
		t.Fatal(err)
	}
	if &out[0] != &src[0] || slices.ContainsFunc(other, func(b byte) bool { return b != 7 }) {
		t.Error("the host's bytes were copied, or another GPU changed what was lent")
	}
}

// A kernel that writes through a pointer out of memory finds memory to write to, and one that runs out of its own
// buffer into memory that is shared stops there.
func TestStoresThatNoParameterPointsTo(t *testing.T) {
	b := kir.NewBuilder("indirect")
	table := b.Param("table", kir.U64)
	b.Store(kir.Global, b.Load(kir.Global, kir.U64, table), b.Const(kir.I32, 5))
	b.Return()
	indirect := build(t, b)
	x := newBench(t, "v100")
	src := make([]byte, 256)
	target := x.alloc(256)
	x.stream.(device.Adopter).Adopt(target, src)
	x.launch(indirect, kir.D1(1), kir.D1(1), x.put(pack(t, target)))
	if got := x.get(target); got[0] != 5 || src[0] != 0 {
		t.Errorf("the buffer holds %d, the host %d", got[0], src[0])
	}

	b = kir.NewBuilder("beyond")
	b.Store(kir.Global, b.Op(kir.OpAdd, b.Param("y", kir.U64), b.Convert(kir.U64, b.Param("n", kir.I64))), b.Const(kir.I32, 5))
	b.Return()
	k, err := x.gpu.Load(build(t, b))
	if err != nil {
		t.Fatal(err)
	}
	own, shared := x.alloc(256), x.alloc(256)
	x.stream.(device.Adopter).Adopt(shared, src)
	x.stream.Launch(k, kir.D1(1), kir.D1(1), 0, pack(t, own, int(shared.Addr()-own.Addr())))
	if err := x.stream.Sync(ctx); err == nil || !strings.Contains(err.Error(), "no pointer to write through") {
		t.Errorf("error %v", err)
	}
	if src[0] != 0 {
		t.Error("the host's memory was written to")
	}
}
