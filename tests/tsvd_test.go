package tests

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/arrayrepl/arrayrepl/internal/testsize"
	"github.com/arrayrepl/arrayrepl/lazy"
	"github.com/arrayrepl/arrayrepl/offload"
	"github.com/arrayrepl/arrayrepl/tests/bench/oa/workloads"
	"github.com/arrayrepl/arrayrepl/tests/internal/testdevices"
)

// TestTruncatedSVD: of the offload-annotations paper, by gonum's decomposition of the same points, on both sides of the
// size at which the published costs, 2x and 14 + x of x = log2(points), are equal: 2^14 points run on the device, one
// less on the CPU.
func TestTruncatedSVD(t *testing.T) {
	testsize.InTurn(t, 1)
	rt := testdevices.Use(t)
	lazy.Use("sim:v100")
	const d = 4
	for _, n := range []int{1 << 10, 1<<14 - 1, 1 << 14} {
		x := workloads.Blob(7, n, d)
		var svd mat.SVD
		if !svd.Factorize(mat.NewDense(n, d, x.Float64s()), mat.SVDThin) {
			t.Fatal("gonum has no decomposition")
		}
		values := svd.Values(nil)
		var u mat.Dense
		svd.UTo(&u)
		before := rt.Stats()
		z := workloads.TSVD(x)
		lazy.Eval(z)
		if onDevice := rt.Stats().Launches > before.Launches; onDevice != (n >= 1<<14) {
			t.Errorf("%d points: on the device: %v", n, onDevice)
		}
		for i, got := range z.Float64s() {
			want := u.At(i/2, i%2) * values[i%2]               // but for the signs of vectors
			if math.Abs(math.Abs(got)-math.Abs(want)) > 1e-7 { // the paper's tolerance is 0.2
				t.Fatalf("%d points: coordinate %d of point %d is %v, gonum's %v", n, i%2, i/2, got, want)
			}
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
