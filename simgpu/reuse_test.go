package simgpu

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/internal/testsize"
	"github.com/arrayrepl/arrayrepl/kir"
)

// A table that all blocks read, each piece of it again when others have read the whole: L2 has room for the table, but
// not for all that the launch streams between two reads of a piece, nor for a table that is read at once. A sample
// reads from DRAM what the full model does, as far as blocks tell that were not timed.
func TestSamplesLoseWhatStreamsPush(t *testing.T) {
	testsize.InTurn(t, 1)
	const words, n = 1 << 18, 1 << 20
	f := elementwise(t, "again", []string{"x", "y", "z"}, func(b *kir.Builder, p []*kir.Value, i *kir.Value) {
		z := b.Load(kir.Global, kir.F32, b.Index(p[2], b.Op(kir.OpAnd, i, b.Int(kir.I64, words-1)), kir.F32))
		x := b.Load(kir.Global, kir.F32, b.Index(p[0], i, kir.F32))
		b.Store(kir.Global, b.Index(p[1], i, kir.F32), b.Op(kir.OpAdd, x, z))
	})
	for _, c := range []struct {
		l2    int // of which the table is 1 MB, and the streams between two reads 2 MB
		again bool
	}{{3 << 19, true}, {8 << 20, false}} {
		var bytes, cycles [2]float64
		for i, o := range []Option{Full(), SampleAbove(60_000)} {
			p, err := PresetByName("v100")
			require.NoError(t, err)
			p.L2Bytes = c.l2
			b := newBenchOf(t, p, o)
			st := b.launch(f, kir.D1(n/256), kir.D1(256), b.alloc(4*n), b.alloc(4*n), b.alloc(4*words), n).Stats
			require.Equal(t, i == 1, st.SampledBlocks < st.TotalBlocks)
			bytes[i], cycles[i] = float64(st.DRAMBytes), float64(st.Cycles)
		}
		least := float64(8*n + 4*words)
		assert.Equal(t, c.again, bytes[0] > least+float64(2*4*words), "%v", bytes)
		assert.InEpsilon(t, bytes[0], bytes[1], 0.05, "%d bytes of L2: %v", c.l2, bytes)
		assert.InEpsilon(t, cycles[0], cycles[1], 0.08, "%d bytes of L2: %v", c.l2, cycles)
	}
}

// What is noted of a launch's lines does not depend on the order in which blocks end, and the lines between two eras
// are those that are touched there.
func TestReuseCountsLines(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	const blocks, lines = 1000, 400
	type touch struct{ line, at int }
	var all []touch
	for range 3000 {
		line := r.IntN(lines)
		all = append(all, touch{line, min(blocks-1, r.IntN(1+line*blocks/lines)+r.IntN(20))})
	}
	notes := func() (*footprint, map[uint64][]int) {
		f := &footprint{blocks: blocks}
		w := footprintWriter{f: f}
		for _, x := range all {
			w.add(uint64(x.line), 1<<(x.at%4), x.at, false)
		}
		got := map[uint64][]int{}
		f.each(func(line uint64, first int, times *lineTimes, sectors uint8, _ bool) {
			got[line] = []int{first, int(sectors)}
			for era := 0; times != nil && era < eras; era++ {
				got[line] = append(got[line], times.first(era))
			}
			for i := 0; times != nil && i < len(times.touched); i++ {
				got[line] = append(got[line], int(times.touched[i].Load()))
			}
		})
		return f, got
	}
	_, was := notes()
	r.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	f, got := notes()
	assert.Equal(t, was, got)

	p, err := PresetByName("v100")
	require.NoError(t, err)
	u := newReuse(&p, f)
	for from := range eras {
		for to := from; to < eras; to++ {
			seen := map[int]bool{}
			for _, x := range all {
				if era := f.momentOf(x.at) / moments; era >= from && era <= to {
					seen[x.line] = true
				}
			}
			require.Equal(t, float64(len(seen)), u.lines[from][to], "%d to %d", from, to)
			require.InDelta(t, float64(len(seen)), u.between(float64(from), float64(to+1)), 1e-6+0.5*float64(len(seen)))
		}
	}
	assert.Equal(t, 1.0, u.stays(3, 3))
	assert.Greater(t, u.stays(3, 3.1), u.stays(3, 9)-1e-12)
}

