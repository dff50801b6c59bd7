package simgpu

import (
	"math"
	"testing"

	"github.com/arrayrepl/arrayrepl/internal/testsize"
	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/offload/device"
)

// saxpy is one multiplication and one addition, or an fma, for each element: two operations. The count must hold when
// the timing model replays every block, and when it takes a sample.
func TestFlopsAreCounted(t *testing.T) {
	testsize.InTurn(t, 1)
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

// Peaks as vendors and papers give them: flop/s in f32 and f64, bytes/s. g80: cuda-scan-brook.md B.2.1 (24 flops a
// clock of each SM, 576 Gflops; 103.68 GB/s); gtx280 there too; the others are of NVIDIA's data sheets.
func TestPeaksAreThoseOfTheDataSheet(t *testing.T) {
	for _, c := range []struct {
		name     string
		f32, f64 float64
		dram     int64
		exactly  bool
	}{
		{"g80", 576e9, 0, 103_680_000_000, true},
		{"gtx280", 933.12e9, 78e9, 141_700_000_000, false},
		{"gtx480", 1345e9, 168e9, 177_400_000_000, false},
		{"p100", 10.6e12, 5.3e12, 732_000_000_000, false},
		{"v100", 15.7e12, 7.8e12, 900_000_000_000, false},
		{"a100", 19.5e12, 9.7e12, 1555_000_000_000, false},
		{"h200", 67e12, 34e12, 4800_000_000_000, false},
	} {
		p, err := PresetByName(c.name)
		if err != nil {
			t.Fatal(err)
		}
		for _, x := range []struct {
			unit Unit
			want float64
		}{{UnitFP32, c.f32}, {UnitFP64, c.f64}} {
			got, near := p.PeakFlops(x.unit), 0.02*x.want
			if c.exactly {
				near = 0
			}
			if x.want > 0 && math.Abs(got-x.want) > near {
				t.Errorf("%s, %v: %.4g flop/s, want %.4g", c.name, x.unit, got, x.want)
			}
		}
		if p.DRAMPeak != c.dram {
			t.Errorf("%s: %d bytes/s, want %d", c.name, p.DRAMPeak, c.dram)
		}
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

// cuda-scan-brook.md B.2.1: what 16, 14 and one SM of the first machine compute, and how many threads they and a GTX
// 280 hold.
func TestSMsAddUp(t *testing.T) {
	for _, c := range []struct {
		preset       string
		sms, threads int
		flops        float64
	}{{"g80", 16, 12_288, 576e9}, {"g80", 14, 10_752, 504e9}, {"g80", 1, 768, 36e9}, {"gtx280", 30, 30_720, 933.12e9}} {
		p, _ := PresetByName(c.preset)
		p.SMs = c.sms
		if threads := p.SMs * p.MaxThreadsPerSM; threads != c.threads || p.PeakFlops(UnitFP32) != c.flops {
			t.Errorf("%d SMs of %s hold %d threads and do %g flop/s, want %d and %g", c.sms, c.preset, threads, p.PeakFlops(UnitFP32), c.threads, c.flops)
		}
	}
}
