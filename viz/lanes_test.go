package viz

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/arrayrepl/arrayrepl/offload/trace"
)

// laneSums adds up the boxes of each lane by series, as the browser gets them.
func laneSums(t *testing.T, c *Chart, panel int) (sums []map[string]float64) {
	t.Helper()
	if c.Err != nil {
		t.Fatal(c.Err)
	}
	p := c.Panels[panel]
	sums = make([]map[string]float64, len(p.Y.Categories))
	for i := range sums {
		sums[i] = map[string]float64{}
	}
	for _, s := range p.Series {
		for _, b := range s.Boxes {
			sums[int(math.Round((b.Y0+b.Y1)/2))][s.Name] += b.X1 - b.X0
		}
	}
	return sums
}

func wantSums(t *testing.T, what string, got, want map[string]float64) {
	t.Helper()
	for name, v := range want {
		if !near(got[name], v) {
			t.Errorf("%s: %s is %v, want %v", what, name, got[name], v)
		}
	}
	for name := range got {
		if _, ok := want[name]; !ok {
			t.Errorf("%s: unexpected %s of %v", what, name, got[name])
		}
	}
}

// The device's 113 µs of sampleLog, by hand: the first copy runs alone for 40 µs; the second from 40 to 80 of which the
// kernel runs from 41 to 66; the second kernel from 81 to 105, the sum to 110, the copy out to 113.
func TestBreakdownMakesUpEachClock(t *testing.T) {
	c := Breakdown(sampleLog())
	sums := laneSums(t, c, 0)
	if got := c.Panels[0].Y.Categories; len(got) != 2 || got[0] != "sim:v100#0: 113 µs modelled" || got[1] != "CPU: 3.5 ms measured" {
		t.Fatalf("lanes %q", got)
	}
	wantSums(t, "device", sums[0], map[string]float64{"compute": 29. / 1.13, "copy during compute": 25 / 1.13, "copy": (40 + 1 + 14 + 3) / 1.13, "idle": 1 / 1.13})
	wantSums(t, "CPU", sums[1], map[string]float64{"overhead": 300 / 3.5, "work of the CPU": 50 / 3.5})
	for i, lane := range sums {
		total := 0.0
		for _, v := range lane {
			total += v
		}
		if !near(total, 100) {
			t.Errorf("lane %d makes up %v %%", i, total)
		}
	}
}

// The way of a kernel to the device is overhead of the device's time, up to where a copy runs beside it.
func TestBreakdownTellsOfLaunches(t *testing.T) {
	l := new(trace.Log)
	l.Add(trace.Event{Kind: trace.CopyIn, Device: "sim:v100#0", Modelled: true, End: 10 * trace.Microsecond})
	l.Add(trace.Event{Kind: trace.Kernel, Device: "sim:v100#0", Modelled: true, Launch: 3 * trace.Microsecond, Start: 12 * trace.Microsecond, End: 18 * trace.Microsecond})
	l.Add(trace.Event{Kind: trace.CopyOut, Device: "sim:v100#0", Modelled: true, Start: 19 * trace.Microsecond, End: 20 * trace.Microsecond})
	wantSums(t, "device", laneSums(t, Breakdown(l), 0)[0], map[string]float64{"copy": 55, "overhead": 10, "compute": 30, "idle": 5})
}

// The sums of sampleStats: issued 1000 to 8000, stalls 2000, 50,000, 9000, 3000; in all 100,000.
func TestStallsHaveTheNumbersOfTheTrace(t *testing.T) {
	c := Stalls(sampleLog())
	sums := laneSums(t, c, 0)
	if got := c.Panels[0].Y.Categories; len(got) != 2 || got[0] != "mul_add_sqrt" || got[1] != "sum" {
		t.Fatalf("lanes %q", got)
	}
	for i := range sums {
		wantSums(t, c.Panels[0].Y.Categories[i], sums[i], map[string]float64{"issued, all lanes active": 8, "issued, some lanes idle": 28,
			"stall: unit busy": 2, "stall: dependency": 9, "stall: memory or barrier": 50, "stall: no warp": 3})
	}
	tip := strings.Join(c.Panels[0].Series[0].Boxes[0].Tip, "\n")
	if !strings.Contains(tip, "16,000 of 200,000 cycles") { // two runs
		t.Errorf("tip %q", tip)
	}
}

