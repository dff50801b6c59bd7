package viz

import (
	"math/rand/v2"
	"slices"
)

// sampled is how many values the sample has that says where among the values a rank lies.
const sampled = 1 << 18

// selected returns the values that would stand at some ranks, and at the next ones, if the n values from lo to hi among
// vals were sorted. A random sample brackets each rank; one pass counts what lies below the brackets and keeps what
// lies in them, about a hundredth (R. Floyd and R. Rivest, "Expected time bounds for selection", 1975). Sorting 100
// million values takes ten times as long, and their memory again.
func selected(vals []float64, lo, hi float64, n int, ranks []int) (at, next []float64) {
	if n <= sampled {
		return fromBrackets(vals, lo, hi, ranks, slices.Repeat([]bracket{{from: lo, to: hi}}, len(ranks)))
	}
	sample := sampleOf(vals, lo, hi)
	const slack = 6 * 256 // six times the standard deviation of a median's place in the sample, the least certain one
	brackets := make([]bracket, len(ranks))
	for i, r := range ranks {
		place := int(float64(r) / float64(n-1) * (sampled - 1))
		brackets[i] = bracket{from: lo, to: hi}
		if place > slack {
			brackets[i].from = sample[place-slack]
		}
		if place+slack < sampled {
			brackets[i].to = sample[place+slack]
		}
	}
	return fromBrackets(vals, lo, hi, ranks, brackets)
}

// bracket is a range of values in which that of a rank is looked for.
type bracket struct {
	from, to float64
	in       []float64 // the values in it
	below    int       // how many are smaller
}

// fromBrackets finds the value of each rank in its bracket; a bracket that misses it, as one in a thousand million
// does, is tried again with all values.
func fromBrackets(vals []float64, lo, hi float64, ranks []int, brackets []bracket) (at, next []float64) {
	under := 0 // values below lo do not count
	scan(len(vals), func(from, to int) {
		for _, v := range vals[from:to] {
			under += one(v < lo)
			for i := range brackets {
				b := &brackets[i]
				b.below += one(v < b.from)
				if one(v >= b.from)&one(v <= b.to) != 0 { // a branch for each would be foreseen every other time
					b.in = append(b.in, v)
				}
			}
		}
	})
	for i, r := range ranks {
		b := &brackets[i]
		slices.Sort(b.in)
		k := r - (b.below - under)
		if last := k == len(b.in)-1; k < 0 || k >= len(b.in) || last && b.to < hi {
			return fromBrackets(vals, lo, hi, ranks, slices.Repeat([]bracket{{from: lo, to: hi}}, len(ranks)))
		}
		at, next = append(at, b.in[k]), append(next, b.in[min(k+1, len(b.in)-1)])
	}
	return at, next
}

// sampleOf returns a sorted sample of the values from lo to hi.
func sampleOf(vals []float64, lo, hi float64) []float64 {
	rng := rand.New(rand.NewPCG(1, 2)) // a chart is the same each time
	out := make([]float64, 0, sampled)
	for len(out) < sampled {
		if v := vals[rng.IntN(len(vals))]; v >= lo && v <= hi {
			out = append(out, v)
		}
	}
	slices.Sort(out)
	return out
}

func one(b bool) int {
	if b {
		return 1
	}
	return 0
}
