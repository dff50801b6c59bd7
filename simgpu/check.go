package simgpu

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"strings"

	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/kir/check"
	"github.com/arrayrepl/arrayrepl/kir/cpu"
)

// Check makes the GPU compute every launch twice: once as always, and once more instruction by instruction, in the
// order in which the timing model issues them. Then the divergence policy, the warp scheduler, the order of the blocks
// and the number of SMs decide which thread comes first, and the two must leave the same memory; a launch whose result
// depends on who comes first fails with an *OrderError. So does one in which threads of a warp rely on going together,
// as without Check ([WithDivergence]): it looks for that in 32 blocks of the grid. A kernel in which a thread waits,
// looking at memory again and again, for what another writes is refused before it runs.
//
// Every block is replayed, so launches should be small: ten million thread instructions take about a second. Kernels
// that read a clock are of no use here, since it shows another time in each run.
//
// For example:
//
//	np.Use(simgpu.Custom("v100", simgpu.Check()))
func Check() Option { return func(g *GPU) { g.check = true } }

// OrderError is the error of a launch on a GPU with Check: memory afterwards, or whether the launch ends, depends on
// the order in which threads run.
type OrderError struct {
	Kernel   string
	Policies string  // what decided the order: "pdom, gto, in order"
	Pos      kir.Pos // of the line, where one is known
	// indices of the block in the grid and of the thread in the block; not where only memory differs and no race is
	// found
	Block, Thread kir.Dim3
	What          string // what is wrong, and what to do about it
}

// Error returns it in a line or two.
func (e *OrderError) Error() string {
	at := ""
	if e.Pos != (kir.Pos{}) {
		at = e.Pos.String() + ": "
	}
	return fmt.Sprintf("%skernel %s, checked under %s: %s", at, e.Kernel, e.Policies, e.What)
}

// orderError makes an OrderError without a place.
func (k *kernel) orderError(pos kir.Pos, what string) *OrderError {
	p := k.gpu.policies
	return &OrderError{Kernel: k.name, Pos: pos, What: what,
		Policies: fmt.Sprintf("%s, %s, blocks %s", p.divergence.Name(), p.issue.Name(), p.order.Name())}
}

const orderRemedy = "put gpu.Sync() between the threads of a block that write and read a place, and use a second launch or atomics between blocks; gpu.Check names the lines"

// threadError is an OrderError of what a thread does.
func (x *exec) threadError(b *execBlock, pos kir.Pos, thread int, what string) *OrderError {
	e := x.kernel.orderError(pos, "")
	block, grid := x.l.Block, x.l.Grid
	e.Block = kir.Dim3{X: b.cta % grid.X, Y: b.cta / grid.X % grid.Y, Z: b.cta / (grid.X * grid.Y)}
	e.Thread = kir.Dim3{X: thread % block.X, Y: thread / block.X % block.Y, Z: thread / (block.X * block.Y)}
	e.What = fmt.Sprintf("thread (%d,%d,%d) of block (%d,%d,%d) %s", e.Thread.X, e.Thread.Y, e.Thread.Z, e.Block.X, e.Block.Y, e.Block.Z, what)
	return e
}

// fail keeps the error of a thread at v, which the functional pass did not have.
func (x *exec) fail(b *execBlock, v *kir.Value, thread int, err error) {
	what := v.Note
	if what == "" {
		what = v.Text()
	}
	x.err = x.threadError(b, v.Pos, thread, fmt.Sprintf("fails at %s in this order and in another does not: %v; %s", what, err, orderRemedy))
}

// endless is the error of a launch that goes on and on where the functional pass has ended: st is one that does.
func (x *exec) endless(st *warpSplit) error {
	b, t := st.warp.block.exec, &x.f.Blocks[st.block].Term
	pos := t.Pos
	if pos == (kir.Pos{}) && t.Cond != nil {
		pos = t.Cond.Pos
	}
	return x.threadError(b, pos, st.warp.first+st.lanes.first(), "goes round and round here long after the launch has ended in another order of the "+
		"threads: it waits for one that does not come to run while it waits; a thread may not wait for another by looking at memory")
}

