package simgpu

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/offload/trace"
)

// flow is a kernel's control flow: blocks with so many instructions each, where branches jump, where ways join, and
// which blocks each thread goes through.
type flow struct {
	instrs, taken, join []int
	warp                int
	paths               [][]int
}

// issue runs every warp alone under the policy and returns what it issued: "block lanes" with lane 0 on the left, and
// the number of issue slots.
func (f *flow) issue(d Divergence) (groups []string, slots int) {
	for first := 0; first < len(f.paths); first += f.warp {
		at := make([]int, f.warp)
		splits := []Split{d.New(lanes(0, f.warp), f.join)}
		for len(splits) > 0 {
			s := splits[0]
			block, m := s.Group()
			if m == 0 {
				splits = splits[1:]
				continue
			}
			text := ""
			var arms []Arm
			for l := range f.warp {
				if m>>uint(l)&1 == 0 {
					text += "0"
					continue
				}
				text += "1"
				path := f.paths[first+l]
				if path[at[l]] != block {
					panic(fmt.Sprintf("thread %d is in block %d, the policy says %d", first+l, path[at[l]], block))
				}
				at[l]++
				to := Exit
				if at[l] < len(path) {
					to = path[at[l]]
				}
				i := slices.IndexFunc(arms, func(a Arm) bool { return a.Block == to })
				if i < 0 {
					i = len(arms)
					arms = append(arms, Arm{Block: to})
				}
				arms[i].Lanes |= 1 << uint(l)
			}
			if len(arms) == 2 && arms[1].Block == f.taken[block] {
				arms[0], arms[1] = arms[1], arms[0]
			}
			groups = append(groups, fmt.Sprint(block, " ", text))
			slots += f.instrs[block]
			splits = append(splits, s.Resolve(arms)...)
		}
		for l, n := range at {
			if n != len(f.paths[first+l]) {
				panic(fmt.Sprintf("thread %d stopped after %d blocks", first+l, n))
			}
		}
	}
	return groups, slots
}

// Blocks A F B D C E G a are 0 to 7: A branches to B or F, B to C or D.
func nestedHammock(warps int) *flow {
	left, right, short := []int{0, 2, 4, 5, 6, 7}, []int{0, 2, 3, 5, 6, 7}, []int{0, 1, 6, 7}
	f := &flow{
		instrs: []int{1, 1, 1, 1, 1, 1, 1, 1},
		taken:  []int{2, Exit, 4, Exit, Exit, Exit, Exit, Exit},
		join:   []int{6, 6, 5, 5, 5, 6, 7, Exit},
		warp:   4,
		paths:  [][]int{left, right, right, short, short, short, left, right},
	}
	f.paths = f.paths[:4*warps]
	return f
}

// The masks of A to G are the example of Fung et al., Dynamic Warp Formation (2009).
func TestPDOMNestedHammock(t *testing.T) {
	got, _ := nestedHammock(1).issue(PDOM{})
	want := []string{"0 1111", "2 1110", "4 1000", "3 0110", "5 1110", "1 0001", "6 1111", "7 1111"}
	if !slices.Equal(got, want) {
		t.Errorf("issued %v\nwant   %v", got, want)
	}
}

func repeat(n int, blocks ...int) []int {
	var out []int
	for range n {
		out = append(out, blocks...)
	}
	return out
}

// golden is a flow with its issue slots by simt-microarchitecture.md 2.9 [G], where an instruction issues every cycle;
// 0 is not given there.
type golden struct {
	name                 string
	f                    *flow
	pdom, tf, nrec, mimd int
}

