package gpu

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/arrayrepl/arrayrepl/offload/device"
	"github.com/arrayrepl/arrayrepl/simgpu"
)

// Of machines that take unequally long, the one that takes longest begins first, whatever its place in the table.
func TestTheLongestReplayBeginsFirst(t *testing.T) {
	var on []device.Replayer
	for _, d := range []simgpu.Divergence{simgpu.PDOM{}, simgpu.DWF{}, simgpu.MIMD{}, simgpu.TF{}, simgpu.NREC{}} {
		p, err := simgpu.PresetByName("tesla2009")
		assert.NoError(t, err)
		g := simgpu.New(p, simgpu.WithDivergence(d))
		defer g.Close()
		on = append(on, g)
	}
	assert.Equal(t, []int{4, 9, 2, 7, 1, 6, 0, 3, 5, 8}, inOrder(on, 2))
}
