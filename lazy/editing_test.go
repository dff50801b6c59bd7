package lazy

import (
	"slices"
	"testing"

	"github.com/arrayrepl/arrayrepl/arrays"
)

// TestEditingAsEager: functions that assign, pick and put together give on placeholders what they give on arrays.
func TestEditingAsEager(t *testing.T) {
	e := arrays.FromSlice([]float64{3, 0, -2, 7, 1.5, 0, 4, -6, 9, 2, 8, -1}, 3, 4)
	x := FromArray(e.Copy())
	at := []int{2, 0, 1}
	lazyFill, eagerFill := x.Copy(), e.Copy()
	FillDiagonal(lazyFill, 5)
	arrays.FillDiagonal(eagerFill, 5)
	PutAlongAxis(lazyFill, [][]int{{3}, {0}, {1}}, -9, 1)
	arrays.PutAlongAxis(eagerFill, [][]int{{3}, {0}, {1}}, -9, 1)
	rows, _ := TrilIndices(4)
	eagerRows, _ := arrays.TrilIndices(4)
	q, r := PolyDiv(x.At(0), []int{1, 2})
	eagerQ, eagerR := arrays.PolyDiv(e.At(0), []int{1, 2})
	counts, _, _ := Histogram2D(x.At(0), x.At(1), []int{3})
	eagerCounts, _, _ := arrays.Histogram2D(e.At(0), e.At(1), []int{3})
	for name, pair := range map[string]struct {
		lazy  *Array
		eager *arrays.Array
	}{
		"fill and put":    {lazyFill, eagerFill},
		"block":           {Block([][]any{{x, x}, {x, x}}), arrays.Block([][]any{{e, e}, {e, e}})},
		"delete":          {Delete(x, at[:2], 1), arrays.Delete(e, at[:2], 1)},
		"insert":          {Insert(x, []int{0, 3}, 5, 0), arrays.Insert(e, []int{0, 3}, 5, 0)},
		"trim":            {TrimZeros(x.At(0)), arrays.TrimZeros(e.At(0))},
		"tril":            {rows, eagerRows},
		"ix":              {x.At(Ix(at, []int{3, 1})...), e.At(arrays.Ix(at, []int{3, 1})...)},
		"unravel":         {UnravelIndex(at, 2, 2)[1], arrays.UnravelIndex(at, 2, 2)[1]},
		"extract":         {Extract(x.Gt(0), x), arrays.Extract(e.Greater(0), e)},
		"choose":          {Choose(at, 7, 8.5, at), arrays.Choose(at, 7, 8.5, at)},
		"apply":           {ApplyAlongAxis(Median, 0, x), arrays.ApplyAlongAxis(arrays.Median, 0, e)},
		"from function":   {FromFunction(func(i, j *Array) *Array { return i.Sub(j) }, 2, 3), arrays.FromFunction(func(i, j *arrays.Array) *arrays.Array { return i.Sub(j) }, 2, 3)},
		"of numbers":      {FromFunction(func(i, j int) int { return 10*i + j }, 2, 3), arrays.FromFunction(func(i, j int) int { return 10*i + j }, 2, 3)},
		"lexsort":         {LexSort(x.At(0), x.At(1).Gt(0)), arrays.LexSort(e.At(0), e.At(1).Greater(0))},
		"fmod":            {FMod(x, -2.5), arrays.FMod(e, -2.5)},
		"logaddexp2":      {LogAddExp2(x, 1), arrays.LogAddExp2(e, 1)},
		"spacing":         {Spacing(x), arrays.Spacing(e)},
		"bits":            {UnpackBits(PackBits(x.Gt(0), 1), 1), arrays.UnpackBits(arrays.PackBits(e.Greater(0), 1), 1)},
		"bit count":       {BitCount(x.AsType(Int8)), arrays.BitCount(e.AsType(Int8))},
		"gcd":             {GCD(x.AsType(Int64), 6), arrays.GCD(e.AsType(Int64), 6)},
		"i0":              {I0(x), arrays.I0(e)},
		"multi dot":       {MultiDot(x, x.T(), x), arrays.MultiDot(e, e.T(), e)},
		"quotient":        {q, eagerQ},
		"remainder":       {r, eagerR},
		"two-d histogram": {counts, eagerCounts},
		"quantiles":       {Quantile(x, FromSlice([]float64{0.25, 0.5}).Mul(1.5), Axis(0), KeepDims(), QuantileHazen), arrays.Quantile(e, []float64{0.375, 0.75}, 0, KeepDims(), QuantileHazen)},
		"weights":         {NanPercentile(x, 40, 0, Weights(x.Square()), QuantileInvertedCDF), arrays.NanPercentile(e, 40, 0, Weights(e.Square()), QuantileInvertedCDF)},
		"median":          {Median(x, Axis(0, 1)), arrays.Median(e)},
		"partition":       {Partition(x, []int{0, -1}, 0), arrays.Partition(e, []int{0, -1}, 0)},
		"pad ramp":        {Pad(x, []int{1}, []int{3}, PadRamp(1, -1)), arrays.Pad(e, []int{1}, []int{3}, PadRamp(1, -1))},
		"pad odd":         {Pad(x, []int{5}, []int{3}, PadOdd(PadReflect)), arrays.Pad(e, []int{5}, []int{3}, PadOdd(PadReflect))},
		"pad mean":        {Pad(x, []int{1}, []int{2}, PadWithin(PadMean, 2)), arrays.Pad(e, []int{1}, []int{2}, PadWithin(PadMean, 2))},
		"slopes":          {Gradient(x, x.At(0).Abs().CumSum(), 1), arrays.Gradient(e, e.At(0).Abs().CumSum(), 1)},
		"integral":        {Trapezoid(x, Arange(x.Shape()[1]).Square()), arrays.Trapezoid(e, arrays.Arange(e.Shape()[1]).Square())},
		"covariance":      {Cov(x, x.At(0).Square(), DDof(0), Weights(Arange(x.Shape()[1]).Add(1))), arrays.Cov(e, e.At(0).Square(), DDof(0), Weights(arrays.Arange(e.Shape()[1]).Add(1)))},
		"weighted bins":   {BinCount(at, Weights(FromSlice([]float64{1, 2.5, 4}).Mul(2))), arrays.BinCount(at, Weights([]float64{2, 5, 8}))},
		"frequencies":     {Cov(x, Frequencies(Arange(x.Shape()[1]).Add(1)), Weights(Arange(x.Shape()[1]).Add(2))), arrays.Cov(e, Frequencies(arrays.Arange(e.Shape()[1]).Add(1)), Weights(arrays.Arange(e.Shape()[1]).Add(2)))},
		"several slopes":  {Gradients(x, []any{2, x.At(0).Abs().CumSum()})[1], arrays.Gradients(e, []any{2, e.At(0).Abs().CumSum()})[1]},
		"parts":           {Unique(x.Gt(0), 1), arrays.Unique(e.Greater(0), 1)},
		"ends":            {Interp(x, Arange(3), []int{1, 5, 2}, Left(x.Min()), Right(9)), arrays.Interp(e, arrays.Arange(3), []int{1, 5, 2}, Left(e.Min()), Right(9))},
		"sorter":          {SearchSorted(x.At(0), x, Sorter(x.At(0).ArgSort())), arrays.SearchSorted(e.At(0), e, Sorter(e.At(0).ArgSort()))},
		"right edges":     {Digitize(x, Arange(-1, 2), Right(true)), arrays.Digitize(e, arrays.Arange(-1, 2), Right(true))},
		"edges by rule":   {HistogramBinEdges(x, "auto"), arrays.HistogramBinEdges(e, "auto")},
		"argpartition":    {ArgPartition(x, 1), arrays.ArgPartition(e, 1)},
	} {
		got := pair.lazy.Array()
		if got.DType() != pair.eager.DType() || !slices.Equal(got.Shape(), pair.eager.Shape()) || !slices.Equal(got.Bytes(), pair.eager.Bytes()) {
			t.Errorf("%s: lazy %v\neager %v", name, got, pair.eager)
		}
	}
}
