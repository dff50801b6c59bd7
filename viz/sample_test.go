package viz

import (
	"math"
	"time"

	"github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/offload/trace"
)

// sampleLog is a made-up evaluation: two arrays go to a simulated V100 in two pieces on two streams, a fused kernel
// runs on each, a small reduction follows, one number comes back. Its figures are round so that tests can state them.
func sampleLog() *trace.Log {
	const us, ms = trace.Microsecond, trace.Millisecond
	l := &trace.Log{}
	held := int64(0)
	dev := func(name string, k trace.Kind, stream int, start, end trace.Time, bytes int64, st *trace.KernelStats) {
		held += bytes
		l.Add(trace.Event{Name: name, Kind: k, Device: "sim:v100#0", Stream: stream, Start: start, End: end, Modelled: true, Bytes: bytes, Stats: st, InUse: held, Memory: 16e9})
	}
	cpu := func(name string, k trace.Kind, start, end trace.Time) {
		l.Add(trace.Event{Name: name, Kind: k, Device: "host", Start: start, End: end})
	}
	dev("x[0:500000]", trace.CopyIn, 0, 0, 40*us, 500_000, nil)
	dev("x[500000:]", trace.CopyIn, 1, 40*us, 80*us, 500_000, nil)
	dev("mul_add_sqrt", trace.Kernel, 0, 41*us, 66*us, 1_000_000, sampleStats())
	dev("mul_add_sqrt", trace.Kernel, 1, 81*us, 105*us, 1_000_000, sampleStats())
	small := sampleStats()
	small.Timeline, small.Grid = nil, [3]int{4, 1, 1}
	dev("sum", trace.Kernel, 0, 105*us, 110*us, 4_000, small)
	dev("result", trace.CopyOut, 0, 110*us, 113*us, 8, nil)
	cpu("plan and fuse 12 operations", trace.Overhead, 0, 2*ms)
	cpu("load kernels", trace.Overhead, 2*ms, 3*ms)
	cpu("merge pieces", trace.Host, 3*ms, 3500*us)
	return l
}

// sampleStats is a kernel of 25 µs in 25 slices: it fills up, runs with some divergence, and drains.
func sampleStats() *trace.KernelStats {
	s := &trace.KernelStats{
		Grid: [3]int{1954, 1, 1}, Block: [3]int{256, 1, 1}, Registers: 40, WarpSize: 32, SMs: 80, Schedulers: 4, ClockHz: 1.53e9,
		Cycles: 38_250, WarpsPerSM: 64, ResidentBlocks: 6, LimitedBy: "registers", Theoretical: 0.75, Achieved: 0.61,
		SampledBlocks: 240, TotalBlocks: 1954, ErrorEstimate: 0.04,
		Flops32: 2_000_000, DRAMBytes: 10_000_000, PeakFlops32: 15.7e12, PeakFlops64: 7.8e12, PeakBandwidth: 900e9,
	}
	for i := range 25 {
		f := float64(i) / 25
		fill := math.Min(1, math.Min(f*8, (1-f)*4))
		sm := trace.Sample{Start: trace.Time(i) * trace.Microsecond, End: trace.Time(i+1) * trace.Microsecond, Warps: 48 * fill}
		sm.Issued[7] = 0.40 * fill
		sm.Issued[3] = 0.06 * fill * f
		sm.Issued[0] = 0.05 * fill * f
		sm.Stalls[trace.StallPipeline] = 0.05 * fill
		sm.Stalls[trace.StallShort] = 0.12 * fill
		sm.Stalls[trace.StallEmpty] = 0.9 * (1 - fill)
		rest := 1.0
		for _, v := range sm.Issued {
			rest -= v
		}
		for _, v := range sm.Stalls {
			rest -= v
		}
		sm.Stalls[trace.StallLong] = rest
		s.Timeline = append(s.Timeline, sm)
	}
	for i := range s.Issued {
		s.Issued[i] = int64(1000 * (i + 1))
	}
	s.Stalls = [trace.NumStalls]int64{2000, 50_000, 9000, 3000}
	return s
}

