package interp

import (
	"testing"

	"github.com/arrayrepl/arrayrepl/internal/testsize"
	"github.com/arrayrepl/arrayrepl/interp/engine"
	"github.com/arrayrepl/arrayrepl/interp/internal/judge"
)

// TestOperations applies all operators, conversions and built-in functions to all basic types, and to types named of
// them.
func TestOperations(t *testing.T) {
	for i, part := range []struct {
		name string
		code judge.Generated
	}{{"operators", judge.OperationCode()}, {"conversions", judge.ConversionCode()}} {
		name, code := part.name, part.code
		var want []string
		for j, mode := range []string{engine.TierOff, engine.TierForce} {
			if !testsize.Part([2][2]int{{0, 3}, {1, 2}}[i][j], 3) { // operators in one turn, as they are compiled once then
				continue
			}
			if want == nil {
				want = code.Compiled(t)
			}
			t.Run(name+", tier "+mode, func(t *testing.T) { code.Compare(newRecorder(t, Options{Tier: mode}).Recorder, want) })
		}
	}
}
