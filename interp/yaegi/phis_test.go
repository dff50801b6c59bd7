package yaegi

import (
	"testing"

	"github.com/arrayrepl/arrayrepl/internal/testsize"
	"github.com/arrayrepl/arrayrepl/interp/internal/judge"
)

// TestPhis assigns several variables at once in loops, as the first engine's test does.
func TestPhis(t *testing.T) {
	testsize.InTurn(t, 2)
	code := judge.PhiCode()
	code.Compare(newRecorder(t).Recorder, code.Compiled(t))
}
