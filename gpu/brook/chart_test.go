package brook_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/gpu/brook"
	"github.com/arrayrepl/arrayrepl/gpu/brook/internal/streamed"
	np "github.com/arrayrepl/arrayrepl/lazy"
	"github.com/arrayrepl/arrayrepl/viz"
)

// Charts say what the objects say of which they are drawn.
func TestCharts(t *testing.T) {
	use(t)
	sum, look, mat := kernel(t, "Sum", streamed.Sum), kernel(t, "Look", streamed.Look), kernel(t, "Mat4Mult", streamed.Mat4Mult)
	boxes := func(c *viz.Chart, series string) (out []viz.Box) {
		require.NoError(t, c.Err)
		for _, p := range c.Panels {
			for _, s := range p.Series {
				if s.Name == series {
					out = append(out, s.Boxes...)
				}
			}
		}
		return out
	}
	r := brook.Reduce(sum, make([]float32, 512), brook.On("sim:nv40"))
	pyramid := r.Plan().Pyramid()
	require.Equal(t, []float64{512, 64, 8}, pyramid.Panels[0].Series[0].Y)
	require.Equal(t, []float64{64, 8, 1}, pyramid.Panels[0].Series[1].Y)
	gantt := r.Report().Gantt()
	require.Len(t, boxes(gantt, "kernels"), 3)
	require.Len(t, boxes(gantt, "calls of the runtime"), 12)
	first := boxes(gantt, "calls of the runtime")[3]
	require.InDelta(t, boxes(gantt, "kernels")[0].X0, first.X1, 1e-9, "the last call ends where its kernel begins")

	rows := brook.New[streamed.Rows](1)
	one, four := brook.With(brook.MaxOutputs(1)).Counts(mat, rows, rows), brook.Counts(mat, rows, rows)
	bars := brook.PassBars(four, one)
	own, again := boxes(bars, "done first"), boxes(bars, "done again, by a copy of the kernel")
	require.Len(t, own, 5)
	require.Len(t, again, 3)
	require.Equal(t, "4", again[0].Label, "the rows of the other matrix are loaded again")

	m := brook.Map(look, np.Arange(64).AsType(np.Float32), make([]float32, 64), brook.On("sim:v100")).Report()
	width := 0.0
	for _, s := range m.Chart().Panels[0].Series {
		for _, b := range s.Boxes {
			width += b.X1 - b.X0
		}
	}
	require.InDelta(t, (4+32+4)*64/1000., width, 1e-9, "kB")

	picture := brook.S16E7.Picture(140_000)
	require.Contains(t, picture.Notes[0], "Element 131073 is the first")
	area := func(series string) (n float64) {
		for _, b := range boxes(picture, series) {
			n += (b.X1 - b.X0) * (b.Y1 - b.Y0)
		}
		return n
	}
	require.EqualValues(t, 131_073, area("found"))
	require.EqualValues(t, 140_000-131_073, area("every second or more is at another's place"))
	require.Equal(t, "#CC0000", picture.Panels[0].Series[1].Color, "red")
	require.Len(t, brook.S23E8.Picture(140_000).Panels, 1)

	colours := brook.New[brook.F3](2, 3)
	titled := viz.Image(colours, viz.Title("Mine"))
	require.NoError(t, titled.Err)
	require.Equal(t, "Mine", titled.Title)
	require.Equal(t, colours.Image().Panels, titled.Panels)

	require.Equal(t, []string{"get kernel", "push stream", "push gather", "push output", "map", "sim:v100#0"},
		m.Gantt().Panels[0].Y.Categories, "as the runtime is called")

	a := &brook.Advice{Kernel: "k", N: 1000, Cost: brook.Cost{CPU: 7e-9, GPU: 1e-9, Transfer: 4e-9, Issue: 1e-6, Device: "sim:v100", Modelled: true}}
	require.NoError(t, a.Sweep().Err)
	plane := brook.Plane(a)
	require.InDelta(t, 7, plane.Panels[0].Series[2].X[0], 1e-9)
	require.Equal(t, []float64{0.25}, plane.Panels[0].Series[2].Y)
	curve := plane.Panels[0].Series[0]
	for i, s := range curve.X {
		require.InDelta(t, 1/(s-1), curve.Y[i], 1e-9)
	}
	mesh := brook.Mesh(brook.Of([]streamed.Triangle{{V1: brook.F3{X: 1}, V2: brook.F3{Y: 1, Z: 3}}}))
	require.Equal(t, []float64{0, 1, 0, 0}, mesh.Panels[0].Series[0].X[:4])
	require.Equal(t, []float64{0, 0, 1, 0}, mesh.Panels[0].Series[0].Y[:4])

	for want, c := range map[string]*viz.Chart{
		"no passes":              (&brook.Plan{}).Pyramid(),
		"no kernel ran":          brook.Of([]float32{1}).Report().Gantt(),
		"counts bytes":           brook.Of([]float32{1}).Report().Chart(),
		"what brook.Counts":      brook.PassBars(),
		"1 to 4194304 elements":  brook.S16E7.Picture(5_000_000),
		"has no knee":            (&brook.Advice{}).Sweep(),
		"brook.Advise returns":   brook.Plane(),
		"have not three corners": brook.Mesh(brook.Of([]brook.F4{{}})),
	} {
		require.ErrorContains(t, c.Err, want)
	}
}
