//go:build !nocuda

package cudabackend

import (
	"testing"

	"github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/lazy"
)

// What is copied to a card again and again is copied from pinned memory with its second copy, in pieces and whole; when
// pinning is turned off the memory comes back, and is given out again.
func TestRepeatedCopiesArePinned(t *testing.T) {
	lazyBothWays(t, func(t *testing.T) {
		const n = 1 << 18
		rt := lazy.Runtime()
		rt.SetMemLimit(1 << 20) // a quarter of what follows
		data := arrays.Linspace(-1, 1, n)
		want := data.Mul(3).Add(1).Float64s()
		x := lazy.FromArray(data)
		look := func(pinned int64) {
			t.Helper()
			got := x.Mul(3).Add(1).Float64s()
			for i := range want {
				if got[i] != want[i] {
					t.Fatalf("element %d is %v, want %v", i, got[i], want[i])
				}
			}
			if s := rt.Stats(); s.PinnedIn != pinned || s.Pieces == 0 {
				t.Errorf("%d bytes of pinned memory, want %d; %d pieces", s.PinnedIn, pinned, s.Pieces)
			}
		}
		look(0)
		look(8 * n)
		look(2 * 8 * n)
		rt.SetPinnedLimit(0)
		if s := rt.Stats(); s.Pinned != 0 {
			t.Errorf("%d bytes are pinned though it is turned off", s.Pinned)
		}
		look(2 * 8 * n)
		rt.SetPinnedLimit(1 << 30)
		look(3 * 8 * n)
		rt.SetMemLimit(0)
		lazy.Eval(x.Sin())
		if s := rt.Stats(); s.PinnedIn != 4*8*n {
			t.Errorf("%d bytes of pinned memory, want %d", s.PinnedIn, 4*8*n)
		}
	})
}
