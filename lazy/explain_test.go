package lazy_test

import (
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	np "github.com/arrayrepl/arrayrepl/lazy"
)

// A picture of what is computed collects garbage where only that tells what a variable still holds: a collection takes
// time that grows with the session's memory.
func TestExplainCollectsWhereItMust(t *testing.T) {
	collections := func() uint32 {
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.NumForcedGC
	}
	x := np.Ones(10_000)
	short, before := x.Add(1), collections()
	require.Len(t, np.Explain(short).Steps, 1)
	require.Equal(t, before, collections(), "one step")
	held := x.Mul(3)
	long := held.Cos()
	before = collections()
	steps := np.Explain(long).Steps
	require.Greater(t, collections(), before, "something may hold what is multiplied")
	require.True(t, steps[0].Kept)
	runtime.KeepAlive(held)
}
