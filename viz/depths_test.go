package viz

import (
	"testing"

	"github.com/arrayrepl/arrayrepl/offload/trace"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// sampleDepths is a disk of a rented machine, measured, and two that are modelled: figures of offload/storage and BaM.
var sampleDepths = []trace.DepthCurve{
	{Name: "the disk here", Line: 4096, Depths: []int{1, 4, 16, 64}, Rates: []float64{51e3, 91e3, 142e3, 168e3}, Knee: 3.3},
	{Name: "optane", Modelled: true, Line: 512, Depths: []int{1, 16, 64, 256}, Rates: []float64{89.3e3, 1.43e6, 5.1e6, 5.1e6}, Knee: 57.1},
	{Name: "980pro", Modelled: true, Line: 512, Depths: []int{1, 16, 64, 256}, Rates: []float64{9.88e3, 158e3, 632e3, 800e3}, Knee: 81},
}

// TestDepthsKeepClocksApart: what was measured and what a model says never share an axis, and each knee is where it is.
func TestDepthsKeepClocksApart(t *testing.T) {
	c := Depths(sampleDepths...)
	require.NoError(t, c.Err)
	require.Len(t, c.Panels, 2)
	assert.Equal(t, "reads a second, measured", c.Panels[0].Y.Label)
	assert.Equal(t, "reads a second (sim)", c.Panels[1].Y.Label)
	assert.Equal(t, []float64{1, 4, 16, 64}, c.Panels[0].Series[0].X)
	assert.Equal(t, sampleDepths[0].Rates, c.Panels[0].Series[0].Y)
	var knees []float64
	for _, p := range c.Panels {
		for _, s := range p.Series {
			if s.Dashed {
				knees = append(knees, s.X[0])
			}
		}
	}
	assert.Equal(t, []float64{3.3, 57.1, 81}, knees)
	assert.Contains(t, c.String(), "optane, 512 B: 5.1e+06 reads a second at most, T·L 57.1")
	require.Len(t, Depths(sampleDepths[1]).Panels, 1)
	assert.ErrorContains(t, Depths().Err, "there are no curves")
	assert.ErrorContains(t, Depths(trace.DepthCurve{Depths: []int{1}}).Err, "curve 1 has 1 depths and 0 rates")
	assert.ErrorContains(t, Depths(trace.DepthCurve{Depths: []int{0}, Rates: []float64{1}}).Err, "cannot stand on logarithmic axes")
}
