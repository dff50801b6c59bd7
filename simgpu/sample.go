package simgpu

import (
	"cmp"
	"context"
	"math"
	"slices"
	"sync"

	"github.com/arrayrepl/arrayrepl/internal/mmap"
)

// limits is how much the timing model does for one launch, in warp instructions.
type limits struct {
	whole  int64 // launches up to this are timed whole
	sample int64 // of a larger one, the groups of neighbours that are timed have about this
	unsure int64 // launches up to this are timed whole, too, where their sample is not sure
}

// At three million a second on one core, a cell's kernels take a second or two each; with Full, up to a minute and a
// half.
var (
	usualLimits = limits{4_000_000, 6_000_000, 16_000_000}
	fullLimits  = limits{1 << 28, 6_000_000, 1 << 28}
)

// A sample is not sure whose time may be off by more than this.
const unsure = 0.10

// wavesAHalf is how many waves of blocks each half of a sample should have on its machine, where the launch has as
// many.
const wavesAHalf = 2

// timing is what the runs of the timing model for one launch have in common.
type timing struct {
	preset     *Preset
	code       *code
	policies   policies
	resident   int // blocks per SM
	active     int // of them, that issue; 0: all
	swapCycles int
	shared     int // bytes per block
	limits     limits
	shapes     *shapes
	places     *places
	files      []*linesBuffer // of which it brings lines: where all blocks are timed, it waits for them
	warm       *warmth        // what L2 holds when the launch begins, and after it
	kernel     string
	window     cyclesOf // of which everything is kept, where all blocks are timed
}

// timed is what the timing model found out about a launch.
type timed struct {
	runs   []timedRun // of parts of the launch, or one of all
	blocks int        // that were timed
	whole  bool       // all were
	cycles float64
	off    float64 // how far cycles may be off, relative
	spans  []coarseSpan
}

// timedRun is a run of some blocks on a machine.
type timedRun struct {
	machine *machine
	blocks  []*blockTrace
	cycles  int64
}

// release gives back what the run's machine had, but for what it has counted.
func (r timedRun) release() {
	if r.machine == nil {
		return
	}
	r.machine.mem.release()
	for _, w := range r.machine.ways {
		wayRoom.Put(w)
	}
	r.machine.ways = nil
	for _, s := range r.machine.sms {
		s.l1.release()
		s.consts.release()
		for _, b := range s.spare {
			for _, t := range b.warps {
				traceRoom.Put(t)
			}
		}
		s.spare = nil
	}
}

// run runs blocks, all of a launch, on the machine. With an x the launch is executed as it is timed.
func (l *timing) run(ctx context.Context, blocks []*blockTrace, x *exec) (timedRun, error) {
	m := l.newMachine(1, l.preset.SMs, l.preset.L2Bytes, blocks)
	m.window = newWindow(l.window, m.sms[0])
	if m.exec = x; x != nil {
		x.cta = func(n int) int { return blocks[n].cta }
	}
	l.warm.load(m.mem.l2, l.places)
	m.beginFiles(l.files)
	cycles, err := m.run(ctx)
	m.lineStats = m.endFiles()
	m.exec = nil
	if err == nil {
		l.warm.keep(m.mem.l2, l.places)
	}
	return timedRun{m, blocks, cycles}, err
}

// runPart runs blocks, a part of the launch that c has taken, on 1/scale of the machine, with so many SMs; over is
// whether they run, alone, as if nearly all of the launch had ended.
func (l *timing) runPart(ctx context.Context, c *collector, o others, scale, sms int, over bool, blocks []*blockTrace) (timedRun, error) {
	share := float64(sms) / float64(l.preset.SMs)
	if over {
		share = 1
	}
	m := l.newMachine(scale, sms, roomOf(l.preset, &c.touched, share), blocks)
	m.mem.others = o.ofPart(blocks, over)
	cycles, err := m.run(ctx)
	return timedRun{m, blocks, cycles}, err
}

// wholeRun times all blocks.
func (l *timing) wholeRun(ctx context.Context, blocks []*blockTrace, x *exec) (*timed, error) {
	if x == nil {
		if err := l.rehearse(ctx, blocks); err != nil {
			return nil, err
		}
	}
	r, err := l.run(ctx, blocks, x)
	return &timed{runs: []timedRun{r}, blocks: len(blocks), whole: true, cycles: float64(r.cycles)}, err
}

