package viz

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"math/bits"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/arrayrepl/arrayrepl/offload/trace"
)

// boxOf is one rectangle as the browser gets it.
type boxOf struct {
	Series string
	Panel  int
	Name   string
	Value  [4]float64 // x0, x1, y0, y1
	Tip    []string
}

// boxes returns all rectangles of the interactive form.
func boxes(t *testing.T, c *Chart) (out []boxOf) {
	t.Helper()
	for _, s := range parse(t, c).Option.Series {
		if s.Type != "custom" {
			continue
		}
		for _, raw := range s.Data {
			b := boxOf{Series: s.Name, Panel: s.XAxisIndex}
			if err := json.Unmarshal(raw, &b); err != nil {
				t.Fatal(err)
			}
			out = append(out, b)
		}
	}
	return out
}

func inside() *trace.Detail { return sampleInside().Kernels()[0].Stats.Detail }

// Every block is a rectangle from its start to its end in its SM's lane, and no two overlap.
func TestGanttHasTheBlocksOfTheTrace(t *testing.T) {
	c := Gantt(sampleInside())
	got := boxes(t, c)
	d := inside()
	if len(got) != len(d.Blocks) || len(c.Panels[0].Y.Categories) != 10 || c.Panels[0].Y.Categories[3] != "SM 3" {
		t.Fatalf("%d rectangles for %d blocks, lanes %v", len(got), len(d.Blocks), c.Panels[0].Y.Categories)
	}
	for _, r := range d.Blocks {
		found := 0
		for _, b := range got {
			if b.Tip[0] == fmt.Sprintf("block %d on SM %d", r.Block, r.SM) {
				found++
				if !near(b.Value[0], float64(r.Start)/1e6) || !near(b.Value[1], float64(r.End)/1e6) || math.Abs((b.Value[2]+b.Value[3])/2-float64(r.SM)) > 0.5 {
					t.Errorf("block %+v is drawn at %v", r, b.Value)
				}
				if first := b.Series == "blocks of the first wave"; first != (r.Start == 0) {
					t.Errorf("block %+v is in series %q", r, b.Series)
				}
			}
		}
		if found != 1 {
			t.Errorf("block %d is drawn %d times", r.Block, found)
		}
	}
	for i, a := range got {
		for _, b := range got[:i] {
			if a.Value[0] < b.Value[1]-1e-9 && b.Value[0] < a.Value[1]-1e-9 && a.Value[2] < b.Value[3] && b.Value[2] < a.Value[3] {
				t.Errorf("%s and %s overlap", a.Tip[0], b.Tip[0])
			}
		}
	}
	if notes := strings.Join(c.Notes, "\n"); !strings.Contains(notes, "the model ran 60 of 1,954 blocks") || !strings.Contains(notes, "on 10 SMs") {
		t.Errorf("notes %q", notes)
	}
}

// Half of the SMs' lanes stand for all when there are too many to draw.
func TestGanttOfManySMs(t *testing.T) {
	l := sampleInside()
	d := inside()
	d.SMs, d.BlockSMs = 80, 80
	for i := range d.Blocks {
		d.Blocks[i].SM = int32(i % 80)
	}
	l.Kernels()[0].Stats.Detail = d
	c := Gantt(l)
	if n := len(c.Panels[0].Y.Categories); n != 40 || c.Panels[0].Y.Categories[1] != "SM 2" {
		t.Errorf("%d lanes, the second is %s", n, c.Panels[0].Y.Categories[1])
	}
	if !strings.Contains(strings.Join(c.Notes, "\n"), "40 of 80 SMs are drawn") {
		t.Errorf("notes %q", c.Notes)
	}
}

// Sum over the grid: the warps of all blocks times their durations. A block has eight warps.
func TestOccupancyBySMAddsUpToTheBlocks(t *testing.T) {
	c := OccupancyBySM(sampleInside())
	if c.Err != nil {
		t.Fatal(c.Err)
	}
	want := 0.0
	for _, b := range inside().Blocks {
		want += 8 * float64(b.End-b.Start) / 1e6
	}
	g := c.Panels[1].Series[0].Grid
	got := 0.0
	for _, z := range g.Z {
		got += z * (g.X1 - g.X0) / float64(g.Cols)
	}
	if math.Abs(got-want) > 1e-6*want || g.Rows != 10 || g.X1 != 20 {
		t.Errorf("%v warp µs on %d SMs in %v µs, want %v on 10 in 20", got, g.Rows, g.X1, want)
	}
	if first := g.Z[0]; first != 32 { // four blocks at a time
		t.Errorf("%v warps on SM 0 at first, want 32", first)
	}
	limit := c.Panels[0].Series[2]
	if limit.Name != "theoretical limit" || limit.Y[0] != 48 { // 0.75 of 64
		t.Errorf("limit %+v", limit)
	}
}

