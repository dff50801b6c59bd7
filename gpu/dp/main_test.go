package dp_test

import (
	"testing"

	"github.com/arrayrepl/arrayrepl/internal/testsize"
)

// Kernels of many machines are compiled and held, some 700 MB of them: at 400 %, which takes a tenth less of processor
// time, the tests have 3 GB at their peak.
func TestMain(m *testing.M) { testsize.Main(m, 100) }
