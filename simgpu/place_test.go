package simgpu

import (
	"encoding/binary"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/offload/device"
	"github.com/arrayrepl/arrayrepl/offload/trace"
)

// throughTable reads x through a pointer that lies in memory: y[i] = (*table)[i].
func throughTable(t testing.TB) *kir.Func {
	return elementwise(t, "through", []string{"table", "y"}, func(b *kir.Builder, p []*kir.Value, i *kir.Value) {
		x := b.Load(kir.Global, kir.U64, p[0])
		b.Store(kir.Global, b.Index(p[1], i, kir.F32), b.Load(kir.Global, kir.F32, b.Index(x, i, kir.F32)))
	})
}

// The same launches take the same times wherever their buffers lie, which depends on what was freed before.
func TestTimesDoNotDependOnAddresses(t *testing.T) {
	const n = 64 << 10
	run := func(seed uint64) (events []trace.Event) {
		r := rand.New(rand.NewPCG(seed, 0))
		b := newBench(t, "v100")
		var junk []device.Buffer
		place := func(bytes int) device.Buffer {
			for range r.IntN(5) {
				junk = append(junk, b.alloc(1+r.IntN(1<<20)))
			}
			if len(junk) > 0 && r.IntN(2) == 0 {
				i := r.IntN(len(junk))
				junk[i].Free()
				junk = append(junk[:i], junk[i+1:]...)
			}
			return b.alloc(bytes)
		}
		if seed == 0 {
			place = b.alloc
		}
		x, y, table := place(4<<20), place(4*n), place(8) // gather reads 4 MB
		b.stream.CopyIn(table, 0, binary.LittleEndian.AppendUint64(nil, x.Addr()))
		grid, block := kir.D1(n/256), kir.D1(256)
		events = append(events, b.launch(saxpy(t), grid, block, x, y, n), b.launch(gather(t, 9), grid, block, x, y, n),
			b.launch(saxpy(t), grid, block, x, x, n), b.launch(throughTable(t), grid, block, table, y, n))
		z := place(64)
		return append(events, b.launch(reduce(t), kir.D1(16), block, y, z))
	}
	want := run(0)
	for seed := range uint64(6) {
		got := run(seed + 1)
		for i := range got {
			if got[i].Duration() != want[i].Duration() || !reflect.DeepEqual(got[i].Stats, want[i].Stats) {
				t.Errorf("seed %d, launch %d: %v, elsewhere %v", seed+1, i, got[i].Duration(), want[i].Duration())
			}
		}
	}
	if want[0].Stats.DRAMBytes <= want[2].Stats.DRAMBytes {
		t.Errorf("two arrays move %d bytes of DRAM, one %d", want[0].Stats.DRAMBytes, want[2].Stats.DRAMBytes)
	}
}