// The figures of sampleInside's lines: 43,000 instructions; 24 of 32 lanes in the loop; 3,000 of 4,000 branches part;
// the load asks for 384 kB of 3,072 kB.
func TestOperationsHaveTheNumbersOfTheTrace(t *testing.T) {
	c := OperationsOf("", sampleInside())
	lines := c.Panels[0].Y.Categories
	if len(lines) != 6 || lines[2] != "b1  v9 f32 = load global v8  // x0[i]" { // the return cost nothing
		t.Fatalf("lines %q", lines)
	}
	want := map[string]float64{ // column and line to the length of the bar
		"0 3": 100 * 32. / 43, "0 0": 100 * 1. / 43,
		"1 0": 32, "1 2": 24, "1 5": 32,
		"2 1": 4, "2 4": 75,
		"3 2": 12.5, "3 5": 100,
	}
	for _, b := range boxes(t, c) {
		if b.Value[0] != 0 {
			continue // what the bar could have been
		}
		key := fmt.Sprint(b.Panel, " ", math.Round((b.Value[2]+b.Value[3])/2))
		if v, ok := want[key]; ok && math.Abs(b.Value[1]-v) > 1e-6 {
			t.Errorf("column and line %s: %v, want %v", key, b.Value[1], v)
		} else if !ok && (b.Panel == 2 || b.Panel == 3) {
			t.Errorf("column %d has a bar for line %s: it is not a branch, or moves nothing", b.Panel, key)
		}
		delete(want, key)
	}
	for key := range want {
		t.Errorf("no bar for column and line %s", key)
	}
	// 512 / (32 * 100)
	if !strings.Contains(c.Notes[0], "512 kB and moved 3.2 MB") || !strings.Contains(c.Notes[0], "16 %") {
		t.Errorf("note %q", c.Notes[0])
	}
	text := c.String()
	if !strings.Contains(text, " 74.4%     24") || !strings.Contains(text, "b1  branch v12, b1, b2                ") {
		t.Errorf("text\n%s", text)
	}
}

func TestOperationsDrawTheLinesThatCostTheMost(t *testing.T) {
	l := sampleInside()
	d := inside()
	d.Lines = nil
	for i := range 100 {
		d.Lines = append(d.Lines, trace.Line{Text: fmt.Sprint("line ", i), Issued: int64(1 + i%50), Lanes: 32})
	}
	l.Kernels()[0].Stats.Detail = d
	c := OperationsOf("", l)
	lines := c.Panels[0].Y.Categories
	// 50 − 22 = 28 and 78 on
	if len(lines) != maxLines || lines[0] != "b0  line 28" || lines[maxLines-1] != "b0  line 99" {
		t.Errorf("%d lines, from %q to %q", len(lines), lines[0], lines[len(lines)-1])
	}
	if !strings.Contains(strings.Join(c.Notes, "\n"), "The 44 lines with the most instructions of 100.") {
		t.Errorf("notes %q", c.Notes)
	}
}

// Each instruction of each step is a column, whose green cells are the lanes of the step.
func TestReconvergenceIsTheWalk(t *testing.T) {
	c := Reconvergence(sampleInside())
	if c.Err != nil {
		t.Fatal(c.Err)
	}
	d := inside()
	per := map[int]int{}
	for _, l := range d.Lines {
		per[l.Block]++
	}
	g := c.Panels[1].Series[0].Grid
	x := 0
	for _, s := range d.Walk.Steps {
		for range per[s.Block] {
			for lane := range 32 {
				if got, want := g.Z[lane*g.Cols+x] == 1, s.Lanes>>lane&1 == 1; got != want {
					t.Fatalf("column %d, lane %d: %v, want %v", x, lane, got, want)
				}
			}
			if st := c.player.Steps[x]; st.Active != bits.OnesCount64(s.Lanes) || st.Live != bits.OnesCount64(s.Live) {
				t.Errorf("the player's step %d is %+v, want %+v", x, st, s)
			}
			x++
		}
	}
	if x != g.Cols || g.Rows != 32 || len(c.player.Steps) != x {
		t.Errorf("%d columns, %d steps, want %d", g.Cols, len(c.player.Steps), x)
	}
	if c.player.Lines[c.player.Steps[2].Line] != "b1  v9 f32 = load global v8  // x0[i]" {
		t.Errorf("the third instruction is %q", c.player.Lines[c.player.Steps[2].Line])
	}
}

