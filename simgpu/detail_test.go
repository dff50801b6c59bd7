package simgpu

import (
	"math/bits"
	"strings"
	"testing"

	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/offload/trace"
)

// lineOf returns the only line whose text contains all of the words.
func lineOf(t *testing.T, d *trace.Detail, words ...string) trace.Line {
	t.Helper()
	var found []trace.Line
	for _, l := range d.Lines {
		all := true
		for _, w := range words {
			all = all && strings.Contains(l.Text, w)
		}
		if all {
			found = append(found, l)
		}
	}
	if len(found) != 1 {
		t.Fatalf("%d lines contain %q in %+v", len(found), words, d.Lines)
	}
	return found[0]
}

// The counts follow from the kernel: lane i leaves the loop after i mod 16 turns, and odd lanes part from even ones.
func TestDetailCountsDivergenceByLine(t *testing.T) {
	t.Run("as written", func(t *testing.T) {
		testDivergenceByLine(t, []lineCounts{
			{1, 0, 32},    // i < n
			{17, 15, 304}, // k <= trips, with 2 lanes for each number of trips from 0 to 15: 2 * (2 + 3 + … + 17)
			{1, 1, 32},    // odd or even, after all lanes have met again
		}, AsWritten())
	})
	// The loop tests at its end, since its first test always succeeds; odd or even is a selection.
	t.Run("optimised", func(t *testing.T) {
		testDivergenceByLine(t, []lineCounts{{1, 0, 32}, {16, 15, 272}})
	})
}

type lineCounts struct{ branches, parted, lanes int64 }

func testDivergenceByLine(t *testing.T, wants []lineCounts, options ...Option) {
	const n, warps = 4096, 4096 / 32
	b := newBench(t, "v100", append(options, Full())...)
	f := triangle(t)
	f.Bounds.Compiled = true // the loop is not unrolled
	st := b.launch(f, kir.D1(n/256), kir.D1(256), b.alloc(8*n), n).Stats
	var branches []trace.Line
	var issued, lanes int64
	for _, l := range st.Detail.Lines {
		if l.Branches > 0 {
			branches = append(branches, l)
		}
		issued, lanes = issued+l.Issued, lanes+l.Lanes
	}
	if issued != st.WarpInstructions || lanes != st.ThreadInstructions {
		t.Errorf("the lines add up to %d warp and %d thread instructions, the kernel has %d and %d", issued, lanes, st.WarpInstructions, st.ThreadInstructions)
	}
	if len(branches) != len(wants) {
		t.Fatalf("%d branches", len(branches))
	}
	for i, want := range wants {
		l := branches[i]
		if l.Branches != want.branches*warps || l.Parted != want.parted*warps || l.Lanes != want.lanes*warps {
			t.Errorf("%s: %d branches, %d parted, %d lanes; want %d, %d, %d for each of %d warps", l.Text, l.Branches, l.Parted, l.Lanes, want.branches, want.parted, want.lanes, warps)
		}
	}
}

// A warp that reads 32 floats 32 bytes apart needs a sector for each: 4 of 32 bytes are of use. Its store needs 4
// sectors.
func TestDetailCountsMemoryByLine(t *testing.T) {
	const n = 1 << 14
	b := newBench(t, "v100", Full())
	st := b.launch(gather(t, 8), kir.D1(n/256), kir.D1(256), b.alloc(4<<20), b.alloc(4*n), n).Stats
	load, store := lineOf(t, st.Detail, "load"), lineOf(t, st.Detail, "store")
	if load.Requests != n/32 || load.Sectors != n || load.Bytes != 4*n {
		t.Errorf("load: %d requests, %d sectors, %d bytes", load.Requests, load.Sectors, load.Bytes)
	}
	if store.Requests != n/32 || store.Sectors != n/8 || store.Bytes != 4*n {
		t.Errorf("store: %d requests, %d sectors, %d bytes", store.Requests, store.Sectors, store.Bytes)
	}
	if load.Note == "" && !strings.Contains(load.Text, "f32") {
		t.Errorf("line %+v", load)
	}
}

