package arrays

import (
	"slices"
	"testing"
)

// TestMasksOfNothing: a mask may have no elements along an axis, and picks nothing then, as in NumPy 2.3:
// np.ones((3, 2))[np.zeros((0, 2), bool)].shape is (0,), [np.zeros(0, bool)].shape (0, 2).
func TestMasksOfNothing(t *testing.T) {
	x := Ones(3, 2)
	for _, c := range []struct{ mask, want []int }{{[]int{0, 2}, []int{0}}, {[]int{3, 0}, []int{0}}, {[]int{0}, []int{0, 2}}} {
		if got := x.At(New(Bool, c.mask...)).Shape(); !slices.Equal(got, c.want) {
			t.Errorf("a mask of shape %v picks shape %v, want %v", c.mask, got, c.want)
		}
	}
	if err := caught(func() { x.At(New(Bool, 2)) }); err == nil {
		t.Error("a mask of two elements fits three rows")
	}
}