// goldens are the kernels K1 to K7 and the bad layout.
func goldens() []golden {
	oddEven := &flow{instrs: []int{1, 4, 4, 1}, taken: []int{2, -1, -1, -1}, join: []int{3, 3, 3, Exit}, warp: 4}
	for tid := range 8 {
		oddEven.paths = append(oddEven.paths, []int{0, 1 + tid%2, 3})
	}
	laneLoop := &flow{instrs: []int{1, 2, 1}, taken: []int{-1, 1, -1}, join: []int{1, 2, Exit}, warp: 8}
	for tid := range 64 {
		trips := 1
		if tid%8 == 0 {
			trips = 8
		}
		laneLoop.paths = append(laneLoop.paths, append(append([]int{0}, repeat(trips, 1)...), 2))
	}
	h := func(x int) int {
		x = (1103515245*x + 12345) % (1 << 31)
		x = (1103515245*x + 12345) % (1 << 31)
		return x >> 16 & 7
	}
	loopIf := &flow{instrs: []int{1, 1, 3, 2, 1, 1}, taken: []int{-1, 3, -1, -1, 1, -1}, join: []int{1, 4, 4, 4, 5, Exit}, warp: 8}
	for tid := range 64 {
		path := []int{0}
		for i := range 1 + h(tid) {
			path = append(path, 1, 2+h(7*tid+13*i)&1, 4)
		}
		loopIf.paths = append(loopIf.paths, append(path, 5))
	}
	alternate := &flow{instrs: []int{1, 23, 23, 1, 1}, taken: []int{2, -1, -1, 0, -1}, join: []int{3, 3, 3, 4, Exit}, warp: 4}
	for tid := range 4 {
		var path []int
		for i := range 100 {
			path = append(path, 0, 1+(i+tid)%2, 3)
		}
		alternate.paths = append(alternate.paths, append(path, 4))
	}
	// Masks of if/else: the second warp's is the complement, by the source's own choice.
	// branch, if, else, join
	ifElse := &flow{instrs: []int{1, 3, 1, 1}, taken: []int{2, -1, -1, -1}, join: []int{3, 3, 3, Exit}, warp: 4}
	for _, mask := range []string{"1001", "0110"} {
		for _, x := range mask {
			ifElse.paths = append(ifElse.paths, []int{0, 2 - int(x-'0'), 3})
		}
	}
	// 0 tests a, 1 tests b, S is 2, T is 3, the exit 4: thread 0 fails a, thread 1 fails b.
	shortCircuit := &flow{instrs: []int{1, 1, 2, 6, 1}, taken: []int{3, 3, -1, -1, -1}, join: []int{4, 4, 4, 4, Exit}, warp: 4,
		paths: [][]int{{0, 3, 4}, {0, 1, 3, 4}, {0, 1, 2, 4}, {0, 1, 2, 4}}}
	// Branch, odd's way, even's, join.
	goodLayout := &flow{instrs: []int{1, 3, 4, 6}, taken: []int{2, -1, -1, -1}, join: []int{3, 3, 3, Exit}, warp: 4,
		paths: [][]int{{0, 2, 3}, {0, 1, 3}, {0, 2, 3}, {0, 1, 3}}}
	// The join lies in front of the sides: branch, a jump of odd's way, the join, the rest of it, even's way.
	badLayout := &flow{instrs: []int{1, 1, 6, 2, 4}, taken: []int{4, -1, -1, -1, -1}, join: []int{2, 3, Exit, 2, 2}, warp: 4,
		paths: [][]int{{0, 4, 2}, {0, 1, 3, 2}, {0, 4, 2}, {0, 1, 3, 2}}}
	alternateTwice := &flow{instrs: alternate.instrs, taken: alternate.taken, join: alternate.join, warp: 4, paths: slices.Concat(alternate.paths, alternate.paths)}
	return []golden{
		{"K1, nested hammock", nestedHammock(2), 16, 16, 26, 11},
		{"K2, if and else", ifElse, 12, 12, 14, 8},
		{"K3, odd and even", oddEven, 20, 20, 22, 12},
		{"K4, one lane loops", laneLoop, 144, 144, 152, 46},
		{"K5, loop and if", loopIf, 413, 413, 807, 172},
		{"K6, short circuit", shortCircuit, 17, 11, 19, 7},
		{"K7, alternation", alternate, 4801, 4801, 5001, 2501},
		{"K7, two warps", alternateTwice, 9602, 9602, 10002, 5002},
		{"bad layout", badLayout, 14, 20, 0, 0},
		{"good layout", goodLayout, 14, 14, 0, 0},
	}
}

// Issue slots of the policies alone, each warp for itself; MIMD's are as many as thread instructions fill.
func TestIssueSlots(t *testing.T) {
	for _, c := range goldens() {
		for _, p := range []struct {
			d    Divergence
			want int
		}{{PDOM{}, c.pdom}, {TF{}, c.tf}, {NREC{}, c.nrec}} {
			if _, got := c.f.issue(p.d); got != p.want && p.want > 0 {
				t.Errorf("%s under %s: %d slots, want %d", c.name, p.d.Name(), got, p.want)
			}
		}
		// MIMD packs threads as it likes: as many slots as thread instructions fill.
		all, _ := c.f.work()
		if got := (all + c.f.warp - 1) / c.f.warp; got != c.mimd && c.mimd > 0 {
			t.Errorf("%s under mimd: %d slots, want %d", c.name, got, c.mimd)
		}
	}
}

// work returns the instructions of all threads together and the most of one.
func (f *flow) work() (all, longest int) {
	for _, path := range f.paths {
		n := 0
		for _, b := range path {
			n += f.instrs[b]
		}
		all, longest = all+n, max(longest, n)
	}
	return all, longest
}

