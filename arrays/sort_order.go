package arrays

// order is how the elements of a dtype sort: what does not compare (NaN, NaT) comes last. Rows of n elements are
// contiguous; dst is other memory than src.
type order struct {
	sort    func(dst, src []byte, n int)
	argsort func(dst []int64, src []byte, n int)
	search  func(dst []int64, list, v []byte, right bool)
	// partition writes elements to dst or their places; nil where rows are sorted instead
	partition func(dst []byte, places []int64, src []byte, n int, ks []int)
	pick      func(dst []byte, valid []int, src []byte, n int, want selected)
	starts    func(line []byte) []int // where the runs of equal elements of a sorted line begin; NaNs are equal
}

// orders are those of the dtypes of numbers.
var orders = onDemand[[numDTypes]order]{by: func() [numDTypes]order {
	return [numDTypes]order{
		Bool:       narrowKeys[uint8]().order(8),
		Int8:       narrowKeys[int8]().order(8),
		Int16:      narrowKeys[int16]().order(16),
		Int32:      intKeys[int32, uint32](true).order(32),
		Int64:      intKeys[int64, uint64](true).order(64),
		Uint8:      narrowKeys[uint8]().order(8),
		Uint16:     narrowKeys[uint16]().order(16),
		Uint32:     intKeys[uint32, uint32](false).order(32),
		Uint64:     intKeys[uint64, uint64](false).order(64),
		Float16:    halfKeys.order(16),
		Float32:    floatKeys[float32, uint32]().order(32),
		Float64:    floatKeys[float64, uint64]().order(64),
		Complex64:  complexKeys[complex64]().order(),
		Complex128: complexKeys[complex128]().order(),
	}
}}

var timeOrders = onDemand[order]{by: func() order { return timeKeys.order(64) }}

// orderOf returns the order of any dtype.
func orderOf(d DType) order {
	switch {
	case d.IsNumber():
		return orders.get()[d]
	case d.IsTime():
		return *timeOrders.get()
	}
	if d == StringDType {
		return textOrder
	}
	return textKeys(d.chars()).order()
}

// starts returns the first of n places, and those that differ from the one before.
func starts(n int, differs func(i int) bool) []int {
	var at []int
	for i := range n {
		if i == 0 || differs(i) {
			at = append(at, i)
		}
	}
	return at
}
