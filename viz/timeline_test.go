package viz

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/offload/trace"
)

func TestTimelineOfTheLastEvaluation(t *testing.T) {
	old := trace.Last()
	t.Cleanup(func() { trace.SetLast(old) })
	trace.SetLast(nil)
	if c := Timeline(); c.Err == nil || c.String() != "viz: nothing has been evaluated yet: display an array first" {
		t.Errorf("before any evaluation: %v", c)
	}
	trace.SetLast(&trace.Log{})
	if c := Timeline(); c.Err == nil {
		t.Error("an empty log makes a chart")
	}
	trace.SetLast(sampleLog())
	if c := Timeline(); c.Err != nil || len(c.Panels) != 2 {
		t.Errorf("after one: %v", c)
	}
	if c := Occupancy(); c.Err != nil || c.Title != "Warp occupancy of kernel mul_add_sqrt" {
		t.Errorf("after one: %v", c)
	}
}

func TestTimelineOfSeveralRunsKeepsThemApart(t *testing.T) {
	c := Timeline(sampleLog(), sampleLog())
	lanes := strings.Join(c.Panels[0].Y.Categories, "\n")
	if !strings.HasPrefix(lanes, "1: sim:v100#0 s0 copy in") || !strings.Contains(lanes, "2: sim:v100#0 s1 kernel") {
		t.Errorf("lanes %q", lanes)
	}
}

func TestManyShortEventsAreJoined(t *testing.T) {
	l := &trace.Log{}
	const n = 100_000
	for i := range n {
		at := trace.Time(i) * trace.Microsecond
		l.Add(trace.Event{Name: fmt.Sprint(i), Kind: trace.Kernel, Device: "sim:v100#0", Start: at, End: at + trace.Microsecond/2, Modelled: true, Bytes: 100})
	}
	c := Timeline(l)
	boxes := c.Panels[0].Series[0].Boxes
	if len(boxes) > 2500 {
		t.Errorf("%d boxes for %d events", len(boxes), n)
	}
	if last := boxes[len(boxes)-1]; last.X1 < 99.999 || last.X1 > 100.001 {
		t.Errorf("the last box ends at %v ms, want 100", last.X1)
	}
	if !strings.Contains(strings.Join(c.Notes, " "), "joined") {
		t.Errorf("notes %q do not say so", c.Notes)
	}
	if size := len(c.HTML()); size > 1_200_000 {
		t.Errorf("the chart takes %d bytes", size)
	}
}

func TestOccupancySaysHowItWasFound(t *testing.T) {
	c := Occupancy(sampleLog())
	notes := strings.Join(c.Notes, "\n")
	for _, want := range []string{
		"Occupancy 61 % achieved of 75 % theoretical. 6 blocks fit on an SM; limited by registers.",
		"256 threads, 40 registers a thread, no shared memory",
		"Timing from 240 of 1,954 blocks, ± 4 %.",
		"Other kernels: mul_add_sqrt (24 µs), sum (5 µs).",
	} {
		if !strings.Contains(notes, want) {
			t.Errorf("notes %q lack %q", notes, want)
		}
	}
	if c.Subtitle != "25 µs on sim:v100#0; grid 1954, block 256" {
		t.Errorf("subtitle %q", c.Subtitle)
	}
}

// A kernel without samples over time is drawn by its totals: 36,000 slots issued, 64,000 did not.
func TestOccupancyWithoutSamplesShowsMeans(t *testing.T) {
	c := OccupancyOf("sum", sampleLog())
	if c.Err != nil {
		t.Fatal(c.Err)
	}
	issued, all := 0.0, 0.0
	for _, s := range c.Panels[1].Series {
		all += s.Y[0]
		if strings.HasPrefix(s.Name, "issued") {
			issued += s.Y[0]
		}
	}
	if !near(all, 100) || !near(issued, 36_000/(36_000+64_000.0)*100) {
		t.Errorf("issued %v %% of %v %%", issued, all)
	}
	if !strings.Contains(strings.Join(c.Notes, " "), "means over the whole kernel") {
		t.Errorf("notes %q", c.Notes)
	}
}

// A device took one time, whoever says it: from the first launch to the end of the last event. The timeline draws the
// launches, of which one that went on behind a kernel is drawn from that one's end.
func TestOneDeviceTime(t *testing.T) {
	var l trace.Log
	for _, e := range []trace.Event{
		{Name: "a", Kind: trace.Kernel, Launch: 5 * trace.Microsecond, Start: 5 * trace.Microsecond, End: 6 * trace.Microsecond},
		{Name: "b", Kind: trace.Kernel, Launch: 5 * trace.Microsecond, Start: 8 * trace.Microsecond, End: 9 * trace.Microsecond},
		{Name: "out", Kind: trace.CopyOut, Start: 9 * trace.Microsecond, End: 12 * trace.Microsecond},
	} {
		e.Device, e.Modelled = "sim:tiny#0", true
		l.Add(e)
	}
	require.Equal(t, 12*trace.Microsecond, l.Took())
	c := Timeline(&l)
	assert.Contains(t, c.Subtitle, "device (modelled): 12 µs")
	launches := c.Panels[0].Series[len(c.Panels[0].Series)-1]
	require.Equal(t, "launch", launches.Name)
	require.Len(t, launches.Boxes, 2)
	assert.Equal(t, [2]float64{0, 5}, [2]float64{launches.Boxes[0].X0, launches.Boxes[0].X1})
	assert.Equal(t, [2]float64{6, 8}, [2]float64{launches.Boxes[1].X0, launches.Boxes[1].X1})
	assert.Contains(t, c.String(), "2 µs in 2 events, and 7 to launch", "kernels run for 2 µs")
	assert.Equal(t, "sim:tiny#0: 12 µs modelled", Breakdown(&l).Panels[0].Y.Categories[0])
}
