package interp

import (
	"testing"

	"github.com/arrayrepl/arrayrepl/interp/internal/judge"
)

// TestOperations applies all operators, conversions and built-in functions to all basic types, and to types named of
// them.
func TestOperations(t *testing.T) {
	for name, code := range map[string]judge.Generated{"operators": judge.OperationCode(), "conversions": judge.ConversionCode()} {
		want := code.Compiled(t)
		for _, mode := range []string{TierOff, TierForce} {
			t.Run(name+", tier "+mode, func(t *testing.T) { code.Compare(newRecorder(t, Options{Tier: mode}).Recorder, want) })
		}
	}
}
