package vector

// Sorts are the parts of a quicksort of unsigned keys.
type Sorts[K uint32 | uint64] struct {
	Small   int         // the most keys that Network takes
	Network func(x []K) // sorts x
	// brings the n keys up to pivot before the others; x has more than Small keys
	Partition func(x []K, pivot K) (n int)
}

// SortsUint64 returns the parts for keys of 64 bits, nil where the processor has no loops for them.
func SortsUint64() *Sorts[uint64] { return sortsUint64() }

// SortsUint32 returns the parts for keys of 32 bits, nil where the processor has no loops for them.
func SortsUint32() *Sorts[uint32] { return sortsUint32() }
