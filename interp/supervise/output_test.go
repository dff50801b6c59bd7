package supervise_test

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/arrayrepl/arrayrepl/interp"
	"github.com/arrayrepl/arrayrepl/interp/supervise"
)

func TestBareVerbs(t *testing.T) {
	for format, want := range map[string][]int{
		"%T": {0}, "%v %T": {1}, "%T %v %p": {0, 2}, "%*d %T": {2}, "%%T %v": nil, "%% %T": {0}, "%+8.3f|%-20T": {1}, "%[1]T %[1]v": nil, "Type %v": nil,
		"%": nil, "%T%": {0}, "100%": nil,
	} {
		if got := slices.Sorted(maps.Keys(supervise.BareVerbs(format))); !slices.Equal(got, want) {
			t.Errorf("%q: %v, want %v", format, got, want)
		}
	}
}

// Whose type alone is printed is not computed for it.
func TestPrintedTypesAreNotEvaluated(t *testing.T) {
	var evaluated []string
	r := newRecorder(t, interp.Options{Evaluate: func(v any) { evaluated = append(evaluated, fmt.Sprint(v)) }})
	if got := r.Run(1, "fmt.Printf(`%T %v %s`, 1, 2, fmt.Sprintf(`%T`, 3))"); got != "int 2 int\n" {
		t.Error(got)
	}
	if want := []string{"2", "int"}; !slices.Equal(evaluated, want) {
		t.Errorf("%v were evaluated, want %v", evaluated, want)
	}
}
