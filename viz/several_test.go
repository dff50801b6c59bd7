package viz

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/offload/trace"
)

// links are rates between devices, the host's in the last row and column.
type links [][]float64

var sampleLinks = links{{400, 48, 12}, {24, 400, 11}, {12, 11, 0}}

func (l links) Devices() int { return len(l) - 1 }
func (l links) Rate(from, to int) float64 {
	return l[(from+len(l))%len(l)][(to+len(l))%len(l)]
}
func (l links) Name(number int) string { return []string{"sim:v100x8#0", "sim:v100x8#1"}[number] }

type tiles trace.Tiled

func (t tiles) Tiled() trace.Tiled { return trace.Tiled(t) }

var sampleTiles = tiles{Shape: []int{40, 1, 60}, Tiles: []trace.Tile{
	{From: []int{0, 0, 0}, To: []int{20, 1, 60}, Step: []int{1, 1, 1}, Device: "sim:v100x8#3"},
	{From: []int{20, 0, 0}, To: []int{40, 1, 60}, Step: []int{1, 1, 1}, Device: "sim:v100x8#1"},
}}

// samplePieces are the steps by which one device has made an array.
var samplePieces = tiles{Shape: []int{30}, Tiles: []trace.Tile{
	{From: []int{0}, To: []int{16}, Step: []int{1}, Device: "sim:tiny#0", Turn: 1},
	{From: []int{16}, To: []int{30}, Step: []int{1}, Device: "sim:tiny#0", Turn: 2},
}}

func TestPlacesHasSteps(t *testing.T) {
	c := Places(samplePieces)
	require.NoError(t, c.Err)
	assert.Equal(t, "shape [30], 2 steps on 1 device", c.Subtitle)
	assert.Contains(t, c.String(), "[16:30] on sim:tiny#0, step 2")
	assert.NotContains(t, Places(sampleTiles).String(), "step")
}

type choices []trace.Choice

func (c choices) Choices() []trace.Choice { return c }

// sampleChoices is a launch whose 2 GB are on two of three devices.
var sampleChoices = choices{
	{Step: "negative", Number: 1, Policy: "round-robin", Chosen: "sim:v100x8#1", Devices: []trace.Candidate{
		{Device: "sim:v100x8#0", Total: 1000, Present: 1000}, {Device: "sim:v100x8#1", Total: 1000, Copied: 1000, Copies: trace.Microsecond},
	}},
	{Step: "multiply", Number: 3, Policy: "min-max-transfer-time", Threshold: 0.1, Chosen: "sim:v100x8#0", Devices: []trace.Candidate{
		{Device: "sim:v100x8#0", Total: 2e9, Present: 1e9, Copied: 1e9, Copies: 125 * trace.Millisecond},
		{Device: "sim:v100x8#4", Total: 2e9, Present: 1e9, Copied: 1e9, Copies: 125 * trace.Millisecond, Busy: 1},
		{Device: "sim:v100x8#6", Total: 2e9, Copied: 2e9, Copies: 62500 * trace.Microsecond},
	}},
}

func TestCandidatesHasTheBarsAndTheThreshold(t *testing.T) {
	c := Candidates(sampleChoices) // the larger launch
	require.NoError(t, c.Err)
	assert.Equal(t, "Where a launch could run: multiply", c.Title)
	assert.Equal(t, "min-max-transfer-time chooses sim:v100x8#0; arguments of 2 GB", c.Subtitle)
	require.Len(t, c.Panels, 2)
	line := c.Panels[0].Series[len(c.Panels[0].Series)-1]
	assert.Equal(t, []float64{10, 10}, line.X, "the threshold, in percent")
	text := c.String()
	for _, s := range []string{"has of the arguments", "50", "copies of what it lacks, at worst (ms)", "125", "62.5", "less than 10 %"} {
		assert.Contains(t, text, s)
	}
	one := Candidates(sampleChoices, 1)
	require.NoError(t, one.Err)
	assert.NotContains(t, one.String(), "count as having none", "a policy without a threshold")
	assert.ErrorContains(t, Candidates(sampleChoices, 2).Err, "step 2 has no devices to choose from")
	assert.ErrorContains(t, Candidates(choices{}).Err, "no step has several devices")
	assert.ErrorContains(t, Candidates(nil).Err, "wants an explanation")
}

