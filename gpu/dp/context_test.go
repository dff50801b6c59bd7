package dp_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/gpu/dp"
	np "github.com/arrayrepl/arrayrepl/lazy"
	"github.com/arrayrepl/arrayrepl/offload/cm"
	"github.com/arrayrepl/arrayrepl/offload/trace"
)

// Statements change who is selected, contexts nest, and a body runs with nobody selected too.
func TestContexts(t *testing.T) {
	use(t)
	for _, m := range []string{"cm:1986", machines[3]} {
		np.Use(m)
		x := np.FromSlice([]int{3, -1, 4, -1, 5, -9, 2, 6})
		sign, count, front := np.Zeros(8).AsType(np.Int64).Copy(), 0, 0
		r := dp.Where(x.Greater(0), func(c *dp.Context) {
			c.Set(sign, 1)
			count = c.Count()
			require.Equal(t, "[ 0 -1  1 -1  2 -1  3  4]", c.Enumerate().String())
			require.Equal(t, 20, c.Sum(x).Int())
			c.Where(x.Greater(4), func(c *dp.Context) {
				c.Set(sign, sign.Add(x)) // all are read before any is written
				c.Unconditionally(func(all *dp.Context) { front += all.Count() })
			})
			c.Where(x.Less(0), func(c *dp.Context) { front++ })
		}, func(c *dp.Context) { c.Set(sign, -1) })
		require.Equal(t, "[ 1 -1  1 -1  6 -1  1  7]", sign.String(), m)
		require.Equal(t, []int{5, 9}, []int{count, front})
		require.Equal(t, 7, r.Count(cm.Context))
		steps := np.Zeros(8).AsType(np.Int64).Copy()
		y := x.Copy()
		w := dp.While(func() any { return y.Greater(1) }, func(c *dp.Context) {
			c.Set(y, np.Where(y.BitAnd(1).Equal(0), y.FloorDivide(2), y.Mul(3).Add(1))) // Collatz
			c.Set(steps, steps.Add(1))
		})
		require.Equal(t, "[7 0 2 0 5 0 1 8]", steps.String())
		require.Equal(t, 8, w.Count(cm.Reduce))
		into := np.Zeros(3).AsType(np.Int64).Copy()
		dp.Where(x.Greater(0), func(c *dp.Context) { c.Send(x, x.BitAnd(1), dp.Sum, into) })
		require.Equal(t, "[12  8  0]", into.String())
	}
	y := np.Arange(4).AsType(np.Int32).Copy()
	r := dp.Where([]bool{true, false, false, false}, func(c *dp.Context) { // the front end reaches whom it likes
		c.Write(y, c.Read(y, 3).(int32)+10, 2)
	})
	require.Equal(t, "[ 0  1 13  3]", y.String())
	require.Equal(t, 2, r.Count(cm.Front))
	require.Equal(t, 66*trace.Microsecond, r.Time("cm:1986")) // two of 32 bits, and the two contexts
	require.Contains(t, message(func() { dp.Where([]bool{true}, func(c *dp.Context) { c.Read(y) }) }), "there are 0 indices")
	require.Contains(t, message(func() {
		dp.Where([]bool{true}, func(c *dp.Context) { c.Set(np.Zeros(2), 1) })
	}), "the array has shape [2] in a context of shape [1]")
	require.Contains(t, message(func() {
		dp.Where([]bool{true}, func(c *dp.Context) { c.Where([]bool{true, false}, func(*dp.Context) {}) })
	}), "the condition has shape [2] in a context of shape [1]")
}

// The rounds of figures 2 and 5 of the paper: a scan, and the end of a list.
func TestPlay(t *testing.T) {
	use(t)
	r := dp.Play(dp.Scan(dp.Sum, []int{1, 1, 1, 1, 1}))
	require.Equal(t, "[[1. 1. 1. 1. 1.]\n [1. 2. 2. 2. 2.]\n [1. 2. 3. 4. 4.]\n [1. 2. 3. 4. 5.]]", r.Values.String())
	require.Equal(t, "[[0. 0. 0. 0. 0.]\n [0. 1. 1. 1. 1.]\n [0. 0. 1. 1. 1.]\n [0. 0. 0. 0. 1.]]", r.Work.String())
	require.Equal(t, [][2]int{{0, 4}}, r.Messages[2])
	r = dp.Play(dp.ListEnd([]int{1, 2, 3, 4, -1}))
	require.Equal(t, "[[ 1.  2.  3.  4. -1.]\n [ 2.  3.  4.  4. -1.]\n [ 4.  4.  4.  4. -1.]]", r.Values.String())
	require.Equal(t, [][2]int{{0, 2}, {1, 3}}, r.Messages[1])
	require.Contains(t, r.String(), "0→1 1→2 2→3")
	require.Equal(t, "[1. 3. 6.]", dp.Play(dp.ListScan(dp.Sum, []int{1, 2, -1}, []int{1, 2, 3})).Values.At(-1).String())
	require.Contains(t, message(func() { dp.Play(dp.Get([]int{1}, []int{0})) }), "dp.Get has no rounds to show")
}

// A sum has the rounds of figure 1, which its ledger counts; the last processor has it, however many there are.
func TestPlaySums(t *testing.T) {
	use(t)
	for n := 1; n <= 33; n++ {
		c := dp.Count(np.Ones(n))
		r := dp.Play(c)
		require.Equal(t, float64(n), r.Values.At(-1, -1).Item(), "of %d", n)
		var active []int
		for i := range r.Messages {
			active = append(active, r.Work.At(i+1).Sum().AsType(np.Int64).Int())
			require.Len(t, r.Messages[i], active[i])
		}
		require.Equal(t, dp.Steps(c).Active(), active, "of %d", n)
	}
	r := dp.Play(dp.Count([]int{1, 0, 1, 1, 1}))
	require.Equal(t, "[[1. 0. 1. 1. 1.]\n [1. 1. 1. 2. 1.]\n [1. 1. 1. 3. 1.]\n [1. 1. 1. 3. 4.]]", r.Values.String())
	require.Equal(t, [][][2]int{{{0, 1}, {2, 3}}, {{1, 3}}, {{3, 4}}}, r.Messages)
}

