package placement

import (
	"fmt"
	"math/bits"
	"strings"
)

// CPU is the host's number among memories; devices are 0, 1, ….
const CPU = -1

// MaxDevices is the most devices that a Planner can have.
const MaxDevices = 1023

// Memories is a set of the host and devices, by their numbers. The zero value is empty.
type Memories struct{ words [(MaxDevices + 1) / 64]uint64 }

// MemoriesOf returns the set of those.
func MemoriesOf(numbers ...int) (s Memories) {
	for _, m := range numbers {
		s = s.With(m)
	}
	return s
}

// With returns the set with m too.
func (s Memories) With(m int) Memories {
	s.words[(m+1)/64] |= 1 << ((m + 1) % 64)
	return s
}

// Has reports whether m is in the set.
func (s Memories) Has(m int) bool { return s.words[(m+1)/64]>>((m+1)%64)&1 == 1 }

// Empty reports whether the set has none.
func (s Memories) Empty() bool { return s == Memories{} }

// All yields the numbers in the set, the host's first.
func (s Memories) All(yield func(m int) bool) {
	for w, word := range s.words {
		for ; word != 0; word &= word - 1 {
			if !yield(w*64 + bits.TrailingZeros64(word) - 1) {
				return
			}
		}
	}
}

// String is for people: "{CPU, 0, 3}".
func (s Memories) String() string {
	var names []string
	for m := range s.All {
		if m == CPU {
			names = append(names, "CPU")
		} else {
			names = append(names, fmt.Sprint(m))
		}
	}
	return "{" + strings.Join(names, ", ") + "}"
}
