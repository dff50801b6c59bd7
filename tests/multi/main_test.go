package multi_test

import (
	"flag"
	"iter"
	"os"
	"runtime/debug"
	"testing"
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

// What sessions share and hold is large: the collector would go through it for half of the processor time.
func TestMain(m *testing.M) {
	if os.Getenv("GOGC") == "" { // GOGC=5 is for the search of what is freed too early
		debug.SetGCPercent(400)
	}
	os.Exit(m.Run())
}
