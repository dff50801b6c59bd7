package symbols_test

import (
	"testing"

	"github.com/arrayrepl/arrayrepl/internal/testsize"
	"github.com/arrayrepl/arrayrepl/interp/ixgo"
	"github.com/arrayrepl/arrayrepl/simgpu"
)

func TestMain(m *testing.M) {
	simgpu.Wiring{}.SetMethods(ixgo.Method)
	testsize.Main(m, 200)
}
