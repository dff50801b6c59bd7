package partition

import (
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/internal/testsize"
)

// plainIndex is what an Index is compared with: it looks at each box.
type plainIndex map[int]Box // by value

func (p plainIndex) meeting(b Box) (values []int) {
	for v, box := range p {
		if box.Meet(b).Len() > 0 {
			values = append(values, v)
		}
	}
	slices.Sort(values)
	return values
}

// somewhere is a box with elements in a root: tiles, rows, columns, all of it, single elements, with steps.
func somewhere(r *rand.Rand, root []int) Box {
	b := make(Box, len(root))
	for a, n := range root {
		switch r.IntN(5) {
		case 0:
			b[a] = Span(0, n)
		case 1:
			at := r.IntN(n)
			b[a] = Span(at, at+1)
		case 2:
			tile := r.IntN((n + 9) / 10)
			b[a] = Span(tile*10, min(tile*10+10, n))
		case 3:
			at := r.IntN(n)
			b[a] = Span(at, min(n, at+1+r.IntN(n/4+1)))
		default:
			at := r.IntN(n)
			b[a] = Every(at, min(n, at+1+r.IntN(n)), 1+r.IntN(5))
		}
	}
	return b
}

// TestIndex: after any changes each search finds what looking at each box finds, boxes that make one with another are
// offered, and the tree is not deeper than it may be.
func TestIndex(t *testing.T) {
	for seed := range testsize.Seeds("offload/partition.TestIndex") {
		r := rand.New(rand.NewPCG(seed, 3))
		root := [][]int{{1000}, {120, 90}, {30, 40, 50}, {}}[seed%4]
		var x Index[int]
		plain, next := plainIndex{}, 0
		for range 60 {
			for range r.IntN(1 + 1<<r.IntN(7)) {
				b := somewhere(r, root)
				plain[next] = slices.Clone(b)
				x.Add(b, next)
				next++
			}
			if r.IntN(3) > 0 {
				var gone []int
				for range r.IntN(1+x.Len()) * r.IntN(3) / 2 {
					gone = append(gone, r.IntN(x.Len()))
				}
				slices.Sort(gone)
				gone = slices.Compact(gone)
				r.Shuffle(len(gone), func(i, k int) { gone[i], gone[k] = gone[k], gone[i] })
				for _, i := range gone {
					_, v := x.At(i)
					delete(plain, *v)
				}
				x.Remove(gone)
			}
			for range min(x.Len(), r.IntN(6)) {
				i := r.IntN(x.Len())
				b, v := x.At(i)
				copy(b, somewhere(r, root))
				copy(plain[*v], b)
				x.Changed(i)
			}
			require.Equal(t, len(plain), x.Len())
			for range 4 {
				b := somewhere(r, root)
				for range 2 { // the second answer is remembered
					var got []int
					for _, i := range x.Meeting(b) {
						_, v := x.At(i)
						got = append(got, *v)
					}
					slices.Sort(got)
					require.Equal(t, plain.meeting(b), got, "seed %d: %v", seed, b)
				}
				beside := map[int]bool{}
				x.Beside(b, func(i int) bool {
					_, v := x.At(i)
					beside[*v] = true
					return true
				})
				for v, box := range plain {
					if adjacent(b, box) {
						require.True(t, beside[v], "seed %d: %v beside %v", seed, box, b)
					}
				}
			}
			if x.tree.root != 0 {
				most := 2 * (bits.Len(uint(x.Len())) + 1)
				require.LessOrEqual(t, int(x.tree.nodes[x.tree.root].height), most, "seed %d: %d boxes", seed, x.Len())
			}
		}
	}
}

// adjacent reports whether two boxes without steps make one, being equal but for an axis along which one begins where
// the other ends.
func adjacent(a, b Box) bool {
	differ := 0
	for k := range a {
		if a[k] == b[k] {
			continue
		}
		differ++
		if a[k].Step != 1 || b[k].Step != 1 || a[k].Stop != b[k].Start && b[k].Stop != a[k].Start {
			return false
		}
	}
	return differ == 1
}

// TestIndexLooksAtFew: what a search in a hundred thousand tiles looks at is a small part of them, also when they have
// come in order, and after rows of them have been cut and come together again.
func TestIndexLooksAtFew(t *testing.T) {
	const tiles = 320
	var x Index[int]
	for i := range tiles * tiles {
		at, to := i/tiles*10, i%tiles*10
		x.Add(Box{Span(at, at+10), Span(to, to+10)}, i)
	}
	looks := func(b Box) int {
		x.Meeting(b)
		n := 0
		x.tree.visit(b, 0, func(int) bool { n++; return true })
		return n
	}
	for i := range tiles {
		at := i * 10
		require.Len(t, x.Meeting(Box{Span(at, at+10), Span(50, 60)}), 1)
		require.LessOrEqual(t, looks(Box{Span(at, at+11), Span(50, 60)}), 4)
	}
	require.LessOrEqual(t, int(x.tree.nodes[x.tree.root].height), 24)
	nodes := len(x.tree.nodes)
	for range 1000 { // a tile is cut at an edge, and whole again
		i := x.Meeting(Box{Span(55, 56), Span(55, 56)})[0]
		b, v := x.At(i)
		b[0], *v = Span(b[0].Start, b[0].Stop-1), -1
		x.Changed(i)
		x.Add(Box{Span(b[0].Stop, b[0].Stop+1), b[1]}, -2)
		gone := slices.Clone(x.Meeting(Box{Span(b[0].Stop, b[0].Stop+1), b[1]}))
		require.Len(t, gone, 1)
		x.Remove(gone)
		b[0] = Span(b[0].Start, b[0].Stop+1)
		x.Changed(slices.Clone(x.Meeting(Box{Span(55, 56), Span(55, 56)}))...)
	}
	require.LessOrEqual(t, len(x.tree.nodes), nodes+2, "nodes are used again")
}
