package simgpu

import (
	"testing"

	"github.com/arrayrepl/arrayrepl/internal/testsize"
	"github.com/arrayrepl/arrayrepl/kir"
)

// oneChannel has rows of 2 KB in 2 banks of one channel, no caches, and moves a sector in 4 cycles. Addresses count
// lines: a row is 16.
func oneChannel() Preset {
	p, _ := PresetByName("tesla2009")
	p.DRAMChannels, p.DRAMBanks, p.DRAMRowBytes, p.DRAMRowMiss = 1, 2, 2048, 25
	p.DRAMPeak, p.DRAMShare = 8*p.ClockMHz*1e6, 1
	return p
}

// What a sector waits for, worked out by hand: the channel, 4 cycles for each sector; 25 for a row that its bank has
// not open, from when the bank has moved what was before.
func TestRowsOfDRAM(t *testing.T) {
	p := oneChannel()
	m := newMemory(&p, 1, p.L2Bytes)
	const other, same = 16, 32 // lines of the next row, in the other bank, and of one in the first bank again
	for i, c := range []struct {
		line     uint64
		at, want int64
		hit      bool
	}{
		{0, 100, 129, false}, // 25 to open it, 4 to move
		{1, 130, 134, true},  // at once
		{0, 130, 138, true},  // after the one before
		{other, 138, 167, false},
		{2, 139, 146, true},     // the first bank goes on while the second opens; the channel moved until 142
		{same, 150, 179, false}, // 25 and 4
		{0, 151, 208, false},    // back to the first row, once the second has moved
		{other, 250, 254, true},
	} {
		hits, misses := m.rows.hits, m.rows.misses
		if got := m.channel(c.line, c.at); got != c.want || (m.rows.hits == hits+1) != c.hit || (m.rows.misses == misses+1) == c.hit {
			t.Errorf("access %d, line %d at %d: done at %d, want %d", i, c.line, c.at, got, c.want)
		}
	}
}

// walk loads words so many bytes apart with one thread, each when the one before has come.
func walk(t *testing.T, n, stride int) *kir.Func {
	b := kir.NewBuilder("walk")
	at, out := b.Param("at", kir.U64), b.Param("out", kir.U64)
	zero := b.Int(kir.U64, 0)
	for range n {
		x := b.Load(kir.Global, kir.U64, at)
		at = b.Op(kir.OpAdd, b.Op(kir.OpAdd, at, b.Int(kir.U64, int64(stride))), b.Op(kir.OpAnd, x, zero))
	}
	b.Store(kir.Global, out, at)
	b.Return()
	return build(t, b)
}

// Words of one row after another come from it while it is open; words a row apart open one each, which takes
// DRAMRowMiss more. Sectors with a hit and with a miss are all of DRAM's.
func TestRowsOfLaunches(t *testing.T) {
	const n = 64
	var cycles [2]int64
	for i, stride := range []int{128, 4096} { // 16 to a row of 2 KB; every second row, all of one bank
		b := newBenchOf(t, oneChannel(), Full(), AsWritten())
		x, out := b.put(make([]byte, n*stride)), b.alloc(8)
		st := b.launch(walk(t, n, stride), kir.D1(1), kir.D1(1), x, out).Stats
		misses, more := int64(n*stride/2048), int64(2) // more where the words begin within a row, and for the result
		if i == 1 {
			misses, more = n, 1
		}
		if st.RowMisses < misses || st.RowMisses > misses+more || st.RowHits+st.RowMisses != st.DRAMBytes/sectorBytes {
			t.Errorf("stride %d: %d hits and %d misses of %d sectors, want %d misses or %d more", stride, st.RowHits, st.RowMisses, st.DRAMBytes/sectorBytes, misses, more)
		}
		cycles[i] = st.Cycles
	}
	if d := float64(cycles[1]-cycles[0]) / (n - n/16); d < 24 || d > 26 {
		t.Errorf("a miss takes %.2f cycles more than a hit, want 25", d)
	}
}

// Streams reach the machine's share of its peak, rows or none: banks open rows while others move.
func TestRowsLeaveStreamsTheirBandwidth(t *testing.T) {
	testsize.InTurn(t, 2)
	p, _ := PresetByName("tesla2009")
	const elements = 1 << 20
	var cycles [2]int64
	for i, miss := range []int{0, p.DRAMRowMiss} {
		p.DRAMRowMiss = miss
		b := newBenchOf(t, p, Full())
		cycles[i] = b.launch(saxpy(t), kir.D1(elements/256), kir.D1(256), b.alloc(4*elements), b.alloc(4*elements), elements).Stats.Cycles
	}
	if ratio := float64(cycles[1]) / float64(cycles[0]); ratio < 0.98 || ratio > 1.02 {
		t.Errorf("saxpy takes %d cycles with rows, %d without", cycles[1], cycles[0])
	}
}