// stuck returns an error when the machine has stopped with threads that wait for others of their warp.
func (x *exec) stuck(m *machine) error {
	for _, s := range m.sms {
		for _, b := range s.blocks {
			if len(b.exec.parked) == 0 {
				continue
			}
			st := b.exec.parked[0]
			v := x.f.Blocks[st.block].Values[st.value]
			return x.threadError(b.exec, v.Pos, st.warp.first+st.lanes.first(), fmt.Sprintf("waits at %v for lanes of its warp that the "+
				"policy %s holds back: put the operation outside of the branch", v.Op, m.policies.divergence.Name()))
		}
	}
	return nil
}

// compare returns an error when the launch left other memory than x has: at the line of a race, where package check
// finds one.
func (x *exec) compare(ctx context.Context) error {
	for _, p := range x.memory {
		was := x.kernel.gpu.contents[p.base].data
		if bytes.Equal(was, p.data) || x.sameRequests(p.base, was, p.data) {
			continue
		}
		for i := 0; i < len(was); i += 8 {
			end := min(i+8, len(was))
			if a, b := word(was[i:end]), word(p.data[i:end]); a != b && !bothNaN(a, b) {
				e := x.kernel.orderError(kir.Pos{}, fmt.Sprintf("bytes %d to %d of %s are %x in this order of the threads, %x in another",
					i, end-1, x.bufferName(p.base, len(was)), p.data[i:end], was[i:end]))
				race, err := x.race(ctx)
				if err != nil {
					return err
				}
				if race == nil {
					e.What += "; " + orderRemedy
					return e
				}
				e.Pos, e.Block, e.Thread = race.Value.Pos, race.Block, race.Thread
				_, what, _ := strings.Cut(race.String(), "kernel "+x.kernel.name+": ") // the rest stands before
				e.What += "\n" + what
				return e
			}
		}
	}
	return nil
}

// race returns the first race that package check finds in the launch, or nil.
func (x *exec) race(ctx context.Context) (*check.Finding, error) {
	l := *x.l
	l.Memory = cpu.NewMemory()
	for _, p := range x.before {
		l.Memory.Map(p.base, p.data)
	}
	found, err := check.Run(ctx, x.kernel.program, l, check.Options{})
	for i := range found {
		if k := found[i].Kind; k == check.Race || k == check.MissingWarpSync {
			return &found[i], err
		}
	}
	return nil, err
}

// bothNaN reports whether two words differ only in what IEEE 754 leaves open of a NaN.
func bothNaN(a, b uint64) bool {
	nan := func(x uint64) bool { return math.IsNaN(math.Float64frombits(x)) }
	same32 := func(x, y uint32) bool {
		f, g := math.Float32frombits(x), math.Float32frombits(y)
		return x == y || f != f && g != g
	}
	return nan(a) && nan(b) || same32(uint32(a), uint32(b)) && same32(uint32(a>>32), uint32(b>>32))
}

// bufferName says which buffer is at base: by the parameter that points into it.
func (x *exec) bufferName(base uint64, size int) string {
	for i := range x.f.Params {
		p := &x.f.Params[i]
		if p.Type == kir.U64 && word(x.l.Params[p.Offset:p.Offset+8])-base < uint64(size) {
			return fmt.Sprintf("the buffer that %s points into", p.Name)
		}
	}
	return fmt.Sprintf("the buffer at %#x", base)
}

// checkable refuses kernels that a GPU with Check cannot run.
func (k *kernel) checkable() error {
	v := k.waits
	if v == nil {
		return nil
	}
	what := v.Note
	if what == "" {
		what = v.Text()
	}
	return k.orderError(v.Pos, fmt.Sprintf("a thread goes round a loop until another changes what %s gives: one that waits so may keep the "+
		"other from running; use gpu.Sync() between the threads of a block and a second launch between blocks", what))
}
