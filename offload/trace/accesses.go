package trace

// Accesses is which threads of a launch read and write which elements, where it is small enough to look at each.
type Accesses struct {
	Kernel      string
	Grid, Block [3]int
	Arrays      []Accessed
	List        []Access // in the order of the run, one block after the other
	Cut         bool     // there were more
	Failed      string   // why the run ended early; empty when it came to its end
}

// Accessed is a slice that a kernel was given, or an array of shared memory, of which each block has one.
type Accessed struct {
	Name   string
	Len    int
	Shared bool
}

// Access is one of a thread to one element. An atomic reads and writes.
type Access struct {
	Block, Thread int32 // numbers in the grid and in the block, x fastest
	Array, Index  int32 // in Accesses.Arrays, and in that array
	Reads, Writes bool
}

// Writer returns the last access that wrote the element, and false when none did.
func (a *Accesses) Writer(array, index int) (Access, bool) {
	for i := len(a.List) - 1; i >= 0; i-- {
		if x := a.List[i]; x.Writes && int(x.Array) == array && int(x.Index) == index {
			return x, true
		}
	}
	return Access{}, false
}

// Place returns where the thread is in its block, and its block in the grid.
func (a *Accesses) Place(x Access) (block, thread [3]int) {
	at := func(n int32, size [3]int) [3]int {
		w, h := max(size[0], 1), max(size[1], 1)
		return [3]int{int(n) % w, int(n) / w % h, int(n) / w / h}
	}
	return at(x.Block, a.Grid), at(x.Thread, a.Block)
}
