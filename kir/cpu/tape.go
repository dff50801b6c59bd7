package cpu

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	mathbits "math/bits"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/arrayrepl/arrayrepl/kir"
)

// Tape is what a launch did, block by block: the way of each thread and where it accessed memory. It plays that to
// recorders as the launch itself would have told them, as often as one likes. It knows nothing of warps.
//
// It is packed: a step of all threads and an access whose addresses follow a rule take some bytes for all threads of a
// block together, addresses by chance some bytes for each.
type Tape struct {
	block  kir.Dim3
	blocks [][]byte // by number
	counts Counts
	bytes  atomic.Int64
}

// TapeTooLarge is the error of a launch that does more than a tape may hold.
type TapeTooLarge struct {
	Kernel       string
	Limit, Bytes int64 // Bytes is what it had come to, with so many of the blocks
	Blocks, All  int
}

// Error says how large it would have been, about.
func (e *TapeTooLarge) Error() string {
	about := float64(e.Bytes)
	if e.Blocks > 0 {
		about *= float64(e.All) / float64(e.Blocks)
	}
	return fmt.Sprintf("kernel %s: the recording takes more than %d MB, about %.0f MB for all of its %d blocks: record fewer blocks, or launch the kernel on each machine",
		e.Kernel, e.Limit>>20, about/(1<<20), e.All)
}

// NewTape runs a launch and records it. It fails with *TapeTooLarge when that takes more than so many bytes. l.Record
// is not looked at.
func (p *Program) NewTape(ctx context.Context, l Launch, limit int64) (*Tape, error) {
	t := &Tape{block: l.Block, blocks: make([][]byte, l.Grid.Count())}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var mu sync.Mutex
	var free []*taping
	done := 0
	memory := memoryOps(p.f)
	l.Record = func(cta int) Recorder {
		mu.Lock()
		defer mu.Unlock()
		var r *taping
		if n := len(free); n > 0 {
			r, free = free[n-1], free[:n-1]
		} else {
			r = &taping{t: t, memory: memory, last: make([]uint64, p.f.NumValues())}
			r.end = func() {
				mu.Lock()
				defer mu.Unlock()
				free = append(free, r)
				done++
				if n := t.bytes.Load(); n > limit {
					cancel(&TapeTooLarge{p.f.Name, limit, n, done, len(t.blocks)})
				}
			}
			r.full = func(more int) {
				if n := t.bytes.Load() + int64(more); n > limit {
					mu.Lock()
					defer mu.Unlock()
					cancel(&TapeTooLarge{p.f.Name, limit, n, done, len(t.blocks)})
				}
			}
		}
		r.begin(cta)
		return r
	}
	var err error
	t.counts, err = p.Run(ctx, l)
	var large *TapeTooLarge
	if errors.As(context.Cause(ctx), &large) {
		return nil, large
	}
	if err != nil {
		return nil, err
	}
	return t, nil
}

// Bytes returns how much memory the tape takes, about.
func (t *Tape) Bytes() int64 { return t.bytes.Load() }

// Counts returns what the run counted.
func (t *Tape) Counts() Counts { return t.counts }

// memoryOps returns, by block, its memory operations.
func memoryOps(f *kir.Func) [][]*kir.Value {
	out := make([][]*kir.Value, len(f.Blocks))
	for i, b := range f.Blocks {
		for _, v := range b.Values {
			if v.Op.IsMemory() {
				out[i] = append(out[i], v)
			}
		}
	}
	return out
}

// What a step begins with, in the low bits of its first number, above which the block stands.
const (
	tapeAll  = iota // all threads that live
	tapeSame        // those of the last step that was not of all
	tapeSome        // those that follow, as pairs of how many are not and how many are
	tapeBits = 2
)

// What an access begins with.
const (
	tapeRule = iota // base and steps
	tapeRuns        // of threads; plus how many low bits, up to maxAlign, all distances are 0 in, which are left out
)

// tapeBlock is what a tape takes for a block beside what is packed: where that is, and its count.
const tapeBlock = 32

// maxAlign is that of words of eight bytes.
const maxAlign = 3

// alignment returns how many low bits are 0, up to maxAlign, in the distance of each address from the one before, and
// of the first from last.
func alignment(last uint64, addrs []uint64) int {
	bits := uint64(1 << maxAlign)
	for _, addr := range addrs {
		bits |= addr - last
		last = addr
	}
	return mathbits.TrailingZeros64(bits)
}

