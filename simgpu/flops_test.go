package simgpu

import (
	"math"
	"testing"

	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/offload/device"
)

// saxpy is one multiplication and one addition, or an fma, for each element: two operations. The count must hold when the
// timing model replays every block, and when it takes a sample.
func TestFlopsAreCounted(t *testing.T) {
	for _, c := range []struct {
		preset string
		n      int
	}{{"v100", 1 << 14}, {"v100", 4 << 20}, {"tiny", 1 << 20}} {
		b, n := newBench(t, c.preset), c.n
		st := b.launch(saxpy(t), kir.D1(n/256), kir.D1(256), b.alloc(4*n), b.alloc(4*n), n).Stats
		if st.Flops32 != int64(2*n) || st.Flops64 != 0 {
			t.Errorf("%s: %d elements, %d of %d blocks: %d and %d flops, want %d and 0", c.preset, n, st.SampledBlocks, st.TotalBlocks, st.Flops32, st.Flops64, 2*n)
		}
	}
}

// The data sheet of the Tesla V100 SXM2: 15.7 and 7.8 Tflop/s, 900 GB/s.
func TestPeaksAreThoseOfTheDataSheet(t *testing.T) {
	p, err := PresetByName("v100")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		unit Unit
		want float64
	}{{UnitFP32, 15.7e12}, {UnitFP64, 7.8e12}} {
		if got := p.peakFlops(c.unit); math.Abs(got-c.want) > 0.01*c.want {
			t.Errorf("%v: %.3g flop/s, want %.3g", c.unit, got, c.want)
		}
	}
	if p.DRAMPeak != 900e9 {
		t.Errorf("%d B/s", p.DRAMPeak)
	}
}

// An event knows the memory in use when it was queued: before the second buffer and after it.
func TestEventsKnowTheMemoryInUse(t *testing.T) {
	b := newBench(t, "v100")
	x := b.alloc(1 << 20)
	first := b.stream.CopyIn(x, 0, make([]byte, 16))
	b.alloc(3 << 20)
	second := b.stream.CopyIn(x, 0, make([]byte, 16))
	for _, e := range []device.Event{first, second} {
		if err := e.Wait(ctx); err != nil {
			t.Fatal(err)
		}
	}
	if a, z := first.Trace(), second.Trace(); a.InUse != 1<<20 || z.InUse != 4<<20 || z.Memory != b.gpu.Preset().MemoryBytes {
		t.Errorf("in use %d, then %d, of %d", a.InUse, z.InUse, z.Memory)
	}
}
