package paging_test

import (
	"encoding/binary"
	"math/rand/v2"
	"runtime"
	"sync"
	"testing"

	"github.com/arrayrepl/arrayrepl/internal/judges"
	"github.com/arrayrepl/arrayrepl/internal/testsize"
	"github.com/arrayrepl/arrayrepl/kir"
	. "github.com/arrayrepl/arrayrepl/kir/paging"
	"github.com/arrayrepl/arrayrepl/kir/ptx"
	"github.com/arrayrepl/arrayrepl/kir/ref"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const elements = 200 // of 64 bits, of each file

// program makes a kernel of random gathers, stores and atomics: of file a, which is read, of b, of which each thread
// has an element in turn, and of c, to which all add. What a thread has gathered goes to b and to memory.
func program(t testing.TB, r *rand.Rand, threads, steps int) *kir.Func {
	b := kir.NewBuilder("program")
	var p []*kir.Value
	for _, name := range []string{"a", "b", "c", "out"} {
		p = append(p, b.Param(name, kir.U64))
	}
	tid := b.Convert(kir.I64, b.Special(kir.TidX))
	sum := b.Convert(kir.U64, tid)
	at := func(base, i *kir.Value) *kir.Value { return b.Index(base, i, kir.U64) }
	for range steps {
		i := b.Op(kir.OpRem, b.Op(kir.OpAdd, b.Op(kir.OpMul, tid, b.Int(kir.I64, r.Int64N(50))), b.Int(kir.I64, r.Int64N(elements))), b.Int(kir.I64, elements))
		own := b.Op(kir.OpAdd, tid, b.Int(kir.I64, r.Int64N(elements/int64(threads))*int64(threads)))
		switch r.IntN(5) {
		case 0, 1:
			sum = b.Op(kir.OpAdd, b.Op(kir.OpMul, sum, b.Int(kir.U64, 31)), b.Load(kir.Global, kir.U64, at(p[0], i)))
		case 2:
			b.Store(kir.Global, at(p[1], own), sum)
		case 3:
			sum = b.Op(kir.OpXor, sum, b.Load(kir.Global, kir.U64, at(p[1], own)))
		case 4:
			b.Atomic(kir.OpAtomicAdd, kir.Global, at(p[2], i), sum)
		}
	}
	b.Store(kir.Global, at(p[3], tid), sum)
	b.Return()
	f, err := b.Func()
	require.NoError(t, err)
	return f
}

// play is a program with its files, on the card of the model and as ref has it in memory.
type play struct {
	*card
	lowered *kir.Func
	params  []byte
	out     *region
	want    map[uint64][]byte
	threads int
}

func newPlay(t testing.TB, r *rand.Rand, threads, slots int, flags, patience uint64) *play {
	f := program(t, r, threads, 12)
	p := &play{card: newCard(), threads: threads, want: map[uint64][]byte{}}
	var plain []byte
	for n := range 3 {
		file := make([]byte, 8*elements)
		for i := range elements {
			binary.LittleEndian.PutUint64(file[8*i:], r.Uint64())
		}
		base := uint64(1+n) << 32
		p.want[base] = append([]byte(nil), file...)
		plain = binary.LittleEndian.AppendUint64(plain, base)
		p.params = binary.LittleEndian.AppendUint64(p.params, Base(n))
		p.open(file, 6, slots, flags, patience)
	}
	p.out = p.region(8 * threads)
	p.want[4<<32] = make([]byte, 8*threads)
	plain = binary.LittleEndian.AppendUint64(plain, 4<<32)
	p.params = binary.LittleEndian.AppendUint64(p.params, p.out.base)
	p.params = binary.LittleEndian.AppendUint64(p.params, controlBase) // the directory
	require.NoError(t, ref.Run(f, ref.Launch{Grid: kir.D1(1), Block: kir.D1(threads), Params: plain, Memory: p.want}))
	var err error
	p.lowered, err = Lower(f, func(off int) bool { return off < 24 })
	require.NoError(t, err)
	return p
}

// interleave runs all threads and the host, one operation at a time, in a random order.
func (p *play) interleave(t testing.TB, r *rand.Rand) (threads []*thread) {
	for i := range p.threads {
		threads = append(threads, p.thread(p.lowered, i, p.params))
	}
	live := append([]*thread(nil), threads...)
	for steps := 0; len(live) > 0; steps++ {
		require.Less(t, steps, 50_000_000, "threads wait for ever")
		if r.IntN(20) == 0 {
			p.serve(p.segs[r.IntN(len(p.segs))], r)
			continue
		}
		i := r.IntN(len(live))
		for range 1 + r.IntN(4) {
			require.NoError(t, live[i].step())
			if live[i].done {
				live = append(live[:i], live[i+1:]...)
				break
			}
		}
	}
	return threads
}

func (p *play) judge(t testing.TB, threads []*thread) {
	for n, s := range p.segs {
		require.Empty(t, p.settled(s))
		p.flush(s)
		require.Equal(t, p.want[uint64(1+n)<<32], s.file, "file %d", n)
	}
	for _, th := range threads {
		require.Zero(t, th.failed)
	}
	require.Equal(t, p.want[4<<32], p.out.b)
}

// TestProgramsInAnyOrder: programs give what they give in memory, whatever the order of the operations of threads and
// host, from one slot on; afterwards no line is busy or referred to, and each is in one slot.
func TestProgramsInAnyOrder(t *testing.T) {
	for seed := range testsize.Seeds("kir/paging.TestProgramsInAnyOrder") {
		r := rand.New(rand.NewPCG(seed, 33))
		p := newPlay(t, r, 1+r.IntN(40), 1+r.IntN(8), uint64(r.IntN(2))*FlagAlone, 1<<40)
		p.judge(t, p.interleave(t, r))
	}
}

// TestProgramsAtOnce: the same with a goroutine for each thread and one for the host, for the race detector: what a
// slot has is read and written without atomics, by threads and by the host.
func TestProgramsAtOnce(t *testing.T) {
	for seed := range testsize.Seeds("kir/paging.TestProgramsAtOnce") {
		r := rand.New(rand.NewPCG(seed, 34))
		p := newPlay(t, r, 1+r.IntN(24), 1+r.IntN(6), 0, 1<<40)
		p.yields = true
		threads := make([]*thread, p.threads)
		var running sync.WaitGroup
		for i := range threads {
			threads[i] = p.thread(p.lowered, i, p.params)
			running.Go(func() {
				for !threads[i].done {
					if !assert.NoError(t, threads[i].step()) {
						return
					}
				}
			})
		}
		ended := make(chan struct{})
		go func() { running.Wait(); close(ended) }()
		for over := false; !over; {
			for _, s := range p.segs {
				p.serve(s, r)
			}
			select {
			case <-ended:
				over = true
			default:
				runtime.Gosched()
			}
		}
		p.judge(t, threads)
	}
}

// TestFailuresEndThreads: a line that cannot be read or written back ends the threads that miss, with its code; nothing
// stays busy, and what is not touched by that stays right.
func TestFailuresEndThreads(t *testing.T) {
	for seed := range 6 {
		r := rand.New(rand.NewPCG(uint64(seed), 35))
		p := newPlay(t, r, 16, 3, 0, 1<<40)
		write, bad := seed%2 == 1, int64(r.IntN(10))
		hits := 0
		p.segs[2].fail = func(line int64, w bool) bool {
			if line >= bad && w == write {
				hits++
				return true
			}
			return false
		}
		threads := p.interleave(t, r)
		codes := map[int64]int{}
		for _, th := range threads {
			codes[th.failed[0]]++
		}
		want := ReadFailed
		if write {
			want = WriteFailed
		}
		if hits > 0 {
			assert.NotZero(t, codes[int64(want)])
		}
		assert.Equal(t, 16, codes[0]+codes[int64(want)])
		for _, s := range p.segs {
			require.Empty(t, p.settled(s))
		}
	}
}

// TestStopEndsThreads: when the host is told to stop, threads that miss end.
func TestStopEndsThreads(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 36))
	p := newPlay(t, r, 16, 2, 0, 1<<40)
	for _, s := range p.segs {
		s.stop.Store(true)
	}
	for _, th := range p.interleave(t, r) {
		assert.Contains(t, []int64{0, int64(Stopped)}, th.failed[0])
	}
	for _, s := range p.segs {
		require.Empty(t, p.settled(s))
	}
}