// sampledRun times a launch of which kept are some blocks, whole ones; lengths are those of all.
//
// Four things are timed. Blocks of all lengths, the longest among them, each alone on an SM: how fast a block goes when
// nothing disturbs it. One SM full of neighbours: how fast an SM is. And two halves of the sample, each on a machine
// with a part of the SMs and as much less of everything that SMs share: how fast the machine is. The coarse model, with
// limits under which it takes for these what the timing model does, then makes the schedule of the whole launch, whose
// blocks' lengths are known. What the two halves say is the estimate and how far it may be off. No launch is shorter
// than its longest block.
func (l *timing) sampledRun(ctx context.Context, kept []*blockTrace, all *collector) (*timed, error) {
	if all.all != nil && 2*all.total <= 3*l.limits.sample { // the runs below would time nearly as much
		return l.wholeRun(ctx, all.all, nil)
	}
	if err := l.rehearse(ctx, kept); err != nil {
		return nil, err
	}
	lengths, group := all.lengths, all.group
	p, warps := l.preset, 0
	if len(kept) > 0 {
		warps = (kept[0].threads + p.WarpSize - 1) / p.WarpSize
	}
	alone, main := splitKept(all, kept)
	halves := [2][]*blockTrace{}
	for i, k := range main {
		if i == 0 || main[i-1].at/group != k.at/group {
			halves[0], halves[1] = halves[1], halves[0]
		}
		halves[0] = append(halves[0], k)
	}
	if len(halves[1]) == 0 {
		halves[0], halves[1] = main[:(len(main)+1)/2], main[(len(main)+1)/2:]
	}
	smaller := min(len(halves[0]), len(halves[1]))
	scale := l.scaleFor(len(lengths), smaller, all.total)
	sms := max(1, p.SMs/scale)
	// more would fill the part of a machine more than the launch fills the whole
	most := (len(lengths) + scale - 1) / scale
	for i := range halves {
		halves[i] = withLongest(thin(halves[i], most, group), kept)
	}
	single := halves[0][:min(len(halves[0]), 2*l.resident)]
	o := others{launch: &all.touched, reuse: newReuse(p, &all.touched), wave: p.SMs * l.resident, warm: l.warm.of(l.places)}
	var aloneRun, singleRun timedRun
	var halfRuns [2]timedRun
	jobs := []func() error{
		func() (err error) {
			aloneRun, err = l.runPart(ctx, all, o, 1, min(p.SMs, len(alone)), true, alone)
			return
		},
		func() (err error) { halfRuns[0], err = l.runPart(ctx, all, o, scale, sms, false, halves[0]); return },
		func() (err error) { halfRuns[1], err = l.runPart(ctx, all, o, scale, sms, false, halves[1]); return },
	}
	if sms > 1 {
		jobs = append(jobs, func() (err error) { singleRun, err = l.runPart(ctx, all, o, 1, 1, false, single); return })
	}
	errs := make([]error, len(jobs))
	var wg sync.WaitGroup
	for i, job := range jobs {
		errs[i] = errEnded // what stays where a policy of a cell ends its goroutine
		wg.Go(func() { errs[i] = mmap.Read(job) })
	}
	wg.Wait()
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	for _, r := range []timedRun{aloneRun, singleRun} {
		r.release()
	}
	out := &timed{runs: halfRuns[:], blocks: len(distinct(alone, halves[0], halves[1]))}

	speeds := newSpeeds(aloneRun)
	loads := func(blocks []*blockTrace) (out []load) {
		for _, b := range blocks {
			n := lengths[b.at]
			out = append(out, load{float64(n.instrs), speeds.alone(n), warps})
		}
		return out
	}
	everything := make([]load, len(lengths))
	for i, n := range lengths {
		everything[i] = load{float64(n.instrs), speeds.alone(n), warps}
	}
	var ends []float64
	var model coarse
	for _, oldest := range []bool{false, true} {
		perSM := math.Inf(1)
		if sms > 1 {
			perSM = limitFor(float64(singleRun.cycles), func(limit float64) coarse {
				return coarse{1, l.resident, limit, math.Inf(1), oldest, float64(p.BlockLatency)}
			}, loads(single))
		}
		for i := range halfRuns {
			own, cycles := loads(halves[i]), float64(halfRuns[i].cycles)
			m := coarse{sms, l.resident, perSM, math.Inf(1), oldest, float64(p.BlockLatency)}
			if sms > 1 && m.run(own, nil) < cycles {
				m.all = limitFor(cycles, func(limit float64) coarse {
					return coarse{sms, l.resident, perSM, limit, oldest, float64(p.BlockLatency)}
				}, own)
			} else {
				m.perSM = limitFor(cycles, func(limit float64) coarse {
					return coarse{sms, l.resident, limit, math.Inf(1), oldest, float64(p.BlockLatency)}
				}, own)
			}
			model = m
			model.sms, model.all = p.SMs, m.all*float64(p.SMs)/float64(sms)
			end := model.run(everything, nil)
			if took := m.run(own, nil); took > cycles { // blocks are faster together than alone
				end *= cycles / took
			}
			ends = append(ends, end)
		}
	}
	longest := float64(0)
	for _, r := range aloneRun.machine.runs {
		longest = max(longest, float64(r.end-r.start))
	}
	// The issue policies that are used most go on with the oldest warps; a half says the rest.
	mean := (ends[2] + ends[3]) / 2
	switch l.policies.issue.(type) {
	case GTO, Oldest:
	default:
		mean = (ends[0] + ends[1] + ends[2] + ends[3]) / 4
	}
	out.cycles = max(mean, longest)
	given, own := 0.0, 0.0
	for _, r := range halfRuns {
		given += float64(r.machine.mem.others.given)
		own += float64(r.machine.mem.dramSectors)
	}
	given /= max(1, given+own)
	out.off = estimateError(ends, mean, given, longest/out.cycles)
	if out.off > unsure && all.all != nil {
		for _, r := range halfRuns {
			r.release()
		}
		return l.wholeRun(ctx, all.all, nil)
	}
	l.warm.leave(&all.touched, len(lengths), l.places)
	sum := 0.0
	model.run(everything, func(s coarseSpan) {
		out.spans = append(out.spans, s)
		sum += s.cycles
	})
	for i := range out.spans { // the time of the model is the estimate's
		out.spans[i].cycles *= out.cycles / sum
	}
	return out, nil
}

