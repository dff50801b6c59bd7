package gpu_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/gpu"
	"github.com/arrayrepl/arrayrepl/gpu/kernels"
	"github.com/arrayrepl/arrayrepl/internal/testsize"
	"github.com/arrayrepl/arrayrepl/lazy"
	"github.com/arrayrepl/arrayrepl/offload/trace"
)

// TestOneTimeline: what streams of two GPUs of a machine do is in one trace, at the times of one clock: a copy to the
// other begins after what it waits for, and kernels of the two that nothing orders go on at a time.
func TestOneTimeline(t *testing.T) {
	saxpy, err := kernels.Source("Saxpy")
	require.NoError(t, err)
	const n = 1 << 20
	use(t, "sim:v100x8#0")
	a, x := gpu.NewStream(), gpu.NewBuffer(arrays.Float32, n)
	require.NoError(t, lazy.Runtime().Use("sim:v100x8#3"))
	b, y := gpu.NewStream(), gpu.NewBuffer(arrays.Float32, n)
	first := a.Launch(saxpy, gpu.Blocks(n, 256), 256, 2, x, x)
	b.Launch(saxpy, gpu.Blocks(n, 256), 256, 2, y, y)
	b.Wait(first)
	b.Copy(y, x)
	a.Sync()
	b.Sync()
	var events []trace.Event
	for _, e := range trace.Last().Events() {
		if e.Kind == trace.Kernel || e.Kind == trace.CopyPeer {
			events = append(events, e)
		}
	}
	require.Len(t, events, 3)
	assert.Equal(t, []string{"sim:v100x8#0", "sim:v100x8#3", "sim:v100x8#3"}, []string{events[0].Device, events[1].Device, events[2].Device})
	assert.Less(t, events[1].Start, events[0].End, "side by side")
	assert.Less(t, events[0].Start, events[1].End)
	assert.GreaterOrEqual(t, events[2].Start, events[0].End, "after what it waited for")
}

// TestPinned: two streams that copy pinned memory give what plain Go gives, and copies of one go beside kernels of the
// other; of slices they do not.
func TestPinned(t *testing.T) {
	testsize.InTurn(t, 1)
	saxpy, err := kernels.Source("Saxpy")
	require.NoError(t, err)
	const n = 1 << 18
	for _, name := range []string{"host", "sim:v100"} {
		for _, pinned := range []bool{true, false} {
			use(t, name)
			var streams []*gpu.Stream
			var outs [][]float32
			for k := range 2 {
				s := gpu.NewStream()
				streams = append(streams, s)
				for range 2 {
					x, y := gpu.Pinned(arrays.Float32, n), gpu.Pinned(arrays.Float32, n)
					for i := range n {
						x.Float32()[i] = float32(i%100 + k)
					}
					a, b := gpu.NewBuffer(arrays.Float32, n), gpu.NewBuffer(arrays.Float32, n)
					var in, back any = x, y
					if !pinned {
						in, back = append([]float32(nil), x.Float32()...), make([]float32, n)
					}
					s.CopyIn(a, in)
					s.CopyIn(b, in)
					s.Launch(saxpy, gpu.Blocks(n, 256), 256, 2, a, b)
					s.CopyOut(back, b)
					if pinned {
						outs = append(outs, y.Float32())
					} else {
						outs = append(outs, back.([]float32))
					}
				}
			}
			for _, s := range streams {
				s.Sync()
			}
			for k, out := range outs {
				for i, got := range out {
					if want := 3 * float32(i%100+k/2); got != want { // a require for each of millions takes seconds
						t.Fatalf("%s, pinned %v: element %d is %v, want %v", name, pinned, i, got, want)
					}
				}
			}
			if name == "host" {
				continue
			}
			overlap := false
			events := trace.Last().Events()
			for _, a := range events {
				for _, b := range events {
					overlap = overlap || a.Kind == trace.Kernel && (b.Kind == trace.CopyIn || b.Kind == trace.CopyOut) && a.Start < b.End && b.Start < a.End
				}
			}
			assert.Equal(t, pinned, overlap)
		}
	}
	h := gpu.Pinned(arrays.Float32, 4)
	assert.Equal(t, "pinned buffer of 4 float32", h.String())
	for want, f := range map[string]func(){
		"has no elements of int32":                        func() { h.Int32() },
		"the pinned buffer has 4 elements, the buffer 3":  func() { gpu.NewStream().CopyIn(gpu.NewBuffer(arrays.Float32, 3), h) },
		"pinned buffer of 4 float32 does not fit buffer":  func() { gpu.NewStream().CopyOut(h, gpu.NewBuffer(arrays.Int32, 4)) },
		"a pinned buffer of -1 elements: the number must": func() { gpu.Pinned(arrays.Float32, -1) },
	} {
		assert.Contains(t, panics(f), want)
	}
	h.Free()
	assert.Zero(t, h.Len())
}
