package lazy

import (
	"context"
	"errors"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/internal/testsize"
	"github.com/arrayrepl/arrayrepl/offload"
)

// waitingFor is how many operations must be computed for the arrays.
func waitingFor(t *testing.T, xs ...*Array) int {
	require.NoError(t, lock(t.Context()))
	defer unlock()
	var targets []*node
	for _, x := range xs {
		targets = append(targets, x.view().node)
	}
	return len(pending(targets))
}

// growing are ways in which programs let arrays grow without looking at them: each makes one step of both kinds of
// arrays, which have the same methods.
var growing = []struct {
	name  string
	lazy  func(x []*Array, i int)
	eager func(x []*arrays.Array, i int)
}{
	{"one", func(x []*Array, _ int) { x[0] = x[0].Mul(0.5).Add(1) },
		func(x []*arrays.Array, _ int) { x[0] = x[0].Mul(0.5).Add(1) }},
	{"of each other", func(x []*Array, _ int) { x[0] = x[0].Mul(0.5).Add(x[1]); x[1] = x[1].Mul(0.25).Sub(x[0]) },
		func(x []*arrays.Array, _ int) { x[0] = x[0].Mul(0.5).Add(x[1]); x[1] = x[1].Mul(0.25).Sub(x[0]) }},
	{"in a row", func(x []*Array, _ int) {
		for k := range 4 {
			x[k+1] = x[k+1].Mul(0.5).Add(x[k])
		}
	}, func(x []*arrays.Array, _ int) {
		for k := range 4 {
			x[k+1] = x[k+1].Mul(0.5).Add(x[k])
		}
	}},
	{"several from one", func(x []*Array, _ int) {
		x[0] = x[0].Mul(0.5).Add(1)
		for k := range 4 {
			x[k+1] = x[k+1].Mul(0.5).Add(x[0])
		}
	}, func(x []*arrays.Array, _ int) {
		x[0] = x[0].Mul(0.5).Add(1)
		for k := range 4 {
			x[k+1] = x[k+1].Mul(0.5).Add(x[0])
		}
	}},
	{"views", func(x []*Array, _ int) { x[0] = Concat(0, x[0].At(S(1, End)), x[0].At(S(0, 1)).Mul(0.5)) },
		func(x []*arrays.Array, _ int) {
			x[0] = arrays.Concat(0, x[0].At(arrays.S(1, arrays.End)), x[0].At(arrays.S(0, 1)).Mul(0.5))
		}},
	{"assignments through views", func(x []*Array, _ int) { v := x[0].At(S(1, 3)); v.Set(v.Mul(0.5).Add(x[1].At(S(0, 2)))) },
		func(x []*arrays.Array, _ int) {
			v := x[0].At(arrays.S(1, 3))
			v.Set(v.Mul(0.5).Add(x[1].At(arrays.S(0, 2))))
		}},
	{"reductions", func(x []*Array, i int) { x[0] = x[0].Mul(0.5).Add(x[0].Max()).Mul(0.5).Add(i % 3) },
		func(x []*arrays.Array, i int) { x[0] = x[0].Mul(0.5).Add(x[0].Max()).Mul(0.5).Add(i % 3) }},
	{"a sum", func(x []*Array, i int) { x[0] = x[0].Add(x[1].Mul(i).Sqrt()) },
		func(x []*arrays.Array, i int) { x[0] = x[0].Add(x[1].Mul(i).Sqrt()) }},
}

