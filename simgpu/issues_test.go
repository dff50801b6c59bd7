package simgpu

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/offload/trace"
)

// madsAndRcp repeats four multiply-adds and an approximate reciprocal, which depend on each other.
func madsAndRcp(t *testing.T, times int) *kir.Func {
	b := kir.NewBuilder("mix")
	out := b.Param("out", kir.U64)
	tid := b.Special(kir.TidX)
	x := b.Convert(kir.F32, tid)
	for range times {
		for range 4 {
			x = b.Op(kir.OpFma, x, x, b.Const(kir.F32, 1.5))
		}
		x = b.Op(kir.OpApproxRcp, x)
	}
	b.Store(kir.Global, b.Index(out, b.Convert(kir.I64, tid), kir.F32), x)
	b.Return()
	f, err := b.Func()
	require.NoError(t, err)
	return f
}

// Lindholm, Nickolls, Oberman and Montrym (IEEE Micro 2008): instructions for the lanes take four clocks of theirs, two
// of the schedulers, and those for the special function units sixteen; both can be busy all the time, with five of
// eight slots (by hand: 4 times 2 cycles of the lanes in the 8 of the special function units).
func TestIssuesAlternate(t *testing.T) {
	b := newBench(t, "g80", AsWritten(), Window(0, 1000))
	st := b.launch(madsAndRcp(t, 12), kir.D1(1), kir.D1(256), b.alloc(1024)).Stats
	d := st.Detail
	require.Equal(t, 2.0, d.LaneClock)
	var busy [trace.NumIssueUnits]int
	var until [trace.NumIssueUnits]int64
	issues, from, to := 0, int64(200), int64(600)
	for i, x := range d.Window.Slots {
		require.GreaterOrEqual(t, x.Cycle, until[x.Unit], "issue %d: %v takes one instruction at a time", i, x.Unit)
		if i > 0 {
			require.Greater(t, x.Cycle, d.Window.Slots[i-1].Cycle, "one scheduler")
		}
		until[x.Unit] = x.Cycle + int64(x.Busy)
		switch text := d.Lines[x.Line].Text; {
		case strings.Contains(text, "fma"):
			require.Equal(t, []any{trace.IssueLanes, int32(2)}, []any{x.Unit, x.Busy})
		case strings.Contains(text, "approx_rcp"):
			require.Equal(t, []any{trace.IssueSpecial, int32(8)}, []any{x.Unit, x.Busy})
		}
		if x.Cycle >= from && x.Cycle < to {
			busy[x.Unit] += int(x.Busy)
			issues++
		}
	}
	all := int(to - from)
	require.Greater(t, busy[trace.IssueLanes], all*17/20)
	require.Greater(t, busy[trace.IssueSpecial], all*17/20)
	require.InDelta(t, 5.0/8, float64(issues)/float64(all), 0.1)
}

// A listing has each instruction once, with what it takes on the machine: figures of the CUDA Programming Guide 1.0.
func TestListing(t *testing.T) {
	g := New(g80)
	defer g.Close()
	text, err := g.Listing(madsAndRcp(t, 1))
	require.NoError(t, err)
	count := map[string]int{}
	for line := range strings.Lines(text) {
		if f := strings.Fields(line); len(f) > 3 {
			count[f[0]+" "+f[1]+" "+f[2]]++
		}
	}
	require.Equal(t, 4, count["FMAD lanes 4"], text)
	require.Equal(t, 1, count["RCP SFU 16"], text)
	require.Equal(t, 1, count["GST memory 4"], text)
	require.Contains(t, text, "EXIT")
	require.Contains(t, text, "registers a thread")
}

// Clocks are rational multiples of the schedulers' (Lindholm et al., NVIDIA's data sheets).
func TestClocks(t *testing.T) {
	require.EqualValues(t, []int64{1500, 600, 1080}, []int64{g80.LaneClock.Of(g80.ClockMHz), g80.CoreClock.Of(g80.ClockMHz), g80.MemoryClock.Of(g80.ClockMHz)})
	require.EqualValues(t, []int64{1296, 602, 1107}, []int64{gtx280.LaneClock.Of(gtx280.ClockMHz), gtx280.CoreClock.Of(gtx280.ClockMHz), gtx280.MemoryClock.Of(gtx280.ClockMHz)})
	require.EqualValues(t, v100.ClockMHz, v100.LaneClock.Of(v100.ClockMHz))
}
