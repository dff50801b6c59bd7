package simgpu

import (
	"testing"

	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/kir/cpu"
)

// BenchmarkReplay runs the timing model alone, on the recorded blocks of a launch.
func BenchmarkReplay(b *testing.B) {
	defer func(before bool) { guardAll = before }(guardAll)
	guardAll = false
	const n = 1 << 20
	for _, c := range []struct {
		f           *kir.Func
		grid, block kir.Dim3
		params      func(x *bench) []any
	}{
		{saxpy(b), kir.D1(n / 256), kir.D1(256), func(x *bench) []any { return []any{x.alloc(4 * n), x.alloc(4 * n), n} }},
		{reduce(b), kir.D1(n / 256), kir.D1(256), func(x *bench) []any { return []any{x.alloc(4 * n), x.alloc(n / 64)} }},
		{triangle(b), kir.D1(n / 1024), kir.D1(256), func(x *bench) []any { return []any{x.alloc(2 * n), n / 4} }},
		{matmul(b, 256), kir.Dim3{X: 16, Y: 16, Z: 1}, kir.Dim3{X: 16, Y: 16, Z: 1},
			func(x *bench) []any { return []any{x.alloc(n / 4), x.alloc(n / 4), x.alloc(n / 4)} }},
	} {
		b.Run(c.f.Name, func(b *testing.B) {
			x := newBench(b, "v100", Full())
			g, p := x.gpu, &x.gpu.preset
			loaded, err := g.Load(c.f)
			if err != nil {
				b.Fatal(err)
			}
			params := pack(b, c.params(x)...)
			if err := x.stream.Sync(ctx); err != nil {
				b.Fatal(err)
			}
			x.get(x.alloc(1)) // what is queued, like mappings, is done after this
			k := loaded.(*kernel)
			k.prepare(params)
			threads, shared := c.block.Count(), k.program.Func().SharedBytes()
			occ, err := Occupancy(*p, k.plain.registers, threads, shared)
			if err != nil {
				b.Fatal(err)
			}
			launch := cpu.Launch{Grid: c.grid, Block: c.block, Params: params, Memory: g.memory}
			at := newPlaces(k.program.Func(), &launch, g.mapped)
			code := k.version(at, threads, shared, occ).code
			l := &timing{preset: p, code: code, policies: g.policies, resident: occ.Blocks, shared: shared, shapes: newShapes(code.values), places: at}
			collector := l.newCollector(c.grid.Count(), threads, nil)
			launch.Record = collector.recorder
			if _, err := k.program.Run(ctx, launch); err != nil {
				b.Fatal(err)
			}
			kept := collector.finish()
			var instrs int64
			for b.Loop() {
				r, err := l.wholeRun(ctx, kept, nil)
				if err != nil {
					b.Fatal(err)
				}
				instrs += r.runs[0].machine.stats.warpInstrs
			}
			b.ReportMetric(float64(instrs)/b.Elapsed().Seconds()/1e6, "Mwarpinstr/s")
		})
	}
}

// BenchmarkLaunch runs whole launches, functional pass and timing model, and prints the model's speed too.
func BenchmarkLaunch(b *testing.B) {
	const n = 4 << 20
	cases := []struct {
		name        string
		f           *kir.Func
		grid, block kir.Dim3
		arrays      []int // bytes
		count       bool
	}{
		{"saxpy4M", saxpy(b), kir.D1(n / 256), kir.D1(256), []int{4 * n, 4 * n}, true},
		{"fused4M", fused(b), kir.D1(n / 256), kir.D1(256), []int{8 * n, 8 * n, 8 * n}, true},
		{"fused1M", fused(b), kir.D1(n / 1024), kir.D1(256), []int{2 * n, 2 * n, 2 * n}, true},
		{"reduce4M", reduce(b), kir.D1(n / 256), kir.D1(256), []int{4 * n, n / 64}, false},
		{"matmul256", matmul(b, 256), kir.Dim3{X: 16, Y: 16, Z: 1}, kir.Dim3{X: 16, Y: 16, Z: 1}, []int{4 << 16, 4 << 16, 4 << 16}, false},
		{"matmul512", matmul(b, 512), kir.Dim3{X: 32, Y: 32, Z: 1}, kir.Dim3{X: 16, Y: 16, Z: 1}, []int{4 << 18, 4 << 18, 4 << 18}, false},
	}
	for _, c := range cases {
		for _, mode := range []string{"default", "full"} {
			b.Run(c.name+"/"+mode, func(b *testing.B) {
				var options []Option
				if mode == "full" {
					options = append(options, Full())
				}
				x := newBench(b, "v100", options...)
				var params []any
				for _, bytes := range c.arrays {
					params = append(params, x.alloc(bytes))
				}
				if c.count {
					params = append(params, c.arrays[0]*c.grid.X*256/c.arrays[0])
				}
				var instrs int64
				for b.Loop() {
					st := x.launch(c.f, c.grid, c.block, params...).Stats
					instrs += st.WarpInstructions
					b.ReportMetric(float64(st.Cycles), "cycles")
					b.ReportMetric(float64(st.SampledBlocks), "blocks")
					b.ReportMetric(100*st.ErrorEstimate, "±%")
					b.ReportMetric(st.ClockHz, "Hz")
					b.ReportMetric(float64(st.DRAMBytes)/(float64(st.Cycles)/st.ClockHz)/1e9, "GB/s")
				}
				b.ReportMetric(float64(instrs)/b.Elapsed().Seconds(), "warpinstr/s")
			})
		}
	}
}
