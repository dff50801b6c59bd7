package cudabackend

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"time"
	"unsafe"

	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/kir/paging"
	"github.com/arrayrepl/arrayrepl/kir/ref"
	"github.com/arrayrepl/arrayrepl/offload/device"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// fileLines are lines of a file that is in memory: every line may be there at once.
type fileLines struct {
	mu       sync.Mutex
	b        []byte
	slots    int
	fail     func(line int64, write bool) error
	acquired int
	reused   int
	stall    chan struct{} // reads wait until it is closed, where it is not nil
}

func newFileLines(bytes, slots int) *fileLines {
	words := make([]uint64, bytes/8)
	return &fileLines{b: unsafe.Slice((*byte)(unsafe.Pointer(&words[0])), bytes), slots: slots}
}

func (l *fileLines) Bytes() int64    { return int64(len(l.b)) }
func (l *fileLines) LineShift() uint { return 9 }
func (l *fileLines) Slots() int      { return l.slots }
func (l *fileLines) Coalesces() bool { return true }
func (l *fileLines) Reuses() bool    { return true }
func (l *fileLines) Acquire(line int64, accesses, bytes int, write bool) (unsafe.Pointer, error) {
	if l.stall != nil {
		<-l.stall
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.fail != nil {
		if err := l.fail(line, write); err != nil {
			return nil, err
		}
	}
	l.acquired += accesses
	return unsafe.Pointer(&l.b[line<<9]), nil
}
func (l *fileLines) Release(line int64, accesses int, write bool) {}
func (l *fileLines) Pin(line int64, groups, accesses int, write bool) (unsafe.Pointer, bool, error) {
	p, err := l.Acquire(line, accesses, 0, write)
	return p, false, err
}
func (l *fileLines) Count(groups, hits, misses, reused, bytes int) {}
func (l *fileLines) Reuse(accesses, bytes int) {
	l.mu.Lock()
	l.reused += accesses
	l.mu.Unlock()
}

// pages returns the card as a device.Pager.
func (b *bench) pages() device.Pager { return b.gpu.(device.Pager) }

// filesKernel is a random program: each thread gathers from file a, stores to its elements of b, adds to elements of c
// and stores what it has to out.
func filesKernel(t *testing.T, r *rand.Rand, n, threads int) *kir.Func {
	b := kir.NewBuilder("files")
	var p []*kir.Value
	for _, name := range []string{"a", "b", "c", "out"} {
		p = append(p, b.Param(name, kir.U64))
	}
	tid := b.GlobalIDX()
	sum := b.Convert(kir.U64, tid)
	for range 8 {
		i := b.Op(kir.OpRem, b.Op(kir.OpAdd, b.Op(kir.OpMul, tid, b.Int(kir.I64, 1+r.Int64N(300))), b.Int(kir.I64, r.Int64N(int64(n)))), b.Int(kir.I64, int64(n)))
		own := b.Op(kir.OpAdd, tid, b.Int(kir.I64, r.Int64N(int64(n/threads))*int64(threads)))
		switch r.IntN(4) {
		case 0:
			sum = b.Op(kir.OpAdd, b.Op(kir.OpMul, sum, b.Int(kir.U64, 31)), b.Load(kir.Global, kir.U64, b.Index(p[0], i, kir.U64)))
		case 1:
			b.Store(kir.Global, b.Index(p[1], own, kir.U64), sum)
		case 2:
			sum = b.Op(kir.OpXor, sum, b.Load(kir.Global, kir.U64, b.Index(p[1], own, kir.U64)))
		case 3:
			b.Atomic(kir.OpAtomicAdd, kir.Global, b.Index(p[2], i, kir.U64), sum)
		}
	}
	b.Store(kir.Global, b.Index(p[3], tid, kir.U64), sum)
	b.Return()
	f, err := b.Func()
	require.NoError(t, err)
	return f
}

// TestKernelsReadFiles: random programs over files, on a card whose kernels fetch lines while they run, give the bits
// that package ref has for them in memory; so do launches that follow each other.
func TestKernelsReadFiles(t *testing.T) {
	bothWays(t, func(t *testing.T, newBench maker) {
		b := newBench(t, 1, true)
		require.NoError(t, b.pages().CannotPage())
		for seed := range uint64(2) {
			r := rand.New(rand.NewPCG(seed, 7))
			const n, threads = 2048, 128
			f := filesKernel(t, r, n, threads)
			k, err := b.gpu.Load(f)
			require.NoError(t, err)
			want := map[uint64][]byte{}
			var plain, params []byte
			var files []*fileLines
			var buffers []device.Buffer
			for i := range 3 {
				l := newFileLines(8*n, 2+r.IntN(30))
				for j := range n {
					binary.LittleEndian.PutUint64(l.b[8*j:], r.Uint64())
				}
				want[uint64(1+i)<<32] = append([]byte(nil), l.b...)
				plain = binary.LittleEndian.AppendUint64(plain, uint64(1+i)<<32)
				buf, err := b.pages().MapLines(l, i == 0)
				require.NoError(t, err)
				params = binary.LittleEndian.AppendUint64(params, buf.Addr())
				files, buffers = append(files, l), append(buffers, buf)
			}
			out, err := b.gpu.Alloc(8 * threads)
			require.NoError(t, err)
			want[4<<32] = make([]byte, 8*threads)
			plain, params = binary.LittleEndian.AppendUint64(plain, 4<<32), binary.LittleEndian.AppendUint64(params, out.Addr())
			for range 2 {
				require.NoError(t, ref.Run(f, ref.Launch{Grid: kir.D1(2), Block: kir.D1(threads / 2), Params: plain, Memory: want}))
				b.stream.Launch(k, kir.D1(2), kir.D1(threads/2), 0, params)
			}
			got := make([]byte, 8*threads)
			b.stream.CopyOut(got, out, 0)
			require.NoError(t, b.stream.Sync(ctx))
			assert.Equal(t, want[4<<32], got)
			for i, l := range files {
				assert.Equal(t, want[uint64(1+i)<<32], l.b, "file %d", i)
				require.NoError(t, buffers[i].Free())
			}
			require.NoError(t, out.Free())
			assert.NotZero(t, files[0].acquired+files[1].acquired+files[2].acquired)
		}
	})
}

// gatherKernel is out[i] = data[idx], with one thread for each.
func gatherKernel(t *testing.T, step int64) *kir.Func {
	b := kir.NewBuilder("gather")
	data, out := b.Param("data", kir.U64), b.Param("out", kir.U64)
	i := b.GlobalIDX()
	at := b.Index(data, b.Op(kir.OpMul, i, b.Int(kir.I64, step)), kir.U64)
	b.Store(kir.Global, b.Index(out, i, kir.U64), b.Load(kir.Global, kir.U64, at))
	b.Return()
	f, err := b.Func()
	require.NoError(t, err)
	return f
}

// gather launches it over a file and returns the error of the stream.
func (b *bench) gather(ctx context.Context, l *fileLines, threads int) error {
	b.Helper()
	k, err := b.gpu.Load(gatherKernel(b.T, 64))
	require.NoError(b, err)
	buf, err := b.pages().MapLines(l, true)
	require.NoError(b, err)
	out, err := b.gpu.Alloc(8 * threads)
	require.NoError(b, err)
	params := binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(nil, buf.Addr()), out.Addr())
	b.stream.Launch(k, kir.D1(1), kir.D1(threads), 0, params)
	require.NoError(b, buf.Free())
	require.NoError(b, out.Free())
	return b.stream.Sync(ctx)
}