func TestTransfersHaveTheBytesOfTheTrace(t *testing.T) {
	c := Transfers(sampleLog())
	sums := laneSums(t, c, 0)
	if c.Panels[0].X.Unit != "MB" {
		t.Errorf("unit %s", c.Panels[0].X.Unit)
	}
	wantSums(t, "in", sums[0], map[string]float64{"copy in": 1})
	wantSums(t, "out", sums[1], map[string]float64{"copy out": 8e-6})
	tip := strings.Join(c.Panels[0].Series[0].Boxes[0].Tip, "\n")
	if !strings.Contains(tip, "1 MB in 2 copies") || !strings.Contains(tip, "12.5 GB/s") { // 10^6 B in 80 µs
		t.Errorf("tip %q", tip)
	}
}

func TestCompareKeepsClocksApart(t *testing.T) {
	b := sampleLog()
	b.Add(trace.Event{Name: "sum", Kind: trace.Kernel, Device: "sim:v100#0", Start: 200 * trace.Microsecond, End: 300 * trace.Microsecond, Modelled: true})
	c := Compare([]string{"short", "long"}, sampleLog(), b)
	device, cpu := laneSums(t, c, 0), laneSums(t, c, 1)
	wantSums(t, "short", device[0], map[string]float64{"copy in": 80, "kernel": 54, "copy out": 3})
	wantSums(t, "long", device[1], map[string]float64{"copy in": 80, "kernel": 154, "copy out": 3})
	for i := range cpu {
		wantSums(t, "CPU", cpu[i], map[string]float64{"overhead": 3, "host": 0.5})
	}
	if want := "device (modelled): 137 µs and 237 µs (1.73×)"; !strings.HasPrefix(c.Subtitle, want) {
		t.Errorf("subtitle %q, want %q", c.Subtitle, want)
	}
	if len(c.Panels) != 3 || c.Panels[0].X.Name() != "busy time on the device, modelled (µs)" {
		t.Errorf("%d panels, the first over %q", len(c.Panels), c.Panels[0].X.Name())
	}
}

func TestCompareTakesSeveral(t *testing.T) {
	policy := func(us trace.Time) *trace.Log {
		l := &trace.Log{}
		l.Add(trace.Event{Kind: trace.Kernel, Device: "sim:v100#0", End: us * trace.Microsecond, Modelled: true})
		return l
	}
	c := Compare([]string{"greedy", "locality", "round robin"}, policy(10), policy(5), policy(30))
	if c.Err != nil {
		t.Fatal(c.Err)
	}
	lanes := laneSums(t, c, 0)
	for i, want := range []float64{10, 5, 30} {
		wantSums(t, c.Panels[0].Y.Categories[i], lanes[i], map[string]float64{"kernel": want})
	}
	if want := "Side by side: greedy, locality and round robin"; c.Title != want || len(lanes) != 3 {
		t.Errorf("title %q, %d lanes", c.Title, len(lanes))
	}
	if want := "device (modelled): 10 µs, 5 µs (0.5×) and 30 µs (3×)"; c.Subtitle != want {
		t.Errorf("subtitle %q, want %q", c.Subtitle, want)
	}
}

func TestMemoryIsThatOfTheEvents(t *testing.T) {
	c := Memory(sampleLog())
	if c.Err != nil {
		t.Fatal(c.Err)
	}
	s := c.Panels[0].Series[0]
	if got, want := fmt.Sprint(s.X, s.Y), "[0 40 41 81 105 110 113] [0.5 1 2 3 3.004 3.004008 3.004008]"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if want := "sim:v100#0: at most 3 MB of 16 GB (0.019 %)."; c.Notes[0] != want {
		t.Errorf("note %q, want %q", c.Notes[0], want)
	}
	full := &trace.Log{}
	full.Add(trace.Event{Device: "d", End: 10, Modelled: true, InUse: 900, Memory: 1000})
	if p := Memory(full).Panels[0]; len(p.Series) != 2 || p.Series[1].Y[0] != 1000 || p.Y.Max < 1000 {
		t.Errorf("a device that is nearly full: %+v", p)
	}
}

