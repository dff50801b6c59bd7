package viz

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/offload/trace"
)

var sampleSpaces = &trace.Spaces{Kernel: "blur", Device: "sim:v100#0", Grid: [3]int{80, 1, 1}, Block: [3]int{256, 1, 1}, List: []trace.Space{
	{Memory: "registers", Name: "21 of 32 bits", Bytes: 84, Copies: 80 * 256, Per: "thread", Life: trace.ThreadLife, Note: "on the SM; the thread's own"},
	{Memory: "shared", Name: "tile", Bytes: 1032, Copies: 80, Per: "block", Life: trace.BlockLife, Note: "on the SM; all threads of the block"},
	{Memory: "constant", Name: "parameters", Bytes: 32, Copies: 1, Per: "launch", Life: trace.LaunchLife, Note: "in DRAM, through the constant cache"},
	{Memory: "global", Name: "in", Bytes: 81920, Copies: 1, Per: "device", Life: trace.ProgramLife, Note: "in DRAM, through L2"},
	{Memory: "managed", Name: "out", Bytes: 81920, Copies: 1, Per: "device", Life: trace.ProgramLife, Note: "in DRAM or in the host's memory"},
}}

// Each thing has its bytes, how many there are and its life, in words too; longer lives are longer.
func TestSpacesSaysWhatLivesWhere(t *testing.T) {
	c := Spaces(sampleSpaces)
	require.NoError(t, c.Err)
	text := c.String()
	assert.Contains(t, text, "registers: 21 of 32 bits: 84 B ×20480, lives as long as its thread")
	assert.Contains(t, text, "shared: tile: 1.03 kB ×80, lives as long as its block")
	assert.Contains(t, text, "managed: out: 81.9 kB, lives as long as the program")
	life := c.Panels[1].Series[0].Boxes
	for i := 1; i < len(life); i++ {
		assert.GreaterOrEqual(t, life[i].X1-life[i].X0, life[i-1].X1-life[i-1].X0)
	}
	assert.Error(t, Spaces(nil).Err)
}