// TestPinnedSlotsAreAnError: where all slots have lines that are in use for ever, threads end with Pinned.
func TestPinnedSlotsAreAnError(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 37))
	p := newPlay(t, r, 8, 1, 0, 20)
	s := p.segs[0]
	p.control[s.meta] = uint64(Unlocked)
	p.control[s.meta+1] = addressOf(s.table)
	p.control[s.table] = uint64(Valid | 1) // line 0 in slot 0, and somebody has it
	s.held[0] = 0
	copy(s.data.b, s.file[:64])
	threads := p.interleave(t, r)
	codes := map[int64]int{}
	for _, th := range threads {
		codes[th.failed[0]]++
	}
	assert.NotZero(t, codes[int64(Pinned)])
	assert.EqualValues(t, Valid|1, p.control[s.table])
}

// TestOutOfBounds: accesses behind the file and stores to one that is read end the thread with their code.
func TestOutOfBounds(t *testing.T) {
	b := kir.NewBuilder("over")
	x := b.Param("x", kir.U64)
	b.Store(kir.Global, x, b.Load(kir.Global, kir.U64, b.Op(kir.OpAdd, x, b.Int(kir.U64, 8*elements))))
	b.Return()
	f, err := b.Func()
	require.NoError(t, err)
	for flags, want := range map[uint64]Code{0: OutOfBounds} {
		g, err := Lower(f, func(int) bool { return true })
		require.NoError(t, err)
		c := newCard()
		c.open(make([]byte, 8*elements), 6, 2, flags, 1<<40)
		th := c.thread(g, 0, binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(nil, Base(0)), controlBase))
		for !th.done {
			require.NoError(t, th.step())
		}
		assert.Equal(t, [2]int64{int64(want), 8 * elements}, th.failed)
	}
	n, off, ok := SegmentOf(Base(3) + 77)
	assert.Equal(t, []any{3, uint64(77), true}, []any{n, off, ok})
	_, _, ok = SegmentOf(1 << 40)
	assert.False(t, ok)
}

// TestPrinted: NVIDIA's assembler takes what is printed of lowered programs, and package ptx reads it again.
func TestPrinted(t *testing.T) {
	testsize.InTurn(t, 0)
	for seed := range 1 {
		f := newPlay(t, rand.New(rand.NewPCG(uint64(seed), 38)), 8, 2, 0, 1<<40).lowered
		_, err := ptx.Print(ptx.Options{Target: 61}, f)
		require.ErrorContains(t, err, "it needs compute capability 7.0")
		for _, target := range []int{75, 90} {
			text, err := ptx.Print(ptx.Options{Target: target, Lines: true}, f)
			require.NoError(t, err)
			assert.Contains(t, text, "nanosleep.u32")
			_, err = ptx.Parse(text)
			require.NoError(t, err)
			out, err := judges.Ptxas(t, text, target)
			require.NoError(t, err, out)
		}
	}
}
