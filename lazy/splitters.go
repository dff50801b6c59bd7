package lazy

import (
	"cmp"
	"math"
	"slices"

	"github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/internal/sorting"
)

// Where sorted tiles of one line must be cut so that the parts before the cuts are the first so many elements of the
// sorted line: exactly, from samples of the tiles and of what is between two samples.

// sortedTiles are n elements in tiles of each, but for the last, of which every one is sorted.
type sortedTiles struct{ n, each int }

func (s sortedTiles) tiles() int { return (s.n + s.each - 1) / s.each }

// extent is where tile i begins and ends.
func (s sortedTiles) extent(i int) (lo, hi int) { return i * s.each, min((i+1)*s.each, s.n) }

// sortKeys are numbers in the order of a's elements: for places -0 and 0 have one, and all NaNs.
func sortKeys(a *arrays.Array, places bool) []uint64 {
	d := a.DType()
	poll := func() {}
	switch {
	case d.IsFloat():
		keys := elementsAs[uint64](a.AsType(arrays.Float64).Copy().Bytes())
		sorting.OfFloats(keys, keys, places, poll)
		return keys
	case d.IsUnsigned() || d.IsBool():
		return elementsAs[uint64](a.AsType(arrays.Uint64).Copy().Bytes())
	}
	keys := elementsAs[uint64](a.AsType(arrays.Int64).Copy().Bytes())
	sorting.FlipSigns(keys, keys, poll)
	return keys
}

// sample is one element of a tile.
type sample struct {
	key      uint64
	tile, at int // at is counted within the tile
}

// compare is the order of the sorted line: equal elements are in that of the tiles.
func (s sample) compare(o sample) int {
	return cmp.Or(cmp.Compare(s.key, o.key), cmp.Compare(s.tile, o.tile), cmp.Compare(s.at, o.at))
}

// every is how many elements lie between two samples, so that there are about as many samples as elements between.
func (s sortedTiles) every() int {
	const exact = 1 << 10 // so few elements are all samples
	if s.each <= exact {
		return 1
	}
	return int(math.Sqrt(float64(s.each)))
}

// bracket is for each tile how many elements at least, and at most, are among the first so many of the line.
type bracket struct{ least, most []int }

// brackets finds them for ranks, in increasing order, from samples that begin at the first element of each tile.
func (s sortedTiles) brackets(samples []sample, ranks []int) []bracket {
	slices.SortFunc(samples, sample.compare)
	every, tiles := s.every(), s.tiles()
	length := func(j int) int { lo, hi := s.extent(j); return hi - lo }
	out := make([]bracket, len(ranks))
	for k := range out {
		out[k].least, out[k].most = make([]int, tiles), make([]int, tiles)
		for j := range tiles {
			out[k].most[j] = length(j)
		}
	}
	closed := 0                  // ranks that no later sample says anything of
	before := make([]int, tiles) // samples of each tile before this one
	least, most := make([]int, tiles), make([]int, tiles)
	for _, x := range samples {
		atLeast, atMost := 0, 0
		for j, c := range before {
			least[j], most[j] = max((c-1)*every+1, 0), min(c*every, length(j))
			if j == x.tile {
				least[j], most[j] = x.at, x.at
			}
			atLeast, atMost = atLeast+least[j], atMost+most[j]
		}
		for k := closed; k < len(ranks); k++ {
			if atMost <= ranks[k] {
				copy(out[k].least, least)
			}
		}
		for closed < len(ranks) && atLeast >= ranks[closed] {
			copy(out[closed].most, most)
			closed++
		}
		before[x.tile]++
	}
	return out
}

// span is some elements: from lo on, before hi, each step from the one before.
type span struct{ lo, hi, step int }

func (s span) len() int { return (s.hi - s.lo + s.step - 1) / s.step }

// cuts finds for each rank how many elements of each tile are among the first so many of the line. look returns the
// keys of ranges of elements, each from at on, counted over all tiles.
func (s sortedTiles) cuts(ranks []int, look func(ranges []span) [][]uint64) [][]int {
	every, tiles := s.every(), s.tiles()
	ranges := make([]span, tiles)
	for i := range ranges {
		lo, hi := s.extent(i)
		ranges[i] = span{lo, hi, every}
	}
	var samples []sample
	seen := look(ranges)
	for i, keys := range seen {
		for t, key := range keys {
			samples = append(samples, sample{key, i, t * every})
		}
	}
	found := s.brackets(samples, ranks)
	between := make([][]sample, len(ranks)) // of what is in brackets
	if every == 1 {
		for k, b := range found {
			for i := range tiles {
				for at := b.least[i]; at < b.most[i]; at++ {
					between[k] = append(between[k], sample{seen[i][at], i, at})
				}
			}
		}
	} else {
		ranges = ranges[:0]
		var of [][2]int // rank and tile of each range
		for k, b := range found {
			for i := range tiles {
				if lo, _ := s.extent(i); b.least[i] < b.most[i] {
					ranges, of = append(ranges, span{lo + b.least[i], lo + b.most[i], 1}), append(of, [2]int{k, i})
				}
			}
		}
		for r, keys := range look(ranges) {
			k, i := of[r][0], of[r][1]
			for t, key := range keys {
				between[k] = append(between[k], sample{key, i, found[k].least[i] + t})
			}
		}
	}
	out := make([][]int, len(ranks))
	for k, xs := range between {
		slices.SortFunc(xs, sample.compare)
		out[k] = found[k].least
		rest := ranks[k]
		for _, n := range out[k] {
			rest -= n
		}
		for _, x := range xs[:rest] {
			out[k][x.tile]++
		}
	}
	return out
}
