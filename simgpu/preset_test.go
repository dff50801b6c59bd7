package simgpu

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestPresetsPassTheirCheck(t *testing.T) {
	want := []string{"sim:a100", "sim:a100x8", "sim:dgx1v", "sim:fermisbi", "sim:fermisbi-64", "sim:fermivt", "sim:g80", "sim:gtx280", "sim:gtx480",
		"sim:h100x8", "sim:h200", "sim:l4x8", "sim:nv40", "sim:p100", "sim:r420", "sim:tesla2009", "sim:tiny", "sim:v100", "sim:v100x8"}
	if !slices.Equal(Names(), want) {
		t.Errorf("names %v, want %v", Names(), want)
	}
	for _, name := range Names() {
		d, err := Open(name)
		if err != nil {
			t.Fatal(err)
		}
		if d.ID() != name+"#0" {
			t.Errorf("%s opens %s", name, d.ID())
		}
		p := d.Properties()
		if !p.Modelled || p.SMs == 0 || p.MemoryBytes == 0 || p.MemoryBandwidth == 0 || p.HostBandwidth == 0 {
			t.Errorf("%s: properties have holes: %+v", name, p)
		}
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	}
}

func TestUnknownPresetNamesTheKnown(t *testing.T) {
	_, err := Open("sim:v101")
	if err == nil || !strings.Contains(err.Error(), "v101") || !strings.Contains(err.Error(), "sim:v100") {
		t.Errorf("error %v", err)
	}
}

func TestCheckNamesTheField(t *testing.T) {
	for _, c := range []struct {
		field string
		spoil func(*Preset)
	}{
		{"SMs", func(p *Preset) { p.SMs = 0 }},
		{"WarpSize", func(p *Preset) { p.WarpSize = 65 }},
		{"DRAMShare", func(p *Preset) { p.DRAMShare = 1.5 }},
		{"fp64", func(p *Preset) { p.Units[UnitFP64].Lanes = 0 }},
	} {
		p, _ := PresetByName("v100")
		c.spoil(&p)
		if err := p.Check(); err == nil || !strings.Contains(err.Error(), c.field) {
			t.Errorf("%s spoiled: error %v", c.field, err)
		}
	}
}

// Volta splits 128 KB between L1 and shared memory (CUDA C++ Programming Guide, compute capability 7.0).
func TestSharedMemoryTakesFromL1(t *testing.T) {
	p, _ := PresetByName("v100")
	for _, c := range []struct{ shared, l1 int }{{0, 128}, {1, 120}, {8, 120}, {9, 112}, {17, 96}, {64, 64}, {65, 32}, {96, 32}} {
		if got := p.l1Bytes(c.shared * kib); got != c.l1*kib {
			t.Errorf("with %d KB of shared memory L1 has %d KB, want %d", c.shared, got/kib, c.l1)
		}
	}
}

// A Preset shows itself by what Lindholm et al. and the CUDA guide say of the machine.
func TestCard(t *testing.T) {
	p, _ := PresetByName("g80")
	want := `GeForce 8800 Ultra 768 MB (simulated): sim:g80, compute capability 1.0
SMs            16 at 750 MHz, 1 scheduler each
an SM holds    24 warps of 32 threads, in at most 8 blocks of at most 512 threads
               8192 registers, 16 KB of shared memory in 16 banks
a cycle of it  16 float32 operations begin, 4 special functions
float32 peak   576 Gflop/s
memory         768 MB, 103.68 GB/s at most, accesses joined by half-warp in order`
	if got := p.String(); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	for _, name := range Names() {
		if p, _ := PresetByName(name); strings.Contains(p.String(), "%!") {
			t.Error(p)
		}
	}
}

// What the card leaves out still makes another machine.
func TestCustomMachinesDifferByEveryField(t *testing.T) {
	if Custom("v100", Change(func(p *Preset) { p.L2Ways = 8 })) == Custom("v100", Change(func(p *Preset) { p.L2Ways = 4 })) {
		t.Error("machines with 4 and 8 ways have one name")
	}
}

// Machines of other warp widths have the same lanes: dynamic warp formation's figure 19 is of a constant peak.
func TestIntervalsFollowTheWarpSize(t *testing.T) {
	p, err := PresetByName("tesla2009")
	require.NoError(t, err)
	peak := p.PeakFlops(UnitFP32)
	for width, interval := range map[int]int{8: 1, 16: 2, 32: 4, 64: 8} {
		p.WarpSize = width
		require.NoError(t, p.Check())
		assert.Equal(t, interval, p.Interval(UnitFP32))
		assert.Equal(t, peak, p.PeakFlops(UnitFP32))
	}
	p.WarpSize = 4 // half of the lanes stay idle: a scheduler issues one instruction a cycle
	assert.Equal(t, peak/2, p.PeakFlops(UnitFP32))
	assert.Equal(t, 80, g80.Interval(UnitFP64), "a part of a lane")
}

// A bank of shared memory serves a word in each cycle, on Fermi in two of the lanes' cycles, which are one of the
// preset's clock (CUDA C Programming Guide, compute capabilities); the units for loads and stores bring as many
// addresses.
func TestLoadUnitsServeAllBanks(t *testing.T) {
	for _, name := range []string{"gtx480", "p100", "v100", "a100", "h200"} {
		p, err := PresetByName(name)
		require.NoError(t, err)
		assert.Equal(t, float64(p.SharedBanks), float64(p.Schedulers)*float64(p.Units[UnitMemory].Lanes), name)
	}
}