// sampleInside is sampleLog with what its kernel did inside: two waves of blocks on ten SMs, a loop that lanes leave
// and a load that is not coalesced; and with its graph: two fused tasks on the device and one on the CPU.
func sampleInside() *trace.Log {
	const us = trace.Microsecond
	d := &trace.Detail{SMs: 10, BlockSMs: 10, Lines: []trace.Line{
		{Block: 0, Text: "v4 i64 = add v2, v3", Issued: 1000, Lanes: 32000},
		{Block: 0, Text: "branch v5, b1, b3", Issued: 1000, Lanes: 32000, Branches: 1000, Parted: 40},
		{Block: 1, Text: "v9 f32 = load global v8", Note: "x0[i]", Issued: 4000, Lanes: 96000, Requests: 4000, Sectors: 96000, Bytes: 384000, L1Hits: 9600},
		{Block: 1, Text: "v10 f32 = sqrt v9", Note: "sqrt", Issued: 32000, Lanes: 768000},
		{Block: 1, Text: "branch v12, b1, b2", Issued: 4000, Lanes: 96000, Branches: 4000, Parted: 3000},
		{Block: 2, Text: "store global v13, v10", Issued: 1000, Lanes: 32000, Requests: 1000, Sectors: 4000, Bytes: 128000},
		{Block: 3, Text: "return"},
	}}
	for i := range 60 {
		start, end := trace.Time(0), trace.Time(6+i%10)*us
		if i >= 40 {
			start = trace.Time(6+i%10) * us
			end = start + 5*us
		}
		d.Blocks = append(d.Blocks, trace.BlockRun{Block: int32(100 + i), SM: int32(i % 10), Start: start, End: end})
	}
	w := &trace.Walk{Block: 103, Warp: 2, Policy: "pdom", Skipped: 3}
	all := uint64(1<<32 - 1)
	w.Steps = append(w.Steps, trace.Step{Block: 0, Lanes: all, Live: all})
	for k := range 8 {
		w.Steps = append(w.Steps, trace.Step{Block: 1, Lanes: all << (4 * k) & all, Live: all})
	}
	w.Steps = append(w.Steps, trace.Step{Block: 2, Lanes: all, Live: all})
	d.Walk = w
	d.Window = &trace.Window{From: 100, To: 500, Resident: 6, Active: 4}
	for i := range int64(40) {
		s := trace.Slot{Cycle: 100 + 10*i, Issue: trace.Issue{Warp: int32(i % 4), Lanes: all >> (i % 7), Line: int32(i % 7), Busy: 2},
			Beside: trace.Issue{Block: 1, Warp: 3, Lanes: all &^ (all >> (i % 7)), Line: 2, Unit: trace.IssueMemory, Busy: 4}}
		d.Window.Slots = append(d.Window.Slots, s)
		d.Window.Progress = append(d.Window.Progress, trace.Progress{Cycle: 100 + 10*i, Least: i * i / 9, Most: 3 * i, Threads: int(256 - i)})
		d.Window.Blocks = append(d.Window.Blocks, trace.BlockState{Block: int32(i % 6), State: trace.CTAState(i % int64(trace.NumCTAStates)), From: 100 + i/6*60, To: 160 + i/6*60})
	}
	for i := range int32(6) {
		stack := trace.Table{Name: "stack", Rows: []trace.Row{{Place: "1, top", Block: 1, Line: 3, Lanes: all >> (4 * i), Count: 32 - int(4*i)},
			{Place: "0", Block: 2, Line: 5, Lanes: all, Count: 32, Note: "until b3"}}}
		d.Window.States = append(d.Window.States, trace.State{Cycle: 100 + 7*int64(i), Block: 103, Warp: 2, Tables: []trace.Table{stack}})
	}
	st := sampleStats()
	st.Detail = d
	l := &trace.Log{}
	for i, e := range sampleLog().Events() {
		e.ID = i + 1
		if e.Kind == trace.Kernel && e.Name != "sum" {
			e.Stats, e.Task, e.After = st, 1, []int{2} // the first copy
		}
		if e.Kind == trace.Host {
			e.Task = 3
		}
		if e.Memory > 0 {
			e.Needed = e.InUse / 2
		}
		l.Add(e)
	}
	l.SetGraph(&trace.Graph{
		Tasks: []trace.Task{
			{Name: "multiply+add+sqrt", Device: "sim:v100#0", In: []int{0, 1}, Out: []int{2}, Ops: []trace.Op{
				{Name: "multiply", Args: []int{^0, ^1}}, {Name: "add", Args: []int{0, trace.Constant}}, {Name: "sqrt", Args: []int{1}}}},
			{Name: "sum", Device: "sim:v100#0", In: []int{2}, Out: []int{3}, Ops: []trace.Op{{Name: "sum", Args: []int{^0}}}},
			{Name: "sort", Device: "host", In: []int{2}, Out: []int{4}, Ops: []trace.Op{{Name: "sort", Args: []int{^0}}}},
		},
		Values: []trace.Value{{Bytes: 500_000, From: "host"}, {Bytes: 500_000, From: "sim:v100#0"}, {Bytes: 1_000_000}, {Bytes: 8, Wanted: true}, {Bytes: 1_000_000, Wanted: true}},
	})
	return l
}

