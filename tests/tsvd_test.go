package tests

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/arrayrepl/arrayrepl/lazy"
	"github.com/arrayrepl/arrayrepl/offload"
	"github.com/arrayrepl/arrayrepl/tests/bench/oa/workloads"
)

// TestTruncatedSVD: of the offload-annotations paper, by gonum's decomposition of the same points, on both sides of the size at
// which the published costs, 2x and 14 + x of x = log2(points), are equal: 2^14 points run on the device, one less on the CPU.
func TestTruncatedSVD(t *testing.T) {
	rt := useDevices(t)
	lazy.Use("sim:v100")
	const d = 4
	for _, n := range []int{1 << 10, 1<<14 - 1, 1 << 14} {
		x := workloads.Blob(7, n, d)
		var svd mat.SVD
		if !svd.Factorize(mat.NewDense(n, d, x.Float64s()), mat.SVDNone) {
			t.Fatal("gonum has no decomposition")
		}
		want := svd.Values(nil)
		before := rt.Stats()
		got := workloads.TSVD(x).Float64s()
		for i, v := range []float64{want[1], want[0]} {
			if math.Abs(got[i]-v) > 1e-9*want[0] { // the paper's tolerance is 0.2
				t.Errorf("%d points: value %d is %v, gonum's %v", n, i, got[i], v)
			}
		}
		if onDevice := rt.Stats().Launches > before.Launches; onDevice != (n >= 1<<14) {
			t.Errorf("%d points: on the device: %v", n, onDevice)
		}
	}
}

// Costs in seconds decide as those in log2 do: here the device has a start of 1 ms, and is ten times as fast.
func TestMeasuredCostsDecide(t *testing.T) {
	a := offload.Annotation{Name: "f", CPU: 1, GPU: 1, Cost: offload.MeasuredCompute{
		CPU: offload.Measured{PerElement: 1e-6}, GPU: offload.Measured{Base: 1e-3, PerElement: 1e-7}}}
	rows := offload.WithTransfer(lazy.Rows, offload.Measured{PerElement: 4e-7})
	// 1e-6 n = 1e-3 + (1e-7 + 4e-7) n at n = 2000
	for n, gpu := range map[int]bool{1999: false, 2001: true} {
		if got := a.Choose(n, []offload.Moved{{Type: rows, Elements: n}}); got.GPU != gpu {
			t.Errorf("%d elements: %v", n, got)
		}
	}
}
