package lazy

import (
	"fmt"
	"strings"
	"testing"

	"github.com/arrayrepl/arrayrepl/arrays"
)

// What is out of bounds of an index is told at the call where something is assigned or the index is given, and nothing
// has changed.
func TestIndicesAreCheckedAtTheCall(t *testing.T) {
	x := Arange(6).Reshape(2, 3)
	for want, f := range map[string]func(){
		"index 7 is out of bounds for axis 1 with size 3":  func() { x.Set(9, All, []int{1, 7}) },
		"index -3 is out of bounds for axis 0 with size 2": func() { x.AddAt(9, []int{-3, 0}) },
		"index 5 is out of bounds for axis 0 with size 2":  func() { x.At(arrays.FromSlice([]int8{0, 5})) },
		"index 4 is out of bounds for axis 1 with size 3":  func() { x.Set(9, All, Arange(3).Mul(2)) },
		"index 4 is out of bounds for axis 0 with size 2":  func() { x.AddAt(9, Arange(3).Mul(4), 0) },
		"is out of bounds for axis 0 with size 0":          func() { Zeros(0).At(Arange(3)) },
	} {
		func() {
			defer func() {
				if e, ok := recover().(*Error); !ok || !strings.Contains(e.Error(), want) {
					t.Errorf("%v, want %s", e, want)
				}
			}()
			f()
		}()
	}
	x.Set(9, []int{1, 0}, []int{-1, 1})
	i := Zeros(2).AsType(Int64)
	x.AddAt(1, i)
	i.Set(1, All) // what is assigned later does not count
	if got, want := fmt.Sprint(x), "[[ 2 11  4]\n [ 3  4  9]]"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
