package simgpu

import (
	"encoding/binary"
	"errors"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/kir"
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
		{32, 256, 96 * kib, 1, 0.125, "shared memory"},        // what a launch may ask for
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
		{0, 0, 0, 1024}, {-1, 0, -1, 1024}, {1025, 0, 1025, 1024}, {32, 96*kib + 1, 96*kib + 1, 96 * kib},
	} {
		_, err := Occupancy(p, 16, c.threads, c.shared)
		var limit *LaunchLimit
		if !errors.As(err, &limit) || limit.Value != c.value || limit.Max != c.limit {
			t.Errorf("%+v: error %v", c, err)
		}
	}
}

// Residencies of machines of papers. g80: cuda-scan-brook.md B.2.2 [D], blocks of 256 threads with 10 registers and
// with 11. fermivt: simt-microarchitecture.md 2.8 [G], the columns of the baseline ("sched" and "cap").
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

// Shared memory of newer machines, by the CUDA C++ Programming Guide: its table of technical specifications has the
// most of a block (96, 163 and 227 KB, when a launch asks for more than 48) and of an SM (96, 164, 228), its sections
// on compute capability 8 and 9 the 1 KB that the system takes of it for each block. The residencies are worked out
// from these by hand.
func TestSharedMemoryOfNewMachines(t *testing.T) {
	for _, c := range []struct {
		preset          string
		threads, shared int
		blocks          int
		by              string
	}{
		{"a100", 32, 8192, 18, "shared memory"}, // 164 / (8 + 1) = 18.2; without the system's it were 20
		{"a100", 32, 0, 32, "blocks"},
		{"a100", 256, 40 * kib, 4, "shared memory"},  // 164 / 41 = 4
		{"a100", 256, 163 * kib, 1, "shared memory"}, // (163 + 1) / 164
		{"h200", 32, 8192, 25, "shared memory"},      // 228 / 9 = 25.3
		{"h200", 256, 227 * kib, 1, "shared memory"},
		{"v100", 32, 8192, 12, "shared memory"}, // 96 / 8: the system takes nothing
		{"v100", 256, 96 * kib, 1, "shared memory"},
		{"a100", 256, 163*kib + 1, 0, ""},
		{"h200", 256, 227*kib + 1, 0, ""},
		{"v100", 256, 96*kib + 1, 0, ""},
		{"p100", 256, 48*kib + 1, 0, ""}, // 6.0 has no more than 48 for a block
	} {
		p, _ := PresetByName(c.preset)
		got, err := Occupancy(p, 32, c.threads, c.shared)
		if c.blocks == 0 {
			var limit *LaunchLimit
			require.ErrorAs(t, err, &limit, "%+v", c)
			assert.Equal(t, []int{c.shared, c.shared - 1}, []int{limit.Value, limit.Max})
			continue
		}
		require.NoError(t, err, "%+v", c)
		assert.Equal(t, c.blocks, got.Blocks, "%+v", c)
		assert.Equal(t, c.by, got.LimitedBy, "%+v", c)
	}
}

// More registers than a thread of the machine can have are refused, with the limit of its compute capability.
func TestTooManyRegisters(t *testing.T) {
	for preset, most := range map[string]int{"g80": 124, "gtx480": 63, "v100": 255, "h200": 255} {
		p, _ := PresetByName(preset)
		_, err := Occupancy(p, most, 32, 0)
		require.NoError(t, err)
		_, err = Occupancy(p, most+1, 32, 0)
		var limit *LaunchLimit
		require.ErrorAs(t, err, &limit)
		assert.Equal(t, []int{most + 1, most}, []int{limit.Value, limit.Max})
		assert.Contains(t, err.Error(), "registers of a thread")
	}
}

// A launch gets the shared memory that it asks for, up to the machine's limit and not the 48 KB of static arrays, and
// the kernel can use all of it; static arrays of more are refused.
func TestDynamicSharedMemory(t *testing.T) {
	build := func(static int) *kir.Func {
		b := kir.NewBuilder("last")
		out := b.Param("out", kir.U64)
		s := b.SharedArray("s", kir.U32, static)
		last := s
		if static == 0 {
			n := b.Special(kir.DynamicSharedBytes)
			last = b.Op(kir.OpAdd, s, b.Convert(kir.U64, b.Op(kir.OpSub, n, b.Int(kir.U32, 4))))
		}
		b.Store(kir.Shared, last, b.Int(kir.U32, 77))
		b.Store(kir.Global, out, b.Load(kir.Shared, kir.U32, last))
		b.Return()
		f, err := b.Func()
		require.NoError(t, err)
		return f
	}
	for name, most := range map[string]int{"v100": 96 * kib, "a100": 163 * kib, "h200": 227 * kib, "gtx480": 48 * kib} {
		b := newBench(t, name)
		k, err := b.gpu.Load(build(0))
		require.NoError(t, err)
		out := b.alloc(4)
		params := pack(t, out)
		e := b.stream.Launch(k, kir.D1(1), kir.D1(1), most, params)
		require.NoError(t, e.Wait(ctx))
		st := e.Trace().Stats
		assert.Equal(t, []int{most, 1}, []int{st.SharedBytes, st.ResidentBlocks}, name)
		assert.Equal(t, uint32(77), binary.LittleEndian.Uint32(b.get(out)), name)
		var limit *LaunchLimit
		require.ErrorAs(t, b.stream.Launch(k, kir.D1(1), kir.D1(1), most+4, params).Wait(ctx), &limit, name)
		assert.Equal(t, most, limit.Max, name)
		b.stream.Sync(ctx)

		k, err = b.gpu.Load(build(48*kib/4 + 1))
		require.NoError(t, err)
		require.ErrorAs(t, b.stream.Launch(k, kir.D1(1), kir.D1(1), 0, params).Wait(ctx), &limit, name)
		assert.Equal(t, []int{48*kib + 4, 48 * kib}, []int{limit.Value, limit.Max}, name)
		b.stream.Sync(ctx)
	}
}
