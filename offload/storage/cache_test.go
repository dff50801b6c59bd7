package storage

import (
	"context"
	"encoding/binary"
	"maps"
	"math/rand/v2"
	"slices"
	"sync"
	"syscall"
	"testing"
	"time"
	"unsafe"

	"github.com/arrayrepl/arrayrepl/internal/testsize"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// cacheOf is a cache of a file in memory of so many bytes.
func cacheOf(t *testing.T, bytes int64, o Options) (*Cache, *Faulty) {
	b := &Faulty{Backing: NewMem(make([]byte, bytes))}
	f := On("x.bin", b, true)
	f.options = o
	f.options.Write = true
	s, err := Range(f, 0, bytes, nil)
	require.NoError(t, err)
	c, err := s.Cache(bytes)
	require.NoError(t, err)
	return c, b
}

// access lets a warp access n elements of 8 bytes from number i on, as the coalescer does where they are in one line.
func access(t *testing.T, c *Cache, i, n int, write bool) {
	line := int64(i) * 8 >> c.shift
	_, err := c.Acquire(line, n, 8, write)
	require.NoError(t, err)
	c.Release(line, n, write)
}

// TestCountersAreExact: the figures of BaM's artifact: a thread for each element of 8 bytes, in warps of 32.
func TestCountersAreExact(t *testing.T) {
	for _, x := range []struct{ line, readIOs, misses int64 }{{512, 16384, 524288}, {4096, 2048, 65536}} {
		const elements = 1 << 20
		c, _ := cacheOf(t, 8*elements, Options{Line: x.line})
		for pass := range 2 {
			for i := 0; i < elements; i += 32 {
				access(t, c, i, 32, false)
			}
			s := c.Stats()
			assert.Equal(t, []int64{x.readIOs, x.misses, elements * int64(pass+1)}, []int64{s.ReadIOs, s.Misses, s.Accesses}, "pass %d", pass)
		}
	}
}

// TestOneReadForAll: 100,000 warps that want one cold line read it once.
func TestOneReadForAll(t *testing.T) {
	c, b := cacheOf(t, 1<<20, Options{})
	b.Delay = time.Millisecond
	var wg sync.WaitGroup
	for range 100 {
		wg.Go(func() {
			for range 1000 {
				access(t, c, 5, 32, false)
			}
		})
	}
	wg.Wait()
	s := c.Stats()
	assert.Equal(t, []int64{1, 32, 3_200_000, 1}, []int64{s.ReadIOs, s.Misses, s.Accesses, int64(b.Reads)})
}

// TestCyclicScan: of N+1 lines in N slots, one after the other and again, none is found; of N lines all are.
func TestCyclicScan(t *testing.T) {
	for _, policy := range Policies {
		for _, lines := range []int{16, 17} {
			c, _ := cacheOf(t, 64*512, Options{Line: 512, Cache: 16 * 512, Policy: policy})
			for range 5 {
				for line := range lines {
					access(t, c, line*64, 1, false)
				}
			}
			switch s := c.Stats(); {
			case lines == 16:
				assert.EqualValues(t, 64, s.Hits, policy)
			case policy != "random":
				assert.Zero(t, s.Hits, policy)
			default:
				assert.Equal(t, s.Accesses, s.Hits+s.Misses)
			}
		}
	}
}

// TestPolicies: what is used again and again stays where the policy knows of uses.
func TestPolicies(t *testing.T) {
	hits := map[string]int64{}
	for _, policy := range Policies {
		c, _ := cacheOf(t, 256*512, Options{Line: 512, Cache: 8 * 512, Policy: policy})
		for i := range 200 {
			access(t, c, 0, 1, false)
			access(t, c, 64*(1+i), 1, false)
		}
		hits[policy] = c.Stats().Hits
	}
	assert.EqualValues(t, 199, hits["lru"])
	assert.EqualValues(t, 199, hits["second chance"])
	assert.Less(t, hits["clock"], int64(199))
}

// TestPinned: what is referred to is never evicted; where all is, that is an error, and afterwards all is as before.
func TestPinned(t *testing.T) {
	for _, policy := range Policies {
		c, _ := cacheOf(t, 64*512, Options{Line: 512, Cache: 4 * 512, Policy: policy})
		c.patience = 10 * time.Millisecond
		for line := range int64(4) {
			_, err := c.Acquire(line, 3, 8, true)
			require.NoError(t, err)
		}
		_, err := c.Acquire(9, 1, 8, false)
		require.ErrorIs(t, err, ErrCachePinned, policy)
		c.Release(2, 3, true)
		access(t, c, 9*64, 1, false)
		assert.EqualValues(t, 1, c.Stats().WriteIOs)
		for _, line := range []int64{0, 1, 3} {
			c.Release(line, 3, true)
		}
		quiet(t, c)
	}
}

// quiet fails where a line is busy or referred to, or in two slots.
func quiet(t *testing.T, c *Cache) {
	t.Helper()
	lines := map[int64]bool{}
	for at := range c.slots {
		switch c.slots[at].lock.Load() {
		case free:
			continue
		case locked:
			t.Errorf("slot %d is locked", at)
		}
		line := c.slots[at].line.Load()
		assert.False(t, lines[line], "line %d is in two slots", line)
		lines[line] = true
	}
	for line := range (c.size + c.line - 1) >> c.shift {
		e, _ := c.table.pin(line, 1)
		if s := e.state.Load(); s&(busy|count) != 1 {
			t.Errorf("line %d has state %#x", line, s)
		} else if s&valid != 0 {
			assert.True(t, lines[line], "line %d is in no slot", line)
		}
		c.unpin(line, e, 1)
	}
}

// settled waits until no line is on its way to the file: what goes wrong is changed then.
func (c *Cache) settled() {
	if c.writes == nil {
		return
	}
	c.writes.mu.Lock()
	lines := slices.Collect(maps.Values(c.writes.lines))
	c.writes.mu.Unlock()
	for _, l := range lines {
		<-l.done
	}
}

// TestCacheIsAFile: random reads and writes by lines, reads and writes of the file beside, flushes and faults: what is
// read is what was written last, as a slice in memory says. Afterwards nothing is busy, and the file has it all.
func TestCacheIsAFile(t *testing.T) {
	const bytes = 100*512 + 72
	faults := 0
	for seed := range testsize.Seeds("offload/storage.TestCacheIsAFile") {
		r := rand.New(rand.NewPCG(seed, 33))
		c, b := cacheOf(t, bytes, Options{Line: 512 << r.IntN(3), Cache: int64(512 * (8 + r.IntN(150))), Policy: Policies[r.IntN(4)], Async: r.IntN(2) == 0, Uncached: r.IntN(4) == 0})
		if seed%2 == 0 {
			c.table = new(hashed)
		}
		want := make([]byte, bytes)
		for range 3000 {
			i := r.IntN(bytes / 8)
			line := int64(i) * 8 >> c.shift
			c.settled()
			b.Bad, b.ReadError, b.WriteError = int64(r.IntN(bytes)), nil, nil
			if r.IntN(10) == 0 {
				b.ReadError, b.WriteError = syscall.EIO, syscall.ENOSPC
			}
			switch r.IntN(8) {
			case 0:
				p := make([]byte, 1+r.IntN(2000))
				off := r.IntN(bytes - len(p))
				if _, err := c.file.ReadAt(p, int64(off)); err != nil {
					faults++
				} else {
					require.Equal(t, want[off:off+len(p)], p, "seed %d", seed)
				}
			case 1:
				p := make([]byte, 1+r.IntN(2000))
				for k := range p {
					p[k] = byte(r.Uint32())
				}
				off := r.IntN(bytes - len(p))
				b.ReadError, b.WriteError = nil, nil
				_, err := c.file.WriteAt(p, int64(off))
				require.NoError(t, err)
				copy(want[off:], p)
			case 2:
				if c.Flush(context.Background(), int64(r.IntN(bytes)), int64(r.IntN(bytes))) != nil {
					faults++
				}
			default:
				write := r.IntN(2) == 0
				p, err := c.Acquire(line, 1, 8, write)
				if err != nil {
					assert.ErrorContains(t, err, "x.bin cannot be ")
					faults++
					continue
				}
				word := unsafe.Slice((*byte)(unsafe.Add(p, int64(i)*8-line<<c.shift)), 8)
				require.Equal(t, want[8*i:8*i+8], word, "seed %d, element %d", seed, i)
				if write {
					binary.LittleEndian.PutUint64(word, r.Uint64())
					copy(want[8*i:], word)
				}
				c.Release(line, 1, write)
			}
		}
		quiet(t, c)
		c.settled()
		b.ReadError, b.WriteError = nil, nil
		require.NoError(t, c.file.Flush(context.Background()))
		got := make([]byte, bytes)
		_, err := b.ReadAt(got, 0)
		require.NoError(t, err)
		require.Equal(t, want, got, "seed %d", seed)
		assert.Zero(t, c.dirties.Load())
	}
	assert.NotZero(t, faults)
}

// TestAsyncWriteback: reads do not wait for the writes of what they take the place of, and find what was written.
func TestAsyncWriteback(t *testing.T) {
	for _, async := range []bool{false, true} {
		c, b := cacheOf(t, 64*512, Options{Line: 512, Cache: 4 * 512, Async: async})
		b.Delay = 2 * time.Millisecond
		began := time.Now()
		for line := range int64(32) {
			p, err := c.Acquire(line, 1, 8, true)
			require.NoError(t, err)
			*(*int64)(p) = line + 1
			c.Release(line, 1, true)
		}
		waited := time.Since(began)
		for line := range int64(32) {
			p, err := c.Acquire(line, 1, 8, false)
			require.NoError(t, err)
			assert.Equal(t, line+1, *(*int64)(p))
			c.Release(line, 1, false)
		}
		require.NoError(t, c.file.Flush(context.Background()))
		assert.EqualValues(t, 32, c.Stats().WriteIOs)
		if async { // 32 reads of 2 ms, where 28 writes came between them otherwise
			t.Logf("%v; the writes alone take %v", waited, 28*b.Delay)
		}
	}
}

// TestWithoutACache: each access reads its line, and what is written to is there.
func TestWithoutACache(t *testing.T) {
	c, _ := cacheOf(t, 64*512, Options{Line: 512, Uncached: true})
	for i := range 100 {
		access(t, c, i%4, 1, true)
	}
	s := c.Stats()
	assert.Equal(t, []int64{100, 100, 100}, []int64{s.ReadIOs, s.Misses, s.WriteIOs})
	assert.False(t, c.Reuses())
	quiet(t, c)
}

// TestCacheOfManyThreads: threads add to words of more lines than there are slots, each word by one thread at a time;
// no addition is lost.
func TestCacheOfManyThreads(t *testing.T) {
	for i, policy := range Policies {
		c, _ := cacheOf(t, 64*512, Options{Line: 512, Cache: int64(17+8*i) * 512, Policy: policy, Async: i%2 == 1})
		if i%2 == 0 {
			c.table = new(hashed)
		}
		const threads, rounds = 16, 400
		var wg sync.WaitGroup
		for id := range threads {
			wg.Go(func() {
				r := rand.New(rand.NewPCG(uint64(id), 0))
				for range rounds {
					line := int64(r.IntN(64))
					p, err := c.Acquire(line, 1, 8, true)
					if !assert.NoError(t, err) {
						return
					}
					*(*uint64)(unsafe.Add(p, 8*id))++ // a word of its own
					c.Release(line, 1, true)
				}
			})
		}
		wg.Wait()
		quiet(t, c)
		require.NoError(t, c.file.Flush(context.Background()))
		b := make([]byte, 64*512)
		_, err := c.file.ReadAt(b, 0)
		require.NoError(t, err)
		var sum uint64
		for off := 0; off < len(b); off += 8 {
			sum += binary.LittleEndian.Uint64(b[off:])
		}
		assert.EqualValues(t, threads*rounds, sum, policy)
	}
}

// TestHugeCache: a file of 10 TB costs what its slots and lines in use take.
func TestHugeCache(t *testing.T) {
	f := On("huge.bin", NewMem(nil), false)
	s, err := Range(f, 0, 10<<40, nil)
	require.NoError(t, err)
	c, err := s.Cache(16 << 20)
	require.NoError(t, err)
	assert.IsType(t, new(hashed), c.table)
	_, err = c.Acquire(1<<31, 1, 8, false)
	assert.ErrorContains(t, err, "huge.bin cannot be read at byte 8796093022208")
	assert.Nil(t, c.table.at(1<<31))
}
