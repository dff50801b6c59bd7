package simgpu

import (
	"context"
	"fmt"

	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/kir/cpu"
)

// OracleStudy is how few slots a warp could need that brought its threads together at the best places of all.
type OracleStudy struct {
	Threads, Group int   // threads that were looked at, by their indices; threads of a warp
	Slots          int64 // that all warps need, if each instruction that several threads could share is shared as well as can be
	PDOM           int64 // that they need where lanes meet at immediate postdominators
	Instructions   int64 // of all threads
}

// Speed returns how much faster the oracle is than PDOM: 1 where it can do nothing.
func (o OracleStudy) Speed() float64 { return ratio(o.PDOM, o.Slots) }

// String says both.
func (o OracleStudy) String() string {
	return fmt.Sprintf("%d threads in warps of %d: %d slots with the best places to meet, %d where they meet at postdominators (%.2f times as many), %d instructions",
		o.Threads, o.Group, o.Slots, o.PDOM, o.Speed(), o.Instructions)
}

// Bounds of the study.
const (
	oracleThreads = 128
	oracleSteps   = 8192 // basic blocks on the way of a warp's threads together
)

// Oracle looks for the best reconvergence points that there could be (Fung et al., 2009, section 3.2): of the first
// 128 threads of a recorded launch, in warps of 2 or 4, it lays the instructions of two on each other so that as few
// are left as possible, which is the shortest sequence that has both in it; then the results of two pairs, for each
// of the three ways to pair four. Nothing that a machine can know is as good. Memory takes no time here, and the
// kernel is as it is written.
//
// rec is what gpu.Record returned. It panics where it is something else, where the warp has another size, and where
// a thread goes through more than some thousands of basic blocks.
func Oracle(rec any, group int) OracleStudy {
	of, ok := rec.(interface{ Recorded() *cpu.Recording })
	if !ok {
		panic(fmt.Errorf("simgpu.Oracle of a %T: it takes what gpu.Record returns", rec))
	}
	r := of.Recorded()
	p, err := cpu.Compile(r.Func)
	if err != nil {
		panic(err)
	}
	tape, err := r.Tape(context.Background(), p)
	if err != nil {
		panic(err)
	}
	w := &ways{paths: make([][]int32, min(oracleThreads, r.Launch.Grid.Count()*r.Launch.Block.Count()))}
	size := r.Launch.Block.Count()
	err = tape.Play(context.Background(), p, nil, func(cta int) cpu.Recorder {
		if cta*size >= len(w.paths) {
			return nil
		}
		return blockWays{w, cta * size}
	})
	if err != nil {
		panic(err)
	}
	c := newCode(&v100, p.Func(), p.Func(), true)
	f := wayCosts{join: c.join}
	for i := range c.blocks {
		f.cost = append(f.cost, c.blocks[i].count)
		f.taken = append(f.taken, c.blocks[i].to[0].block)
	}
	o, err := f.study(w.paths, group)
	if err != nil {
		panic(fmt.Errorf("simgpu.Oracle: kernel %s: %w", r.Func.Name, err))
	}
	return o
}

// ways is the basic blocks that threads go through.
type ways struct{ paths [][]int32 }

// blockWays hears those of a block, whose first thread has a number in the launch.
type blockWays struct {
	of    *ways
	first int
}

func (b blockWays) Step(blk *kir.Block, threads []int32) {
	for _, t := range threads {
		if n := b.first + int(t); n < len(b.of.paths) && len(b.of.paths[n]) <= oracleSteps {
			b.of.paths[n] = append(b.of.paths[n], int32(blk.ID))
		}
	}
}

func (blockWays) Access(*kir.Value, []int32, cpu.Addresses) {}
func (blockWays) End()                                      {}

// wayCosts is what ways through a kernel take.
type wayCosts struct {
	cost        []int64 // by block: instructions
	taken, join []int
}

// study is Oracle for ways that are known.
func (f *wayCosts) study(paths [][]int32, group int) (OracleStudy, error) {
	if group != 2 && group != 4 {
		return OracleStudy{}, fmt.Errorf("warps of %d threads: pairs are laid on each other, so it is 2 or 4", group)
	}
	o := OracleStudy{Threads: len(paths) / group * group, Group: group}
	for first := 0; first+group <= len(paths); first += group {
		t := paths[first : first+group]
		for _, path := range t {
			if len(path) > oracleSteps {
				return o, fmt.Errorf("thread %d goes through more than %d basic blocks: record a smaller launch", first, oracleSteps)
			}
			o.Instructions += f.length(path)
		}
		best := f.length(f.merge(t[0], t[1]))
		if group == 4 {
			best = never
			for _, pair := range [][4]int{{0, 1, 2, 3}, {0, 2, 1, 3}, {0, 3, 1, 2}} {
				both := f.merge(f.merge(t[pair[0]], t[pair[1]]), f.merge(t[pair[2]], t[pair[3]]))
				best = min(best, f.length(both))
			}
		}
		o.Slots += best
		o.PDOM += f.stack(t)
	}
	return o, nil
}

func (f *wayCosts) length(path []int32) (n int64) {
	for _, b := range path {
		n += f.cost[b]
	}
	return n
}

// merge returns the cheapest sequence that has both a and b in it.
func (f *wayCosts) merge(a, b []int32) (out []int32) {
	const both, first, second = 0, 1, 2
	from := make([]uint8, (len(a)+1)*(len(b)+1)) // by rests of a and b: what comes next
	row, below := make([]int64, len(b)+1), make([]int64, len(b)+1)
	for i := len(a); i >= 0; i-- {
		for j := len(b); j >= 0; j-- {
			at := i*(len(b)+1) + j
			switch {
			case i == len(a) && j == len(b):
				row[j] = 0
			case i == len(a):
				row[j], from[at] = row[j+1]+f.cost[b[j]], second
			case j == len(b):
				row[j], from[at] = below[j]+f.cost[a[i]], first
			case a[i] == b[j]:
				row[j], from[at] = below[j+1]+f.cost[a[i]], both
			default:
				x, y := below[j]+f.cost[a[i]], row[j+1]+f.cost[b[j]]
				if row[j], from[at] = x, first; y < x {
					row[j], from[at] = y, second
				}
			}
		}
		row, below = below, row
	}
	for i, j := 0, 0; i < len(a) || j < len(b); {
		switch from[i*(len(b)+1)+j] {
		case both:
			out, i, j = append(out, a[i]), i+1, j+1
		case first:
			out, i = append(out, a[i]), i+1
		default:
			out, j = append(out, b[j]), j+1
		}
	}
	return out
}

// stack returns the slots that threads need under PDOM as one warp.
func (f *wayCosts) stack(paths [][]int32) (slots int64) {
	s := PDOM{}.New(lanes(0, len(paths)), f.join)
	at := make([]int, len(paths))
	for {
		block, m := s.Group()
		if m == 0 {
			return slots
		}
		slots += f.cost[block]
		var arms []Arm
		for ; m != 0; m &= m - 1 {
			l := m.first()
			at[l]++
			to := Exit
			if at[l] < len(paths[l]) {
				to = int(paths[l][at[l]])
			}
			i := 0
			for i < len(arms) && arms[i].Block != to {
				i++
			}
			if i == len(arms) {
				arms = append(arms, Arm{Block: to})
			}
			arms[i].Lanes |= 1 << uint(l)
		}
		if len(arms) == 2 && arms[1].Block == f.taken[block] {
			arms[0], arms[1] = arms[1], arms[0]
		}
		s.Resolve(arms)
	}
}
