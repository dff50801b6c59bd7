package simgpu

import (
	"context"
	"encoding/binary"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/internal/testsize"
	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/offload/device"
	"github.com/arrayrepl/arrayrepl/offload/trace"
)

// doubler doubles the element of each thread: a block of 1,024 threads touches a page of 4,096 bytes.
func doubler(t *testing.T) *kir.Func {
	b := kir.NewBuilder("double")
	x := b.Param("x", kir.U64)
	wide := func(s kir.Special) *kir.Value { return b.Convert(kir.I64, b.Special(s)) }
	i := b.Op(kir.OpAdd, b.Op(kir.OpMul, wide(kir.CtaidX), wide(kir.NTidX)), wide(kir.TidX))
	at := b.Index(x, i, kir.F32)
	b.Store(kir.Global, at, b.Op(kir.OpAdd, b.Load(kir.Global, kir.F32, at), b.Load(kir.Global, kir.F32, at)))
	b.Return()
	f, err := b.Func()
	require.NoError(t, err)
	return f
}

// managedBench is a small machine with room for 256 pages of 4,096 bytes.
func managedBench(t *testing.T) (*bench, *kernel) {
	p := tiny()
	p.MemoryBytes, p.PageBytes = mib, 4096
	b := newBenchOf(t, p)
	k, err := b.gpu.Load(doubler(t))
	require.NoError(t, err)
	return b, k.(*kernel)
}

// pass doubles so many pages of a buffer, from one on.
func (b *bench) pass(k *kernel, x device.Managed, from, pages int) trace.Event {
	e := b.stream.Launch(k, kir.D1(pages), kir.D1(1024), 0, binary.LittleEndian.AppendUint64(nil, x.Addr()+uint64(4096*from)))
	require.NoError(b.t, b.stream.Sync(context.Background()))
	return e.Trace()
}

// A streaming pass moves each page once, and none when they are there; of half as much again as the memory each pass
// moves all pages, as each has left before its turn comes again (least recently used). A prefetched pass has no faults.
func TestManagedPasses(t *testing.T) {
	b, k := managedBench(t)
	alloc := func(pages int) device.Managed {
		m, err := b.gpu.AllocManaged(4096 * pages)
		require.NoError(t, err)
		return m
	}
	x := alloc(200)
	first := b.pass(k, x, 0, 200)
	in, out := first.Stats.FaultedPages()
	require.Equal(t, []int{200, 0}, []int{in, out})
	again := b.pass(k, x, 0, 200)
	require.Empty(t, again.Stats.Faults)
	link := b.gpu.preset.linkTime(200)
	require.Greater(t, first.Duration(), again.Duration()+link)
	require.NoError(t, x.Free())

	big := alloc(384)
	for range 3 {
		e := b.pass(k, big, 0, 384)
		in, _ = e.Stats.FaultedPages()
		require.Equal(t, 384, in, "thrashing")
		require.Greater(t, e.Stats.FaultTime(), 10*again.Duration())
	}
	require.Equal(t, 256, b.gpu.resident.Len())

	y := alloc(100)
	b.stream.(*stream).Migrate(y, true)
	e := b.pass(k, y, 0, 100)
	require.Empty(t, e.Stats.Faults, "prefetched")
	b.stream.(*stream).Migrate(y, false)
	in, _ = b.pass(k, y, 0, 100).Stats.FaultedPages()
	require.Equal(t, 100, in)
	y.Advise(device.AdviseOnHost)
	b.stream.(*stream).Migrate(y, false)
	e = b.pass(k, y, 0, 100)
	require.Empty(t, e.Stats.Faults)
	require.EqualValues(t, 100*4096, e.Stats.RemoteBytes)

	_, err := New(g80).AllocManaged(4096)
	require.ErrorContains(t, err, "sim:g80#0 has no managed memory")
	_, err = b.gpu.AllocManaged(1 << 50)
	require.Error(t, err)
}

// Random passes over three buffers fault where a list of the pages used last says so.
func TestManagedAsLeastRecentlyUsed(t *testing.T) {
	for seed := range testsize.Seeds("simgpu.TestManagedAsLeastRecentlyUsed") {
		r := rand.New(rand.NewPCG(seed, 3))
		b, k := managedBench(t)
		other := b.alloc(4096 * r.IntN(128)) // what is allocated is not there for pages
		room := 256 - (other.Bytes()+4095)/4096
		var buffers [3]device.Managed
		for i := range buffers {
			var err error
			buffers[i], err = b.gpu.AllocManaged(4096 * 200)
			require.NoError(t, err)
		}
		type page struct{ buffer, number int }
		var there []page // the one used last at the end
		for range 6 {
			i, from := r.IntN(3), r.IntN(150)
			n := 1 + r.IntN(200-from)
			want, left := 0, 0
			for p := from; p < from+n; p++ {
				if at := slices.Index(there, page{i, p}); at >= 0 {
					there = slices.Delete(there, at, at+1)
				} else if want++; len(there) == room {
					there = there[1:]
					left++
				}
				there = append(there, page{i, p})
			}
			in, out := b.pass(k, buffers[i], from, n).Stats.FaultedPages()
			require.Equal(t, []int{want, left}, []int{in, out}, "seed %d", seed)
		}
	}
}
