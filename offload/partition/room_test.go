package partition

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestRoom: boxes of a room's memory, some of which was given back, are those that are allocated one by one, and none
// of those in use changes.
func TestRoom(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 9))
	var room Room
	type held struct{ box, want Box }
	for axes := range 4 {
		random := func() Box {
			b := make(Box, axes)
			for a := range b {
				start := r.IntN(6)
				b[a] = Every(start, start+r.IntN(7), 1+r.IntN(3))
			}
			return b
		}
		var inUse []held
		for range 500 {
			b, o := random(), random()
			got := append(room.Without(nil, b, o), room.Meet(b, o), room.Clone(b))
			want := append(b.Without(o), b.Meet(o), b)
			require.Equal(t, want, got, "%v and %v", b, o)
			require.Equal(t, b.Meet(o).Len(), b.MeetLen(o), "%v and %v", b, o)
			require.Equal(t, b.Hull(o).Len(), b.HullLen(o), "%v and %v", b, o)
			for i, x := range got {
				inUse = append(inUse, held{x, want[i]})
			}
			for range r.IntN(2 * len(got)) {
				i := r.IntN(len(inUse))
				x := inUse[i]
				inUse[i] = inUse[len(inUse)-1]
				inUse = inUse[:len(inUse)-1]
				room.Back(x.box)
				if len(inUse) == 0 {
					break
				}
			}
			for _, x := range inUse {
				require.Equal(t, x.want, x.box)
			}
			if len(inUse) > 100 {
				for _, x := range inUse {
					room.Back(x.box)
				}
				inUse = nil
			}
		}
	}
}
