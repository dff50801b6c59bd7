package tests

import (
	"os"
	"runtime/debug"
	"testing"
)

// Kernels of many machines are compiled and held: the collector would go through all of them often.
func TestMain(m *testing.M) {
	debug.SetGCPercent(400)
	os.Exit(m.Run())
}
