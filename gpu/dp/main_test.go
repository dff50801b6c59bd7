package dp_test

import (
	"os"
	"runtime/debug"
	"testing"
)

// Kernels of many machines are compiled and held, some 700 MB of them: at 400 %, which takes a tenth less of processor
// time, the tests have 3 GB at their peak.
func TestMain(m *testing.M) {
	debug.SetGCPercent(100)
	os.Exit(m.Run())
}