// machineFor returns one SM with one scheduler on which every instruction takes a cycle and memory is not touched, and
// the flow's threads as one block of it: 2.9's ideal-issue mode. An instruction issues so many cycles after the one
// before it of its threads.
func (f *flow) machineFor(d Divergence, pick IssuePolicy, depth int64) *machine {
	return f.machineOf(policies{divergence: d, issue: pick, order: InOrder{}}, depth)
}

func (f *flow) machineOf(q policies, depth int64) *machine {
	p, _ := PresetByName("tiny")
	p.SMs, p.Schedulers, p.WarpSize, p.L2Banks, p.DRAMChannels, p.InOrder = 1, 1, f.warp, 1, 1, true
	p.Units[UnitControl].Latency = int(depth) // of a side that begins
	c := &code{join: f.join, lines: make([]trace.Line, 1)}
	for b, n := range f.instrs {
		cb := codeBlock{branch: -1}
		for range n {
			cb.instrs = append(cb.instrs, instr{dst: -1, count: 1, gap: depth, time: depth, busy: 1})
		}
		cb.instrs[n-1].kind = kindEnd
		cb.to[0].block, cb.forks = f.taken[b], f.taken[b] >= 0
		c.blocks = append(c.blocks, cb)
	}
	for _, path := range f.paths {
		c.blocks[path[len(path)-1]].returns = true
	}
	l := &timing{preset: &p, code: c, policies: q, resident: 1, shapes: newShapes(0)}
	r := l.newCollector(1, len(f.paths), nil).recorder(0).(*recorder)
	all := make([]int32, len(f.paths))
	for i := range all {
		all[i] = int32(i)
	}
	r.Step(&kir.Block{ID: 0}, all)
	for i, path := range f.paths { // one thread after the other
		for _, b := range path[1:] {
			r.Step(&kir.Block{ID: b}, []int32{int32(i)})
		}
	}
	all64, _ := f.work()
	r.trace.threadInstrs = int64(all64)
	return l.newMachine(1, 1, 0, []*blockTrace{&r.trace})
}

// The timing model under 2.9's conditions issues in as many cycles as the policies have slots. MIMD goes round its
// threads, and does not know which has most before it: no schedule is shorter than 2.9's bound or than the longest
// thread, and none that leaves no lane free while a thread is ready is longer than Graham's bound, Bell System
// Technical Journal 1966.
func TestIssueSlotsOfTheMachine(t *testing.T) {
	for _, c := range goldens() {
		all, longest := c.f.work()
		least := max((all+c.f.warp-1)/c.f.warp, longest)
		for _, p := range []struct {
			d          Divergence
			want, most int
		}{{PDOM{}, c.pdom, c.pdom}, {TF{}, c.tf, c.tf}, {NREC{}, c.nrec, c.nrec}, {MIMD{}, least, (all + longest*(c.f.warp-1)) / c.f.warp}} {
			m := c.f.machineFor(p.d, LRR{}, 1)
			if _, err := m.run(ctx); err != nil {
				t.Fatal(err)
			}
			if m.stats.threadInstrs != int64(all) {
				t.Errorf("%s under %s: %d thread instructions, want %d", c.name, p.d.Name(), m.stats.threadInstrs, all)
			}
			cycles := m.sms[0].lastIssue // the first issues in cycle 1
			if p.want > 0 && (m.stats.warpInstrs != cycles || cycles < int64(p.want) || cycles > int64(p.most)) {
				t.Errorf("%s under %s: %d slots in %d cycles, want %d to %d", c.name, p.d.Name(), m.stats.warpInstrs, cycles, p.want, p.most)
			}
		}
	}
}

// A loop that lanes leave one after the other keeps two entries, however long it runs.
func TestPDOMStackStaysShallow(t *testing.T) {
	s := PDOM{}.New(lanes(0, 32), []int{1, Exit}).(*pdomStack)
	for left := 31; left > 0; left-- {
		_, m := s.Group()
		out := Mask(1) << uint(left)
		s.Resolve([]Arm{{0, m &^ out}, {1, out}})
		if len(s.entries) > 2 {
			t.Fatalf("%d entries", len(s.entries))
		}
	}
	s.Resolve([]Arm{{1, 1}})
	if block, m := s.Group(); block != 1 || m != lanes(0, 32) {
		t.Errorf("after the loop block %d, lanes %x", block, m)
	}
}

func TestIssuePolicies(t *testing.T) {
	for _, c := range []struct {
		p     IssuePolicy
		ready []int
		last  int
		want  int
	}{
		{GTO{}, []int{0, 2, 3}, 2, 2}, {GTO{}, []int{1, 3}, 2, 1}, {GTO{}, []int{4}, -1, 4},
		{LRR{}, []int{0, 2, 3}, 2, 3}, {LRR{}, []int{0, 2, 3}, 3, 0}, {LRR{}, []int{1, 2}, -1, 1},
	} {
		if got := c.ready[c.p.Pick(c.ready, c.last)]; got != c.want {
			t.Errorf("%s of %v after %d: %d, want %d", c.p.Name(), c.ready, c.last, got, c.want)
		}
	}
}

