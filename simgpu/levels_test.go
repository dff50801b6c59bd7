package simgpu

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestMemoryLevels: each machine's memories grow and are farther away from one to the next; the V100's device memory is
// where its latencies, added up, say.
func TestMemoryLevels(t *testing.T) {
	for _, name := range Names() {
		p, err := PresetByName(name)
		assert.NoError(t, err)
		levels := p.MemoryLevels()
		assert.GreaterOrEqual(t, len(levels), 4, name)
		far := 0.0
		for _, l := range levels {
			assert.True(t, l.Bytes > 0 || l.Name == "host, by a copy", "%s: %+v", name, l)
			assert.GreaterOrEqual(t, l.Cycles, far, "%s: %+v", name, l)
			far = l.Cycles
		}
	}
	assert.EqualValues(t, v100.L1Latency+v100.L2Latency+v100.DRAMLatency, v100.MemoryLevels()[4].Cycles)
}
