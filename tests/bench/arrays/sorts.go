package main

import np "github.com/arrayrepl/arrayrepl/arrays"

// sortSizes are a length that the first cache holds, one of the second, one of the third and one of none.
var sortSizes = []int{1_000, 100_000, 1_000_000, 10_000_000}

// sortRows sort random numbers.
var sortRows = func() []row {
	var rows []row
	for _, d := range []struct {
		suffix string
		dtype  np.DType
	}{{"", np.Float64}, {" float32", np.Float32}, {" int64", np.Int64}, {" int32", np.Int32}, {" int16", np.Int16}} {
		rows = append(rows,
			row{"sort" + d.suffix, sortSizes, oneOf(d.dtype, func(x *np.Array) { np.Sort(x) })},
			row{"argsort" + d.suffix, sortSizes, oneOf(d.dtype, func(x *np.Array) { np.ArgSort(x) })},
		)
	}
	return append(rows,
		row{"sort rows of 8", []int{1_000, 100_000}, rowsOf8(func(x *np.Array) { np.Sort(x) })},
		row{"argsort rows of 8", []int{1_000, 100_000}, rowsOf8(func(x *np.Array) { np.ArgSort(x) })},
		row{"median", sortSizes, oneOf(np.Float64, func(x *np.Array) { np.Median(x) })},
		row{"median rows of 8", []int{1_000, 100_000}, rowsOf8(func(x *np.Array) { np.Median(x, 1) })},
		row{"partition", sortSizes, oneOf(np.Float64, func(x *np.Array) { np.Partition(x, x.Size()/2) })},
		row{"argpartition", sortSizes, oneOf(np.Float64, func(x *np.Array) { np.ArgPartition(x, x.Size()/2) })},
		row{"quantile", sortSizes, oneOf(np.Float64, func(x *np.Array) { np.Quantile(x, 0.9) })},
	)
}()

// oneOf is of n random numbers of a dtype: floats below 1, ints of all its positive numbers of up to 31 bits.
func oneOf(d np.DType, f func(x *np.Array)) func(int) func() {
	return func(n int) func() {
		x := np.DefaultRNG(1).Random(n)
		switch d {
		case np.Int64, np.Int32:
			x = x.Mul(1 << 31)
		case np.Int16:
			x = x.Mul(1 << 15)
		}
		x = x.AsType(d)
		return func() { f(x) }
	}
}

func rowsOf8(f func(x *np.Array)) func(int) func() {
	return func(n int) func() {
		x := np.DefaultRNG(1).Random(n, 8)
		return func() { f(x) }
	}
}
