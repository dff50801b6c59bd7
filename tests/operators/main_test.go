package operators

import (
	"os"
	"runtime/debug"
	"testing"
)

// What sessions share and hold is large: the collector would go through it for half of the processor time.
func TestMain(m *testing.M) {
	debug.SetGCPercent(400)
	os.Exit(m.Run())
}
