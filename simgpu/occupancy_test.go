package simgpu

import (
	"errors"
	"math"
	"testing"
)

// The expected numbers are worked out by hand from the limits of compute capability 7.0: 64 warps, 32 blocks, 65536
// registers given to warps in 256s, 96 KB of shared memory in 256s.
func TestOccupancy(t *testing.T) {
	p, _ := PresetByName("v100")
	for _, c := range []struct {
		registers, threads, shared int
		blocks                     int
		fraction                   float64
		by                         string
	}{
		{32, 256, 0, 8, 1, "threads"},                         // 8 x 8 warps = 64
		{32, 64, 0, 32, 1, "threads"},                         // 32 x 2 warps = 64, both limits at once
		{16, 32, 0, 32, 0.5, "blocks"},                        // 32 x 1 warp
		{37, 256, 0, 6, 0.75, "registers"},                    // 40 x 32 = 1280 a warp: 51 warps, in fours 48
		{64, 256, 0, 4, 0.5, "registers"},                     // 2048 a warp: 32 warps
		{255, 256, 0, 1, 0.125, "registers"},                  // 8192 a warp: 8 warps
		{32, 256, 20 * kib, 4, 0.5, "shared memory"},          // 96 / 20
		{32, 256, 48 * kib, 2, 0.25, "shared memory"},         // 96 / 48
		{32, 128, 6*kib + 1, 15, 0.9375, "shared memory"},     // 6400 bytes: 15.36
		{32, 1000, 0, 2, 1, "threads"},                        // 32 warps, the last one partly empty
		{32, 33, 0, 32, 1, "threads"},                         // two warps
		{65, 1024, 0, 0, 0, "number that does not fit an SM"}, // 72 x 32 = 2304 a warp: 28 warps of 32
	} {
		got, err := Occupancy(p, c.registers, c.threads, c.shared)
		if c.blocks == 0 {
			var limit *LaunchLimit
			if !errors.As(err, &limit) || limit.Max != 65536 || limit.Value != 2304*32 {
				t.Errorf("%+v: error %v", c, err)
			}
			continue
		}
		if err != nil || got.Blocks != c.blocks || got.Fraction != c.fraction || got.LimitedBy != c.by {
			t.Errorf("%+v: got %+v, %v", c, got, err)
		}
	}
}

func TestOccupancyRefuses(t *testing.T) {
	p, _ := PresetByName("v100")
	for _, c := range []struct{ threads, shared, value, limit int }{
		{0, 0, 0, 1024}, {-1, 0, -1, 1024}, {1025, 0, 1025, 1024}, {32, 48*kib + 1, 48*kib + 1, 48 * kib},
	} {
		_, err := Occupancy(p, 16, c.threads, c.shared)
		var limit *LaunchLimit
		if !errors.As(err, &limit) || limit.Value != c.value || limit.Max != c.limit {
			t.Errorf("%+v: error %v", c, err)
		}
	}
}

// Residencies of machines of papers. g80: cuda-scan-brook.md B.2.2 [D], blocks of 256 threads with 10 registers and with 11.
// fermivt: simt-microarchitecture.md 2.8 [G], the columns of the baseline ("sched" and "cap").
func TestOccupancyOfOldMachines(t *testing.T) {
	for _, c := range []struct {
		preset                     string
		threads, registers, shared int
		blocks                     int
		by                         string
	}{
		{"g80", 256, 10, 0, 3, "threads"},
		{"g80", 256, 11, 0, 2, "registers"},
		{"fermivt", 256, 10, 0, 6, "threads"},
		{"fermivt", 64, 16, 1024, 8, "blocks"},
		{"fermivt", 128, 20, 4096, 8, "blocks"},
		{"fermivt", 256, 40, 8192, 3, "registers"},
		{"fermivt", 64, 16, 12 * kib, 4, "shared memory"}, // 48 / 12
	} {
		p, _ := PresetByName(c.preset)
		got, err := Occupancy(p, c.registers, c.threads, c.shared)
		if err != nil || got.Blocks != c.blocks || got.LimitedBy != c.by {
			t.Errorf("%+v: got %+v, %v", c, got, err)
		}
		if c.preset == "g80" && math.Abs(got.Fraction-float64(c.blocks)/3) > 1e-9 { // 100 % and 67 %
			t.Errorf("%+v: occupancy %g", c, got.Fraction)
		}
	}
}
