package gpu_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/arrayrepl/arrayrepl/gpu"
	"github.com/arrayrepl/arrayrepl/gpu/internal/lifted"
	"github.com/arrayrepl/arrayrepl/lazy"
)

// TestReportLaunch: a report's first line has what the way from the host takes beside the kernel's time, by machine: 5000 cycles of a V100
// are 3.3 µs (GPGPU-Sim's tested configuration), an 8800's driver took about 10.
func TestReportLaunch(t *testing.T) {
	halves := liftedKernel(t, "Halves", lifted.Halves)
	for device, want := range map[string]string{"sim:v100": " modelled + about 3.3 µs to launch", "sim:g80": " modelled + about 10 µs to launch", "host": " measured"} {
		use(t, device)
		x := lazy.Full(3.0, 64)
		rep := gpu.Launch(halves, 2, 32, x, gpu.Anyway())
		assert.Contains(t, strings.Join(strings.Fields(rep.String()), " "), want)
		assert.Equal(t, device == "host", !strings.Contains(rep.String(), "to launch"))
	}
}