// A graph of streams has operations of their own, of which none were fused.
func TestTaskGraphOfStreams(t *testing.T) {
	log := &trace.Log{}
	log.SetGraph(&trace.Graph{Tasks: []trace.Task{{Name: "CopyIn", Out: []int{0}}, {Name: "step", In: []int{0}, Out: []int{1}}}, Values: make([]trace.Value, 2)})
	c := TaskGraph(log)
	if c.Err != nil || c.Subtitle != "2 tasks" || strings.Contains(strings.Join(c.Notes, " "), "fused") {
		t.Errorf("%v, %q, %q", c.Err, c.Subtitle, c.Notes)
	}
}

func TestTaskGraphHasTheTasksOfTheTrace(t *testing.T) {
	c := TaskGraph(sampleInside())
	names := map[string]string{}
	for _, b := range boxes(t, c) {
		names[b.Name] = b.Series + "|" + strings.Join(b.Tip, "|")
	}
	for name, want := range map[string]string{
		// 25 + 24 µs
		"49 µs  multiply+add+sqrt": "sim:v100#0|multiply+add+sqrt|on sim:v100#0|reads 1 MB, makes 1 MB|runs for 49 µs|3 operations in one kernel",
		"1  multiply":              "|operation 1: multiply|of array 0, array 1",
		"2  add":                   "|operation 2: add|of multiply (1), a number",
		"3  sqrt":                  "|operation 3: sqrt|of add (2)",
		"sum":                      "sim:v100#0|sum|on sim:v100#0|reads 1 MB, makes 8 B",
		"500 µs  sort":             "host|sort|on host|reads 1 MB, makes 1 MB|runs for 500 µs",
		"500 kB on host":           "array|an array of 500 kB|on host before",
		"500 kB on sim:v100#0":     "array|an array of 500 kB|on sim:v100#0 before",
		"8 B to the host":          "array|an array of 8 B|brought to the host",
		"1 MB to the host":         "array|an array of 1 MB|brought to the host",
	} {
		if names[name] != want {
			t.Errorf("box %q: %q, want %q", name, names[name], want)
		}
		delete(names, name)
	}
	for name := range names {
		t.Errorf("unexpected box %q", name)
	}
	edges := 0
	for _, y := range c.Panels[0].Series[0].Y {
		if math.IsNaN(y) {
			edges++
		}
	}
	if edges != 6 { // two arrays in, two readers, two results out
		t.Errorf("%d lines, want 6", edges)
	}
	if want := "1. multiply+add+sqrt on sim:v100#0, 49 µs, reads 500 kB on host, 500 kB on sim:v100#0, makes 1 MB"; !strings.Contains(c.String(), want) {
		t.Errorf("text\n%s", c)
	}
}

func TestTransferMapHasTheBytesOfTheTrace(t *testing.T) {
	l := sampleLog()
	l.Add(trace.Event{Kind: trace.CopyPeer, Device: "b", Peer: "sim:v100#0", End: 1e6, Bytes: 3000, Modelled: true})
	c := TransferMap(l)
	got := map[string][4]float64{}
	for _, b := range boxes(t, c) {
		got[strings.Join(b.Tip, " ")] = b.Value
	}
	want := map[string][4]float64{ // places: host, b, sim:v100#0
		"host → sim:v100#0 1 MB in 2 copies, 12.5 GB/s on average": {1.5, 2.5, -0.5, 0.5},
		"sim:v100#0 → host 8 B in 1 copy, 0.00267 GB/s on average": {-0.5, 0.5, 1.5, 2.5},
		"sim:v100#0 → b 3 kB in 1 copy, 3 GB/s on average":         {0.5, 1.5, 1.5, 2.5},
	}
	for k, v := range want {
		if got[k] != v {
			t.Errorf("%s at %v, want %v of %v", k, got[k], v, got)
		}
	}
	if len(got) != len(want) {
		t.Errorf("%d cells", len(got))
	}
}

