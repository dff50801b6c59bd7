package lazy

import (
	"bytes"
	"testing"

	"github.com/arrayrepl/arrayrepl/arrays"
)

// TestEveryDTypeOfNumbers: an expression of each real dtype is one kernel and gives the bits of the eager one; complex
// numbers are computed on the CPU, with the same bits.
func TestEveryDTypeOfNumbers(t *testing.T) {
	for d := arrays.Int8; d <= arrays.Complex128; d++ {
		e := arrays.Arange(200).Sub(20).AsType(d)
		x := FromArray(e.Copy())
		before := Stats().Launches
		got := x.Mul(3).Add(x).Square().Sub(7).Array()
		want := e.Mul(3).Add(e).Square().Sub(7)
		if got.DType() != d || !bytes.Equal(got.Bytes(), want.Bytes()) {
			t.Errorf("%v: got %v, eager gives %v", d, got, want)
		}
		launches := Stats().Launches - before
		if kernels := !d.IsComplex(); kernels != (launches == 1) {
			t.Errorf("%v: %d kernels were launched", d, launches)
		}
	}
}
