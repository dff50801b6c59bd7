package simgpu

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/kir"
)

// presetNamed returns the preset of a name.
func presetNamed(t *testing.T, name string) Preset {
	p, err := PresetByName(name)
	require.NoError(t, err)
	return p
}

// A read waits for the square of the load of the windows before it: 400 cycles at full load, a quarter at half of it,
// and 600 more where half of what moves is written.
func TestReadsWaitByLoad(t *testing.T) {
	const full, turns = 400, 600
	p := presetNamed(t, "v100")
	p.DRAMLoaded, p.DRAMTurns = full, turns
	for _, c := range []struct {
		reads, writes float64 // of what all channels move in a window
		want          int64
	}{{0, 0, 0}, {1, 0, full}, {0.5, 0, full / 4}, {0.5, 0.5, full + turns}, {0.25, 0.25, (full + turns) / 4}, {2, 0, full}, {0, 1, full}} {
		l := newDRAMLoad(&p, 32, 1200)
		for window := range int64(12) { // the mean of windows comes near
			for range int64(c.reads * float64(l.most)) {
				l.note(window*loadWindow, false)
			}
			for range int64(c.writes * float64(l.most)) {
				l.note(window*loadWindow, true)
			}
		}
		assert.InDelta(t, c.want, l.wait, 6, "%v", c)
		l.note(100*loadWindow, false)
		assert.InDelta(t, c.want/2, l.wait, 6, "after a pause half is forgotten, and half in each window that follows: %v", c)
	}
	p.DRAMLoaded, p.DRAMTurns = 0, 0
	l := newDRAMLoad(&p, 32, 1200)
	for range 4 * l.most {
		l.note(3*loadWindow, false)
	}
	assert.Zero(t, l.wait)
}

// Of an L2 of two halves an SM finds near what SMs of its side have read last, as much as half of L2 holds. The other
// side finds it far at first, and near from then on.
func TestFarHalfOfL2(t *testing.T) {
	p := presetNamed(t, "a100")
	p.L2Bytes, p.L2Ways = 64*lineBytes, 32
	m := newMemory(&p, 1, p.L2Bytes)
	at := int64(0)
	took := func(line uint64, side int) int64 {
		at += 1 << 20
		return m.read(line, 1, at, 0, side) - at
	}
	near := int64(1 + p.L2Latency)
	far := near + int64(p.L2Far)
	assert.Greater(t, took(7, 0), far, "from DRAM")
	assert.Equal(t, near, took(7, 0))
	assert.Equal(t, far, took(7, 1))
	assert.Equal(t, near, took(7, 1))
	for line := range uint64(40) { // more than half of L2, less than all
		took(100+line, 0)
	}
	assert.Equal(t, far, took(7, 0), "its half has lost the line, L2 has not")
	assert.Equal(t, near, took(7, 1), "the other half has it still")

	one := presetNamed(t, "v100")
	m = newMemory(&one, 1, one.L2Bytes)
	m.read(7, 1, 0, 0, 0)
	assert.EqualValues(t, 1+one.L2Latency, m.read(7, 1, 1<<20, 0, 1)-1<<20, "one L2 has no halves")
}

// A load that finds lines on their way takes the pipeline again for them; where a preset does not say so, once.
func TestLinesOnTheirWayAreLookedUpAgain(t *testing.T) {
	p := presetNamed(t, "p100")
	s := &sm{m: &machine{grid: &grid{observer: observer{accesses: accesses{preset: &p}}}}}
	for _, c := range []struct{ late, cycles, lines, want int64 }{{0, 32, 32, 32}, {32, 32, 32, 64}, {28, 32, 32, 60}, {1, 1, 1, 2}, {1, 16, 4, 20}} {
		s.late = c.late
		assert.Equal(t, c.want, s.replayed(c.cycles, c.lines), "%+v", c)
	}
	p.L1Replay = false
	assert.EqualValues(t, 32, s.replayed(32, 32))
}

// On the first machines a multiprocessor takes 4 clocks to issue a memory instruction or a barrier, as for a sum (CUDA
// Programming Guide 1.0, 5.1.1): they keep the lanes for 2 cycles of the scheduler. Later ones have units for both.
func TestWhatKeepsTheLanes(t *testing.T) {
	for name, same := range map[string]bool{"g80": true, "gtx280": true, "gtx480": false, "v100": false} {
		p := presetNamed(t, name)
		for _, u := range []Unit{UnitMemory, UnitControl} {
			assert.Equal(t, same, p.port(u) == UnitFP32, "%s, %v", name, u)
			if same {
				assert.Equal(t, 2, p.Interval(u), "%s, %v", name, u)
			}
		}
		assert.Equal(t, UnitSpecial, p.port(UnitSpecial), name)
	}
}

// One operand of an instruction of theirs may be a word of shared memory: of a sum of two the first is, the other is
// loaded, and so is one that two instructions use.
func TestWordsOfSharedMemoryAreOperands(t *testing.T) {
	b := kir.NewBuilder("k")
	out, own := b.Param("out", kir.U64), b.SharedArray("own", kir.F32, 64)
	word := func(i int64) *kir.Value {
		return b.Load(kir.Shared, kir.F32, b.Op(kir.OpAdd, own, b.Int(kir.U64, 4*i)))
	}
	first, second, twice, stored := word(0), word(1), word(2), word(3)
	sum := b.Op(kir.OpAdd, first, second)
	sum = b.Op(kir.OpAdd, b.Op(kir.OpMul, sum, twice), twice)
	b.Store(kir.Global, out, sum)
	b.Store(kir.Global, b.Op(kir.OpAdd, out, b.Int(kir.U64, 4)), stored)
	b.Return()
	f := build(t, b)
	p := presetNamed(t, "g80")
	l := newLowering(&p, f)
	for i, v := range []*kir.Value{first, second, twice, stored} {
		assert.Equal(t, i == 0, l.operand(v), "word %d", i)
	}
}