// Four devices that pass on a ring, and one that copies within itself.
func TestTransferMapOfPeers(t *testing.T) {
	l := &trace.Log{}
	gpu := func(i int) string { return fmt.Sprintf("sim:v100#%d", i%4) }
	for i := range 4 {
		for range 3 {
			l.Add(trace.Event{Kind: trace.CopyPeer, Device: gpu(i + 1), Peer: gpu(i), End: 10 * trace.Microsecond, Bytes: 250_000, Modelled: true})
		}
	}
	l.Add(trace.Event{Kind: trace.CopyPeer, Device: gpu(2), End: trace.Microsecond, Bytes: 4000, Modelled: true})
	got := map[string][4]float64{}
	for _, b := range boxes(t, TransferMap(l)) {
		got[strings.Join(b.Tip, " ")] = b.Value
	}
	want := map[string][4]float64{ // column of the target, row of the source; the host is the first
		"sim:v100#0 → sim:v100#1 750 kB in 3 copies, 25 GB/s on average": {1.5, 2.5, 0.5, 1.5},
		"sim:v100#1 → sim:v100#2 750 kB in 3 copies, 25 GB/s on average": {2.5, 3.5, 1.5, 2.5},
		"sim:v100#2 → sim:v100#3 750 kB in 3 copies, 25 GB/s on average": {3.5, 4.5, 2.5, 3.5},
		"sim:v100#3 → sim:v100#0 750 kB in 3 copies, 25 GB/s on average": {0.5, 1.5, 3.5, 4.5},
		"sim:v100#2 → sim:v100#2 4 kB in 1 copy, 4 GB/s on average":      {2.5, 3.5, 2.5, 3.5},
	}
	if !maps.Equal(got, want) {
		t.Errorf("%v\nwant %v", got, want)
	}
}

func TestMemoryHasItsLevels(t *testing.T) {
	c := Memory(sampleInside())
	want := fmt.Sprint([]string{"needed by this evaluation", "kept for later ones", "in use on sim:v100#0"})
	var names []string
	for _, s := range c.Panels[0].Series {
		names = append(names, s.Name)
	}
	if fmt.Sprint(names) != want {
		t.Fatalf("series %q", names)
	}
	needed, kept, all := c.Panels[0].Series[0], c.Panels[0].Series[1], c.Panels[0].Series[2]
	for i := range all.Y {
		if !near(needed.Y[i], all.Y[i]/2) || !near(needed.Y[i]+kept.Y[i], all.Y[i]) {
			t.Errorf("step %d: %v + %v of %v", i, needed.Y[i], kept.Y[i], all.Y[i])
		}
	}
	many := &trace.Log{}
	for i := range 5000 {
		many.Add(trace.Event{Device: "d", Start: trace.Time(i), End: trace.Time(i + 1), Modelled: true, InUse: int64(i%1000 + 1), Reserved: int64(i%1000 + 1), Needed: 1, Memory: 10_000})
	}
	for _, e := range memoryLevels(many.Events()) {
		if e.Reserved < e.InUse {
			t.Fatalf("%d B in use of %d B that the pool has", e.InUse, e.Reserved)
		}
	}
	s := Memory(many).Panels[0].Series[2]
	if n := len(s.X); n > maxLevels+1 || largest(s.Y) != 1000 && largest(s.Y) != 1 { // bytes, or kB
		t.Errorf("%d steps, at most %v", n, largest(s.Y))
	}
}

func TestTimelineHoverSaysWhatAnEventWaitedFor(t *testing.T) {
	for _, b := range boxes(t, Timeline(sampleInside())) {
		last := b.Tip[len(b.Tip)-1]
		if want := "reads what these made: x[0:500000] (ended at 40 µs)"; b.Name == "mul_add_sqrt" && last != want {
			t.Errorf("%q, want %q", last, want)
		}
	}
}

func TestChartsOfWhatTheTraceLacksSayWhy(t *testing.T) {
	for name, c := range map[string]struct {
		chart *Chart
		want  string
	}{
		"gantt":     {Gantt(sampleLog()), "sim:v100#0 does not tell what happens inside kernel mul_add_sqrt; simulated GPUs do"},
		"by SM":     {OccupancyBySM(sampleLog()), "does not tell what happens inside"},
		"source":    {SourceOf("nothing", sampleInside()), `no kernel's name contains "nothing"`},
		"walk":      {Reconvergence(&trace.Log{}), "ran no kernel on a device that keeps statistics"},
		"graph":     {TaskGraph(sampleLog()), "the log has no tasks"},
		"two logs":  {TaskGraph(sampleInside(), sampleInside()), "one log at a time, not 2"},
		"transfers": {TransferMap(&trace.Log{}), "copied nothing"},
	} {
		if c.chart.Err == nil || !strings.Contains(c.chart.String(), c.want) {
			t.Errorf("%s: %q, want %q", name, c.chart, c.want)
		}
	}
}

