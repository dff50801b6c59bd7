package yaegi

import (
	"testing"

	"github.com/arrayrepl/arrayrepl/interp/internal/judge"
)

// TestOperations applies operators, conversions and built-in functions to some basic types, and to types named of them:
// the first engine's test has all. No floats are among them, as yaegi loses the sign of a zero that a function gets.
func TestOperations(t *testing.T) {
	for name, code := range map[string]judge.Generated{
		"operators":   judge.OperationCode("string", "int", "uintptr"),
		"conversions": judge.ConversionCode("string", "int", "int8", "uint32", "uintptr", "float64"),
	} {
		t.Run(name, func(t *testing.T) { code.Compare(newRecorder(t).Recorder, code.Compiled(t)) })
	}
}
