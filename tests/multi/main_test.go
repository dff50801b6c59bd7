package multi_test

import (
	"flag"
	"iter"
	"testing"

	"github.com/arrayrepl/arrayrepl/internal/testsize"
)

// onlySeed lets random programs be one alone: go test ./tests/multi -run TestOperationsOnDevices -args -seed 23
var onlySeed = flag.Int("seed", -1, "the seed of the only random program")

// seeds are all, or the one that was asked for.
func seeds(all iter.Seq[uint64]) iter.Seq[uint64] {
	if *onlySeed < 0 {
		return all
	}
	return func(yield func(uint64) bool) { yield(uint64(*onlySeed)) }
}

func TestMain(m *testing.M) { testsize.Main(m, 400) } // GOGC=5 is for the search of what is freed too early