// taping records a block.
type taping struct {
	t         *Tape
	cta       int
	packed    []byte
	memory    [][]*kir.Value
	last      []uint64 // by operation: where it was last
	live      []int32
	some      []int32
	returning []int32
	checked   int // bytes when the limit was looked at
	end       func()
	full      func(more int)
}

func (r *taping) begin(cta int) {
	r.cta, r.packed, r.checked = cta, r.packed[:0], 0
	clear(r.last)
	r.live, r.some, r.returning = everyone(r.t.block, r.live[:0]), r.some[:0], r.returning[:0]
}

// everyone appends the threads of a block.
func everyone(block kir.Dim3, to []int32) []int32 {
	for i := range block.Count() {
		to = append(to, int32(i))
	}
	return to
}

// without returns the threads of from that are not among others, in from's memory.
func without(from, others []int32) []int32 {
	kept := from[:0]
	for _, t := range from {
		if len(others) > 0 && others[0] == t {
			others = others[1:]
		} else {
			kept = append(kept, t)
		}
	}
	return kept
}

func (r *taping) put(x uint64) { r.packed = binary.AppendUvarint(r.packed, x) }

func (r *taping) putSigned(x int64) { r.packed = binary.AppendVarint(r.packed, x) }

// Step implements Recorder.
func (r *taping) Step(blk *kir.Block, threads []int32) {
	if len(r.packed)-r.checked > 1<<20 { // a block may go on for long
		r.checked = len(r.packed)
		r.full(r.checked)
	}
	step := func(who uint64) { r.put(uint64(blk.ID)<<tapeBits + who) }
	switch {
	case len(threads) == len(r.live):
		step(tapeAll)
	case slices.Equal(threads, r.some):
		step(tapeSame)
	default:
		step(tapeSome)
		r.some = append(r.some[:0], threads...)
		next := int32(0)
		for i := 0; i < len(threads); {
			n := i + 1
			for n < len(threads) && threads[n] == threads[n-1]+1 {
				n++
			}
			r.put(uint64(threads[i] - next))
			r.put(uint64(n - i))
			next, i = threads[n-1]+1, n
		}
		r.put(0)
		r.put(0)
	}
	if blk.Term.Kind == kir.TermReturn {
		r.live = without(r.live, threads)
	}
}

// Access implements Recorder.
func (r *taping) Access(v *kir.Value, threads []int32, at Addresses) {
	last := &r.last[v.ID]
	if base, step, ok := at.Affine(); ok {
		r.put(tapeRule)
		r.putSigned(int64(base - *last))
		for _, s := range step {
			r.putSigned(s)
		}
		*last = base
		return
	}
	addrs := at.List()
	align := alignment(*last, addrs)
	r.put(uint64(tapeRuns + align))
	step := func(addr uint64) {
		r.putSigned(int64(addr-*last) >> align)
		*last = addr
	}
	for i := 0; i < len(addrs); {
		if n := evenly(addrs[i:]); n > 1 { // the number of threads, and whether there is a stride
			r.put(uint64(n)<<1 | 1)
			r.putSigned(int64(addrs[i+1]-addrs[i]) >> align)
			step(addrs[i])
			i += n
			*last = addrs[i-1]
			continue
		}
		n := i + 1
		for n < len(addrs) && evenly(addrs[n:]) == 1 {
			n++
		}
		r.put(uint64(n-i) << 1)
		for ; i < n; i++ {
			step(addrs[i])
		}
	}
}

// evenly returns how many of the first addresses are at equal distances, where three or more are; else 1.
func evenly(addrs []uint64) int {
	if len(addrs) < 3 || addrs[2]-addrs[1] != addrs[1]-addrs[0] {
		return 1
	}
	n := 3
	for n < len(addrs) && addrs[n]-addrs[n-1] == addrs[1]-addrs[0] {
		n++
	}
	return n
}

// End implements Recorder.
func (r *taping) End() {
	r.t.blocks[r.cta] = slices.Clone(r.packed)
	r.t.bytes.Add(int64(len(r.packed)) + tapeBlock)
	r.end()
}