// However many steps nobody looks at, few operations wait, and the values are those of eager arrays, bit by bit.
func TestWhatOnlyGrowsIsEvaluated(t *testing.T) {
	for j, g := range growing {
		for l, size := range []int{4, 600} { // handles of the larger ones are counted
			if !testsize.Part(j+l, 3) {
				continue
			}
			n := deepest/2 + 99
			if size > 4 {
				n = deepest/4 + 1099
			}
			var x []*Array
			var want []*arrays.Array
			for k := range 5 {
				vals := make([]float64, size)
				for i := range vals {
					vals[i] = float64((i*7+k)%11) / 8
				}
				x, want = append(x, FromSlice(vals)), append(want, arrays.FromSlice(vals))
			}
			most := 0
			for i := range n {
				g.lazy(x, i)
				g.eager(want, i)
				if i%500 == 0 {
					most = max(most, waitingFor(t, x...))
				}
			}
			assert.LessOrEqual(t, most, 6*deepest, "%s, size %d: operations that wait", g.name, size)
			for k := range x {
				require.True(t, arrays.ArrayEqual(x[k].Array(), want[k]), "%s, size %d: array %d is\n%v\neager\n%v", g.name, size, k, x[k], want[k])
			}
		}
	}
}

// Arrays that grow together are not computed from the beginning each: the work is that of the steps, and at most as
// much again.
func TestWhatGrowsTogetherIsComputedOnce(t *testing.T) {
	for _, size := range []int{4, 600} {
		x := make([]*Array, 8)
		for k := range x {
			x[k] = Ones(size).Mul(k)
		}
		const steps = 1500
		before, made := Stats().Launches, 0
		for range steps {
			for k := range x {
				x[k] = x[k].Mul(0.5).Add(x[(k+1)%len(x)])
				made += 2
			}
		}
		Eval(x...)
		launches := Stats().Launches - before
		// A kernel has up to 128 operations, and those of arrays that need each other fill one together.
		assert.Less(t, launches, int64(made/24), "%d operations of %d elements", made, size)
	}
}

// Many arrays that grow alone are evaluated early: what waits is bounded in all, and not for each alone.
func TestManyArraysGrowAlone(t *testing.T) {
	defer func(n int64) { mostWaiting = n; waiting.Store(0) }(mostWaiting)
	mostWaiting = 1 << 16
	waiting.Store(0)
	x := make([]*Array, 200)
	for k := range x {
		x[k] = FromSlice([]float64{float64(k), 1})
	}
	most := int64(0)
	for i := range 420 {
		for k := range x {
			x[k] = x[k].Add(1)
		}
		if i%20 == 19 {
			require.Less(t, waitingFor(t, x...), int(mostWaiting)+len(x)*shallow, "after %d steps", i)
		}
		most = max(most, waiting.Load())
	}
	assert.Greater(t, most, mostWaiting*9/10, "the test is of as many as may wait")
	assert.Equal(t, []float64{519, 421}, x[99].Float64s())
}

// randomGrowth lets a few arrays grow by random operations, eager and lazy.
func randomGrowth(r *rand.Rand, steps int) (x []*Array, want []*arrays.Array) {
	const size = 3
	for range 4 {
		vals := make([]float64, size)
		for i := range vals {
			vals[i] = float64(r.IntN(64)) / 8
		}
		x, want = append(x, FromSlice(vals)), append(want, arrays.FromSlice(vals))
	}
	for range steps {
		i, j, k := r.IntN(len(x)), r.IntN(len(x)), r.IntN(len(x))
		switch r.IntN(9) {
		case 0, 1, 2:
			x[i], want[i] = x[j].Mul(0.5).Add(x[k]), want[j].Mul(0.5).Add(want[k])
		case 3:
			x[i], want[i] = Where(x[i].Gt(x[j]), x[j], x[k]), arrays.Where(want[i].Greater(want[j]), want[j], want[k])
		case 4:
			x[i], want[i] = x[j].At(S(End, End, -1)), want[j].At(arrays.S(arrays.End, arrays.End, -1))
			x[i], want[i] = x[i].Sub(x[j].Mean()), want[i].Sub(want[j].Mean())
		case 5:
			x[i], want[i] = x[i].Copy(), want[i].Copy()
			x[i].Set(x[j].At(S(0, 2)), S(1, 3))
			want[i].Set(want[j].At(arrays.S(0, 2)), arrays.S(1, 3))
		case 6:
			x[i], want[i] = Sort(x[j]), arrays.Sort(want[j])
		case 7:
			v, w := x[i].At(S(0, 2)), want[i].At(arrays.S(0, 2))
			v.Set(Minimum(v, 4))
			w.Set(arrays.Minimum(w, 4))
		case 8:
			seed := r.IntN(1000)
			x[i], want[i] = x[i].Add(DefaultRNG(seed).Random(size)).Mul(0.5), want[i].Add(arrays.DefaultRNG(seed).Random(size)).Mul(0.5)
		}
	}
	return x, want
}

