package cpu

import (
	"context"
	"encoding/binary"
	"errors"
	"math/rand/v2"
	"sync"
	"testing"
	"unsafe"

	"github.com/arrayrepl/arrayrepl/internal/testsize"
	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// pages are lines of b. A line has memory of its own while it is pinned, which is poisoned afterwards: who uses it then
// computes something else.
type pages struct {
	b        []byte
	shift    uint
	slots    int
	apart    bool // groups look for themselves
	unreused bool
	bad      int64 // line that cannot be read; -1 for none
	mu       sync.Mutex
	there    map[int64]*pinned
	most     int
	counted  lookups
}

type pinned struct {
	words []uint64
	refs  int
	dirty bool
}

// lookups are what is counted of accesses.
type lookups struct{ groups, accesses, reused, bytes int }

var errBad = errors.New("the disk is bad")

func (p *pages) LineShift() uint { return p.shift }
func (p *pages) Slots() int      { return p.slots }
func (p *pages) Coalesces() bool { return !p.apart }
func (p *pages) Reuses() bool    { return !p.unreused }

func (p *pages) Pin(line int64, groups, accesses int, write bool) (unsafe.Pointer, bool, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if line == p.bad {
		return nil, false, errBad
	}
	l := p.there[line]
	read := l == nil
	if read {
		l = &pinned{words: make([]uint64, 1<<p.shift/8)}
		copy(l.bytes(), p.b[line<<p.shift:])
		p.there[line] = l
		p.most = max(p.most, len(p.there))
	}
	l.refs += accesses
	return unsafe.Pointer(&l.words[0]), read, nil
}

func (l *pinned) bytes() []byte { return lanes[byte](unsafe.Pointer(&l.words[0]), 8*len(l.words)) }

func (p *pages) Release(line int64, accesses int, write bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	l := p.there[line]
	l.dirty = l.dirty || write
	switch l.refs -= accesses; {
	case l.refs < 0:
		panic("a line is released more often than pinned")
	case l.refs == 0:
		if l.dirty {
			copy(p.b[line<<p.shift:], l.bytes())
		}
		delete(p.there, line)
		fill(l.words, 0xdeaddeaddeaddead)
	}
}

func (p *pages) Count(groups, hits, misses, reused, bytes int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.counted.add(lookups{groups, hits + misses + reused, reused, bytes})
}

func (l *lookups) add(m lookups) {
	l.groups, l.accesses, l.reused, l.bytes = l.groups+m.groups, l.accesses+m.accesses, l.reused+m.reused, l.bytes+m.bytes
}

// coalesced counts the accesses of a block as the rule has it, thread by thread: those of a warp to one line are a
// group; where warps hold lines, a group that comes to the line that its warp's last group of the operation had does
// not look.
type coalesced struct {
	p     *pages
	base  uint64
	holds bool
	held  map[[2]int]int64 // by operation and warp
	sum   *lookups
}

func (c *coalesced) Step(*kir.Block, []int32) {}
func (c *coalesced) End()                     {}

func (c *coalesced) Access(v *kir.Value, threads []int32, a Addresses) {
	size := v.Type.Bytes()
	if v.Op == kir.OpStore {
		size = v.Args[1].Type.Bytes()
	}
	addrs := a.List()
	for i := 0; i < len(threads); {
		warp := int(threads[i]) / kir.WarpSize
		var order []int64
		count := map[int64]int{}
		for ; i < len(threads) && int(threads[i])/kir.WarpSize == warp; i++ {
			if addrs[i]-c.base >= uint64(len(c.p.b)) {
				continue
			}
			line := int64(addrs[i]-c.base) >> c.p.shift
			if c.p.apart { // each thread is a group
				order = append(order, line)
				count[line] = 1
				continue
			}
			if count[line]++; count[line] == 1 {
				order = append(order, line)
			}
		}
		for _, line := range order {
			n := count[line]
			c.sum.accesses += n
			c.sum.bytes += n * size
			at := [2]int{v.ID, warp}
			if last, ok := c.held[at]; ok && c.holds && last == line {
				c.sum.reused += n
				continue
			}
			c.held[at] = line
			c.sum.groups++
		}
	}
}

// linesProgram is a random kernel over a file of n elements and an array of as many: coalesced, strided, shifted,
// uniform, permuted and divergent loads, stores and atomics, in loops and outside. Threads write elements of their own.
func linesProgram(t *testing.T, r *rand.Rand, n, threads int) *kir.Func {
	types := []kir.Type{kir.U64, kir.U32, kir.U16, kir.U8}
	b := kir.NewBuilder("paged")
	file, out := b.Param("file", kir.U64), b.Param("out", kir.U64)
	i := b.GlobalIDX()
	num := func(x int) *kir.Value { return b.Int(kir.I64, int64(x)) }
	var sum *kir.Value
	// place is an element that a thread reads; the first half of the file is only read
	place := func(i *kir.Value) *kir.Value {
		half := n / 2
		switch r.IntN(7) {
		case 0:
			return num(r.IntN(half))
		case 1:
			return b.Op(kir.OpAdd, i, num(r.IntN(half-threads)))
		case 2:
			return b.Op(kir.OpSub, num(threads+r.IntN(half-threads)), i)
		case 3:
			return b.Op(kir.OpRem, b.Op(kir.OpMul, i, num(1+r.IntN(99))), num(half))
		case 4: // neighbours, which only running it shows
			return b.Op(kir.OpXor, i, num(r.IntN(32)))
		case 5:
			return b.Op(kir.OpDiv, b.Op(kir.OpMul, i, num(half-1)), num(threads))
		}
		k := 1 + r.IntN(40)
		return b.Op(kir.OpAdd, b.Op(kir.OpMul, b.Op(kir.OpRem, i, num(k)), num(half/k-1)), b.Op(kir.OpDiv, i, num(k)))
	}
	load := func(i *kir.Value) *kir.Value {
		typ := types[r.IntN(len(types))]
		v := b.Load(kir.Global, typ, b.Index(file, place(i), typ))
		if typ != kir.U64 {
			v = b.Convert(kir.U64, v)
		}
		return v
	}
	mix := func(v *kir.Value) { sum = b.Op(kir.OpAdd, b.Op(kir.OpMul, sum, b.Int(kir.U64, 31)), v) }
	sum = b.Convert(kir.U64, i)
	for range 5 {
		own := b.Op(kir.OpAdd, i, num(n/2+threads*r.IntN(n/2/threads))) // one thread's alone
		at := b.Index(file, own, kir.U64)
		switch r.IntN(6) {
		case 0, 1:
			mix(load(i))
		case 2:
			b.Store(kir.Global, at, sum)
		case 3:
			mix(b.Load(kir.Global, kir.U64, at))
		case 4: // a loop, in which warps may hold what they had
			step := num(r.IntN(2) * r.IntN(9))
			head, body, after := b.NewBlock("head", kir.I64, kir.U64), b.NewBlock("body"), b.NewBlock("after")
			k, s := head.Params[0], head.Params[1]
			b.Jump(head, num(0), sum)
			b.SetBlock(head)
			b.Branch(b.Op(kir.OpLt, k, num(1+r.IntN(6))), body, after)
			b.SetBlock(body)
			sum = s
			shifted := b.Op(kir.OpAdd, b.Op(kir.OpMul, k, step), num(r.IntN(n/2-threads-64)))
			mix(b.Load(kir.Global, kir.U64, b.Index(file, b.Op(kir.OpAdd, i, shifted), kir.U64)))
			b.Jump(head, b.Op(kir.OpAdd, k, num(1)), sum)
			b.SetBlock(after)
			sum = s
		case 5: // some of the threads
			then, other, after := b.NewBlock("then"), b.NewBlock("other"), b.NewBlock("after", kir.U64)
			b.Branch(b.Op(kir.OpLt, b.Op(kir.OpRem, i, num(2+r.IntN(200))), num(1+r.IntN(100))), then, other)
			b.SetBlock(other)
			b.Jump(after, sum)
			b.SetBlock(then)
			mix(load(i))
			b.Atomic(kir.OpAtomicXor, kir.Global, at, sum)
			b.Jump(after, sum)
			b.SetBlock(after)
			sum = after.Params[0]
		}
	}
	b.Store(kir.Global, b.Index(out, i, kir.U64), sum)
	b.Return()
	f, err := b.Func()
	require.NoError(t, err)
	return f
}

// TestRandomKernelsOverLines: over lines, kernels leave what they leave in memory, and lookups, accesses without one
// and bytes are those of the rule, of which coalesced has another form: with several blocks side by side, with lines
// that are held and with a cache that has no room for that, with groups that each look for themselves.
func TestRandomKernelsOverLines(t *testing.T) {
	for seed := range testsize.Seeds("kir/cpu.TestRandomKernelsOverLines") {
		r := rand.New(rand.NewPCG(seed, 33))
		block, grid := []int{1, 16, 31, 32, 48, 64, 100, 128, 256, 300}[r.IntN(10)], 1+r.IntN(24)
		threads := block * grid
		n := 8*threads + 2*r.IntN(3000) + 256
		f := linesProgram(t, r, n, threads)
		p, err := Compile(f)
		require.NoError(t, err)
		words := make([]uint64, n)
		for i := range words {
			words[i] = r.Uint64()
		}
		data := lanes[byte](unsafe.Pointer(&words[0]), 8*n)
		lines := &pages{b: append([]byte(nil), data...), shift: uint(9 + r.IntN(5)), slots: 1 << 20, bad: -1}
		lines.there = map[int64]*pinned{}
		switch r.IntN(4) {
		case 0:
			lines.slots = 1
		case 1:
			lines.unreused = true
		case 2:
			lines.apart = r.IntN(2) == 0
		}
		const base, to = 1 << 20, 1 << 40
		launch := func(out []uint64, memory *Memory, record func(int) Recorder) {
			memory.Map(to, lanes[byte](unsafe.Pointer(&out[0]), 8*len(out)))
			params := binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(nil, base), to)
			_, err := p.Run(context.Background(), Launch{
				Grid: kir.D1(grid), Block: kir.D1(block), Params: params, Memory: memory, Record: record, Workers: 1 + r.IntN(3),
			})
			require.NoError(t, err, "seed %d", seed)
		}
		var mu sync.Mutex
		var sums []*lookups
		inMemory, want := NewMemory(), make([]uint64, threads)
		inMemory.Map(base, data)
		launch(want, inMemory, func(int) Recorder {
			sum := new(lookups)
			mu.Lock()
			defer mu.Unlock()
			sums = append(sums, sum)
			holds := lines.slots > 1 && !lines.unreused
			return &coalesced{p: lines, base: base, holds: holds, held: map[[2]int]int64{}, sum: sum}
		})
		var counted lookups
		for _, s := range sums {
			counted.add(*s)
		}
		paged, got := NewMemory(), make([]uint64, threads)
		paged.MapLines(base, uint64(len(data)), lines, false)
		launch(got, paged, nil)
		require.Equal(t, want, got, "seed %d", seed)
		require.Equal(t, data, lines.b, "seed %d", seed)
		require.Equal(t, counted, lines.counted, "seed %d", seed)
		require.Empty(t, lines.there, "seed %d: lines are pinned", seed)
		if lines.slots == 1 {
			assert.LessOrEqual(t, lines.most, 3, "seed %d: a worker has more than one line", seed)
		}
	}
}