// taped is an access that a tape plays.
type taped struct {
	affine  bool
	base    uint64
	step    [3]int64
	block   kir.Dim3
	threads []int32
	addrs   []uint64
}

// list returns the addresses of the threads, in their order.
func (a *taped) list() []uint64 {
	if !a.affine {
		return a.addrs
	}
	a.addrs = a.addrs[:0]
	row, plane := int32(a.block.X), int32(a.block.X*a.block.Y)
	for _, t := range a.threads {
		x, y, z := t%row, t%plane/row, t/plane
		a.addrs = append(a.addrs, a.base+uint64(int64(x)*a.step[0]+int64(y)*a.step[1]+int64(z)*a.step[2]))
	}
	return a.addrs
}

// Play tells recorders what the launch did, as one of p, which must be equal to the program that was recorded: of each
// block that record has a recorder for, in the given order, one after the other, or side by side where that is nil. It
// returns ctx's error when that ends.
func (t *Tape) Play(ctx context.Context, p *Program, order []int, record func(cta int) Recorder) error {
	f, memory := p.f, memoryOps(p.f)
	var next atomic.Int64
	work := func() {
		p := player{t: t, f: f, memory: memory, last: make([]uint64, f.NumValues())}
		p.access.block = t.block
		for ctx.Err() == nil {
			n := int(next.Add(1)) - 1
			if n >= len(t.blocks) {
				return
			}
			if order != nil {
				n = order[n]
			}
			if r := record(n); r != nil {
				p.play(n, r)
			}
		}
	}
	workers := min(runtime.GOMAXPROCS(0), len(t.blocks))
	if order != nil {
		workers = 1
	}
	var wg sync.WaitGroup
	for range workers - 1 {
		wg.Go(work)
	}
	work()
	wg.Wait()
	return ctx.Err()
}

// player plays blocks to recorders.
type player struct {
	t          *Tape
	f          *kir.Func
	memory     [][]*kir.Value
	rest       []byte
	last       []uint64
	live, some []int32
	set        []int32 // of a step whose threads return
	access     taped
}

func (p *player) get() uint64 {
	x, n := binary.Uvarint(p.rest)
	p.rest = p.rest[n:]
	return x
}

func (p *player) getSigned() int64 {
	x := p.get()
	return int64(x>>1) ^ -int64(x&1)
}

func (p *player) play(cta int, r Recorder) {
	p.rest = p.t.blocks[cta]
	clear(p.last)
	p.live, p.some = everyone(p.t.block, p.live[:0]), p.some[:0]
	for len(p.rest) > 0 {
		x := p.get()
		blk := p.f.Blocks[x>>tapeBits]
		threads := p.live
		switch x & (1<<tapeBits - 1) {
		case tapeSome:
			p.some = p.some[:0]
			thread := int32(0)
			for {
				thread += int32(p.get())
				n := p.get()
				if n == 0 {
					break
				}
				for range n {
					p.some = append(p.some, thread)
					thread++
				}
			}
			threads = p.some
		case tapeSame:
			threads = p.some
		}
		if blk.Term.Kind == kir.TermReturn {
			p.set = append(p.set[:0], threads...)
			p.live = without(p.live, p.set)
			threads = p.set
		}
		r.Step(blk, threads)
		for _, v := range p.memory[blk.ID] {
			p.next(v, threads)
			r.Access(v, threads, Addresses{t: &p.access})
		}
	}
	r.End()
}

// next reads an access.
func (p *player) next(v *kir.Value, threads []int32) {
	a, last := &p.access, &p.last[v.ID]
	a.threads = threads
	kind := p.get()
	if a.affine = kind == tapeRule; a.affine {
		*last += uint64(p.getSigned())
		a.base = *last
		for i := range a.step {
			a.step[i] = p.getSigned()
		}
		return
	}
	a.addrs = a.addrs[:0]
	align := kind - tapeRuns
	for len(a.addrs) < len(threads) {
		x := p.get()
		if x&1 == 0 {
			for range x >> 1 {
				*last += uint64(p.getSigned() << align)
				a.addrs = append(a.addrs, *last)
			}
			continue
		}
		stride := uint64(p.getSigned() << align)
		*last += uint64(p.getSigned() << align)
		at := *last
		for range x >> 1 {
			a.addrs = append(a.addrs, at)
			*last = at
			at += stride
		}
	}
}
