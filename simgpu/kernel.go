package simgpu

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/arrayrepl/arrayrepl/internal/golabel"
	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/kir/cpu"
	"github.com/arrayrepl/arrayrepl/kir/opt"
	"github.com/arrayrepl/arrayrepl/offload/device"
	"github.com/arrayrepl/arrayrepl/offload/trace"
)

// kernel is a kernel that a GPU has loaded: optimised, ready to run, and lowered for the timing model.
type kernel struct {
	*kernelClass
	gpu      *GPU
	name     string
	program  *cpu.Program // in the order in which the kernel is written: so it computes, and fails where it fails
	plain    version      // in that order
	reorders bool         // the machine's compiler may choose another
	bounds   kir.Bounds
	most     int        // registers that a thread may have
	waits    *kir.Value // with Check: what a loop reads until another thread has written it, or nil
	stores   [][]int    // see storesOf
	lacks    error      // see Lacks

	versions map[string]version // see within; only the goroutine that executes has them
}

var loaded atomic.Int64

// Load optimises f, as a driver's compiler would (but see AsWritten), and makes it ready to launch. f may be changed
// afterwards.
func (g *GPU) Load(f *kir.Func) (device.Kernel, error) {
	given := f
	var waits *kir.Value
	if g.check { // before a load that nothing in the loop changes is taken out of it
		waits = waitsFor(f)
	}
	if g.written {
		h := *f
		f = &h
	} else {
		f = opt.Optimize(f)
	}
	f.Bounds.Addresses32 = strings.HasPrefix(g.preset.Capability, "1.")
	most := g.preset.MaxRegistersPerThread
	if n := f.Bounds.MaxRegisters; n > 0 {
		most = min(most, n)
	}
	if n := f.Bounds.MaxThreads; n > 0 {
		most = min(most, g.preset.registersFor(n))
	}
	if !g.written {
		f = opt.Spill(f, most)
	}
	prog, err := cpu.CompileFor(f, g.arithmetic)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", g.id, err)
	}
	k := &kernel{kernelClass: g.box.classes.of(given, prog.Func()), gpu: g, name: f.Name, lacks: g.lacks(f), program: prog, bounds: f.Bounds, most: most, versions: map[string]version{}}
	k.plain = version{newCode(&g.preset, prog.Func(), prog.Func(), g.branches()), min(opt.Registers(prog.Func()), most)}
	k.reorders = !g.written && !f.Bounds.Unscheduled && !g.preset.InOrder
	k.waits, k.stores = waits, storesOf(prog.Func())
	return k, nil
}

// Name returns the kernel's name.
func (k *kernel) Name() string { return k.name }

// fits checks a launch against the device's limits, and returns how many blocks an SM holds and the bytes of shared
// memory of each.
func (k *kernel) fits(grid, block kir.Dim3, dynamic int, params []byte) (Residency, int, error) {
	p := &k.gpu.preset
	for i, n := range [...]int{grid.X, grid.Y, grid.Z} {
		if n <= 0 || n > p.MaxGrid[i] {
			return Residency{}, 0, &LaunchLimit{k.name, "number of blocks of the grid in " + "xyz"[i:i+1], n, p.MaxGrid[i]}
		}
	}
	for i, n := range [...]int{block.X, block.Y, block.Z} {
		if n <= 0 {
			return Residency{}, 0, &LaunchLimit{k.name, "number of threads of a block in " + "xyz"[i:i+1], n, p.MaxThreadsPerBlock}
		}
	}
	if want := k.program.Func().ParamBytes(); len(params) != want {
		return Residency{}, 0, fmt.Errorf("kernel %s was not launched: its parameters take %d bytes, %d were given", k.name, want, len(params))
	}
	if dynamic < 0 {
		return Residency{}, 0, fmt.Errorf("kernel %s was not launched: %d bytes of dynamic shared memory", k.name, dynamic)
	}
	static := k.program.Func().SharedBytes()
	if static > p.SharedPerBlock {
		return Residency{}, 0, &LaunchLimit{k.name, "static shared memory of a block (bytes; gpu.DynamicShared may give more)", static, p.SharedPerBlock}
	}
	shared := static + dynamic
	occ, err := Occupancy(*p, k.plain.registers, block.Count(), shared)
	if err != nil {
		if limit, ok := err.(*LaunchLimit); ok {
			limit.Kernel = k.name
		}
		return Residency{}, 0, err
	}
	if most := occ.Blocks * p.SMs; k.program.Func().Cooperative() && grid.Count() > most {
		return Residency{}, 0, &LaunchLimit{k.name, fmt.Sprintf("number of blocks, which all must be on the device at a time (it has %d SMs; each holds %v),", p.SMs, occ),
			grid.Count(), most}
	}
	return occ, shared, nil
}

