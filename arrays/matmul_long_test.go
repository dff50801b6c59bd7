package arrays

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/arrayrepl/arrayrepl/internal/testsize"
	"github.com/arrayrepl/arrayrepl/internal/workers"
)

// TestLongProducts: products of many terms have the order of their definition, at the edges of lines, blocks and what
// is kept of them, for any number of goroutines and order of axes, with tiles and without.
func TestLongProducts(t *testing.T) {
	testsize.InTurn(t, 1)
	defer workers.SetCount(0)
	rng := DefaultRNG(15)
	for _, s := range [][3]int{{1, longSum - 1, 2}, {1, longSum, 2}, {2, longSum + 1, 3}, {3, longSum + longLine, 2}, {1, longSum + longBlock - 1, 5},
		{2, longAtOnce*longBlock + 1, 2}, {longRows + 1, longSum, 3}, {2, longSum + 7, longColumns + 1}, {longShared/longColumns + 1, longSum + longBlock, longColumns}, {1, 2*longAtOnce*longBlock + 300, 2}} {
		for _, d := range []DType{Float64, Float32} {
			x, y := rng.Normal(0, 1, s[0], s[1]).AsType(d), rng.Normal(0, 1, s[1], s[2]).AsType(d)
			x.Set(1e30, 0, 0)
			if d == Float64 {
				checkLong[float64](t, x, y)
			} else {
				checkLong[float32](t, x, y)
			}
		}
	}
}

// checkLong looks at some elements of x·y.
func checkLong[T float](t *testing.T, x, y *Array) {
	n, k, m := x.Shape()[0], x.Shape()[1], y.Shape()[1]
	columns := y.T().Copy()
	results := map[string]*Array{"y by columns": MatMul(x, columns.T()), "x by columns": MatMul(x.T().Copy().T(), y), "one of three": MatMul(Stack(0, x, x, x), y).At(1)}
	for _, threads := range []int{1, 2, 5} {
		workers.SetCount(threads)
		results["threads "+string(rune('0'+threads))] = MatMul(x, y)
	}
	plain := New(x.DType(), n, m)
	longProduct[T]{nil, stridedOf(plain, x.DType()), stridedOf(x, x.DType()), stridedOf(y, x.DType()), n, k, m}.compute()
	if k >= longSum {
		results["without tiles"] = plain
	}
	for _, i := range []int{0, n / 2, n - 1} {
		for _, j := range []int{0, m / 2, m - 1} {
			want := sumOfLines(elements[T](x.At(i).Copy().data), elements[T](columns.At(j).Copy().data))
			for name, got := range results {
				assert.Equal(t, want, elements[T](got.At(i, j).Copy().data)[0], "%d, %d, %d of %v, element %d, %d: %s", n, k, m, x.DType(), i, j, name)
			}
		}
	}
}

// sumOfLines is the definition of an element of a product with several columns.
func sumOfLines[T float](x, y []T) T {
	line, block := longLine, longBlock
	if len(x) < longSum {
		line, block = len(x), len(x)
	}
	var total T
	for p := 0; p < len(x); p += block {
		var sum T
		for q := p; q < min(p+block, len(x)); q += line {
			var chain T
			for e := q; e < min(q+line, len(x)); e++ {
				chain = multiplyAdd(x[e], y[e], chain)
			}
			if sum += chain; q == p {
				sum = chain
			}
		}
		if total += sum; p == 0 {
			total = sum
		}
	}
	return total
}
