package arrays

import (
	"math"
	"reflect"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestOptionsAsNumPy: what NumPy 2.3.5 gives for the call that is the name; x = [1,2,2,3,5,9.], w = [1,2,.5,4,1,8.],
// f = [[1.,4,9,16],[2,3,5,9]], a = [1.,2,4], b = [3.,1,2]. Sums are compared as closely as their order allows.
func TestOptionsAsNumPy(t *testing.T) {
	x, w := []float64{1, 2, 2, 3, 5, 9}, []float64{1, 2, .5, 4, 1, 8}
	f := Stack(0, []float64{1, 4, 9, 16}, []float64{2, 3, 5, 9})
	a, b := []float64{1, 2, 4}, []float64{3, 1, 2}
	at := []int{0, 1, 3, 4}
	counts := func(bins any, opts ...HistogramOption) *Array {
		c, _ := Histogram(x, bins, opts...)
		return c
	}
	edges := func(bins any, opts ...HistogramOption) *Array { return second(Histogram(x, bins, opts...)) }
	rows := func(r ...any) *Array { return Stack(0, r...) }
	table := rows([]int{1, 2}, []int{0, 9}, []int{1, 2})
	partsOf := func(x *Array, i int) *Array {
		_, at, inverse, counts := UniqueAll(x, 0)
		return []*Array{nil, at, inverse, counts}[i]
	}
	first := func(a, _ *Array) *Array { return a }
	for name, tt := range map[string]struct{ got, want any }{
		"roll(arange(6).reshape(2,3), 1, (0,1))":                              {Roll(Arange(6).Reshape(2, 3), 1, 0, 1), rows([]int{5, 3, 4}, []int{2, 0, 1})},
		"rot90(arange(6).reshape(1,2,3), 1, (1,2))":                           {Rot90(Arange(6).Reshape(1, 2, 3), 1, 1, 2), rows(rows([]int{2, 5}, []int{1, 4}, []int{0, 3}))},
		"rot90(arange(6).reshape(1,2,3), 1, (2,0))":                           {Rot90(Arange(6).Reshape(1, 2, 3), 1, 2, 0), Arange(6).Reshape(1, 2, 3).SwapAxes(0, 2)},
		"histogram(x, [1,2,4,9])[0]":                                          {counts([]int{1, 2, 4, 9}), []int{1, 3, 2}},
		"histogram(x, [1,2,4,9])[1]":                                          {edges([]int{1, 2, 4, 9}), []int{1, 2, 4, 9}},
		"histogram(x, [1,2,4,9], weights=w)[0]":                               {counts([]int{1, 2, 4, 9}, Weights(w)), []float64{1, 6.5, 9}},
		"histogram(x, 4, (1,5), density=True)[0]":                             {counts(4, Limits(1, 5), Density()), []float64{.2, .4, .2, .2}},
		"histogram(x, [2,2,3], weights=…)[0]":                                 {counts([]int{2, 2, 3}, Weights([]int{1, 2, 3, 4, 5, 6})), []int{0, 9}},
		"histogram(x, [1])[0]":                                                {counts([]int{1}), Zeros(0).AsType(Int64)},
		"bincount([0,2,2], [.5,1,2], minlength=4)":                            {BinCount([]int{0, 2, 2}, Weights([]float64{.5, 1, 2}), MinLength(4)), []float64{.5, 0, 3, 0}},
		"gradient(f, 2, axis=1, edge_order=2)":                                {Gradient(f, 2, 1, EdgeOrder(2)), rows([]float64{1, 2, 3, 4}, []float64{.25, .75, 1.5, 2.5})},
		"gradient(f, at, axis=1)":                                             {Gradient(f, at), rows([]float64{3, 17. / 6, 5.5, 7}, []float64{1, 1, 3, 4})},
		"gradient(f, at, axis=1, edge_order=2)":                               {Gradient(f, at, EdgeOrder(2)), rows([]float64{19. / 6, 17. / 6, 5.5, 8.5}, []float64{1, 1, 3, 5})},
		"gradient(f.astype('f4'), [0.,1,3,4], …)":                             {Gradient(f.AsType(Float32), []float64{0, 1, 3, 4}), rows([]float64{3, 17. / 6, 5.5, 7}, []float64{1, 1, 3, 4}).AsType(Float32)},
		"gradient(f, [0,3], axis=0)":                                          {Gradient(f, []float64{0, 3}, 0), rows([]float64{1. / 3, -1. / 3, -4. / 3, -7. / 3}, []float64{1. / 3, -1. / 3, -4. / 3, -7. / 3})},
		"trapezoid(f, x=at)":                                                  {Trapezoid(f, at), []float64{28, 17.5}},
		"trapezoid(f, x=[0,2], axis=0)":                                       {Trapezoid(f, []int{0, 2}, 0), []float64{3, 7, 14, 25}},
		"trapezoid(f, x=[[0,1,2,3],[0,2,4,8]])":                               {Trapezoid(f, rows([]int{0, 1, 2, 3}, []int{0, 2, 4, 8})), []float64{21.5, 41}},
		"cov(a, b)":                                                           {Cov(a, b), rows([]float64{7. / 3, -.5}, []float64{-.5, 1})},
		"cov(a, b, ddof=0)":                                                   {Cov(a, b, DDof(0)), rows([]float64{14. / 9, -1. / 3}, []float64{-1. / 3, 2. / 3})},
		"cov(a, b, aweights=[1,2,1])":                                         {Cov(a, b, Weights([]int{1, 2, 1})), rows([]float64{1.9, -.3}, []float64{-.3, 1.1})},
		"corrcoef(a, b)":                                                      {CorrCoef(a, b), rows([]float64{1, -0.32732683535398854}, []float64{-0.32732683535398854, 1})},
		"cov([a,b], [0,1,0], bias=True)[2]":                                   {Cov(rows(a, b), []int{0, 1, 0}, DDof(0)).At(2), []float64{-1. / 9, -1. / 3, 2. / 9}},
		"cov(array([a,b]).T, rowvar=False, ddof=0)":                           {Cov(rows(a, b), DDof(0)), rows([]float64{14. / 9, -1. / 3}, []float64{-1. / 3, 2. / 3})},
		"interp([-1,.5,3], [0,1], [2,4], left=-9)":                            {Interp([]float64{-1, .5, 3}, []int{0, 1}, []int{2, 4}, Left(-9)), []float64{-9, 3, 4}},
		"interp([-1,.5,3], [0,1], [2,4], right=7)":                            {Interp([]float64{-1, .5, 3}, []int{0, 1}, []int{2, 4}, Right(7)), []float64{2, 3, 7}},
		"interp([-1,.5], [0,1], [2j,4], left=1+1j)":                           {Interp([]float64{-1, .5}, []int{0, 1}, []complex128{2i, 4}, Left(1+1i)), []complex128{1 + 1i, 2 + 1i}},
		"interp([-180,-10,365], [190,-190,350,-350], [5,10,3,4], period=360)": {Interp([]int{-180, -10, 365}, []int{190, -190, 350, -350}, []int{5, 10, 3, 4}, Period(360), Left(1)), []float64{7.5, 3, 3.75}},
		"nan_to_num(interp([nan], [0,1], [2j,4]))":                            {NanToNum(Interp([]float64{math.NaN()}, []int{0, 1}, []complex128{2i, 4})), []complex128{0}},
		"unique([[1,2],[0,9],[1,2]], axis=0)":                                 {Unique(table, 0), rows([]int{0, 9}, []int{1, 2})},
		"unique([[1,2],[0,9],[1,2]].T, axis=1)":                               {Unique(table.T(), -1), rows([]int{0, 1}, []int{9, 2})},
		"unique([[1,2],[0,9],[1,2]], return_index=True, axis=0)[1]":           {partsOf(table, 1), []int{1, 0}},
		"unique([[1,2],[0,9],[1,2]], return_inverse=True, axis=0)[1]":         {partsOf(table, 2), []int{1, 0, 1}},
		"unique([[1,2],[0,9],[1,2]], return_counts=True, axis=0)[1]":          {partsOf(table, 3), []int{1, 2}},
		"unique([[nan,1],[nan,1],[0,2]], return_counts=True, axis=0)":         {partsOf(rows([]float64{math.NaN(), 1}, []float64{math.NaN(), 1}, []float64{0, 2}), 3), []int{1, 1, 1}},
		"unique(zeros((3,0)), return_counts=True, axis=0)[1]":                 {partsOf(Zeros(3, 0), 3), []int{3}},
		"unique(zeros((0,3)), return_counts=True, axis=0)[1]":                 {partsOf(Zeros(0, 3), 3), Zeros(0).AsType(Int64)},
		"digitize([0,1,1.5,3], [1,3], right=True)":                            {Digitize([]float64{0, 1, 1.5, 3}, []int{1, 3}, Right(true)), []int{0, 0, 1, 1}},
		"digitize([0,1,1.5,3], [3,1], right=True)":                            {Digitize([]float64{0, 1, 1.5, 3}, []int{3, 1}, Right(true)), []int{2, 2, 1, 1}},
		"digitize([0,1,1.5,3], [1,3], right=False)":                           {Digitize([]float64{0, 1, 1.5, 3}, []int{1, 3}, Right(false)), []int{0, 1, 1, 2}},
		"searchsorted([3,1,2], [1.5,2,0], sorter=[1,2,0])":                    {SearchSorted([]int{3, 1, 2}, []float64{1.5, 2, 0}, Sorter([]int{1, 2, 0})), []int{1, 1, 0}},
		"searchsorted([3,1,2], [1.5,2,0], side='right', sorter=[1,2,0])":      {SearchSortedRight([]int{3, 1, 2}, []float64{1.5, 2, 0}, Sorter([]int8{1, 2, 0})), []int{1, 2, 0}},
		"histogram(x, 'auto')[0]":                                             {counts("auto"), []int{3, 1, 1, 1}},
		"histogram(x, 'doane')[0]":                                            {counts("doane"), []int{3, 1, 0, 1, 0, 1}},
		"histogram(x, 'fd')[0]":                                               {counts("fd"), []int{4, 1, 1}},
		"histogram(x, 'rice')[0]":                                             {counts("rice"), []int{3, 1, 1, 1}},
		"histogram(x, 'scott')[0]":                                            {counts("scott"), []int{4, 2}},
		"histogram(x, 'sqrt')[0]":                                             {counts("sqrt"), []int{4, 1, 1}},
		"histogram(x, 'stone')[0]":                                            {counts("stone"), []int{6}},
		"histogram(x, 'sturges')[0]":                                          {counts("sturges"), []int{3, 1, 1, 1}},
		"histogram_bin_edges(x, 'sqrt', (1, 4))":                              {HistogramBinEdges(x, "sqrt", Limits(1, 4)), []float64{1, 2, 3, 4}},
		"histogram([5,5], 'fd')[1]":                                           {second(Histogram([]int{5, 5}, "fd")), []float64{4.5, 5.5}},
		"histogram(uint8([0,1,1]), 'sturges')[0]":                             {first(Histogram([]uint8{0, 1, 1}, "sturges")), []int{3}},
		"histogram([], 'auto')[1]":                                            {second(Histogram([]float64{}, "auto")), []float64{0, 1}},
		"cov(a, b, fweights=[1,2,3])":                                         {Cov(a, b, Frequencies([]int{1, 2, 3})), rows([]float64{5.3 / 3, -.1 / 3}, []float64{-.1 / 3, 1.7 / 3})},
		"cov(a, b, fweights=[1,2,3], ddof=0)":                                 {Cov(a, b, Frequencies([]int{1, 2, 3}), DDof(0)), rows([]float64{53. / 36, -1. / 36}, []float64{-1. / 36, 17. / 36})},
		"cov(a, fweights=[1,2,3], aweights=[1,2,1])":                          {Cov(a, Frequencies([]int{1, 2, 3}), Weights([]int{1, 2, 1})), 1.5192307692307694},
		"gradient([[1.,4,9,16],[2,3,5,9]])[0]":                                {Gradients(f, 1)[0], rows([]float64{1, -1, -4, -7}, []float64{1, -1, -4, -7})},
		"gradient([[1.,4,9,16],[2,3,5,9]], 2, at)[1]":                         {Gradients(f, []any{2, at}, EdgeOrder(1), 0, 1)[1], rows([]float64{3, 17. / 6, 5.5, 7}, []float64{1, 1, 3, 4})},
		"gradient(f, at, 2, axis=(1,0))[1]":                                   {Gradients(f, []any{at, 2}, 1, 0)[1], rows([]float64{.5, -.5, -2, -3.5}, []float64{.5, -.5, -2, -3.5})},
	} {
		got, want := must("got", tt.got), must("want", tt.want)
		close := ArrayEqual(got, want)
		if got.dtype.IsFloat() && sizeOf(got.layout.Shape) == sizeOf(want.layout.Shape) {
			close = Abs(got.Sub(want)).Max().Float64() <= map[DType]float64{Float64: 1e-14, Float32: 1e-6}[got.dtype]
		}
		if !close || got.dtype != want.dtype {
			t.Errorf("%s: %v %v, want %v %v", name, got.dtype, got, want.dtype, want)
		}
	}
}

func TestOptionErrors(t *testing.T) {
	x := []float64{1, 2, 3}
	for want, f := range map[string]func(){
		"histogram: the edges 3 and 2 do not ascend; sort them first":                                                                func() { Histogram(x, []int{1, 3, 2}) },
		"histogram: bins are an int or a 1-D array of edges, not of shape ()":                                                        func() { Histogram(x, 2.5) },
		"histogram: limits go with a number of bins; the edges that are given say where these end":                                   func() { Histogram(x, []int{1, 3}, Limits(0, 1)) },
		"histogram: weights float64 of shape (2,) do not fit shape (3,); give a real number for each element":                        func() { Histogram(x, 2, Weights([]float64{1, 2})) },
		"bincount: <nil> is not an option; leave it out":                                                                             func() { BinCount([]int{1}, nil) },
		"bincount: -1 counts cannot be made; give a MinLength of 0 or more":                                                          func() { BinCount([]int{1}, MinLength(-1)) },
		"gradient: there is no EdgeOrder(3); there are 1 and 2":                                                                      func() { Gradient(x, 1, EdgeOrder(3)) },
		"gradient: a slope with EdgeOrder(2) takes 3 points or more along the axis":                                                  func() { Gradient(x[:2], 1, EdgeOrder(2)) },
		"gradient: coordinates of shape (2,) are not those of 3 points; give a number, or a list of as many":                         func() { Gradient(x, x[:2]) },
		"trapezoid: coordinates of shape (2,) are not those of shape (3,); give a number, a 1-D array of 3, or one for each element": func() { Trapezoid(x, x[:2]) },
		"cov: variables have 3 and 2 observations; they have as many":                                                                func() { Cov(x, x[:2]) },
		"cov: weights of shape (2,) are not those of 3 observations; give a 1-D array of as many":                                    func() { Cov(x, Weights(x[:2])) },
		"interp: <nil> is not an option; leave it out":                                                                               func() { Interp(1, x, x, nil) },
		"interp: the Period is 0; it is a finite number other than 0":                                                                func() { Interp(1, x, x, Period(0)) },
		"interp: Left is a number, not float64 of shape (3,)":                                                                        func() { Interp(1, x, x, Left(x)) },
		"digitize: 2 options are given; it takes at most 1":                                                                          func() { Digitize(x, x, Right(true), Right(false)) },
		"digitize: Right has an int; give Right(true) or Right(false)":                                                               func() { Digitize(x, x, Right(1)) },
		"searchsorted: 2 options are given; it takes at most 1":                                                                      func() { SearchSorted(x, x, Sorter([]int{0, 1, 2}), Sorter([]int{0, 1, 2})) },
		"searchsorted: a Sorter of int64 of shape (2,) does not sort shape (3,); give the list's ArgSort":                            func() { SearchSortedRight(x, x, Sorter([]int{1, 0})) },
		"histogram: there is no rule \"x\" for bins; there are auto, doane, fd, rice, scott, sqrt, stone, sturges":                   func() { Histogram(x, "x") },
		"histogram: the rule \"fd\" does not know Weights; give a number of bins, or edges":                                          func() { Histogram(x, "fd", Weights(x)) },
		"cov: a string is not an option; give variables, DDof(...), Weights(...) or Frequencies(...)":                                func() { Cov(x, "f") },
		"cond: there is no norm 3 of matrices; use \"fro\", \"nuc\", 1, -1, 2, -2 or an infinity":                                    func() { Cond(Eye(2), 3) },
		"cov: a frequency is -1; they are 0 or more":                                                                                 func() { Cov(x, Frequencies([]int{1, -1, 2})) },
		"cov: frequencies are ints, not float64":                                                                                     func() { Cov(x, Frequencies(x)) },
		"gradient: axis 0 is named twice; name each axis once":                                                                       func() { Gradients(x, 1, 0, -1) },
		"gradient: 2 distances are given for 1 axes; give one for each, or one for all":                                              func() { Gradients(x, []any{1, 2}) },
		"corrcoef: it takes no Axis; variables are rows: for columns give x.T()":                                                     func() { CorrCoef(x, Axis(0)) },
	} {
		if err := caught(f); err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// TestOptionsAreTyped: a function with options of its own takes those and no others, which the compiler sees.
func TestOptionsAreTyped(t *testing.T) {
	values := map[string]any{
		"Left": Left(0), "Right": Right(true), "Period": Period(1), "Limits": Limits(0, 1), "Density": Density(), "MinLength": MinLength(1),
		"Weights": Weights(1), "Sorter": Sorter(1), "EdgeOrder": EdgeOrder(1), "Frequencies": Frequencies(1), "QuantileMethod": QuantileHazen,
		"Axis": Axis(0), "an int": 0, "a float": 0.5, "a string": "a", "a slice": []float64{0, 1},
	}
	for name, tt := range map[string]struct {
		f     any
		takes []string
	}{
		"BinCount":          {BinCount, []string{"MinLength", "Weights"}},
		"Digitize":          {Digitize, []string{"Right"}},
		"Histogram":         {Histogram, []string{"Density", "Limits", "Weights"}},
		"HistogramBinEdges": {HistogramBinEdges, []string{"Density", "Limits", "Weights"}},
		"Interp":            {Interp, []string{"Left", "Period", "Right"}},
		"SearchSorted":      {SearchSorted, []string{"Sorter"}},
		"SearchSortedRight": {SearchSortedRight, []string{"Sorter"}},
	} {
		f := reflect.TypeOf(tt.f)
		option := f.In(f.NumIn() - 1).Elem()
		var takes []string
		for value, v := range values {
			if reflect.TypeOf(v).AssignableTo(option) {
				takes = append(takes, value)
			}
		}
		slices.Sort(takes)
		assert.Equal(t, tt.takes, takes, name)
	}
}
