package arrays

import (
	"fmt"
	"math"
	"math/big"
	"strings"
)

// binRule finds the width of bins for elements, of which there are some, between two edges: a number in the dtype in
// which NumPy computes it (numpy/lib/_histograms_impl.py), so that it is rounded as there.
type binRule struct {
	name  string
	width func(x *Array, lo, hi float64) *Array
}

var binRules = []binRule{
	{"auto", autoWidth}, {"doane", doaneWidth}, {"fd", freedmanWidth}, {"rice", riceWidth}, {"scott", scottWidth}, {"sqrt", sqrtWidth}, {"stone", stoneWidth}, {"sturges", sturgesWidth},
}

// binsByRule returns how many bins of equal width the rule of a name makes.
func binsByRule(a *Array, name string, o countOptions) int {
	var rule binRule
	var names []string
	for _, r := range binRules {
		if names = append(names, r.name); r.name == name {
			rule = r
		}
	}
	switch {
	case rule.width == nil:
		check("histogram", &Error{Msg: fmt.Sprintf("there is no rule %.60q for bins; there are %s", name, strings.Join(names, ", "))})
	case o.weights != nil:
		check("histogram", &Error{Msg: fmt.Sprintf("the rule %.60q does not know Weights; give a number of bins, or edges", name)})
	}
	lo, hi := outerEdges(a, o.limits)
	if a = a.Reshape(-1); a.dtype.IsBool() {
		a = a.AsType(Uint8)
	}
	if o.limits != nil {
		a = a.At(a.GreaterEqual(lo).LogicalAnd(a.LessEqual(hi)))
	}
	if a.Size() == 0 {
		return 1
	}
	width := rule.width(a, lo, hi)
	switch w := width.AsType(Float64).Float64(); {
	case w == 0:
		return 1
	case a.dtype.IsInt() && w < 1:
		width = exactly(1)
	}
	distance := distanceOf(a)
	if o.limits != nil {
		distance = exactly(hi - lo)
	}
	n := Ceil(distance.Div(width)).AsType(Float64).Float64()
	if !(n <= math.MaxInt32) {
		check("histogram", &Error{Msg: fmt.Sprintf("the rule %.60q makes %v bins; give their number, or limits", name, n)})
	}
	return int(n)
}

// exactly is v as an array, which is not rounded to the dtype of others as Go numbers are.
func exactly(v float64) *Array { return FromSlice([]float64{v}).At(0) }

// distanceOf is from the smallest to the largest element. That of ints is exact before it is a float64.
func distanceOf(x *Array) *Array {
	least, most := x.Min(), x.Max()
	switch {
	case !x.dtype.IsInt():
		return most.Sub(least)
	case x.dtype.IsUnsigned():
		return exactly(float64(most.AsType(Uint64).Sub(least.AsType(Uint64)).Item().(uint64)))
	}
	return exactly(float64(uint64(most.Int()) - uint64(least.Int())))
}

func sqrtWidth(x *Array, _, _ float64) *Array {
	return distanceOf(x).Div(exactly(math.Sqrt(float64(x.Size()))))
}

func sturgesWidth(x *Array, _, _ float64) *Array {
	return distanceOf(x).Div(exactly(math.Log2(float64(x.Size())) + 1))
}

func riceWidth(x *Array, _, _ float64) *Array {
	return distanceOf(x).Div(2 * math.Pow(float64(x.Size()), 1/3.))
}

// scottWidth is for the least square error of the density of normal numbers.
func scottWidth(x *Array, _, _ float64) *Array {
	return Std(x).Mul(math.Pow(24*math.Sqrt(math.Pi)/float64(x.Size()), 1/3.))
}

// freedmanWidth is that of Freedman and Diaconis: of the range of the middle half.
func freedmanWidth(x *Array, _, _ float64) *Array {
	q := Percentile(x, []float64{75, 25})
	if x.dtype.IsFloat() {
		q = Percentile(x, FromSlice([]float64{75, 25}).AsType(x.dtype))
	}
	return q.At(0).Sub(q.At(1)).Mul(2).Mul(math.Pow(float64(x.Size()), -1/3.))
}

// autoWidth is the smaller of those of Freedman and Diaconis and of Sturges, the first being at least half that of the
// square root.
func autoWidth(x *Array, lo, hi float64) *Array {
	fd, half := freedmanWidth(x, lo, hi), sqrtWidth(x, lo, hi).Div(2)
	if half.Greater(fd).Bool() {
		fd = half
	}
	if sturges := sturgesWidth(x, lo, hi); sturges.Less(fd).Bool() {
		return sturges
	}
	return fd
}

// doaneWidth is that of Sturges for what is skewed.
func doaneWidth(x *Array, _, _ float64) *Array {
	n := float64(x.Size())
	sigma := Std(x)
	if n <= 2 || !sigma.Greater(0).Bool() {
		return exactly(0)
	}
	skew := math.Sqrt(6 * (n - 2) / ((n + 1) * (n + 3)))
	g := Mean(Pow(x.Sub(Mean(x)).Div(sigma), 3)).Abs().Div(exactly(skew))
	return distanceOf(x).Div(Log2(g.Add(1)).Add(1 + math.Log2(n)))
}

// stoneWidth is of the number k of bins, up to 100 or the square root of that of elements n, with the least estimate of
// the square error from leaving out each element in turn, which is k·(2n² - (n+1)·Σc²) of the counts c but for a
// factor: in ints, so that of two that are equal it is the fewer.
func stoneWidth(x *Array, lo, hi float64) *Array {
	n, distance := x.Size(), distanceOf(x)
	if n <= 1 || distance.Equal(0).Bool() {
		return exactly(0)
	}
	var best int
	var least *big.Int
	size := big.NewInt(int64(n))
	twice := new(big.Int).Mul(size, big.NewInt(2*int64(n)))
	for bins := 1; bins <= max(100, int(math.Sqrt(float64(n)))); bins++ {
		_, place := evenBins(x, bins, []float64{lo, hi})
		squares := new(big.Int)
		for _, c := range plainCounts(x, bins, place).Int64s() {
			squares.Add(squares, new(big.Int).Mul(big.NewInt(c), big.NewInt(c)))
		}
		loss := squares.Mul(squares, big.NewInt(int64(n)+1))
		loss.Mul(loss.Sub(twice, loss), big.NewInt(int64(bins)))
		if least == nil || loss.Cmp(least) < 0 {
			best, least = bins, loss
		}
	}
	return distance.Div(best)
}
