package nvme

import (
	"context"
	"encoding/binary"
	"errors"
	"math/bits"
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/arrayrepl/arrayrepl/offload/storage"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestWireFormats: the fields lie where the NVM command set and base specifications have them.
func TestWireFormats(t *testing.T) {
	c := Command{Op: Read, ID: 0xbeef, Namespace: 1, Block: 1 << 40, Blocks: 8}
	c.SetMemory(0x10000, 0)
	var b [CommandBytes]byte
	c.Put(&b)
	dw := func(i int) uint32 { return binary.LittleEndian.Uint32(b[4*i:]) }
	assert.Equal(t, []uint32{0xbeef0002, 1, 0x10000, 0, 0, 0, 0, 1 << 8, 7}, []uint32{dw(0), dw(1), dw(6), dw(7), dw(8), dw(9), dw(10), dw(11), dw(12)})
	assert.Equal(t, c, commandOf(&b))

	c.SetMemory(0x10200, 0) // 4 KiB that begin within a page
	assert.EqualValues(t, 0x11000, c.PRP2)
	c.Blocks = 16
	c.SetMemory(0x10200, 0x9000)
	assert.EqualValues(t, 0x9000, c.PRP2)

	done := Completion{Head: 7, Queue: 3, ID: 0xbeef, Phase: true, Status: statusFailed}
	var e [CompletionBytes]byte
	done.Put(&e)
	assert.Equal(t, []uint32{7 | 3<<16, 0xbeef | 1<<16 | statusFailed<<17}, []uint32{binary.LittleEndian.Uint32(e[8:]), binary.LittleEndian.Uint32(e[12:])})
	assert.Equal(t, done, completionOf(done.words()))
	assert.EqualValues(t, []uint64{0x1000, 0x1004, 0x1018, 0x1070}, []uint64{Doorbell(0, false, 0), Doorbell(0, true, 0), Doorbell(3, false, 0), Doorbell(3, true, 2)})
}

// counting is a backing of numbers that notes how often each block is read, and how many reads are under way.
type counting struct {
	storage.Backing
	times       []atomic.Int32
	now, atOnce atomic.Int64
}

func (c *counting) ReadAt(b []byte, off int64) (int, error) {
	if n := c.now.Add(1); n > c.atOnce.Load() {
		c.atOnce.Store(n)
	}
	defer c.now.Add(-1)
	c.times[off/BlockBytes].Add(1)
	return c.Backing.ReadAt(b, off)
}

// outstanding is how many commands have a number.
func outstanding(p *pair) (n int) {
	for i := range p.ids {
		n += bits.OnesCount64(p.ids[i].Load())
	}
	return n
}

// TestQueues: threads read all blocks through queues of every depth, with yields between the steps of the protocol:
// each command is carried out once, nobody waits for ever, doorbells go up, no more than n-1 are outstanding.
func TestQueues(t *testing.T) {
	for _, depth := range []int{2, 4, 16, 64} {
		const workers, each = 12, 60
		file := make([]byte, workers*each*BlockBytes)
		for i := range workers * each {
			binary.LittleEndian.PutUint64(file[i*BlockBytes:], uint64(i))
		}
		b := &counting{Backing: storage.NewMem(file), times: make([]atomic.Int32, workers*each)}
		d, err := NewDrive(b, Config{Pairs: 1, Depth: depth})
		require.NoError(t, err)
		var steps atomic.Uint32
		p := d.pairs[0]
		var rang atomic.Uint64
		p.pause = func() {
			if steps.Add(1)%7 == 0 {
				runtime.Gosched()
			}
			head, tail := p.head.Load(), p.tail.Load()
			if tail > head && tail-head > uint64(depth-1) && p.head.Load() == head {
				t.Errorf("%d commands are outstanding of %d", tail-head, depth-1)
			}
			if old, now := rang.Load(), p.sqDoorbell.Load(); now >= old {
				rang.CompareAndSwap(old, now)
			}
		}
		var wg sync.WaitGroup
		for w := range workers {
			wg.Go(func() {
				var b [8]byte
				for i := range each {
					k := i*workers + w
					if _, err := d.ReadAt(b[:], int64(k)*BlockBytes); !assert.NoError(t, err) || !assert.EqualValues(t, k, binary.LittleEndian.Uint64(b[:])) {
						return
					}
				}
			})
		}
		wg.Wait()
		for i := range b.times {
			require.EqualValues(t, 1, b.times[i].Load())
		}
		m := d.Modelled()
		assert.EqualValues(t, workers*each, m.Queued)
		assert.EqualValues(t, workers*each, p.sqDoorbell.Load())
		assert.LessOrEqual(t, m.Doorbells, m.Queued)
		assert.Zero(t, outstanding(p))
		require.NoError(t, d.Close())
	}
}

// TestWrapAround: more commands than there are numbers for them, by one thread: a doorbell for each.
func TestWrapAround(t *testing.T) {
	d, err := NewDrive(storage.NewMem(make([]byte, 4096)), Config{Pairs: 1, Depth: 16})
	require.NoError(t, err)
	defer d.Close()
	const n = 1<<16 + 100
	var b [8]byte
	for range n {
		_, err := d.ReadAt(b[:], 512)
		require.NoError(t, err)
	}
	m := d.Modelled()
	assert.EqualValues(t, []int64{n, n, n}, []int64{m.Queued, m.Doorbells, m.Reads})
}

// TestDriveIsAFile: random reads and writes behind queues of several SSDs are those of a slice; what fails says why,
// and leaves no command outstanding.
func TestDriveIsAFile(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 33))
	want := make([]byte, 100_000)
	faulty := &storage.Faulty{Backing: storage.NewMem(make([]byte, len(want)))}
	d, err := NewDrive(faulty, Config{SSDs: 3, Pairs: 2, Depth: 4, Striped: true})
	require.NoError(t, err)
	failures := 0
	for range 2000 {
		off := r.IntN(len(want) - 5000)
		p := make([]byte, 1+r.IntN(5000))
		faulty.Bad, faulty.ReadError = int64(r.IntN(len(want))), nil
		if r.IntN(8) == 0 {
			faulty.ReadError = syscall.EIO
		}
		if r.IntN(2) == 0 {
			for i := range p {
				p[i] = byte(r.Uint32())
			}
			n, err := d.WriteAt(p, int64(off))
			require.NoError(t, err)
			require.Equal(t, len(p), n)
			copy(want[off:], p)
			continue
		}
		if _, err := d.ReadAt(p, int64(off)); err != nil {
			require.True(t, errors.Is(err, syscall.EIO), "%v", err)
			failures++
			continue
		}
		require.Equal(t, want[off:off+len(p)], p)
	}
	assert.NotZero(t, failures)
	for _, p := range d.pairs {
		assert.Zero(t, outstanding(p))
	}
	_, err = d.ReadAt(make([]byte, 8), int64(len(want)))
	assert.Error(t, err)
	require.NoError(t, d.Close())
}

// TestReadsTakeTurns: SSDs that each have all share the reads evenly, and so do the queues of each.
func TestReadsTakeTurns(t *testing.T) {
	d, err := NewDrive(storage.NewMem(make([]byte, 4096)), Config{SSDs: 4, Pairs: 4, Depth: 4})
	require.NoError(t, err)
	defer d.Close()
	var b [8]byte
	for range 160 {
		_, err := d.ReadAt(b[:], 0)
		require.NoError(t, err)
	}
	for _, p := range d.pairs {
		assert.EqualValues(t, 10, p.commands.Load())
	}
}

// TestBenchIsInterrupted: the context's error is what ends it.
func TestBenchIsInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err := Bench{}.Run(ctx)
	assert.ErrorIs(t, err, context.Canceled)
}