// launch checks a launch against the device's limits and returns its work.
func (k *kernel) launch(grid, block kir.Dim3, dynamic int, params []byte) (workFunc, error) {
	g := k.gpu
	occ, shared, err := k.fits(grid, block, dynamic, params)
	if err != nil {
		return nil, err
	}
	l := cpu.Launch{Grid: grid, Block: block, SharedBytes: dynamic, Params: params, Memory: k.gpu.memory, Watch: &k.gpu.watch}
	labels := golabel.Current()
	return func(ctx context.Context, at moment, e *trace.Event) error {
		var c *computed
		var st *trace.KernelStats
		run := func() (err error) {
			if c, err = k.compute(ctx, l, occ, shared, nil); err != nil {
				return err
			}
			if c.mixes() {
				return nil
			}
			g.settle()
			st, err = c.time(ctx)
			return err
		}
		var err error
		if g.policies.foreign() {
			err = apart(labels, run)
		} else {
			err = run()
		}
		if err != nil {
			return cmp.Or(ctx.Err(), err)
		}
		if st == nil {
			g.beside(c, at)
			return nil
		}
		g.timed(e, st, at)
		return nil
	}, nil
}

// timed notes when a launch ran that has been timed alone, where it could not begin before a moment.
func (g *GPU) timed(e *trace.Event, st *trace.KernelStats, at moment) {
	p := &g.preset
	for _, m := range []*meter{&g.room, &g.slots, &g.dram} {
		m.forget(at.submitted)
	}
	e.Start, e.End = occupy(at.kernel(p), p.time(float64(st.Cycles)), g.shares(st)...)
	e.Stats = st
	e.End += st.FaultTime() + trace.Time(float64(st.RemoteBytes)*1e12/float64(p.PinnedRate))
}

// shares returns what a launch takes of the GPU while it runs: of the room for blocks, of the schedulers' cycles, of
// the memory's bandwidth. Kernels of several streams run at a time where there is enough of each; what came first has
// its share, and what comes later goes on with the rest.
func (g *GPU) shares(st *trace.KernelStats) []share {
	part := func(n, all float64) int64 { return int64(min(max(n/all, 0), 1) * whole) }
	cycles := float64(max(st.Cycles, 1))
	room := part(float64(st.TotalBlocks), float64(st.SMs*st.ResidentBlocks))
	if g.preset.oneKernel() {
		room = whole
	}
	return []share{
		{&g.room, room},
		{&g.slots, part(float64(st.WarpInstructions), cycles*float64(st.SMs*st.Schedulers))},
		{&g.dram, part(float64(st.DRAMBytes), cycles/st.ClockHz*st.PeakBandwidth*g.preset.DRAMShare)},
	}
}

// computed is a launch that has been computed and is yet to be timed: what the timing model is given, or its statistics
// where a launch like it has been timed before.
type computed struct {
	kernel *kernel
	*gathered
	launch  cpu.Launch
	timing  *timing
	shared  int // bytes of a block
	occ     Residency
	counts  cpu.Counts
	exec    *exec  // with Check
	off     string // why the policy for blocks changes nothing
	watched int    // blocks that were looked at for lanes that rely on lockstep
	key     string
	known   *launched // of a launch with the same key
	managed []placed
	replay  bool
}

