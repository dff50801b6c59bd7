package trace

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestLastOf: the last of a kind is that of Events.
func TestLastOf(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	for range 200 {
		var l Log
		l.Reserve(random.IntN(4))
		for id := range random.IntN(9) {
			l.Add(Event{ID: id, Kind: Kind(random.IntN(3)), Start: Time(random.IntN(3)), Stream: random.IntN(2), Device: string(rune('a' + random.IntN(2)))})
		}
		for kind := range Kind(3) {
			var want Event
			found := false
			for _, e := range l.Events() {
				if e.Kind == kind {
					want, found = e, true
				}
			}
			got, ok := l.LastOf(kind)
			require.Equal(t, found, ok)
			require.Equal(t, want, got)
		}
	}
}
