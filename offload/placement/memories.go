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

// Memories is a set of the host and devices, by their numbers. The zero value is empty. Sets with the same members are
// equal, also as ==.
type Memories struct {
	low  uint64 // of the host and devices 0 to 62, a bit each, the host's first
	high string // of the devices behind, a bit each, as far as there are some: few machines have so many
}

// MemoriesOf returns the set of those.
func MemoriesOf(numbers ...int) (s Memories) {
	for _, m := range numbers {
		s = s.With(m)
	}
	return s
}

// With returns the set with m too.
func (s Memories) With(m int) Memories {
	if m < 63 {
		s.low |= 1 << uint(m+1)
		return s
	}
	at := m - 63
	high := append([]byte(s.high), make([]byte, max(at/8+1-len(s.high), 0))...)
	high[at/8] |= 1 << (at % 8)
	s.high = string(high)
	return s
}

// Has reports whether m is in the set.
func (s Memories) Has(m int) bool {
	if m < 63 {
		return s.low>>uint(m+1)&1 == 1
	}
	at := m - 63
	return at/8 < len(s.high) && s.high[at/8]>>(at%8)&1 == 1
}

// And returns those that are in both sets.
func (s Memories) And(o Memories) (both Memories) {
	both.low = s.low & o.low
	for m := range s.All {
		if m >= 63 && o.Has(m) {
			both = both.With(m)
		}
	}
	return both
}

// Empty reports whether the set has none.
func (s Memories) Empty() bool { return s == Memories{} }

// All yields the numbers in the set, the host's first.
func (s Memories) All(yield func(m int) bool) {
	for word := s.low; word != 0; word &= word - 1 {
		if !yield(bits.TrailingZeros64(word) - 1) {
			return
		}
	}
	for i := range len(s.high) {
		for word := s.high[i]; word != 0; word &= word - 1 {
			if !yield(63 + 8*i + bits.TrailingZeros8(word)) {
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
