//go:build unix

package storage

import (
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/internal/testsize"
	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/lazy"
	"github.com/arrayrepl/arrayrepl/offload"
	disk "github.com/arrayrepl/arrayrepl/offload/storage"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// mostAfter is how many commands may begin after an interrupt: one by each goroutine that reads or writes at once, of
// which those of many rows are most (atOnce of offload/storage), and the last of a write whose buffer is full. What a
// disk of 300 commands a second does meanwhile takes 100 ms.
const mostAfter = 30

// stopping is a disk that interrupts the cell by one of its commands, and counts those that begin later.
type stopping struct {
	disk.Backing
	interrupt func()
	at        atomic.Int64 // the number of the command; 0 for none
	begun     atomic.Int64
	after     atomic.Int64 // of them, those after the interrupt
	underway  atomic.Int64
}

func (s *stopping) ReadAt(p []byte, off int64) (int, error) {
	defer s.command()()
	return s.Backing.ReadAt(p, off)
}

func (s *stopping) WriteAt(p []byte, off int64) (int, error) {
	defer s.command()()
	return s.Backing.WriteAt(p, off)
}

func (s *stopping) command() (end func()) {
	s.underway.Add(1)
	n, at := s.begun.Add(1), s.at.Load()
	if at > 0 && n > at {
		s.after.Add(1)
	}
	if n == at {
		s.interrupt()
	}
	if at > 0 && n >= at { // as on a slow disk, others hear of it meanwhile
		time.Sleep(2 * time.Millisecond)
	}
	return func() { s.underway.Add(-1) }
}

// interruptible are steps of work with a file, and with what is written of it, that are done again after an interrupt.
// They return what can be compared, or nothing.
var interruptible = map[string]func(t *testing.T, x *lazy.Array, dir string) *lazy.Array{
	"sum":     func(_ *testing.T, x *lazy.Array, _ string) *lazy.Array { return x.Mul(2).Sum() },
	"columns": func(_ *testing.T, x *lazy.Array, _ string) *lazy.Array { return x.Reshape(n/64, 64).Sum(lazy.Axis(0)) },
	"product": func(_ *testing.T, x *lazy.Array, _ string) *lazy.Array {
		return lazy.MatMul(x.Reshape(n/64, 64), lazy.Ones(64, 2)).Max()
	},
	"cumulated": func(_ *testing.T, x *lazy.Array, _ string) *lazy.Array { return x.CumSum().Max() },
	"masked":    func(_ *testing.T, x *lazy.Array, _ string) *lazy.Array { return x.At(x.Mod(20_000).Equal(0)) },
	"backwards": func(_ *testing.T, x *lazy.Array, _ string) *lazy.Array {
		return x.At(lazy.S(lazy.End, lazy.End, -5000)).Copy()
	},
	"sorted": func(_ *testing.T, x *lazy.Array, _ string) *lazy.Array {
		return lazy.Sort(x.Neg()).At(lazy.S(0, 9)).Copy()
	},
	"median":    func(_ *testing.T, x *lazy.Array, _ string) *lazy.Array { return lazy.Median(x) },
	"quantiles": func(_ *testing.T, x *lazy.Array, _ string) *lazy.Array { return lazy.Quantile(x, []float64{0.1, 0.7}) },
	"medians": func(_ *testing.T, x *lazy.Array, _ string) *lazy.Array {
		return lazy.Median(x.Reshape(2, n/2), lazy.Axis(1))
	},
	"unique":    func(_ *testing.T, x *lazy.Array, _ string) *lazy.Array { return lazy.Unique(x.Mod(9)) },
	"histogram": func(_ *testing.T, x *lazy.Array, _ string) *lazy.Array { c, _ := lazy.Histogram(x, 10); return c },
	"first":     func(_ *testing.T, x *lazy.Array, _ string) *lazy.Array { return x.ArgMax() },
	"firsts": func(_ *testing.T, x *lazy.Array, _ string) *lazy.Array {
		return x.Reshape(n/64, 64).ArgMax(lazy.Axis(0))
	},
	"taken": func(_ *testing.T, x *lazy.Array, _ string) *lazy.Array {
		return lazy.Take(x, lazy.Arange(n/8).Mul(7919).Mod(n))
	},
	"rows taken": func(_ *testing.T, x *lazy.Array, _ string) *lazy.Array {
		return lazy.Take(x.At(lazy.S(0, n/48*48)).Reshape(n/48, 48), lazy.Arange(2000).Mul(79).Mod(n/48), lazy.Axis(0))
	},
	"kernel": func(t *testing.T, x *lazy.Array, _ string) *lazy.Array {
		out := lazy.Zeros(4096)
		launch(pick(t, 4096), 4096, []*lazy.Array{x, lazy.Arange(4096).Mul(7919).Mod(n), out}, 2)
		return out
	},
	"search": func(_ *testing.T, x *lazy.Array, _ string) *lazy.Array { // each level is where the one before says
		at := lazy.Arange(64)
		for range 6 {
			at = lazy.Take(x, at.Mul(31).Add(4097).Mod(n)).AsType(lazy.Int64)
			lazy.Eval(at)
		}
		return at
	},
	"saved": func(t *testing.T, x *lazy.Array, dir string) *lazy.Array { return savedTo(t, x.Mul(3), dir) },
	"saved in order": func(t *testing.T, x *lazy.Array, dir string) *lazy.Array {
		return savedTo(t, lazy.Sort(x.Neg()), dir)
	},
	"assigned": func(_ *testing.T, x *lazy.Array, _ string) *lazy.Array { x.Set(7); return x.Sum() },
	"assigned with steps": func(_ *testing.T, x *lazy.Array, _ string) *lazy.Array {
		x.Set(7, lazy.S(0, lazy.End, 4000))
		return x.At(lazy.S(0, lazy.End, 8000)).Sum()
	},
	"stamped": func(t *testing.T, x *lazy.Array, _ string) *lazy.Array {
		stampAll(t, x)
		return x.At(lazy.S(0, lazy.End, 1000)).Copy()
	},
	"flushed": func(t *testing.T, x *lazy.Array, _ string) *lazy.Array {
		stampAll(t, x)
		if err := x.Flush(); err != nil {
			panic(err)
		}
		return x.At(5).Copy()
	},
	"read after lines were changed": func(t *testing.T, x *lazy.Array, _ string) *lazy.Array {
		stampAll(t, x)
		return x.Sum()
	},
	"histogram after lines were changed": func(t *testing.T, x *lazy.Array, _ string) *lazy.Array {
		stampAll(t, x)
		c, _ := lazy.Histogram(x, []float64{-2, 0, n})
		return c
	},
}

// stampAll has a kernel write -1 to an element of each line.
func stampAll(t *testing.T, x *lazy.Array) {
	launch(guarded(t, "stamp", n/512, []string{"data"}, func(b *kir.Builder, i *kir.Value, p []*kir.Value) {
		at := b.Op(kir.OpMul, i, b.Int(kir.I64, 512))
		b.Store(kir.Global, b.Index(p[0], at, kir.F64), b.Const(kir.F64, -1))
	}), n/512, []*lazy.Array{x}, 0)
}

// savedTo saves an array in a directory of its own, where something else was, and reads it again.
func savedTo(t *testing.T, x *lazy.Array, dir string) *lazy.Array {
	path := filepath.Join(dir, "saved", "y.npy")
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
	require.NoError(t, arrays.Save(path, arrays.Arange(3)))
	if err := lazy.Save(path, x); err != nil {
		entries, wrong := os.ReadDir(filepath.Dir(path))
		require.NoError(t, wrong)
		require.Len(t, entries, 1, "what was half written is gone")
		old, wrong := arrays.Load(path)
		require.NoError(t, wrong)
		require.Equal(t, 3, old.Size(), "and what was there before is there")
		panic(err)
	}
	a, err := arrays.Load(path)
	require.NoError(t, err)
	return lazy.FromArray(a)
}

// writing says which steps change the file.
func writing(name string) bool {
	switch name {
	case "assigned", "assigned with steps", "stamped", "flushed", "read after lines were changed", "histogram after lines were changed":
		return true
	}
	return false
}

// TestInterruptsLetNoCommandBegin: an interrupt during any command of any step of work with files is the error of that
// step. No more commands begin than are asked for at once, none is under way afterwards, no line stays busy or in use,
// nothing is left half written but what was assigned; and the same step gives the right result afterwards.
func TestInterruptsLetNoCommandBegin(t *testing.T) {
	seed := uint64(testsize.Turn())
	onEach(t, withCard(t), func(t *testing.T, rt *offload.Runtime) {
		r := rand.New(rand.NewPCG(seed, 33))
		before := rt.Context
		defer func() { rt.Context = before; lazy.SetHostBudget(0) }()
		for i, name := range names(interruptible) {
			if !testsize.Part(i, 3) {
				continue
			}
			step := interruptible[name]
			dir := t.TempDir()
			want := func() []byte {
				rt.Context = before
				lazy.SetHostBudget(64 * n)
				memory := lazy.FromArray(arrays.Arange(n).AsType(arrays.Float64))
				return step(t, memory, dir).Copy().Array().Bytes()
			}()
			lazy.SetHostBudget(8 * n / 16)
			commands := int64(0)
			tries := 3
			if testsize.Short() { // others have another place
				tries = 2
			}
			for try := range tries {
				path := saved(t)
				s := new(stopping)
				opts := []lazy.FileOption{lazy.Access("lines"), lazy.CacheBytes(8 << 20), lazy.Behind(func(b disk.Backing) disk.Backing {
					s.Backing = b
					return s
				})}
				if writing(name) {
					opts = append(opts, lazy.Writable())
				}
				x, err := lazy.Open(path, opts...)
				require.NoError(t, err)
				if try == 0 { // how many commands there are
					first := s.begun.Load()
					require.Equal(t, want, step(t, x, dir).Copy().Array().Bytes(), name)
					commands = s.begun.Load() - first
					require.NoError(t, x.Close())
					continue
				}
				ctx, cancel := context.WithCancel(context.Background())
				s.interrupt = cancel
				s.at.Store(s.begun.Load() + 1 + r.Int64N(max(commands*3/4, 1)))
				rt.Context = func() context.Context { return ctx }
				err = panicOf(func() { lazy.Eval(step(t, x, dir)) })
				if rt.Device().ID() == "cuda:0" { // a card's kernel is left to itself, with the line that it waits for
					assert.Eventually(t, func() bool { return s.underway.Load()+storageOf(t, x).Cache.InUse == 0 }, 10*time.Second, time.Millisecond, name)
				}
				assert.Zero(t, s.underway.Load(), "%s: commands under way", name)
				assert.LessOrEqual(t, s.after.Load(), int64(mostAfter), "%s: commands after the interrupt, of %d", name, commands)
				assert.True(t, errors.Is(err, context.Canceled), "%s: %v", name, err)
				assert.Zero(t, storageOf(t, x).Cache.InUse, "%s: lines in use", name)
				s.at.Store(0)
				rt.Context = before
				var again []byte
				require.NoError(t, panicOf(func() {
					if writing(name) {
						x.Set(lazy.Arange(n))
					}
					again = step(t, x, dir).Copy().Array().Bytes()
				}), name)
				assert.Equal(t, want, again, "%s: afterwards", name)
				require.NoError(t, x.Close())
			}
		}
	})
}

// TestInterruptedClose: an interrupt of Close leaves the file open, with what was not written still in its cache.
func TestInterruptedClose(t *testing.T) {
	onEach(t, small, func(t *testing.T, rt *offload.Runtime) {
		before := rt.Context
		defer func() { rt.Context = before }()
		s := new(stopping)
		path := saved(t)
		x, err := lazy.Open(path, lazy.Writable(), lazy.CacheBytes(8<<20), lazy.Behind(func(b disk.Backing) disk.Backing { s.Backing = b; return s }))
		require.NoError(t, err)
		stampAll(t, x)
		ctx, cancel := context.WithCancel(context.Background())
		s.interrupt = cancel
		s.at.Store(s.begun.Load() + 10)
		rt.Context = func() context.Context { return ctx }
		require.ErrorIs(t, x.Close(), context.Canceled)
		assert.Zero(t, s.underway.Load())
		assert.LessOrEqual(t, s.after.Load(), int64(1))
		rt.Context = before
		s.at.Store(0)
		require.NoError(t, x.Close())
		a, err := arrays.Load(path)
		require.NoError(t, err)
		assert.Equal(t, float64(n/512), -a.At(arrays.S(0, arrays.End, 512)).Sum().Float64(), "all that was written")
	})
}

// TestLateEndOfAnInterruptedKernel: a kernel of a simulated GPU whose command is with the disk for longer than the
// interrupt waits does not disturb what is computed there next.
func TestLateEndOfAnInterruptedKernel(t *testing.T) {
	testsize.InTurn(t, 2)
	onEach(t, []string{"sim:tiny"}, func(t *testing.T, rt *offload.Runtime) {
		before := rt.Context
		defer func() { rt.Context = before }()
		x, err := lazy.Open(saved(t), lazy.Throttle(0, 300*time.Millisecond))
		require.NoError(t, err)
		for range 2 {
			ctx, cancel := context.WithCancel(context.Background())
			rt.Context = func() context.Context { return ctx }
			time.AfterFunc(20*time.Millisecond, cancel)
			out := lazy.Zeros(4096)
			err = panicOf(func() {
				launch(pick(t, 4096), 4096, []*lazy.Array{x, lazy.Arange(4096).Mul(7919).Mod(n), out}, 2)
				lazy.Eval(out)
			})
			require.ErrorIs(t, err, context.Canceled)
			rt.Context = before
			require.NoError(t, panicOf(func() { // with copies, to memory that the kernel had, and another kernel of the file
				assert.Equal(t, 4097.0*2048, lazy.FromArray(arrays.Arange(4096).AsType(arrays.Float64)).Add(1).Sum().Float64())
				assert.Equal(t, 7.0, x.At(7).Float64())
			}))
		}
		runtime.KeepAlive(x)
	})
}