// run computes the launch and then times it; one that was recorded is timed alone, with nothing in L2.
func (k *kernel) run(ctx context.Context, l cpu.Launch, occ Residency, shared int, rec *cpu.Recording) (*trace.KernelStats, error) {
	c, err := k.compute(ctx, l, occ, shared, rec)
	if err != nil {
		return nil, err
	}
	return c.time(ctx)
}

// compute computes the launch, and records what its timing needs.
func (k *kernel) compute(ctx context.Context, l cpu.Launch, occ Residency, shared int, rec *cpu.Recording) (*computed, error) {
	g, p := k.gpu, &k.gpu.preset
	mapped, warm := g.mapped, g.warm
	if rec != nil {
		mapped, warm = spansOf(l.Memory), nil
	}
	blocks, threads := l.Grid.Count(), l.Block.Count()
	if err := ask(func() { l.Order = g.policies.order.Order(blocks) }); err != nil {
		err.Kernel, err.Kind, err.Policy = k.name, orderKind, nameOf(g.policies.order)
		err.Candidates = []string{fmt.Sprintf("%d blocks", blocks)}
		return nil, err
	}
	l.Order = k.program.Func().ClusterOrder(l.Order)
	if l.Order != nil && len(l.Order) != blocks {
		return nil, fmt.Errorf("kernel %s was not launched: block order %q has %d of %d blocks", k.name, g.policies.order.Name(), len(l.Order), blocks)
	}
	if rec == nil {
		k.prepare(l.Params)
	}
	var seen *gathered
	var err error
	if rec == nil {
		seen = k.gather(&l, mapped, occ, shared)
	} else if seen, err = k.recorded(ctx, rec, l, occ, shared); err != nil {
		return nil, err
	}
	v, at := seen.version, seen.places
	if v.registers != k.plain.registers { // the blocks stay
		if occ, err = Occupancy(*p, v.registers, threads, shared); err != nil {
			return nil, err
		}
	}
	of, err := k.residence(occ, v.registers, threads, shared)
	if err != nil {
		return nil, err
	}
	out := &computed{kernel: k, gathered: seen, launch: l, occ: occ, shared: shared, replay: rec != nil}
	if of.Off != "" {
		out.off = fmt.Sprintf("%s is off: %s", nameOf(g.policies.ctas), of.Off)
	}
	out.timing = &timing{preset: p, code: v.code, policies: g.policies, resident: of.Resident, active: of.Active, swapCycles: of.SwapCycles, shared: shared, limits: g.limits, shapes: seen.shapes, places: at, warm: warm, kernel: k.name, window: g.window}
	if rec != nil {
		out.watched, err = k.lockstepOf(ctx, rec, l)
		return out, err
	}
	if out.timing.files = k.filesOf(l.Params); len(out.timing.files) > 0 && g.limits == usualLimits { // what a cache and disks do is no sum of parts
		out.timing.limits = fullLimits
	}
	if g.check {
		if err := k.checkable(); err != nil {
			return nil, err
		}
		out.exec = newExec(k, v.code, &l)
	}
	out.managed = g.managedIn(at)
	if k.times != nil && out.exec == nil && out.managed == nil && out.timing.files == nil {
		out.key = k.times.key(&l, at, g.warm)
		if out.known = k.times.known[out.key]; out.known != nil {
			_, err := k.program.Run(ctx, l)
			return out, err
		}
	}
	run := func(record func(cta int) cpu.Recorder) (err error) {
		watch := k.watchLockstep(&l)
		l.Record = watch.beside(record)
		if out.counts, err = k.program.Run(ctx, l); err == nil {
			out.watched, err = watch.result(k)
		}
		return err
	}
	if err := seen.listen(k, &l, mapped, out.timing.limits, run); err != nil {
		return nil, err
	}
	out.launch = l
	return out, nil
}

