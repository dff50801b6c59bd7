package dp_test

import (
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/gpu/dp"
	"github.com/arrayrepl/arrayrepl/internal/testsize"
	np "github.com/arrayrepl/arrayrepl/lazy"
	"github.com/arrayrepl/arrayrepl/offload/cm"
	"github.com/arrayrepl/arrayrepl/offload/trace"
)

// Active processors of the paper for 16 elements, and its example of a radix sort, pass by pass.
func TestStepsOfThePaper(t *testing.T) {
	use(t)
	x := np.Arange(16)
	scan := dp.Scan(dp.Sum, x)
	require.Equal(t, 120, scan.At(15).Int())
	require.Equal(t, []int{15, 14, 12, 8}, dp.Steps(scan).Active())
	require.Equal(t, 49, dp.Steps(scan).Operations())
	require.Equal(t, []int{8, 4, 2, 1}, dp.Steps(dp.Count(x)).Active())
	for n := range 40 { // a tree of n leaves has n-1 places where two meet
		require.Equal(t, max(n-1, 0), dp.Steps(dp.Count(np.Ones(n))).Operations(), n)
	}
	keys := []int{5, 2, 7, 0, 3, 6, 1, 4}
	var passes []string
	for bit := range 3 {
		keys = dp.Split(keys, np.BitAnd(keys, 1<<bit).NotEqual(0)).Ints()
		passes = append(passes, np.FromSlice(keys).String())
	}
	require.Equal(t, []string{"[2 0 6 4 5 7 3 1]", "[0 4 5 1 2 6 7 3]", "[0 1 2 3 4 5 6 7]"}, passes)
	require.Equal(t, 3, dp.Steps(dp.Sort([]int{5, 2, 7, 0, 3, 6, 1, 4}, dp.Radix)).Count(cm.Send))
}

// Times of the machine of 1986 for 65,536 keys of 32 bits: 30 ms by radix, 0.94 ms a bit, and as long in 136 stages of
// a bitonic sort, so that the two break even at 31.8 bits; virtual processors take as long as there are of them.
func TestTimesOf1986(t *testing.T) {
	testsize.InTurn(t, 1)
	use(t)
	np.Use("cm:1986")
	keys := make([]uint32, 65536)
	for i := range keys {
		keys[i] = rand.Uint32()
	}
	keys[0], keys[1] = 0, 1<<31
	want := slices.Sorted(slices.Values(keys))
	s := dp.Sort(keys, dp.Radix)
	require.Equal(t, np.FromSlice(want).Array().Bytes(), s.Array().Bytes())
	r := dp.Steps(s)
	require.Equal(t, 32, r.Count(cm.Send))
	require.Equal(t, 32*940*trace.Microsecond, r.Time()) // 30.08 ms
	require.Equal(t, 4*r.Time(), r.Time("cm:1986-16k"))
	b := dp.Steps(dp.Sort(np.Arange(65536).AsType(np.Uint8), dp.Bitonic))
	require.Equal(t, 136, b.Count(cm.Exchange))
	require.Equal(t, 136*220*trace.Microsecond, b.Time())
	require.InDelta(t, 31.8, float64(b.Time())/float64(r.Time()/32), 0.05)
	for _, x := range []*np.Array{dp.Count(keys), dp.Enumerate(keys), dp.Scan(dp.Sum, keys)} {
		require.Equal(t, 200*trace.Microsecond, dp.Steps(x).Time())
	}
	require.Contains(t, r.String(), "dp.Sort radix: 128 steps (32 reduce, 64 scan, 32 send)")
	require.Contains(t, r.String(), "30.1 ms on cm:1986")
	require.Contains(t, message(func() { dp.Scan(dp.Sum, np.Zeros(1<<22)) }), "cm:1986 is out of memory: its 65536 processors stand for 64 each, of 128 bits, which are 8192 bits of a memory of 4096")
	require.Contains(t, message(func() { r.Time("sim:v100") }), "steps have no prices on")
	require.Contains(t, message(func() { dp.Steps(np.Zeros(1)) }), "not what a verb of package dp has returned")
	require.Contains(t, message(func() { dp.Steps(3) }), "a value of type int has no steps")
}

// Steps are counted the same on every device.
func TestStepsAreTheSameEverywhere(t *testing.T) {
	testsize.InTurn(t, 0)
	use(t)
	next, _ := listsOf(9, 4)
	img, keys := serpentine(6), rand.Perm(20)
	var want [][]cm.Step
	on := []string{"cm:1986", "cm:1986-16k", machines[0], "sim:v100"}
	if !testsize.Short() {
		on = append(on, machines[1])
	}
	for i, m := range on {
		np.Use(m)
		var got [][]cm.Step
		pool := dp.NewPool(9)
		for _, x := range []any{
			dp.Scan(dp.Sum, keys), dp.Sort(keys, dp.Radix), dp.Sort(keys, dp.Bitonic), dp.Sort(keys, dp.Quicksort), dp.ListEnd(next), dp.ListScan(dp.Max, next, next),
			dp.ListTree(next), dp.Label(img, dp.Naive), dp.Label(img, dp.Rings), dp.Lex("a <= b", dp.HillisSteeleTable), pool.Cons([]int{1, 0, 1}), pool,
			dp.AddDigits(keys, keys, 32), dp.Send(keys, keys, dp.Sum, keys), dp.Histogram(keys, 20), dp.SegReduce(dp.Sum, keys, dp.Lengths([]int{13, 0, 7})),
		} {
			got = append(got, dp.Steps(x).Steps)
		}
		if i == 0 {
			want = got
		}
		require.Equal(t, want, got, m)
	}
}

// What is kept of a result goes with it.
func TestReportsGo(t *testing.T) {
	use(t)
	before := dp.KeptReports()
	for range 100 {
		dp.Count([]int{1, 2})
	}
	require.Greater(t, dp.KeptReports(), before)
	for range 50 {
		runtime.GC()
		if dp.KeptReports() <= before {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	require.LessOrEqual(t, dp.KeptReports(), before)
}