// TestBadLine: the trap of a line that cannot be had is of its first thread, and nothing stays pinned.
func TestBadLine(t *testing.T) {
	for _, slots := range []int{1, 1 << 20} {
		b := kir.NewBuilder("copy")
		file, out, i := b.Param("file", kir.U64), b.Param("out", kir.U64), b.GlobalIDX()
		b.Store(kir.Global, b.Index(out, i, kir.U64), b.Load(kir.Global, kir.U64, b.Index(file, i, kir.U64)))
		b.Return()
		f, err := b.Func()
		require.NoError(t, err)
		p, err := Compile(f)
		require.NoError(t, err)
		lines := &pages{b: make([]byte, 8<<10), shift: 9, slots: slots, bad: 5, there: map[int64]*pinned{}}
		memory := NewMemory()
		memory.MapLines(1<<20, 8<<10, lines, true)
		memory.Map(1<<40, make([]byte, 8<<10))
		params := binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(nil, 1<<20), 1<<40)
		_, err = p.Run(context.Background(), Launch{Grid: kir.D1(4), Block: kir.D1(256), Params: params, Memory: memory})
		trap := new(kir.Trap)
		require.ErrorAs(t, err, &trap)
		require.ErrorIs(t, err, errBad)
		assert.Equal(t, []int{1, 64}, []int{trap.Block.X, trap.Thread.X}) // 64 elements of 8 bytes in a line of 512: 5*64
		assert.Empty(t, lines.there)
	}
}
