package interp

import (
	"testing"

	"github.com/arrayrepl/arrayrepl/interp/engine"
	"github.com/arrayrepl/arrayrepl/interp/internal/judge"
)

// TestPhis assigns several variables at once in loops, in every way that makes the phis of a loop read each other.
func TestPhis(t *testing.T) {
	code := judge.PhiCode()
	want := code.Compiled(t)
	for _, mode := range []string{engine.TierOff, engine.TierOn, engine.TierForce} {
		t.Run(mode, func(t *testing.T) { code.Compare(newRecorder(t, Options{Tier: mode}).Recorder, want) })
	}
}
