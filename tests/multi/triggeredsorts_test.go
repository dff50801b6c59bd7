package multi_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/lazy"
	"github.com/arrayrepl/arrayrepl/offload"
)

// TestSortsAtTheCall: a sort of one line that is evaluated when it is made is shared like another.
func TestSortsAtTheCall(t *testing.T) {
	use(t)
	lazy.Use("sim:v100x8#0", "sim:v100x8#5")
	offload.MinTile(512)
	defer offload.MinTile(0)
	offload.SetTrigger(offload.Eager)
	defer offload.SetTrigger(offload.OnDisplay)
	x := lazy.FromArray(oddLine(700))
	sorted, places := x.Sort(), x.ArgSort()
	require.Len(t, sorted.Tiling().Tiles, 2)
	require.Equal(t, oddLine(700).Sort().Bytes(), sorted.Array().Bytes())
	require.Equal(t, oddLine(700).ArgSort().Bytes(), places.Array().Bytes())
}
