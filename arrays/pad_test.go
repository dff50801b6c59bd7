package arrays

import (
	"strings"
	"testing"
)

func TestPadErrors(t *testing.T) {
	for want, f := range map[string]func(){
		"the widths [1 2 3] do not fit shape (2,2)":       func() { Pad(Ones(2, 2), []int{1, 2, 3}, []int{0}, 0) },
		"the widths [-1 -1] do not fit shape (2,2)":       func() { Pad(Ones(2, 2), []int{-1}, []int{0}, PadWrap) },
		"axis 1 of shape (2,0) has nothing to continue":   func() { Pad(Ones(2, 0), []int{0}, []int{0, 1}, PadReflect) },
		"there is no PadMode 7; there are PadEdge, PadRe": func() { Pad(Ones(2), []int{1}, []int{0}, PadMode(7)) },
	} {
		if err := caught(f); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	if got := Pad(Ones(2, 0), []int{1, 0}, []int{2, 0}, PadEdge); got.Len() != 5 || got.Size() != 0 { // as NumPy's: an axis that is not continued may be empty
		t.Errorf("shape %v", got.Shape())
	}
}