// Pools, labels, trees and quicksorts are played: processor-cons as in section C.2.5 of the notes on the paper, with
// its two messages a processor; values of each round from those of the round before, along the messages.
func TestPlayOthers(t *testing.T) {
	use(t)
	p := dp.PoolOf([]bool{false, true, true, false, true, false, false, true})
	r := dp.Play(p.Cons([]bool{true, false, false, true, false, true, false, false}))
	require.Equal(t, "[[-1.  1.  2. -1.  4. -1. -1.  7.]\n [ 1.  2.  4.  7. -1. -1. -1. -1.]\n [ 1. -1. -1.  2. -1.  4. -1. -1.]]", r.Values.String())
	require.Equal(t, [][][2]int{{{1, 0}, {2, 1}, {4, 2}, {7, 3}}, {{0, 0}, {1, 3}, {2, 5}}}, r.Messages)
	require.Equal(t, "[0. 1. 1. 0. 1. 0. 0. 1.]", r.Work.At(1).String(), "all that are free leave their numbers")

	img := [][]int{{1, 1, 0}, {0, 1, 0}, {0, 1, 1}}
	naive, rings := dp.Label(img, dp.Naive), dp.Label(img, dp.Rings)
	r = dp.Play(naive)
	require.Len(t, r.Messages, len(dp.Steps(naive).Steps))
	require.Equal(t, naive.Reshape(-1).AsType(np.Float64).String(), r.Values.At(-1).String())
	moved := func(r *dp.Rounds) {
		t.Helper()
		for i, messages := range r.Messages {
			before, after := r.Values.At(i).Float64s(), r.Values.At(i+1).Float64s()
			for _, m := range messages {
				require.GreaterOrEqual(t, after[m[1]], before[m[0]], "round %d, message %v", i, m)
			}
		}
	}
	moved(r)
	r = dp.Play(rings)
	require.Equal(t, []int{6, 24}, []int{r.Values.Shape()[0], r.Values.Shape()[1]}, "ceil(log2 24) rounds of 24 cracks: 12 around the ones, 6 around each pair of zeros")
	moved(r)

	tree := dp.ListTree([]int{1, 2, 3, 4, 5, 6, -1})
	r = dp.Play(tree.Up(dp.Sum, []int{1, 2, 3, 4, 5, 6, 7}))
	require.Equal(t, "[ 1.  6.  3. 28.  5. 18.  7.]", r.Values.At(-1).String())
	require.Equal(t, [][2]int{{0, 1}, {4, 5}, {2, 1}, {6, 5}}, r.Messages[1])
	r = dp.Play(tree.Down(dp.Sum, []int{1, 2, 3, 4, 5, 6, 7}))
	require.Equal(t, "[ 7.  6.  9.  4. 15. 10. 17.]", r.Values.At(-1).String())
	require.Empty(t, r.Messages[0], "the root")
	require.Equal(t, [][2]int{{3, 1}, {3, 5}}, r.Messages[1])

	r = dp.Play(dp.AddDigits([]int{7, 9, 9, 1}, []int{3, 0, 0, 2}, 10)) // 1997 + 2003
	require.Equal(t, "[[2. 0. 0. 1.]\n [2. 2. 0. 1.]\n [2. 2. 2. 1.]]", r.Values.String(), "generate, propagate twice, kill")

	r = dp.Play(dp.Sort([]int{5, 2, 7, 0, 3, 6, 1, 4}, dp.Quicksort))
	require.Equal(t, "[0. 1. 2. 3. 4. 5. 6. 7.]", r.Values.At(-1).String())
	for i, messages := range r.Messages {
		before, after := r.Values.At(i).Float64s(), r.Values.At(i+1).Float64s()
		require.Len(t, messages, 8)
		for _, m := range messages {
			require.Equal(t, before[m[0]], after[m[1]])
		}
	}
}

// Enumerations and sorts are played too: figure 4's passes, where each key goes to its number.
func TestPlaySorts(t *testing.T) {
	use(t)
	r := dp.Play(dp.Enumerate([]int{0, 1, 1, 0, 1}))
	require.Equal(t, "[0. 0. 1. 2. 2.]", r.Values.At(-1).String())
	require.Equal(t, "[0. 1. 1. 0. 1.]", r.Work.At(-1).String())
	keys := []int{5, 2, 7, 0, 3, 6, 1, 4}
	r = dp.Play(dp.Sort(keys, dp.Radix))
	require.Equal(t, "[[5. 2. 7. 0. 3. 6. 1. 4.]\n [2. 0. 6. 4. 5. 7. 3. 1.]\n [0. 4. 5. 1. 2. 6. 7. 3.]\n [0. 1. 2. 3. 4. 5. 6. 7.]]", r.Values.String())
	for round, messages := range r.Messages {
		before, after := r.Values.At(round).Float64s(), r.Values.At(round+1).Float64s()
		for _, m := range messages {
			require.Equal(t, before[m[0]], after[m[1]])
		}
	}
	r = dp.Play(dp.Sort(keys, dp.Bitonic))
	require.Len(t, r.Messages, 6) // log2(8)·(log2(8)+1)/2
	require.Equal(t, "[0. 1. 2. 3. 4. 5. 6. 7.]", r.Values.At(-1).String())
	require.Equal(t, [2]int{0, 1}, r.Messages[0][0])
}
