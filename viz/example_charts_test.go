package viz_test

import (
	"github.com/arrayrepl/arrayrepl/offload/trace"
	"github.com/arrayrepl/arrayrepl/viz"
)

func ExampleHeatMap() {
	viz.HeatMap([][]float64{{0, 1}, {2, 3}}, viz.ScaleLabel("depth (m)"))
}

func ExampleContour() {
	viz.Contour([][]float64{{0, 1, 2}, {1, 2, 3}, {2, 3, 4}}, viz.Extent(-1, 1, -1, 1))
}

func ExampleBoxPlot() {
	viz.BoxPlot([]string{"before", "after"}, []any{[]float64{1, 2, 4}, []float64{2, 3, 3}}, viz.XLabel("time (s)"))
}

func ExampleSweep() {
	viz.Sweep([]int{1000, 2000, 4000}, []float64{1e-5, 2e-5, 4e-5}, viz.VLine(1e6, "out of memory"))
}

func ExampleCompare() {
	var before, after *trace.Log // of trace.Last(), after an evaluation each
	viz.Compare([]string{"before", "after"}, before, after)
}

func ExampleOccupancy() {
	viz.Occupancy()        // of the longest kernel of the last evaluation
	viz.OccupancyOf("sum") // of another
}

func ExamplePaging() {
	viz.Paging() // of the last evaluation, where it was cut into pieces
}

func ExampleSave() {
	_ = viz.Scatter(nil, []float64{1, 4, 9}).Save("squares.svg") // .png, .html and .json too
}
