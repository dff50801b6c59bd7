package lazy

import (
	"fmt"
	"testing"
)

// TestIntoIsInTheOrderOfTheProgram: what was made of an array before something is written into it keeps the old
// elements, though nothing has been computed; views see the new ones.
func TestIntoIsInTheOrderOfTheProgram(t *testing.T) {
	z := Arange(4.0)
	before, row, copied := z.Mul(10), z.Reshape(2, 2).At(1), z.Copy()
	if got := Into(z).Add(z, 1); got != z {
		t.Error("another array is returned")
	}
	Into(row).Sub(row, z.At(To(2))) // of what was just written
	Into(z.At(To(-1))).Add(z.At(From(1)), 0)
	after := z.Sum()
	Into(z).Mul(z, 0)
	for _, c := range []struct {
		name string
		got  *Array
		want string
	}{
		{"before", before, "[ 0. 10. 20. 30.]"},
		{"a copy", copied, "[0. 1. 2. 3.]"},
		{"the sum in between", after, "8.0"},
		{"the array", z, "[0. 0. 0. 0.]"},
		{"a view", row, "[0. 0.]"},
	} {
		if got := fmt.Sprint(c.got); got != c.want {
			t.Errorf("%s is %s, want %s", c.name, got, c.want)
		}
	}
}

// TestIntoRefusesAtTheCall: shapes and dtypes are known then; the array is as before.
func TestIntoRefusesAtTheCall(t *testing.T) {
	z := Arange(3)
	for want, f := range map[string]func(){
		"add: the result, of float64, is not written into an array of int64; write into one of float64, or convert and assign it: z.Set(result.AsType(z.DType()))": func() { Into(z).Add(z, 0.5) },
		"add: the result has shape (2,3) and is not written into an array of shape (3,); write into one of shape (2,3)":                                            func() { Into(z).Add(z, New(Int64, 2, 3)) },
		"sum: the array to write into is nil; make one, as with Zeros, or leave Into out":                                                                          func() { Into(nil).Sum(z) },
	} {
		func() {
			defer func() {
				if e, ok := recover().(*Error); !ok || e.Error() != want {
					t.Errorf("%v, want %s", e, want)
				}
			}()
			f()
		}()
	}
	if got := fmt.Sprint(z); got != "[0 1 2]" {
		t.Errorf("the array is %s", got)
	}
}
