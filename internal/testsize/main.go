package testsize

import (
	"os"
	"runtime/debug"
	"testing"
)

// Main is the TestMain of packages whose tests hold much (compiled kernels, what sessions share): the collector would
// go through it for a fifth of the processor time. It lets the heap grow by so many percent before it collects, or as
// GOGC says where that is set. Package arrays then keeps no headroom for results: its own tests leave the collector
// as users have it.
func Main(m *testing.M, percent int) {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(percent)
	}
	os.Exit(m.Run())
}
