package simgpu

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/offload/device"
	"github.com/arrayrepl/arrayrepl/offload/trace"
)

// A graph takes one call of the host, its kernels follow one another after GraphGap, and of those that could begin the
// one of the higher priority has the machine first. The gap is that of the preset.
func TestGraphTimes(t *testing.T) {
	b := newBench(t, "tiny")
	k, err := b.gpu.Load(tableKernel(t, 32, 1, 0))
	require.NoError(t, err)
	node := func(blocks, priority int, after ...int) device.Node {
		return device.Node{Kind: trace.Kernel, Kernel: k, Grid: kir.D1(blocks), Block: kir.D1(32), Params: pack(t, b.alloc(128*blocks)), Priority: priority, After: after}
	}
	launch := func(nodes ...device.Node) []trace.Event {
		g, err := b.gpu.NewGraph(nodes)
		require.NoError(t, err)
		var list []trace.Event
		for _, e := range g.Launch(b.stream) {
			require.NoError(t, e.Wait(context.Background()))
			list = append(list, e.Trace())
		}
		return list
	}
	chain := launch(node(1, 0), node(1, 0, 0), node(1, 0, 1))
	for i := range chain[1:] {
		require.Equal(t, 500*trace.Nanosecond, chain[i+1].Start-chain[i].End)
	}
	// two that fill the machine
	full := 2 * 32
	both := launch(node(1, 0), node(full, 0, 0), node(full, -1, 0))
	require.Less(t, both[2].Start, both[1].Start, "the second has the higher priority")
	both = launch(node(1, 0), node(full, 0, 0), node(full, 0, 0))
	require.Less(t, both[1].Start, both[2].Start)
	// two that leave each other room
	both = launch(node(1, 0), node(1, 0, 0), node(1, 0, 0))
	require.Equal(t, both[1].Start, both[2].Start)
}