func TestRandomGrowth(t *testing.T) {
	for seed := range uint64(2) {
		x, want := randomGrowth(rand.New(rand.NewPCG(seed, 29)), 6000)
		for k := range x {
			require.True(t, arrays.ArrayEqual(x[k].Array(), want[k]), "seed %d, array %d: %v, eager %v", seed, k, x[k], want[k])
		}
	}
}

// grow lets x grow by so many operations.
func grow(x *Array, operations int) *Array {
	for range operations {
		x = x.Add(1)
	}
	return x
}

// An annotated function that makes arrays while it runs does not wait for the evaluation that has called it.
func TestGrowthWithinAnnotatedFunction(t *testing.T) {
	f := Annotate(offload.Annotation{Name: "f", Args: offload.Types(generic), Ret: generic, CPU: func(x []float64) []float64 {
		grow(FromSlice(x), deepest+10)
		return x
	}})
	assert.Equal(t, []float64{1, 2}, f([]float64{1, 2}).Float64s())
}

// Functions of the user's run when somebody asks, unless very many calls wait.
func TestGrowthOfCalls(t *testing.T) {
	waiting.Store(0)
	calls := 0
	f := Annotate(offload.Annotation{Name: "f", Args: offload.Types(generic), Ret: generic, CPU: func(x []float64) []float64 {
		calls++
		return []float64{x[0] + 1}
	}})
	x := FromSlice([]float64{0})
	for range deepest {
		x = f(x.Mul(1))
	}
	assert.Zero(t, calls)
	for range deepestCalls { // and so many more
		x = f(x)
	}
	assert.Greater(t, calls, deepest)
	assert.Equal(t, 1.0*(deepest+deepestCalls), x.Float64(0))
	assert.Equal(t, deepest+deepestCalls, calls, "none runs twice")
}

// An interrupt ends the evaluation of what only grows, and the array that was grown from can be computed later.
func TestInterruptedGrowth(t *testing.T) {
	waiting.Store(0)
	rt := runtime()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	rt.Context = func() context.Context { return ctx }
	defer func() { rt.Context = nil }()
	x := FromSlice([]float64{1, 2})
	var got any
	func() {
		defer func() { got = recover() }()
		for range 2 * deepest {
			x = x.Add(1)
		}
	}()
	err, _ := got.(error)
	require.ErrorIs(t, err, context.Canceled)
	rt.Context = nil
	assert.Equal(t, []float64{deepest, deepest + 1}, x.Float64s())
}

// What is wrong with the data of an operation ends the loop that would go on with it for ever.
func TestGrowthOfAnError(t *testing.T) {
	x := Inv(FromSlice([]float64{1, 2, 2, 4}, 2, 2))
	var got any
	func() {
		defer func() { got = recover() }()
		grow(x, 2*deepest)
	}()
	err, _ := got.(error)
	require.ErrorIs(t, err, arrays.ErrSingular)
	var typed *Error
	require.True(t, errors.As(err, &typed))
	assert.Equal(t, "inv", typed.Op)
}

// Goroutines may let arrays grow at the same time, from one another's.
func TestGrowthOnSeveralGoroutines(t *testing.T) {
	shared := FromSlice([]float64{0, 1})
	var all sync.WaitGroup
	sums := make([]float64, 4)
	for g := range sums {
		all.Go(func() {
			x := shared
			for range 2 * deepest {
				x = x.Add(shared)
			}
			sums[g] = x.Float64(1)
		})
	}
	all.Wait()
	assert.Equal(t, []float64{2*deepest + 1, 2*deepest + 1, 2*deepest + 1, 2*deepest + 1}, sums)
}