// TestLinesThatCannotBeRead: the error of the file ends the kernel, names the thread, and is the launch's; the card
// goes on.
func TestLinesThatCannotBeRead(t *testing.T) {
	bothWays(t, func(t *testing.T, newBench maker) {
		b := newBench(t, 1, true)
		eio := errors.New("big.npy: byte 2560: input/output error")
		l := newFileLines(1<<16, 8)
		l.fail = func(line int64, write bool) error {
			if line == 5 {
				return eio
			}
			return nil
		}
		err := b.gather(ctx, l, 64)
		require.ErrorIs(t, err, eio)
		assert.ErrorContains(t, err, "kernel gather: thread (5) of block (0): is in a file: big.npy: byte 2560: input/output error")
		l.fail = nil
		require.NoError(t, b.gather(ctx, l, 64))
		assert.Zero(t, b.gpu.Losses())
	})
}

// TestLinesThatCannotBeWritten: a disk that is full ends the kernel where a line makes room for another, and is the
// launch's error where that happens when the kernel has ended.
func TestLinesThatCannotBeWritten(t *testing.T) {
	bothWays(t, func(t *testing.T, newBench maker) {
		b := newBench(t, 1, true)
		kb := kir.NewBuilder("scatter")
		data := kb.Param("data", kir.U64)
		i := kb.GlobalIDX()
		kb.Store(kir.Global, kb.Index(data, kb.Op(kir.OpMul, i, kb.Int(kir.I64, 64)), kir.U64), kb.Convert(kir.U64, i))
		kb.Return()
		f, err := kb.Func()
		require.NoError(t, err)
		k := b.load(f)
		full := errors.New("big.npy: no space left on device")
		for slots, says := range map[int]string{2: "of block (0): is in a file: " + full.Error(), 64: full.Error()} {
			l := newFileLines(1<<15, slots)
			l.fail = func(_ int64, write bool) error {
				if write {
					return full
				}
				return nil
			}
			buf, err := b.pages().MapLines(l, false)
			require.NoError(t, err)
			params := binary.LittleEndian.AppendUint64(nil, buf.Addr())
			b.stream.Launch(k, kir.D1(1), kir.D1(64), 0, params)
			err = b.stream.Sync(ctx)
			require.ErrorIs(t, err, full)
			require.ErrorContains(t, err, says)
			require.NoError(t, buf.Free())
			buf, err = b.pages().MapLines(l, true) // and what the kernel may only read
			require.NoError(t, err)
			b.stream.Launch(k, kir.D1(1), kir.D1(1), 0, binary.LittleEndian.AppendUint64(nil, buf.Addr()))
			require.ErrorContains(t, b.stream.Sync(ctx), "writes to byte 0 of a file that the kernel may only read")
			require.NoError(t, buf.Free())
		}
		assert.Zero(t, b.gpu.Losses())
	})
}

