package simgpu

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/offload/trace"
)

// The heap gives the PC at which most threads wait, whatever came in which order; while it is in no order it says so.
func TestMajorityHeap(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	h := newMajorityHeap()
	want := map[int]int{} // threads by PC, but for the majority's
	now, age := int64(0), int64(0)
	all := func(int64) bool { return true }
	for range 1000 {
		for range 1 + r.IntN(8) {
			if pc, n := r.IntN(60), 1+r.IntN(32); !h.full() {
				age++
				if listed := h.hear(pc, n, age); !listed {
					want[pc] += n
				}
			}
		}
		if r.IntN(2) == 0 {
			now++
			h.work(now, all)
			if !h.idle() {
				require.False(t, h.next(), "an entry is on its way")
			}
			continue
		}
		now += 50
		h.work(now, all)
		require.True(t, h.idle())
		delete(want, h.pc)
		held, most := map[int]int{}, 0
		for _, e := range h.entries {
			held[e.pc], most = e.threads, max(most, e.threads)
		}
		require.Equal(t, want, held)
		if len(held) > 0 {
			require.True(t, h.next())
			require.Equal(t, most, want[h.pc])
			delete(want, h.pc)
		}
	}
	for pc := range 3 * heapPCs { // more PCs than it holds: they come in one by one
		now += 50
		h.hear(1000+pc, 1+pc, 0)
		h.work(now, all)
	}
	require.Len(t, h.entries, heapPCs)
	seen := map[int]bool{}
	for h.next() {
		now += 50
		h.work(now, all)
		require.False(t, seen[h.pc])
		seen[h.pc] = true
	}
	assert.GreaterOrEqual(t, len(seen), 3*heapPCs)
}

// By a heap DMaj's choice takes time: never less than at once by much, and the cycles in which it is waited for are a
// class of their own. All classes together are the cycles of all schedulers.
func TestMajorityByAHeap(t *testing.T) {
	run := func(d DWF) *trace.KernelStats {
		b := newBench(t, "tesla2009", WithDivergence(d), WithLanes(Swizzle), WithSMs(1), AsWritten(), Full())
		f := branchyOf(t)
		return b.launch(f, kir.D1(2), kir.D1(768), b.alloc(8*2*768), 2*768).Stats
	}
	sum := func(s *trace.KernelStats) (n int64) {
		for _, x := range s.Issued {
			n += x
		}
		for _, x := range s.Stalls {
			n += x
		}
		return n
	}
	once, heap := run(DWF{}), run(DWF{Heap: true})
	assert.Equal(t, once.ThreadInstructions, heap.ThreadInstructions)
	assert.Greater(t, float64(heap.Cycles), 0.95*float64(once.Cycles))
	assert.Less(t, float64(heap.Cycles), 1.3*float64(once.Cycles))
	assert.Zero(t, once.Stalls[trace.StallHeap])
	assert.Positive(t, heap.Stalls[trace.StallHeap])
	for _, s := range []*trace.KernelStats{once, heap} {
		assert.Equal(t, s.Cycles*int64(s.SMs*s.Schedulers), sum(s))
	}
	assert.Equal(t, heap, run(DWF{Heap: true}))
	assert.ErrorContains(t, policies{divergence: DWF{Policy: DPC, Heap: true}}.combines(), "the heap finds DMaj's PC")
}

// While all blocks of a scheduler come in, its cycles are those of the swap.
func TestSwapsAreAClass(t *testing.T) {
	f := chains(t, 6)
	run := func(v VT) *trace.KernelStats {
		b := newBench(t, "fermivt", WithCTAs(v), AsWritten(), WithSMs(1), Change(func(p *Preset) { p.MaxBlocksPerSM = 1 }))
		return b.launch(f, kir.D1(40), kir.D1(64), b.alloc(8*40*64), b.alloc(8*40*64)).Stats
	}
	slow, free := run(VT{PortBits: 32}), run(VT{SwapFree: true})
	assert.Zero(t, free.Stalls[trace.StallSwap])
	most := slow.Swaps * int64(VT{PortBits: 32}.Residency(BlockUse{Warps: 2, Scheduling: 1, Capacity: 8, SharedPerSM: 1 << 20}).SwapCycles) * int64(slow.Schedulers)
	assert.Greater(t, slow.Stalls[trace.StallSwap], most/4)
	assert.LessOrEqual(t, slow.Stalls[trace.StallSwap], most+40*int64(slow.Schedulers)*100, "blocks that come in for ended ones, too")
	total := int64(0)
	for _, x := range slow.Issued {
		total += x
	}
	for _, x := range slow.Stalls {
		total += x
	}
	assert.Equal(t, slow.Cycles*int64(slow.Schedulers), total)
}
