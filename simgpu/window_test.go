package simgpu

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/offload/trace"
)

// A window of a whole launch on one SM has each slot that issued, with its lanes; each resident block in one state at a
// time, with as many in slots as there are; and threads that end with what they have executed. It changes no time.
func TestWindows(t *testing.T) {
	f := chains(t, 6)
	run := func(options ...Option) *trace.KernelStats {
		b := newBench(t, "fermivt", append(options, AsWritten(), WithSMs(1), Change(func(p *Preset) { p.MaxBlocksPerSM = 3 }))...)
		return b.launch(f, kir.D1(24), kir.D1(64), b.alloc(8*24*64), b.alloc(8*24*64)).Stats
	}
	for _, o := range []Option{WithCTAs(Baseline{}), WithCTAs(VT{}), With(WithDivergence(TF{}), WithCoIssue(SWI{})), WithDivergence(DWF{}), WithDivergence(MIMD{})} {
		plain, st := run(o), run(o, Window(0, 1<<20))
		require.Equal(t, plain.Cycles, st.Cycles)
		require.Nil(t, plain.Detail.Window)
		w := st.Detail.Window
		require.Equal(t, [2]int64{0, st.Cycles}, [2]int64{w.From, w.To})
		slots, lanes := int64(0), int64(0)
		for _, n := range st.Issued {
			slots += n
		}
		for _, s := range w.Slots {
			lanes += int64(Mask(s.Lanes).Count() + Mask(s.Beside.Lanes).Count())
		}
		assert.Len(t, w.Slots, int(slots))
		assert.Equal(t, st.ThreadInstructions, lanes)
		active, resident := map[int64]int{}, map[int64]int{}
		of := map[int32]int64{}
		for _, b := range w.Blocks {
			require.LessOrEqual(t, b.From, b.To)
			if end, ok := of[b.Block]; ok {
				require.Equal(t, end, b.From, "block %d is always in a state", b.Block)
			}
			of[b.Block] = b.To
			for c := b.From; c < b.To; c++ {
				if resident[c]++; b.State < trace.CTAPending {
					active[c]++
				}
			}
		}
		assert.Len(t, of, 24)
		for c := range resident {
			require.LessOrEqual(t, active[c], w.Active)
			require.LessOrEqual(t, resident[c], w.Resident)
		}
		require.NotEmpty(t, w.Progress)
		last := w.Progress[len(w.Progress)-1]
		assert.LessOrEqual(t, last.Least, last.Most)
		assert.LessOrEqual(t, last.Most, st.ThreadInstructions/(24*64))
		assert.Less(t, len(w.Progress), 2*mostProgress)
	}
	part := run(Window(100, 50)).Detail.Window
	for _, s := range part.Slots {
		assert.True(t, s.Cycle >= 100 && s.Cycle < 150)
	}
	for _, b := range part.Blocks {
		assert.True(t, b.From >= 100 && b.To <= 150)
	}
}
