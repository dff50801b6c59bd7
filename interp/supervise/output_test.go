package supervise_test

import (
	"fmt"
	"maps"
	"slices"
	"testing"
	"time"

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

// What is in slices, maps, structs and behind a pointer is evaluated where fmt would ask it for its text.
func TestPartsOfWhatIsPrintedAreEvaluated(t *testing.T) {
	var evaluated []string
	r := newRecorder(t, interp.Options{Evaluate: func(v any) {
		if d, ok := v.(time.Duration); ok {
			evaluated = append(evaluated, d.String())
		}
	}})
	r.Run(1, "d := func(n int) time.Duration { return time.Duration(n) }\n"+
		"fmt.Println([]time.Duration{d(1)}, map[string]any{`a`: []any{d(2), 5}}, &struct{ A, b time.Duration }{d(3), d(9)}, [1]struct{ M map[time.Duration]int }{{map[time.Duration]int{d(4): 1}}}, &[]time.Duration{d(5)})\n"+
		"fmt.Printf(`%T %v`, []any{d(8)}, []any{d(6)})\nfmt.Sprint([]int{1}, nil, []any{nil, (*int)(nil)})")
	slices.Sort(evaluated)
	if want := []string{"1ns", "2ns", "3ns", "4ns", "5ns", "6ns"}; !slices.Equal(evaluated, want) {
		t.Errorf("%v were evaluated, want %v", evaluated, want)
	}
}
