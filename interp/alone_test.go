package interp

import (
	"flag"
	"os"
	"os/exec"
	"regexp"
	"runtime/debug"
	"testing"
)

// All tests of the package run numeric code as the flag says: what they print must be the same.
func init() {
	flag.StringVar(&defaultTier, "tier", defaultTier, "run numeric code in the numeric tier: on, off or force")
}

// aloneVariable names, in a child, the test that it runs.
const aloneVariable = "ARRAYREPL_TEST_ALONE"

// alone runs the test in a process of its own, and reports false where it has done so. A test that measures the heap is
// not to see what other tests left there; each of the many collections that it asks for would also go through all of
// that.
func alone(t *testing.T) bool {
	t.Helper()
	if os.Getenv(aloneVariable) == t.Name() {
		debug.SetGCPercent(100) // as in users' sessions: judge.Main has the other tests collect less often
		return true
	}
	cmd := exec.Command(os.Args[0], "-test.run=^"+regexp.QuoteMeta(t.Name())+"$", "-test.v", "-tier="+defaultTier)
	cmd.Env = append(os.Environ(), aloneVariable+"="+t.Name())
	out, err := cmd.CombinedOutput()
	t.Logf("%s", out)
	if err != nil {
		t.Error(err)
	}
	return false
}