// What an estimate is taken to be wrong by: at least, for what the two halves differ by, and the two ways of sharing an
// SM, together up to a limit, as differences of much more mean no larger errors; and, of the time that is left beside
// the longest block, which is timed alone, by a share, and by one more where what is read has been brought to L2 by
// blocks that were not timed. Fitted to 235 skewed kernels, and widened for 60 others.
const (
	sampleError = 0.05
	halvesError = 0.27
	waysError   = 0.71
	mostSpread  = 0.25
	restError   = 0.065
	givenError  = 0.046
)

// estimateError returns how far the mean of what the halves and ways say may be off, relative: ends are those of the
// two halves when an SM shares evenly, and then when the oldest warps go first; given is the share of sectors of L2
// that others have brought, tail that of the launch's time for which the longest block runs.
func estimateError(ends []float64, mean, given, tail float64) float64 {
	if mean <= 0 {
		return sampleError
	}
	halves := math.Abs(ends[2]-ends[3]) / mean
	ways := math.Abs(ends[0]+ends[1]-ends[2]-ends[3]) / 2 / mean
	return sampleError + min(halvesError*halves+waysError*ways, mostSpread) + (1-min(tail, 1))*(restError+givenError*given)
}

// withLongest returns the blocks of a half with the longest of those kept among them, at its place, unless one is there
// that is nearly as long: a block that ends last runs first beside all others, and slowly where they fill the memory's
// channels.
func withLongest(half, kept []*blockTrace) []*blockTrace {
	longest := slices.MaxFunc(kept, func(a, b *blockTrace) int { return cmp.Compare(a.path, b.path) })
	if slices.ContainsFunc(half, func(b *blockTrace) bool { return 10*b.path >= 9*longest.path }) {
		return half
	}
	at, _ := slices.BinarySearchFunc(half, longest.at, func(b *blockTrace, at int) int { return cmp.Compare(b.at, at) })
	return slices.Insert(slices.Clone(half), at, longest)
}