// The latest noted moment before another is that of an era before, when a line is not touched in its own before it.
func TestLatestMoment(t *testing.T) {
	f := &footprint{blocks: eras * moments}
	w := footprintWriter{f: f}
	for _, at := range []int{300, 10, 20, 2000} { // eras 1, 0, 0, 7
		w.add(5, 1, at, false)
	}
	times := f.pageOf(5).timesOf(5)
	for moment, want := range map[int]int{0: -1, 10: -1, 11: 10, 254: 10, 300: 10, 301: 300, 2000: 300, 2001: 2000, eras * moments: 2000} {
		assert.Equal(t, want, times.latest(moment), "before %d", moment)
	}
	assert.InDelta(t, float64(10+255)/2/moments, before(10, 300), 1e-12)
	assert.InDelta(t, float64(10+20)/2/moments, before(10, 20), 1e-12)
}

// A sector that none has touched is not there, though its line is; one that was touched long ago is as long as its line
// is touched again before L2 loses it.
func TestSectorsAreBroughtOneByOne(t *testing.T) {
	p, err := PresetByName("v100")
	require.NoError(t, err)
	f := &footprint{blocks: eras * moments}
	w := footprintWriter{f: f}
	w.add(5, 0b0001, 10, false)
	assert.Equal(t, []uint8{1}, sectorsOfAll(f))
	for era := 1; era < eras; era++ {
		w.add(5, 0b0100, era*moments+10, false)
	}
	for i := range uint64(4 * p.L2Bytes / lineBytes) { // eras push out what is not touched in each
		w.add(1<<20+i, allSectors, int(i)*eras*moments*lineBytes/(4*p.L2Bytes), false)
	}
	o := others{launch: f, reuse: newReuse(&p, f), wave: moments}.ofPart(nil, false)
	for sector, want := range map[uint8]bool{0b0001: true, 0b0010: false, 0b0100: true, 0b1000: false} {
		kept, _ := o.kept(5, sector, 20*moments)
		assert.Equal(t, want, kept, "sector %04b", sector)
	}
}

// Of launches of more blocks than a line's entry has numbers for, neighbours count as one: no place is taken for
// another, and none for a sector. Neighbours are of one group, which is sampled together.
func TestFootprintsOfManyBlocks(t *testing.T) {
	for _, blocks := range []int{1 << 20, 1<<25 - 1, 1 << 25, 1 << 26, 1<<26 + 1, 1<<27 - 1, 1 << 27, 3 << 27, 1<<31 - 1} {
		const sector = 0b0100
		for _, at := range []int{0, 1, 5, 1<<25 - 1, 1 << 25, 1<<26 - 1, 1 << 26, 1<<26 + 5, blocks - 2, blocks - 1} {
			if at >= blocks {
				continue
			}
			f := &footprint{blocks: blocks}
			w := footprintWriter{f: f}
			w.add(7, sector, at, false)
			first, shared := f.first(7)
			assert.False(t, shared)
			assert.LessOrEqual(t, first, at, "of %d", blocks)
			assert.Greater(t, first, at-max(1, blocks>>24), "of %d", blocks)
			assert.Equal(t, []uint8{sector}, sectorsOfAll(f), "block %d of %d", at, blocks)
			f.each(func(_ uint64, place int, times *lineTimes, _ uint8, written bool) {
				assert.Equal(t, first, place)
				assert.Nil(t, times)
				assert.False(t, written)
			})
			other := (at + blocks/2) % blocks
			w.add(7, 0b0001, other, false)
			_, shared = f.first(7)
			assert.True(t, shared, "blocks %d and %d of %d", at, other, blocks)
			assert.Equal(t, []uint8{sector | 0b0001}, sectorsOfAll(f), "blocks %d and %d of %d", at, other, blocks)
		}
	}
}

func sectorsOfAll(f *footprint) (out []uint8) {
	f.each(func(_ uint64, _ int, _ *lineTimes, sectors uint8, _ bool) { out = append(out, sectors) })
	return out
}

// All blocks read a table of two thirds of L2, and a stream of lines of their own. Arrays lie evenly over the sets, so
// that L2 keeps the table: no set has more lines than ways. A table that is larger than L2 does not stay.
func TestATableThatFitsStays(t *testing.T) {
	p, err := PresetByName("v100")
	require.NoError(t, err)
	const blocks, own = 4 * eras, 64
	l2 := p.L2Bytes / lineBytes
	for _, c := range []struct {
		table int
		want  float64
	}{{2 * l2 / 3, 1}, {5 * l2 / 4, 0}} {
		f := &footprint{blocks: blocks}
		w := footprintWriter{f: f}
		for at := range blocks {
			for line := at % 2; line < c.table; line += 2 {
				w.add(uint64(line), allSectors, at, false)
			}
			for i := range own {
				w.add(uint64(1<<20+own*at+i), allSectors, at, false)
			}
		}
		assert.InDelta(t, c.want, newReuse(&p, f).stays(eras-2, eras), 0.01, "%d lines", c.table)
	}
}
