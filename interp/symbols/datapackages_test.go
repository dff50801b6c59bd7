package symbols_test

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/go-echarts/go-echarts/v2/charts"
	"github.com/go-echarts/go-echarts/v2/opts"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/diff/fd"
	"gonum.org/v1/gonum/dsp/fourier"
	"gonum.org/v1/gonum/dsp/window"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/graph/path"
	"gonum.org/v1/gonum/graph/simple"
	"gonum.org/v1/gonum/graph/topo"
	"gonum.org/v1/gonum/integrate"
	"gonum.org/v1/gonum/integrate/quad"
	"gonum.org/v1/gonum/interp"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/optimize"
	"gonum.org/v1/gonum/spatial/kdtree"
	"gonum.org/v1/gonum/spatial/r3"
	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"

	"github.com/arrayrepl/arrayrepl/internal/testsize"
	sessions "github.com/arrayrepl/arrayrepl/interp"
	"github.com/arrayrepl/arrayrepl/interp/symbols"
	"github.com/arrayrepl/arrayrepl/interp/yaegi"
)

// dataPrograms are a small program of each package that Go's data people import, and what compiled Go makes of it.
var dataPrograms = []struct {
	name, imports, cell string
	compiled            func() string
	oneEngine           bool // yaegi cannot give nil for an interface to compiled code
}{
	{"mat", `"gonum.org/v1/gonum/mat"`, `a := mat.NewDense(2, 2, []float64{4, 1, 2, 3}); var x mat.VecDense
err := x.SolveVec(a, mat.NewVecDense(2, []float64{1, 2})); fmt.Sprint(x.RawVector().Data, mat.Det(a), err)`, func() string {
		a := mat.NewDense(2, 2, []float64{4, 1, 2, 3})
		var x mat.VecDense
		err := x.SolveVec(a, mat.NewVecDense(2, []float64{1, 2}))
		return fmt.Sprint(x.RawVector().Data, mat.Det(a), err)
	}, false},
	{"stat", `"gonum.org/v1/gonum/stat"`, `fmt.Sprint(stat.MeanStdDev([]float64{1, 2, 4}, nil))`, func() string { return fmt.Sprint(stat.MeanStdDev([]float64{1, 2, 4}, nil)) }, false},
	{"distuv", `"gonum.org/v1/gonum/stat/distuv"`, `fmt.Sprint(distuv.Normal{Mu: 1, Sigma: 2}.CDF(2), distuv.Beta{Alpha: 2, Beta: 3}.Mean())`, func() string {
		return fmt.Sprint(distuv.Normal{Mu: 1, Sigma: 2}.CDF(2), distuv.Beta{Alpha: 2, Beta: 3}.Mean())
	}, false},
	{"floats", `"gonum.org/v1/gonum/floats"`, `fmt.Sprint(floats.CumSum(make([]float64, 3), []float64{1, 2, 4}), floats.Norm([]float64{3, 4}, 2))`, func() string {
		return fmt.Sprint(floats.CumSum(make([]float64, 3), []float64{1, 2, 4}), floats.Norm([]float64{3, 4}, 2))
	}, false},
	{"optimize", `"gonum.org/v1/gonum/optimize"`, `r, err := optimize.Minimize(optimize.Problem{Func: func(x []float64) float64 { return (x[0]-1)*(x[0]-1) + (x[1]+2)*(x[1]+2) }}, []float64{0, 0}, nil, &optimize.NelderMead{})
fmt.Sprint(r.X, err)`, func() string {
		r, err := optimize.Minimize(optimize.Problem{Func: func(x []float64) float64 { return (x[0]-1)*(x[0]-1) + (x[1]+2)*(x[1]+2) }}, []float64{0, 0}, nil, &optimize.NelderMead{})
		return fmt.Sprint(r.X, err)
	}, false},
	{"integrate", `"gonum.org/v1/gonum/integrate"`, `fmt.Sprint(integrate.Simpsons([]float64{0, 1, 2}, []float64{0, 1, 4}))`, func() string { return fmt.Sprint(integrate.Simpsons([]float64{0, 1, 2}, []float64{0, 1, 4})) }, false},
	{"quad", `"math"; "gonum.org/v1/gonum/integrate/quad"`, `fmt.Sprint(quad.Fixed(math.Sin, 0, math.Pi, 20, nil, 0))`, func() string { return fmt.Sprint(quad.Fixed(math.Sin, 0, math.Pi, 20, nil, 0)) }, true},
	{"interp", `"gonum.org/v1/gonum/interp"`, `var c interp.AkimaSpline; err := c.Fit([]float64{0, 1, 2, 3}, []float64{0, 1, 4, 9}); fmt.Sprint(c.Predict(1.5), err)`, func() string {
		var c interp.AkimaSpline
		err := c.Fit([]float64{0, 1, 2, 3}, []float64{0, 1, 4, 9})
		return fmt.Sprint(c.Predict(1.5), err)
	}, false},
	{"fd", `"math"; "gonum.org/v1/gonum/diff/fd"`, `fmt.Sprint(fd.Derivative(math.Exp, 0, &fd.Settings{Formula: fd.Central}))`, func() string {
		return fmt.Sprint(fd.Derivative(math.Exp, 0, &fd.Settings{Formula: fd.Central}))
	}, false},
	{"dsp", `"gonum.org/v1/gonum/dsp/fourier"; "gonum.org/v1/gonum/dsp/window"`, `fmt.Sprint(fourier.NewFFT(4).Coefficients(nil, window.Hann([]float64{1, 2, 3, 4})))`, func() string {
		return fmt.Sprint(fourier.NewFFT(4).Coefficients(nil, window.Hann([]float64{1, 2, 3, 4})))
	}, false},
	{"graph", `"math"; "gonum.org/v1/gonum/graph/path"; "gonum.org/v1/gonum/graph/simple"; "gonum.org/v1/gonum/graph/topo"`, `g := simple.NewWeightedUndirectedGraph(0, math.Inf(1))
g.SetWeightedEdge(simple.WeightedEdge{F: simple.Node(1), T: simple.Node(2), W: 3})
g.SetWeightedEdge(simple.WeightedEdge{F: simple.Node(2), T: simple.Node(3), W: 4})
nodes, w := path.DijkstraFrom(simple.Node(1), g).To(3)
fmt.Sprint(nodes, w, len(topo.ConnectedComponents(g)))`, func() string {
		g := simple.NewWeightedUndirectedGraph(0, math.Inf(1))
		g.SetWeightedEdge(simple.WeightedEdge{F: simple.Node(1), T: simple.Node(2), W: 3})
		g.SetWeightedEdge(simple.WeightedEdge{F: simple.Node(2), T: simple.Node(3), W: 4})
		nodes, w := path.DijkstraFrom(simple.Node(1), g).To(3)
		return fmt.Sprint(nodes, w, len(topo.ConnectedComponents(g)))
	}, false},
	{"spatial", `"gonum.org/v1/gonum/spatial/kdtree"; "gonum.org/v1/gonum/spatial/r3"`, `near, d := kdtree.New(kdtree.Points{{0, 0}, {3, 4}, {6, 1}}, false).Nearest(kdtree.Point{4, 4})
fmt.Sprint(near, d, r3.Cross(r3.Vec{X: 1}, r3.Vec{Y: 1}))`, func() string {
		near, d := kdtree.New(kdtree.Points{{0, 0}, {3, 4}, {6, 1}}, false).Nearest(kdtree.Point{4, 4})
		return fmt.Sprint(near, d, r3.Cross(r3.Vec{X: 1}, r3.Vec{Y: 1}))
	}, false},
	{"echarts", `"bytes"; "github.com/go-echarts/go-echarts/v2/charts"; "github.com/go-echarts/go-echarts/v2/opts"`, `c := charts.NewBar(); c.ChartID = "x"; c.SetXAxis([]string{"a", "b"}).AddSeries("s", []opts.BarData{{Value: 1}, {Value: 2}})
var page bytes.Buffer; err := c.Render(&page); fmt.Sprint(page.String(), err)`, func() string {
		c := charts.NewBar()
		c.ChartID = "x"
		c.SetXAxis([]string{"a", "b"}).AddSeries("s", []opts.BarData{{Value: 1}, {Value: 2}})
		var page bytes.Buffer
		err := c.Render(&page)
		return fmt.Sprint(page.String(), err)
	}, false},
	{"plot", `"bytes"; "gonum.org/v1/plot"; "gonum.org/v1/plot/plotter"; "gonum.org/v1/plot/vg"`, `p := plot.New(); p.Title.Text = "t"
line, err := plotter.NewLine(plotter.XYs{{X: 0, Y: 0}, {X: 1, Y: 2}}); p.Add(line)
w, _ := p.WriterTo(2*vg.Inch, vg.Inch, "svg"); var b bytes.Buffer; w.WriteTo(&b); fmt.Sprint(b.String(), err)`, func() string {
		p := plot.New()
		p.Title.Text = "t"
		line, err := plotter.NewLine(plotter.XYs{{X: 0, Y: 0}, {X: 1, Y: 2}})
		p.Add(line)
		w, _ := p.WriterTo(2*vg.Inch, vg.Inch, "svg")
		var b bytes.Buffer
		_, _ = w.WriteTo(&b)
		return fmt.Sprint(b.String(), err)
	}, false},
	{"arrow", `"github.com/apache/arrow-go/v18/arrow"; "github.com/apache/arrow-go/v18/arrow/array"; "github.com/apache/arrow-go/v18/arrow/memory"`, `b := array.NewInt64Builder(memory.DefaultAllocator); b.AppendValues([]int64{1, 2, 3}, []bool{true, false, true})
a := b.NewInt64Array(); fmt.Sprint(a, a.NullN(), arrow.NewSchema([]arrow.Field{{Name: "x", Type: arrow.PrimitiveTypes.Int64}}, nil))`, func() string {
		b := array.NewInt64Builder(memory.DefaultAllocator)
		b.AppendValues([]int64{1, 2, 3}, []bool{true, false, true})
		a := b.NewInt64Array()
		return fmt.Sprint(a, a.NullN(), arrow.NewSchema([]arrow.Field{{Name: "x", Type: arrow.PrimitiveTypes.Int64}}, nil))
	}, false},
	{"testify", `"testing"; "github.com/stretchr/testify/assert"`, `fmt.Sprint(assert.ElementsMatch(new(testing.T), []int{1, 2}, []int{2, 1}), assert.Equal(new(testing.T), 1, int64(1)))`, func() string {
		return fmt.Sprint(assert.ElementsMatch(new(testing.T), []int{1, 2}, []int{2, 1}), assert.Equal(new(testing.T), 1, int64(1)))
	}, false},
}

// TestDataPackages: they are imported at once, without the registry, and give what compiled Go gives.
func TestDataPackages(t *testing.T) {
	testsize.InTurn(t, 0)
	symbols.Register()
	t.Setenv("GOPROXY", "off")
	for _, engine := range []string{"ixgo", "yaegi"} {
		for _, c := range dataPrograms {
			if engine == "yaegi" && c.oneEngine {
				continue
			}
			t.Run(engine+"/"+c.name, func(t *testing.T) {
				o := sessions.Options{Packages: symbols.Packages()}
				if engine == "yaegi" {
					o.Engine = yaegi.New()
				}
				s, err := sessions.New(o)
				require.NoError(t, err)
				b, err := s.Run(context.Background(), 1, "import ("+c.imports+")\n"+c.cell)
				require.NoError(t, err)
				require.Equal(t, fmt.Sprintf("%q", c.compiled()), fmt.Sprintf("%q", b.Data["text/plain"]))
			})
		}
	}
}