// splitKept returns the blocks that are timed alone, some of each class of lengths, and those of the groups of
// neighbours.
func splitKept(c *collector, kept []*blockTrace) (alone, main []*blockTrace) {
	sum := int64(0)
	inMain := make(map[int]bool, len(kept))
	byRank := append([]*blockTrace(nil), kept...)
	c.sortByGroup(byRank)
	for _, k := range byRank {
		if sum += k.instrs; sum > c.limits.sample && len(inMain) > 1 {
			break
		}
		inMain[k.at] = true
	}
	taken := map[int]int{} // by class
	longest := 0
	for i, k := range kept {
		if k.path > kept[longest].path {
			longest = i
		}
		if inMain[k.at] {
			main = append(main, k)
		}
	}
	for i, k := range kept {
		class := blockLength{k.instrs, k.path}.class()
		if i == longest || taken[class] < perClass {
			alone = append(alone, k)
			taken[class]++
		}
	}
	return alone, main
}

// thin returns at most so many of the blocks: groups of neighbours, evenly over them.
func thin(blocks []*blockTrace, most, group int) []*blockTrace {
	if len(blocks) <= most {
		return blocks
	}
	groups := (len(blocks) + group - 1) / group
	want := (most + group - 1) / group
	var out []*blockTrace
	for i := range want {
		g := i * groups / want
		out = append(out, blocks[g*group:min((g+1)*group, len(blocks))]...)
	}
	return out[:min(len(out), most)]
}

// distinct returns the places of all blocks.
func distinct(lists ...[]*blockTrace) map[int]bool {
	all := map[int]bool{}
	for _, l := range lists {
		for _, b := range l {
			all[b.at] = true
		}
	}
	return all
}

// scaleFor returns the part of the machine on which so many blocks of a launch of all are timed: the largest whose
// share of the launch's warp instructions is half of a sample, but no less than scaleOf's, and on which the blocks fill
// some waves, or are as many for its SMs as the launch's for all.
func (l *timing) scaleFor(all, blocks int, total int64) int {
	p, s := l.preset, 1
	for s < scaleOf(p) && (p.SMs%s != 0 || 2*total > l.limits.sample*int64(s)) {
		s++
	}
	for ; s < p.SMs; s++ {
		if p.SMs%s == 0 && blocks >= min((all+s-1)/s, wavesAHalf*p.SMs/s*l.resident) {
			return s
		}
	}
	return p.SMs
}

// scaleOf returns the largest divisor of the number of SMs that leaves ten or more: at 80, an eighth was measured to be
// within 0 to 7 % of the whole machine.
func scaleOf(p *Preset) int {
	for s := p.SMs / 10; s > 1; s-- {
		if p.SMs%s == 0 {
			return s
		}
	}
	return 1
}

// speeds is how many cycles an instruction of a block's longest warp takes when the block is alone, by class of
// lengths.
type speeds struct {
	cycles map[int]float64
	low    int
	high   int
}

func newSpeeds(r timedRun) speeds {
	s := speeds{cycles: map[int]float64{}, low: math.MaxInt}
	sum := map[int]blockLength{}
	for i, run := range r.machine.runs {
		t := r.blocks[i]
		class := blockLength{t.instrs, t.path}.class()
		n := sum[class]
		n.instrs += run.end - run.start
		n.path += t.path
		sum[class] = n
		s.low, s.high = min(s.low, class), max(s.high, class)
	}
	for class, n := range sum {
		s.cycles[class] = float64(n.instrs) / float64(max(n.path, 1))
	}
	return s
}

// alone returns the cycles that a block of the given length takes alone.
func (s speeds) alone(n blockLength) float64 {
	class := min(max(n.class(), s.low), s.high)
	for ; class > s.low; class-- {
		if _, ok := s.cycles[class]; ok {
			break
		}
	}
	return max(1, s.cycles[class]*float64(n.path))
}