// Two runs of 2,000,000 operations and 10,000,000 bytes in 25 + 24 µs: 0.2 flop/B, 4e6 / 49e-6 s = 81.6 Gflop/s, of a
// roof of 0.2 × 900 = 180.
func TestRooflinePointsLieWhereTheTraceSays(t *testing.T) {
	c := Roofline(sampleLog())
	if c.Err != nil {
		t.Fatal(c.Err)
	}
	found := false
	for _, s := range c.Panels[0].Series {
		for i, l := range s.labels {
			if l.text == "mul_add_sqrt" {
				found = near(s.X[i], 0.2) && math.Abs(s.Y[i]-4e6/49e-6/1e9) < 1e-6
			}
		}
	}
	if !found {
		t.Errorf("series %+v", c.Panels[0].Series)
	}
	if want := "mul_add_sqrt: 0.2 flop/B, 81.6 Gflop/s: 45 % of the roof above it, which is memory bandwidth."; c.Notes[0] != want {
		t.Errorf("note %q, want %q", c.Notes[0], want)
	}
	roof := c.Panels[0].Series[0]
	if ridge := 15.7e12 / 900e9; !near(roof.X[1], ridge) || !near(roof.Y[1], 15_700) || !near(roof.Y[0], roof.X[0]*900) {
		t.Errorf("the roof goes through %v, %v", roof.X, roof.Y)
	}
}

func TestTraceChartsOfNothingSayWhatToDo(t *testing.T) {
	onCPU := &trace.Log{}
	onCPU.Add(trace.Event{Name: "plan", Kind: trace.Overhead, Device: "host", End: trace.Millisecond})
	for name, c := range map[string]struct {
		chart *Chart
		want  string
	}{
		"stalls":         {Stalls(onCPU), "ran no kernel on a device that keeps statistics"},
		"roofline":       {Roofline(onCPU), "ran no kernel on a device that keeps statistics"},
		"transfers":      {Transfers(onCPU), "copied nothing"},
		"memory":         {Memory(onCPU), "no device that tells how much"},
		"breakdown":      {Breakdown(&trace.Log{}), "nothing has been evaluated yet"},
		"compare nil":    {Compare(nil, onCPU, nil), "log 2 is nil"},
		"compare names":  {Compare([]string{"a"}, onCPU, onCPU), "1 names for 2 logs"},
		"compare empty":  {Compare(nil, &trace.Log{}, &trace.Log{}), "nothing happened"},
		"compare one":    {Compare(nil, onCPU), "1 logs; want 2 to 12"},
		"memory of many": {Memory(onCPU, onCPU), "one log at a time"},
	} {
		if c.chart.Err == nil || !strings.Contains(c.chart.String(), c.want) {
			t.Errorf("%s: %q, want %q", name, c.chart, c.want)
		}
	}
}

// Bars of all lanes have one scale: half as much is half as long.
func TestSharesInATerminal(t *testing.T) {
	l := &trace.Log{}
	l.Add(trace.Event{Name: "x", Kind: trace.CopyIn, Device: "d", End: 100, Bytes: 2000, Modelled: true})
	l.Add(trace.Event{Name: "y", Kind: trace.CopyOut, Device: "d", End: 100, Bytes: 1000, Modelled: true})
	want := `Bytes copied
copy in 2 kB in 1   ·   copy out 1 kB in 1
copied (kB)
d copy in
  copy in ████████████████████████████████████████ 2
d copy out
  copy out ████████████████████ 1
The bytes of all copies are counted; rates are modelled, from the simulated machine's links.`
	if got := Transfers(l).String(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestPercent: what has no room for an exponent has none.
func TestPercent(t *testing.T) {
	for p, want := range map[float64]string{0.0188: "0.019 %", 3.14: "3.1 %", 42.4: "42 %", 100: "100 %", 3200: "3200 %"} {
		assert.Equal(t, want, percent(p))
	}
}
