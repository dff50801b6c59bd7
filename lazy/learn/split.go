package learn

import (
	"math"

	np "github.com/arrayrepl/arrayrepl/lazy"
)

// TrainTestSplit divides samples, (n, features), and what is known of each, (n), at random: testSize is the share of
// those to test with, rounded up, above 0 and below 1. It panics with *arrays.Error when there are not as many of both,
// or one part would be empty.
func TrainTestSplit(x, y any, testSize float64, seed int) (xTrain, xTest, yTrain, yTest *np.Array) {
	m := &model{name: "learn"}
	a, b := m.array("TrainTestSplit", x), m.array("TrainTestSplit", y)
	if a.NDim() == 0 || b.NDim() == 0 || a.Len() != b.Len() {
		m.fail("TrainTestSplit", [][]int{a.Shape(), b.Shape()}, "the samples have the shape %v, what is known of them %v; there must be as many rows of both", a.Shape(), b.Shape())
	}
	n := a.Len()
	test := int(math.Ceil(testSize * float64(n)))
	if !(testSize > 0 && testSize < 1) || test == n || n == 0 {
		m.fail("TrainTestSplit", [][]int{a.Shape()}, "a share of %v of %d samples leaves one of the parts empty; it must lie between 0 and 1", testSize, n)
	}
	order := np.DefaultRNG(seed).Permutation(n)
	chosen, rest := order.At(np.S(0, test)), order.At(np.S(test, np.End))
	return a.At(rest), a.At(chosen), b.At(rest), b.At(chosen)
}