// In a terminal each lane has a row: it executes, waits, or has returned, instruction by instruction as the walk has
// it.
func TestReconvergenceInTheTerminal(t *testing.T) {
	log := sampleInside()
	c := Reconvergence(log)
	w, warp := inside().Walk, log.Kernels()[0].Stats.WarpSize
	perBlock := map[int]int{}
	for _, l := range inside().Lines {
		perBlock[l.Block]++
	}
	rows := c.Panels[1].text
	if len(rows) != warp+3 {
		t.Fatalf("%d rows for %d lanes", len(rows), warp)
	}
	for lane := range warp {
		row := []rune(rows[lane+1])[5:]
		row = row[:len(row)-1]
		var want []rune
		for _, s := range w.Steps {
			r := '·'
			switch bit := uint64(1) << lane; {
			case s.Lanes&bit != 0:
				r = '█'
			case s.Live&bit == 0:
				r = ' '
			}
			for range perBlock[s.Block] {
				want = append(want, r)
			}
		}
		if len(row) == len(want) && string(row) != string(want) {
			t.Errorf("lane %d: %q, want %q", lane, string(row), string(want))
		}
		if n := strings.Count(string(want), "·"); n > 0 && !strings.Contains(string(row), "·") && len(row) == len(want) {
			t.Errorf("lane %d does not wait", lane)
		}
	}
}

// Where the source is at hand, rows and the player's steps have the line as a person wrote it, whole, behind its place.
func TestRowsHaveTheSource(t *testing.T) {
	log := sampleInside()
	for i := range log.Kernels()[0].Stats.Detail.Lines {
		l := &log.Kernels()[0].Stats.Detail.Lines[i]
		l.Pos, l.Source = "/home/somebody/cells/kernel.go:12:7", "y[i] = a*x[i] + y[i]"
	}
	text := "kernel.go:12  y[i] = a*x[i] + y[i]"
	if got := Source(log).Panels[0].Y.Categories[0]; got != text {
		t.Errorf("a row has %q, want %q", got, text)
	}
	if got := Reconvergence(log).player.Lines[0]; got != text {
		t.Errorf("a step has %q, want %q", got, text)
	}
	if got := OperationsOf("", log).Panels[0].Y.Categories[0]; strings.Contains(got, "y[i]") {
		t.Errorf("an operation has %q", got)
	}
}

// TestSourceHasARowForEachLine: operations of one line of Go, or of one array operation, are added up; hovering shows
// them, and the text begins with the line.
func TestSourceHasARowForEachLine(t *testing.T) {
	log := sampleInside()
	lines := log.Kernels()[0].Stats.Detail.Lines
	all := int64(0)
	for i := range lines {
		all += lines[i].Issued
	}
	c := Source(log)
	rows := bySource(withCost(log.Kernels()[0].Stats.Detail))
	sum, ops, seen := int64(0), 0, map[string]bool{}
	for _, r := range rows {
		assert.False(t, seen[r.text], "%s twice", r.text)
		seen[r.text] = true
		sum, ops = sum+r.Issued, ops+len(r.operations)
	}
	assert.Equal(t, all, sum)
	assert.Equal(t, len(withCost(log.Kernels()[0].Stats.Detail)), ops)
	assert.True(t, seen["read x0[i]"] && seen["indices and loops"], "%v", seen)
	assert.Less(t, len(rows), ops)
	assert.Contains(t, fmt.Sprint(c.Panels[0].tips), "b1  v9 f32 = load global v8  // x0[i]")
	for i := range lines {
		lines[i].Pos, lines[i].Source = fmt.Sprintf("cell 3:%d:1", 20-i/2), fmt.Sprintf("line %d", 20-i/2)
	}
	c = Source(log)
	assert.Equal(t, "cell 3:18  line 18", c.Panels[0].Y.Categories[0], "in the order of the source")
	assert.Contains(t, c.String(), "\ncell 3:18  line 18 ")
}