// TestInterruptEndsWaits: an interrupt ends the wait for lines, and with it the kernel: few lines are read after it,
// where reading all would take a second. The card goes on, and the next launch does not find what ended this one.
func TestInterruptEndsWaits(t *testing.T) {
	bothWays(t, func(t *testing.T, newBench maker) {
		b := newBench(t, 1, true)
		l := newFileLines(1<<16, 2)
		cell, cancel := context.WithCancel(ctx)
		var begun, late atomic.Int64
		var slow atomic.Bool // requests of a kernel that was interrupted may go on for a moment
		slow.Store(true)
		l.fail = func(line int64, write bool) error {
			if cell.Err() != nil && slow.Load() {
				late.Add(1)
			}
			if begun.Add(1) == 3 {
				cancel()
			}
			if slow.Load() {
				time.Sleep(10 * time.Millisecond)
			}
			return nil
		}
		b.gpu.(device.Heeder).Heed(cell)
		err := b.gather(cell, l, 96)
		require.ErrorIs(t, err, context.Canceled)
		slow.Store(false)
		b.gpu.(device.Heeder).Heed(ctx)
		require.NoError(t, b.gather(ctx, l, 96), "the kernel before has ended, or this would not")
		assert.LessOrEqual(t, late.Load(), int64(8), "lines of 96 that were read after the interrupt: two slots are there")
		assert.Zero(t, b.gpu.Losses())
	})
}

// TestOldCardsCannotPage: cards before Volta are refused by name.
func TestOldCardsCannotPage(t *testing.T) {
	library.Reset(1, 64*mb, 12040, 1)
	library.Capability(61)
	defer library.Capability(80)
	require.NoError(t, initAgain())
	g, err := Open(0)
	require.NoError(t, err)
	defer g.Close()
	require.ErrorContains(t, g.CannotPage(), "it has compute capability 6.1, and only from 7.0 on, Volta, do threads of a warp go on independently")
	_, err = g.MapLines(newFileLines(1<<16, 2), true)
	require.ErrorContains(t, err, "kernels of cuda:0 cannot read files: it has compute capability 6.1")
}

// TestTooManyLines: a file of more lines than the table has is an error that says how to open it.
func TestTooManyLines(t *testing.T) {
	b := newBench(t, 1, true)
	_, err := b.pages().MapLines(hugeLines{newFileLines(1<<16, 2)}, true)
	require.ErrorContains(t, err, fmt.Sprintf("read files of up to %d lines; open it with longer ones, as np.Open(path, np.LineBytes(1024))", paging.MostLines))
}

type hugeLines struct{ *fileLines }

func (hugeLines) Bytes() int64 { return 1 << 36 }
