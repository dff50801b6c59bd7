package yaegi

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestAddressesThroughPointers takes addresses of elements of arrays that pointers lead to, and of what is in them. The
// values are Go's.
func TestAddressesThroughPointers(t *testing.T) {
	r := newRecorder(t)
	for i, c := range [][2]string{
		{"s := new([4]int)\ni := 3\np := &s[i]\n*p = 2\ns[1]++\ns[2] += 5\n*s", "[0 1 5 2]"},
		{"m := new([3][4]int)\nq := &m[2][1]\n*q = 7\nm[2]", "[0 7 0 0]"},
		{"type pair struct{ a [2]int; b int }\nv := new([2]pair)\nx, y := &v[1].b, &v[1].a[1]\n*x, *y = 3, 9\nv[1].b, v[1].a", "3 [0 9]"},
		{"func set(to, from *float64) { *to = *from }\nz := new([2]float64)\nset(&z[1], &[]float64{4}[0])\nz[1]", "4"},
	} {
		assert.Contains(t, r.Run(i+1, c[0]), c[1])
	}
}
