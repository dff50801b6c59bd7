package tests

import (
	"bytes"
	"testing"

	"github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/internal/testsize"
	"github.com/arrayrepl/arrayrepl/lazy"
	"github.com/arrayrepl/arrayrepl/tests/internal/testdevices"
)

// TestShortRows: reductions of many rows, of which a warp makes each, give what eager arrays give: of whole numbers,
// whose sums are exact in any order, to the bit. Rows end within a warp's stride or with it, and the last block has
// fewer rows than warps. A short test has one dtype, each turn another.
func TestShortRows(t *testing.T) {
	testdevices.Use(t)
	const rows = 8197
	at := 0
	for _, device := range []string{"host", "sim:tiny"} {
		lazy.Use(device)
		for _, length := range []int{33, 64, 100} {
			of := arrays.Arange(rows*length).Mul(7919).Mod(1009).Reshape(rows, length).Sub(500)
			for _, d := range []arrays.DType{arrays.Float64, arrays.Float32, arrays.Int8} {
				if at++; !testsize.Part(at, 3) {
					continue
				}
				e := of.AsType(d)
				x := lazy.FromArray(e)
				for name, c := range map[string]struct {
					got  *lazy.Array
					want *arrays.Array
				}{
					"sum":  {x.Sum(lazy.Axis(1)), e.Sum(arrays.Axis(1))},
					"max":  {x.Max(lazy.Axis(1)), e.Max(arrays.Axis(1))},
					"any":  {x.Greater(120).AnyTrue(lazy.Axis(1)), e.Greater(120).AnyTrue(arrays.Axis(1))},
					"mean": {x.Mean(lazy.Axis(-1)), e.Mean(arrays.Axis(-1))},
				} {
					if got := c.got.Array(); got.DType() != c.want.DType() || !bytes.Equal(got.Bytes(), c.want.Bytes()) {
						t.Errorf("%s: %s of rows of %d %v: %v, eager %v", device, name, length, d, got, c.want)
					}
				}
			}
		}
		// Of rows that are not an array's: the squares of distances between 100 and 90 points.
		p, q := arrays.Arange(100*50).Mod(13).Reshape(100, 1, 50), arrays.Arange(90*50).Mod(17).Reshape(90, 50)
		d := lazy.FromArray(p).Sub(lazy.FromArray(q))
		got, want := d.Mul(d).Sum(lazy.Axis(2)).Array(), p.Sub(q).Square().Sum(arrays.Axis(2))
		if !bytes.Equal(got.Bytes(), want.Bytes()) {
			t.Errorf("%s: distances %v, eager %v", device, got, want)
		}
	}
}
