package yaegi

import (
	"testing"

	"github.com/arrayrepl/arrayrepl/internal/testsize"
	"github.com/arrayrepl/arrayrepl/interp/internal/judge"
)

// TestOperations applies operators, conversions and built-in functions to some basic types, and to types named of them:
// the first engine's test has all. No floats are among them, as yaegi loses the sign of a zero that a function gets.
func TestOperations(t *testing.T) {
	for i, part := range []struct {
		name string
		code judge.Generated
	}{
		{"operators of text", judge.OperationCode("string", "int")}, {"operators of numbers", judge.OperationCode("int", "uintptr")},
		{"conversions", judge.ConversionCode("string", "int", "int8", "uint32", "uintptr", "float64")},
	} {
		if testsize.Part(i, 3) {
			t.Run(part.name, func(t *testing.T) { part.code.Compare(newRecorder(t).Recorder, part.code.Compiled(t)) })
		}
	}
}