func TestLinksHasTheRates(t *testing.T) {
	c := Links(sampleLinks)
	require.NoError(t, c.Err)
	text := c.String()
	assert.Contains(t, text, "sim:v100x8#0 → sim:v100x8#1: 48 GB/s")
	assert.Contains(t, text, "sim:v100x8#1 → sim:v100x8#0: 24 GB/s")
	assert.Contains(t, text, "host → sim:v100x8#1: 11 GB/s")
	assert.NotContains(t, text, "400")
	twice := links{{0, 96, 24}, {48, 0, 22}, {24, 22, 0}}
	assert.Contains(t, Links(sampleLinks, twice).String(), "48 GB/s of 96 nominal, 50 %")
	assert.ErrorContains(t, Links(nil).Err, "offload.Probe")
	assert.ErrorContains(t, Links(sampleLinks, links{{0, 1}, {1, 0}}).Err, "links of 2 devices, compared with those of 1")
}

func TestPlacesHasTheTiles(t *testing.T) {
	c := Places(sampleTiles)
	require.NoError(t, c.Err)
	assert.Equal(t, "shape [40 1 60], 2 tiles on 2 devices", c.Subtitle)
	assert.Contains(t, c.String(), "[20:40, 0:1, 0:60] on sim:v100x8#1")
	var found []Box
	for _, s := range c.Panels[0].Series {
		found = append(found, s.Boxes...)
	}
	require.Len(t, found, 2)
	assert.Equal(t, [4]float64{0, 60, 20, 40}, [4]float64{found[0].X0, found[0].X1, found[0].Y0, found[0].Y1}, "devices by name")
	assert.ErrorContains(t, Places(tiles{Shape: []int{3}}).Err, "is not in tiles")
	line := Places(tiles{Shape: []int{7}, Tiles: []trace.Tile{{From: []int{0}, To: []int{7}, Step: []int{2}, Device: "a"}}})
	require.NoError(t, line.Err)
	assert.Contains(t, line.String(), "[0:7:2] on a")
}

func TestPoliciesSideBySide(t *testing.T) {
	program := func(name string, kernel, copied trace.Time, bytes int64) trace.Program {
		first, second := new(trace.Log), new(trace.Log)
		first.Add(trace.Event{Name: "a", Kind: trace.CopyIn, Device: "sim:v100x8#0", Start: 5 * trace.Second, End: 5*trace.Second + copied, Bytes: bytes, Modelled: true})
		second.Add(trace.Event{Name: "k", Kind: trace.Kernel, Device: "sim:v100x8#1", Start: 9 * trace.Second, End: 9*trace.Second + kernel, Modelled: true})
		second.Add(trace.Event{Name: "b", Kind: trace.CopyPeer, Peer: "sim:v100x8#0", Device: "sim:v100x8#1", Start: 9 * trace.Second, End: 9*trace.Second + 1, Bytes: 7, Modelled: true})
		return trace.Program{Name: name, Logs: []*trace.Log{first, second}}
	}
	slow, fast := program("slow", 30*trace.Millisecond, 20*trace.Millisecond, 3e6), program("fast", 3*trace.Millisecond, 2*trace.Millisecond, 1e6)
	c := Policies([]trace.Program{slow, fast})
	require.NoError(t, c.Err)
	assert.Equal(t, "fast is the fastest: 5 ms", c.Subtitle)
	require.Len(t, c.Panels, 4, "times, bytes, and a timeline each")
	assert.Equal(t, c.Panels[2].X.Max, c.Panels[3].X.Max, "one scale")
	assert.Equal(t, []string{"sim:v100x8#0, copies", "sim:v100x8#1, copies", "sim:v100x8#1"}, c.Panels[2].Y.Categories)
	for _, s := range c.Panels[2].Series {
		if s.Name == trace.Kernel.String() {
			assert.Equal(t, []float64{20, 50}, []float64{s.Boxes[0].X0, s.Boxes[0].X1}, "evaluations one after the other, in ms")
		}
	}
	assert.Equal(t, "fast and fast are the fastest: 5 ms", Policies([]trace.Program{slow, fast, fast}).Subtitle)
	assert.Equal(t, "all take 5 ms", Policies([]trace.Program{fast, fast}).Subtitle)
	in, out, between := slow.Copied()
	assert.Equal(t, []int64{3e6, 0, 7}, []int64{in, out, between})
	assert.Equal(t, 1, strings.Count(c.String(), "fast is the fastest"))
	assert.ErrorContains(t, Policies(nil).Err, "0 programs")
	assert.ErrorContains(t, Policies([]trace.Program{{Name: "idle"}}).Err, "idle ran nothing")
}
