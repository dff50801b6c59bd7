package interp

import (
	"flag"
	"runtime/debug"
	"testing"

	inChild "github.com/arrayrepl/arrayrepl/internal/alone"
)

// All tests of the package run numeric code as the flag says: what they print must be the same.
func init() {
	flag.StringVar(&defaultTier, "tier", defaultTier, "run numeric code in the numeric tier: on, off or force")
}

// alone runs the test in a process of its own, with the tier of this one, and reports false where it has done so. It
// collects as users' sessions do: judge.Main has the other tests collect less often.
func alone(t *testing.T) bool {
	t.Helper()
	if !inChild.Here(t, "-tier="+defaultTier) {
		return false
	}
	debug.SetGCPercent(100)
	return true
}