func TestDetailHasEveryBlockOfASmallRun(t *testing.T) {
	const blocks = 100
	b := newBench(t, "v100")
	e := b.launch(saxpy(t), kir.D1(blocks), kir.D1(256), b.alloc(4*256*blocks), b.alloc(4*256*blocks), 256*blocks)
	d := e.Stats.Detail
	if len(d.Blocks) != blocks || d.SMs != 80 || d.BlockSMs != 80 {
		t.Fatalf("%d blocks on %d of %d SMs", len(d.Blocks), d.BlockSMs, d.SMs)
	}
	var last trace.Time
	for i, r := range d.Blocks {
		if int(r.Block) != i || int(r.SM) != i%80 || r.Start != 0 || r.End <= 0 { // all fit at once, dealt in turn
			t.Errorf("block %d is %+v", i, r)
		}
		last = max(last, r.End)
	}
	if whole := e.Duration(); last > whole || last < whole*8/10 { // the last bytes are on their way a little longer
		t.Errorf("the last block ends at %v, the kernel at %v", last, whole)
	}
}

func TestDetailIsBounded(t *testing.T) {
	const n = 1 << 20
	b := newBench(t, "v100", Full())
	d := b.launch(saxpy(t), kir.D1(n/256), kir.D1(256), b.alloc(4*n), b.alloc(4*n), n).Stats.Detail
	if len(d.Blocks) > maxDetailBlocks || d.BlockSMs < 15 || d.BlockSMs >= 80 {
		t.Errorf("%d blocks on %d SMs are kept of 4096 on 80", len(d.Blocks), d.BlockSMs)
	}
	for _, r := range d.Blocks {
		if int(r.SM) >= d.BlockSMs {
			t.Errorf("block on SM %d", r.SM)
		}
	}
}

// One warp alone: its steps are what the lines count, under both policies.
func TestWalkIsTheWayOfTheWarp(t *testing.T) {
	for _, policy := range []Divergence{PDOM{}, NREC{}} {
		b := newBench(t, "v100", Full(), WithDivergence(policy))
		d := b.launch(triangle(t), kir.D1(1), kir.D1(32), b.alloc(8*32), 32).Stats.Detail
		w := d.Walk
		if w == nil || w.Policy != policy.Name() || w.Cut {
			t.Fatalf("%s: walk %+v", policy.Name(), w)
		}
		lanes, passes := map[int]int64{}, map[int]int64{}
		for _, s := range w.Steps {
			lanes[s.Block] += int64(bits.OnesCount64(s.Lanes))
			passes[s.Block]++
			if s.Lanes&^s.Live != 0 || s.Lanes == 0 {
				t.Errorf("%s: step %+v", policy.Name(), s)
			}
		}
		if w.Skipped == 0 { // else steps are missing at the front
			for _, l := range d.Lines {
				if l.Branches > 0 && (l.Branches != passes[l.Block] || l.Lanes != lanes[l.Block]) {
					t.Errorf("%s, block %d: %d passes of %d lanes in the walk, %d of %d in the counts", policy.Name(), l.Block, passes[l.Block], lanes[l.Block], l.Branches, l.Lanes)
				}
			}
		}
		last := w.Steps[len(w.Steps)-1]
		if policy == (PDOM{}) && bits.OnesCount64(last.Lanes) != 32 {
			t.Errorf("pdom: %d lanes at the end, want all together again", bits.OnesCount64(last.Lanes))
		}
	}
}

// The walk of a long loop begins shortly before the first parting.
func TestWalkShowsThePartingOfALongRun(t *testing.T) {
	b := newBench(t, "v100")
	const n = 1 << 16
	w := b.launch(reduce(t), kir.D1(n/256), kir.D1(256), b.alloc(4*n), b.alloc(n/64)).Stats.Detail.Walk
	parts := -1
	for i, s := range w.Steps {
		if s.Lanes != s.Live && parts < 0 {
			parts = i
		}
	}
	if parts < 0 || parts > beforeParting+1 {
		t.Errorf("lanes part at step %d of %d", parts, len(w.Steps))
	}
}
