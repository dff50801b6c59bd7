package simgpu

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// simt-microarchitecture.md 3.2 and 3.3: sums and overheads that the papers print.
func TestAreas(t *testing.T) {
	d := AreaDWF()
	former := d
	former.Parts = d.Parts[:6]
	assert.InDelta(t, 1.6353, former.Sum(), 1e-9)
	assert.Equal(t, 59312, former.Bits(), "of the printed sizes")
	assert.InDelta(t, 2.357, d.Sum()-d.Base, 0.001)
	assert.InDelta(t, 37.72, 16*(d.Sum()-d.Base), 0.01)
	assert.InDelta(t, 0.08, d.Overhead(), 0.001)
	for machine, want := range map[string][2]float64{"baseline": {0.7916, 0}, "SBI": {1.258, 0.030}, "SWI": {1.243, 0.029}, "SBI+SWI": {1.3656, 0.037}} {
		got := Area(machine)
		assert.InDelta(t, want[0], got.Sum(), 1e-9, machine)
		assert.InDelta(t, want[1], got.Overhead(), 0.0005, machine)
	}
	assert.Regexp(t, `difference +2\.3573 mm²`, d.String())
	assert.Contains(t, Area("SBI").String(), "3.0 % of an SM (15.6 mm²)")
	assert.ErrorContains(t, catch(func() { Area("DWF") }), "there are baseline, SBI, SWI and SBI+SWI")
}

// Sizes of DWF's structures by their fields, beside what is printed; of two the fields do not add up to that.
func TestSizesOfWarpFormation(t *testing.T) {
	const pc, lane, tid, lanes = 24, 1, 10, 32
	for _, c := range []struct {
		part            string
		fields, printed int
	}{
		{"update registers", 2 * (pc + lanes*lane + lanes*tid), 752},
		{"LUT", 64 * (pc + 7 + lanes*lane), 4032},
		{"pool", 128 * (pc + lanes*tid + 10), 128 * 354}, // 44928 is printed, of 351 bits each
		{"allocator", 128 * 7, 896},
		{"LUT of the heap", 128 * (pc + 7), 128 * 31}, // 4992 is printed, of 39 bits each
		{"heap", 64 * (pc + 10 + 8 + 8 + 8), 3712},
	} {
		assert.Equal(t, c.printed, c.fields, c.part)
	}
}