// What issue policies make of warps of three kinds: ready since a cycle (a number), waiting for long (L), waiting for
// short (s).
func TestStallAwarePolicies(t *testing.T) {
	for _, c := range []struct {
		p    StallAwarePolicy
		all  string
		last int
		want int
	}{
		{Barrel{}, "5 3 L 3", 0, 1}, {Barrel{}, "L s 9", 2, 2}, {Barrel{}, "L s", 0, -1},
		{TwoLevel{2}, "1 1 1 1", 0, 1}, {TwoLevel{2}, "1 1 1 1", 1, 0}, // round robin in a group
		{TwoLevel{2}, "L s 1 1", 0, -1}, // one of the group will be ready soon: the group stays
		{TwoLevel{2}, "L L 1 1", 0, 2}, {TwoLevel{2}, "L L L s 1", 0, -1}, {TwoLevel{2}, "L L L L 1", 3, 4}, {TwoLevel{2}, "1 L L L L", 3, 0},
		{TwoLevel{}, "L L L L L L L 1 1", 2, 7}, // groups of eight
	} {
		var all []Candidate
		for _, w := range strings.Fields(c.all) {
			since, err := strconv.Atoi(w)
			all = append(all, Candidate{Ready: err == nil, Long: w == "L", Since: int64(since)})
		}
		if got := c.p.PickAmong(all, c.last); got != c.want {
			t.Errorf("%s among %q after %d: %d, want %d", c.p.Name(), c.all, c.last, got, c.want)
		}
	}
}

// A store that half of the lanes make is executed under a predicate: no branch, and the same result.
func TestShortSidesArePredicated(t *testing.T) {
	f := elementwise(t, "evens", []string{"y"}, func(b *kir.Builder, p []*kir.Value, i *kir.Value) {
		even, end := b.NewBlock("even"), b.NewBlock("end")
		b.Branch(b.Op(kir.OpEq, b.Op(kir.OpAnd, i, b.Int(kir.I64, 1)), b.Int(kir.I64, 0)), even, end)
		b.SetBlock(even)
		b.Store(kir.Global, b.Index(p[0], i, kir.I64), i)
		b.Jump(end)
		b.SetBlock(end)
	})
	branches := func(options ...Option) (n int64) {
		const threads = 64
		b := newBench(t, "v100", options...)
		y := b.alloc(8 * threads)
		st := b.launch(f, kir.D1(1), kir.D1(threads), y, threads).Stats
		for i, out := 0, b.get(y); i < threads; i++ {
			if want := byte(i * (1 - i%2)); out[8*i] != want {
				t.Fatalf("y[%d] = %d", i, out[8*i])
			}
		}
		for _, l := range st.Detail.Lines {
			n += l.Branches
		}
		return n
	}
	// two warps; the first branch is i < n
	if written, run := branches(AsWritten()), branches(); written != 4 || run != 2 {
		t.Errorf("%d branches as written, want 4; %d as run, want 2", written, run)
	}
}

// simt-microarchitecture.md 2.9 [G], starvation test: 8 warps of 8 go 10 times round a loop in which few threads take a
// detour, once. An instruction waits 4 cycles for the one before it, so that whoever is preferred, no cycle need be
// lost; PDOM takes 831.
func TestNoIssuePolicyStarves(t *testing.T) {
	f := starving()
	for _, c := range []struct {
		p      IssuePolicy
		cycles int64
	}{{LRR{}, 831}, {Barrel{}, 831}} {
		m := f.machineFor(PDOM{}, c.p, 4)
		if _, err := m.run(ctx); err != nil {
			t.Fatal(err)
		}
		if m.stats.warpInstrs != 831 || m.sms[0].lastIssue != c.cycles {
			t.Errorf("%s: %d slots in %d cycles, want 831 in %d", c.p.Name(), m.stats.warpInstrs, m.sms[0].lastIssue, c.cycles)
		}
	}
}

// starving is the starvation test's control flow.
func starving() *flow {
	f := &flow{instrs: []int{1, 5, 3, 5, 1}, taken: []int{-1, 3, -1, 1, -1}, join: []int{1, 3, 3, 4, Exit}, warp: 8}
	for tid := range 64 {
		path := []int{0}
		for i := range 10 {
			path = append(path, 1)
			if tid%13 == 0 && i == 0 {
				path = append(path, 2)
			}
			path = append(path, 3)
		}
		f.paths = append(f.paths, append(path, 4))
	}
	return f
}
