package dp_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/gpu/dp"
	"github.com/arrayrepl/arrayrepl/gpu/dp/ski"
	np "github.com/arrayrepl/arrayrepl/lazy"
	"github.com/arrayrepl/arrayrepl/viz"
)

// boxes are the labels of a chart's boxes by series, and how many lines there are.
func boxes(c *viz.Chart) (labels map[string][]string, lines map[string]int) {
	labels, lines = map[string][]string{}, map[string]int{}
	for _, s := range c.Panels[0].Series {
		for _, b := range s.Boxes {
			labels[s.Name] = append(labels[s.Name], b.Label)
		}
		for i := 1; i < len(s.X); i++ {
			if s.X[i] == s.X[i] && s.X[i-1] == s.X[i-1] {
				lines[s.Name]++
			}
		}
	}
	return labels, lines
}

// Charts have the numbers of the runs that they are of.
func TestCharts(t *testing.T) {
	use(t)
	r := dp.Play(dp.Scan(dp.Sum, []int{1, 2, 3, 4, 5}))
	labels, lines := boxes(r.Chart())
	require.Equal(t, []string{"3", "5", "7", "9", "6", "10", "14", "15"}, labels["at work"])
	require.Equal(t, 3*8, lines["message"], "an arrow is a line and two wings")
	labels, _ = boxes(r.Upto(1))
	require.Equal(t, []string{"3", "5", "7", "9"}, labels["at work"])
	require.Contains(t, message(func() { r.Upto(4) }), "there are 3 rounds")
	require.Equal(t, []float64{4, 3, 1}, dp.Steps(dp.Scan(dp.Sum, []int{1, 2, 3, 4, 5})).Chart().Panels[0].Series[0].Y)

	s := dp.Heads([]int{0, 0, 1, 0, 1})
	labels, lines = boxes(s.Chart([]int{1, 2, 3, 4, 5}, dp.SegScan(dp.Sum, []int{1, 2, 3, 4, 5}, s)))
	require.Equal(t, 6, lines["head"])
	require.Equal(t, []string{"1", "2", "1", "3", "3", "4", "3", "7", "5", "5"}, labels[""])
	require.Contains(t, message(func() { s.Chart([]int{1}) }), "flags of shape [5] for 1 elements")

	x := dp.Lex("a <=", dp.HillisSteeleTable)
	labels, _ = boxes(x.Chart())
	require.Equal(t, []string{"A", "<", "="}, labels[""])
	require.Equal(t, []string{"N"}, labels["between tokens"])
	require.Len(t, labels["from other states"], 4*8)

	label := dp.Label([][]int{{1, 1}, {0, 1}})
	_, lines = boxes(dp.LabelChart(label))
	require.Equal(t, 8+2, lines["crack"]) // the border, and two sides of the 0
	require.Contains(t, message(func() { dp.LabelChart(np.Zeros(3)) }), "the labels have shape [3]")

	e := ski.Reduce("S K K x")
	labels, lines = boxes(e.Graph(0))
	require.Equal(t, 3, len(labels["application"]))
	require.Equal(t, 6, lines[""])
	labels, _ = boxes(e.Graph(2))
	require.Equal(t, map[string][]string{"name": {"x"}}, labels)
	require.Contains(t, message(func() { e.Graph(3) }), "3 are kept")
}
