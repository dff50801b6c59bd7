package interp

import (
	"testing"

	"github.com/arrayrepl/arrayrepl/internal/testsize"
	"github.com/arrayrepl/arrayrepl/interp/engine"
	"github.com/arrayrepl/arrayrepl/interp/internal/judge"
)

// TestPhis assigns several variables at once in loops, in every way that makes the phis of a loop read each other. A
// short test has one of the modes, each turn another.
func TestPhis(t *testing.T) {
	code := judge.PhiCode()
	want := code.Compiled(t)
	for i, mode := range []string{engine.TierOff, engine.TierOn, engine.TierForce} {
		if !testsize.Part(i, 3) {
			continue
		}
		t.Run(mode, func(t *testing.T) { code.Compare(newRecorder(t, Options{Tier: mode}).Recorder, want) })
	}
}
