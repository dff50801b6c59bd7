package kir

// FloatSums returns the operations of f that add floats to memory atomically. The order in which threads come to them
// is not defined, and with it the roundings of the sum.
func (f *Func) FloatSums() []*Value {
	var sums []*Value
	for _, blk := range f.Blocks {
		for _, v := range blk.Values {
			if v.Op == OpAtomicAdd && v.Type.IsFloat() {
				sums = append(sums, v)
			}
		}
	}
	return sums
}
