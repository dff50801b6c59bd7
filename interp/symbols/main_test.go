package symbols_test

import (
	"os"
	"runtime/debug"
	"testing"
)

// What sessions share and hold is large: the collector would go through it for a quarter of the processor time.
func TestMain(m *testing.M) {
	debug.SetGCPercent(200)
	os.Exit(m.Run())
}