// gallery is one chart of each kind, for tests and for looking at: see TestGalleryPage.
func gallery() []*Chart {
	n := 400
	t, a, b := make([]float64, n), make([]float64, n), make([]float64, n)
	for i := range t {
		t[i] = 1950 + float64(i)/5
		a[i] = 320 + 1.1*float64(i)/5 + 4*math.Sin(float64(i)/3)
		b[i] = 330 + 0.6*float64(i)/5
	}
	for i := 150; i < 180; i++ {
		a[i] = math.NaN()
	}
	noise := make([]float64, 5000)
	state := uint64(1)
	for i := range noise {
		for range 12 {
			state = state*6364136223846793005 + 1442695040888963407
			noise[i] += float64(state>>40) / (1 << 24)
		}
	}
	sizes := []float64{1e3, 1e4, 1e5, 1e6, 1e7}
	const rows, cols = 60, 90
	hill := make([]float64, rows*cols)
	for i := range hill {
		x, y := float64(i%cols)/cols*6-3, float64(i/cols)/rows*4-2
		hill[i] = 3*math.Exp(-x*x-y*y) - 2*math.Exp(-(x-1.5)*(x-1.5)-(y-0.8)*(y-0.8))
	}
	photo := make([]float64, rows*cols*3)
	for i := range photo {
		at := i / 3
		photo[i] = []float64{float64(at%cols) / cols, float64(at/cols) / rows, 0.5}[i%3]
	}
	days := make([]time.Time, n)
	for i := range days {
		days[i] = time.Date(2024, 2, 1+i, 12, 0, 0, 0, time.UTC)
	}
	slower := sampleLog()
	for i := range 5 {
		at := trace.Time(120+20*i) * trace.Microsecond
		slower.Add(trace.Event{Name: "sum", Kind: trace.Kernel, Device: "sim:v100#0", Start: at, End: at + 15*trace.Microsecond, Modelled: true, Stats: sampleStats()})
	}
	extent := Extent(-3, 3, -2, 2)
	return []*Chart{
		Timeline(sampleLog()),
		Occupancy(sampleLog()),
		Line(t, a, Title("A line with a gap, and another"), XLabel("year"), YLabel("CO2 (ppm)"), Name("measured")).Add(t, b, "trend"),
		Scatter(noise[:2500], noise[2500:], Title("Scatter of 2,500 points"), XLabel("first half"), YLabel("second half")),
		Line(sizes, []float64{2e-6, 1e-5, 9e-5, 1e-3, 1.1e-2}, Title("Time over size, both logarithmic"), XLabel("elements"), YLabel("seconds"), LogX(), LogY()),
		Bar([]string{"class 0", "class 1", "class 2"}, []float64{13.74, 12.28, 13.15}, Title("Mean alcohol of wines"), YLabel("alcohol (% vol)"), Name("mean")).Add([]string{"class 0", "class 1", "class 2"}, []float64{14.83, 13.86, 14.34}, "largest"),
		Hist(noise, 30, Title("Histogram of 5,000 sums of 12 random numbers"), XLabel("sum")),
		Stalls(slower),
		Breakdown(sampleLog()),
		Transfers(sampleLog()),
		Memory(sampleLog()),
		Roofline(slower),
		Compare([]string{"one sum", "six sums", "again one"}, sampleLog(), slower, sampleLog()),
		Sweep(sizes, []float64{2e-6, 1e-5, 9e-5, 1e-3, 1.1e-2}, Title("A sweep"), XLabel("elements"), YLabel("time (s)"), Name("v100"), VLine(2e8, "out of memory")),
		HeatMap(arrays.FromSlice(hill, rows, cols), Title("Hill and valley by row and column"), ScaleLabel("height (m)")),
		Contour(arrays.FromSlice(hill, rows, cols), Title("Hill and valley as a map"), extent, XLabel("east (km)"), YLabel("north (km)"), ScaleLabel("height (m)")),
		Image(arrays.FromSlice(photo, rows, cols, 3), Title("Red to the right, green downwards")),
		Image(arrays.FromSlice(hill, rows, cols), Title("In grey")),
		Density(noise[:2500], noise[2500:], Title("Density of 2,500 points"), XLabel("first half"), YLabel("second half")),
		BoxPlot([]string{"first", "second", "all"}, []any{noise[:2500], noise[2500:], noise}, Title("Spread of sums"), XLabel("sum")),
		Line(days, b, Title("A line over dates"), YLabel("CO2 (ppm)"), HLine(350, "target")),
		Gantt(sampleInside()),
		OccupancyBySM(sampleInside()),
		Source(sampleInside()),
		Reconvergence(sampleInside()),
		TaskGraph(sampleInside()),
		TransferMap(sampleInside()),
		Links(sampleLinks),
		Candidates(sampleChoices),
		Depths(sampleDepths...),
		Places(sampleTiles),
		Policies([]trace.Program{{Name: "round-robin", Logs: []*trace.Log{sampleLog(), slower}}, {Name: "min-max-transfer-time", Logs: []*trace.Log{sampleInside()}}}),
		Memory(sampleInside()),
		Timeline(sampleInside()),
		Paging(pagedLog(12)),
		Surface(arrays.FromSlice(hill, rows, cols), Title("Hill and valley in space"), extent, XLabel("east (km)"), YLabel("north (km)"), ScaleLabel("height (m)")),
		Line(t, b, Title("Two vertical axes"), Name("CO2"), YLabel("CO2 (ppm)"), XLabel("year"), RightLabel("count")).AddRight(t[:300], noise[:300], "noise"),
	}
}