// time times a launch that has the machine for itself.
func (c *computed) time(ctx context.Context) (*trace.KernelStats, error) {
	k, lt := c.kernel, c.timing
	g, p, at := k.gpu, lt.preset, lt.places
	if c.known != nil {
		g.warm.become(c.known, at)
		return c.known.stats, nil
	}
	began := lt.warm.now()
	var r *timed
	var err error
	switch {
	case c.exec != nil:
		r, err = k.checked(ctx, &c.launch, lt, c.exec, c.counts)
	case len(c.blocks) == c.launch.Grid.Count():
		r, err = lt.wholeRun(ctx, c.blocks, nil)
	default:
		r, err = lt.sampledRun(ctx, c.blocks, c.seen)
	}
	if err != nil {
		return nil, err
	}
	st := c.report(r)
	for _, run := range r.runs {
		run.release()
	}
	if c.managed != nil {
		st.PageBytes = p.PageBytes
		st.Faults, st.RemoteBytes = g.faults(c.managed, &c.seen.touched, max(1, p.SMs*lt.resident), p.time(float64(st.Cycles)))
	} else if k.times != nil && c.exec == nil && !c.replay && lt.files == nil {
		k.times.put(c.key, &launched{stats: st, end: g.warm.own(at), began: began, uses: g.warm.now() - began, record: c.record()})
	}
	return st, nil
}

// report makes the statistics of the launch of what was timed.
func (c *computed) report(r *timed) *trace.KernelStats {
	st := c.kernel.stats(&c.launch, c.version, c.occ, c.shared)
	if n := c.timing.resident; n != c.occ.Blocks {
		active := max(c.timing.active, 1)
		st.ResidentBlocks, st.Theoretical = n, float64(active*c.timing.preset.warps(c.launch.Block.Count()))/float64(st.WarpsPerSM)
	}
	st.CTAsOff, st.LockstepBlocks = c.off, c.watched
	sum := *c.counted // what only time decides is added
	sum.lines = slices.Clone(sum.lines)
	report(c.timing, r, &sum, st)
	return st
}

// checked computes a launch, which has been computed once, again as x times it.
func (k *kernel) checked(ctx context.Context, l *cpu.Launch, lt *timing, x *exec, counts cpu.Counts) (*timed, error) {
	x.places, x.limit = lt.places, 1<<20
	all := int64(0)
	for _, n := range counts.ThreadInstructions {
		x.limit += 4 * n * x.most // a division is some tens of them
		all += n
	}
	if all/int64(lt.preset.WarpSize) > fullLimits.whole {
		return nil, fmt.Errorf("kernel %s was not checked: it executes more than the %d million warp instructions that Check replays", k.name, fullLimits.whole>>20)
	}
	blocks := make([]*blockTrace, l.Grid.Count())
	for i := range blocks {
		n := i
		if l.Order != nil {
			n = l.Order[i]
		}
		blocks[i] = &blockTrace{cta: n, at: i, threads: l.Block.Count()}
	}
	r, err := lt.wholeRun(ctx, blocks, x)
	if err != nil {
		return nil, err
	}
	return r, x.compare(ctx)
}

// stats returns what is known of a launch before it is timed.
func (k *kernel) stats(l *cpu.Launch, v version, occ Residency, shared int) *trace.KernelStats {
	p := &k.gpu.preset
	return &trace.KernelStats{
		Grid:           [3]int{l.Grid.X, l.Grid.Y, l.Grid.Z},
		Block:          [3]int{l.Block.X, l.Block.Y, l.Block.Z},
		SharedBytes:    shared,
		Registers:      v.registers,
		LocalBytes:     v.code.local,
		SpillStores:    v.code.spillStores,
		SpillLoads:     v.code.spillLoads,
		WarpSize:       p.WarpSize,
		SMs:            p.SMs,
		Schedulers:     p.Schedulers,
		ClockHz:        float64(p.ClockMHz) * 1e6,
		LaunchLatency:  trace.Time(p.LaunchLatency) * trace.Nanosecond,
		WarpsPerSM:     p.MaxThreadsPerSM / p.WarpSize,
		ResidentBlocks: occ.Blocks,
		LimitedBy:      occ.LimitedBy,
		Theoretical:    occ.Fraction,
		TotalBlocks:    l.Grid.Count(),
		PeakFlops32:    p.PeakFlops(UnitFP32),
		PeakFlops64:    p.PeakFlops(UnitFP64),
		PeakBandwidth:  float64(p.DRAMPeak),
	}
}
