package nvme

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/arrayrepl/arrayrepl/offload/storage"
	"github.com/arrayrepl/arrayrepl/offload/trace"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestCommandsBySM: commands from two SMs use two pairs, whose rate is the bound; in turn the SSD's is.
func TestCommandsBySM(t *testing.T) {
	took := map[string]float64{}
	for _, name := range []string{"optane", "optane by SM"} {
		c, err := ParseConfig("sim:" + name)
		require.NoError(t, err)
		assert.Equal(t, name, c.String())
		m, err := NewModel(c)
		require.NoError(t, err)
		const n = 2000
		var last trace.Time
		for i := range n {
			m.On(i % 2)
			_, done := m.Command(0, false, int64(i)*512, 512)
			last = max(last, done)
		}
		took[name] = float64(last) / float64(trace.Second) / n
	}
	assert.InEpsilon(t, 1/(2*38.8e3), took["optane by SM"], 0.02)
	assert.InEpsilon(t, 1/4.96e6, took["optane"], 0.05) // 128 pairs
}

// TestCommandsByLittle: threads that give a command as soon as the last one is done come to the rate of the formula,
// which Submit comes to also.
func TestCommandsByLittle(t *testing.T) {
	for _, name := range []string{"optane", "980pro", "pm1735*4"} {
		for _, q := range []int{1, 4, 16, 64} {
			c, err := ParseConfig(name)
			require.NoError(t, err)
			m, err := NewModel(c)
			require.NoError(t, err)
			c = c.withDefaults()
			threads := make([]trace.Time, q*c.SSDs)
			const n = 20_000
			var began, ended trace.Time
			for i := range n {
				next := 0 // the one that is done first
				for k, at := range threads {
					if at < threads[next] {
						next = k
					}
				}
				if i == n/4 {
					began = threads[next]
				}
				ended = threads[next]
				_, threads[next] = m.Command(threads[next], false, int64(i)*512, 512)
			}
			rate := float64(n-n/4) / (float64(ended-began) / float64(trace.Second))
			want := min(c.Expected(512, q), float64(c.SSDs*c.Pairs)*c.PairRate)
			assert.InEpsilon(t, want, rate, 0.01, "%s, %d under way", name, q)
		}
	}
}

// timed opens a file with a cache of so many lines and modelled disks, and returns the cache.
func timed(t *testing.T, lines, slots int64, o storage.Options, c Config) (*storage.Cache, trace.LineTimer) {
	path := filepath.Join(t.TempDir(), "x")
	require.NoError(t, os.WriteFile(path, make([]byte, lines*512), 0o600))
	o.Line, o.Cache, o.Write = 512, slots*512, true
	o.Disks = func() (storage.Disks, error) { return NewModel(c) }
	f, err := storage.Open(path, o)
	require.NoError(t, err)
	require.NoError(t, f.Retain())
	t.Cleanup(func() { f.Release() })
	s, err := storage.Range(f, 0, lines*512, nil)
	require.NoError(t, err)
	cache, err := s.Cache(0)
	require.NoError(t, err)
	return cache, cache.LineTimer()
}

// TestOneStateMachine: accesses one after the other have the counters in the time of a model that they have at a real
// file, whatever the policy.
func TestOneStateMachine(t *testing.T) {
	for seed := range uint64(40) {
		r := rand.New(rand.NewPCG(seed, 33))
		lines, slots := 1+r.Int64N(60), 1+r.Int64N(30)
		real, model := timed(t, lines, slots, storage.Options{Policy: storage.Policies[r.IntN(4)], Uncached: r.IntN(8) == 0, Async: r.IntN(4) == 0}, Config{})
		var at trace.Time
		model.Begin(nil)
		for range 3000 {
			line, n, write := r.Int64N(lines), 1+r.IntN(32), r.IntN(3) == 0
			_, err := real.Acquire(line, n, 8, write)
			require.NoError(t, err)
			real.Release(line, n, write)
			w, err := model.Access(at, line, n, 8, write)
			require.NoError(t, err)
			require.True(t, at <= w.Busy && w.Busy <= w.Queue && w.Queue <= w.Done, "%d %v", at, w)
			at = w.Done
		}
		a, b := real.Stats(), model.End()
		assert.Equal(t, []int64{a.Accesses, a.Hits, a.Misses, a.Probes, a.ReadIOs, a.Evictions, a.Useful}, []int64{b.Accesses, b.Hits, b.Misses, b.Probes, b.ReadIOs, b.Evictions, b.Useful}, "seed %d", seed)
		assert.Equal(t, a.WriteIOs, b.WriteIOs, "seed %d", seed)
	}
}

// TestWaitsOfLines: one command for a cold line that many want at once, and the others wait while it is busy; where all
// lines are in use the next one waits for the first that is not; an eviction writes first, but not beside reads.
func TestWaitsOfLines(t *testing.T) {
	_, m := timed(t, 8, 2, storage.Options{}, Config{})
	m.Begin(nil)
	var done trace.Time
	for i := range 1000 {
		w, err := m.Access(trace.Time(i), 3, 32, 8, false)
		require.NoError(t, err)
		if i == 0 {
			done = w.Done
			assert.Greater(t, w.Done, w.Queue)
			assert.Zero(t, w.Busy)
			assert.InDelta(t, 11.2e6+0.8e6, float64(done), 1.1e6)
			continue
		}
		assert.Equal(t, w.Busy, w.Done)
		assert.InDelta(t, float64(done), float64(w.Done), 256e3)
	}
	assert.EqualValues(t, 1, m.End().ReadIOs)

	_, m = timed(t, 8, 2, storage.Options{}, Config{})
	m.Begin(nil)
	first, _ := m.Access(0, 0, 1, 8, true)
	_, _ = m.Access(0, 1, 1, 8, true)
	third, err := m.Access(0, 2, 1, 8, false)
	require.NoError(t, err)
	assert.GreaterOrEqual(t, third.Busy, first.Done, "no line is free before")
	assert.Greater(t, third.Done-third.Busy, trace.Time(1.8*11e6), "a write, and then the read")

	_, m = timed(t, 8, 2, storage.Options{Async: true}, Config{})
	m.Begin(nil)
	_, _ = m.Access(0, 0, 1, 8, true)
	_, _ = m.Access(0, 1, 1, 8, true)
	async, err := m.Access(0, 2, 1, 8, false)
	require.NoError(t, err)
	assert.Less(t, async.Done-async.Busy, trace.Time(1.5*11e6))
	assert.EqualValues(t, 1, m.End().WriteIOs)
}

// TestSecondReadsOfCommands: each command has a second read, or those that end together share one.
func TestSecondReadsOfCommands(t *testing.T) {
	run := func(o Order) (extra int64, end trace.Time) {
		m, err := NewModel(Config{Second: o})
		require.NoError(t, err)
		for i := range 4096 {
			_, done := m.Command(0, false, int64(i)*512, 512)
			end = max(end, done)
		}
		return m.Modelled().ExtraReads, end
	}
	none, plain := run(None)
	naive, twice := run(Naive)
	some, shared := run(Coalesced)
	assert.Zero(t, none)
	assert.EqualValues(t, 4096, naive)
	assert.InDelta(t, 2, float64(twice)/float64(plain), 0.1)
	assert.Less(t, some, int64(4096*8/100))
	assert.Less(t, float64(shared), 1.08*float64(plain))
}
