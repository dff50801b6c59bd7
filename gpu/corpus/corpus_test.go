package corpus

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/gpu"
	"github.com/arrayrepl/arrayrepl/lazy"
)

// Each program gives on the host what plain Go gives.
func TestPrograms(t *testing.T) {
	lazy.Use("host")
	require.Len(t, wants, len(programs()))
	for _, p := range programs() {
		t.Run(p.Name, func(t *testing.T) {
			assert.Equal(t, p.Name, p.Kernel.Func().Name)
			args, want := p.Args(), p.Args()
			gpu.Launch(p.Kernel, p.Grid, p.Block, args...).Eval()
			wants[p.Name](want)
			for i := range args {
				switch got := args[i].(type) {
				case []int32:
					assert.Equal(t, want[i], got, "argument %d", i)
				case []float32:
					n := len(got)
					if p.Name == "FFT" {
						n = min(n, 2*512)
					}
					far, at := 0.0, 0
					for k := range n {
						if d := math.Abs(float64(got[k] - want[i].([]float32)[k])); !(d <= far) {
							far, at = d, k
						}
					}
					assert.Less(t, far, 1e-3, "argument %d, element %d: %v, plain Go has %v", i, at, got[at], want[i].([]float32)[at])
				}
			}
		})
	}
}
