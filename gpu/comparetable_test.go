package gpu_test

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/gpu"
	"github.com/arrayrepl/arrayrepl/gpu/internal/lifted"
	"github.com/arrayrepl/arrayrepl/simgpu"
)

// A table of kernels and machines has what each comparison has, and harmonic means of those that ran all kernels.
func TestCompareSeveral(t *testing.T) {
	use(t, "host")
	parting := liftedKernel(t, "Parting", lifted.Parting)
	recs := []*gpu.Recording{gpu.Record(parting, 2, 256, make([]int32, 512)), gpu.Record(parting, 4, 384, make([]int32, 1536))}
	machines := simgpu.Variants("fermisbi-64", simgpu.WithDivergence(simgpu.PDOM{}), simgpu.WithDivergence(simgpu.SBI{}),
		simgpu.WithDivergence(simgpu.DWF{Policy: stubborn{}}))
	c := gpu.Compare(gpu.Recordings(recs), machines...)
	require.Equal(t, []string{"Parting", "Parting"}, c.Kernels)
	for i := range 2 {
		a, b := gpu.Compare(recs[0], machines[i]).Rows[0].IPC(), gpu.Compare(recs[1], machines[i]).Rows[0].IPC()
		assert.InDelta(t, 2*a*b/(a+b), c.HarmonicMean(i), 1e-12)
	}
	assert.Zero(t, c.HarmonicMean(2), "it could not run them")
	assert.Equal(t, 1, c.Best(), "SBI")
	text := c.String()
	assert.Contains(t, text, fmt.Sprintf("%.2f ←", c.HarmonicMean(1)))
	assert.Equal(t, 3, strings.Count(text, "–"))
	page := fmt.Sprint(c.MIMEBundle().Data["text/html"])
	assert.Equal(t, 3, strings.Count(page, "font-weight:bold"))
	assert.Equal(t, 6, strings.Count(page, "background:rgb("), "each IPC that is there has a shade")
	log := c.Log().Kernels()
	require.Len(t, log, 4, "of what ran")
	assert.Equal(t, c.Rows[1].Stats, log[1].Stats)
	assert.Contains(t, log[0].Name, "Parting: pdom")
	assert.Equal(t, "Parting", gpu.Compare(recs[0], machines[0]).Log().Kernels()[0].Name, "charts of one machine name the kernel")
	assert.Equal(t, c.Rows[1].Time(), log[1].Duration())

	rows, err := csv.NewReader(strings.NewReader(c.CSV())).ReadAll()
	require.NoError(t, err)
	require.Len(t, rows, 1+2*3)
	assert.Equal(t, []string{"kernel", "machine", "policies", "cycles", "ipc", "seconds", "error"}, rows[0])
	assert.Equal(t, fmt.Sprint(c.On(1)[1].Stats.Cycles), rows[5][3])
	assert.Contains(t, rows[3][6], "stubborn")
	var back struct {
		Rows []struct {
			Machine string
			Cycles  int64
			Error   string
		}
		HarmonicMean map[string]float64
	}
	data, err := json.Marshal(c)
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(data, &back))
	require.Len(t, back.Rows, 6)
	assert.Equal(t, c.Rows[0].Stats.Cycles, back.Rows[0].Cycles)
	assert.NotEmpty(t, back.Rows[2].Error)
	assert.InDelta(t, c.HarmonicMean(1), back.HarmonicMean[machines[1]], 1e-12)

	defer func() { assert.Contains(t, fmt.Sprint(recover()), "the recording is nil, or there is none") }()
	gpu.Compare(gpu.Recordings{}, machines...)
}
