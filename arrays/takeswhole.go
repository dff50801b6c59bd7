package arrays

// takesWhole is called with an array of which a function needs all elements at once, before it makes anything as large:
// package lazy refuses one that is in a file and more than the budget.
func takesWhole(op string, a *Array) {}

// pointsInBlocks is called by [Histogram2D]: package lazy counts points block by block that are in files.
func pointsInBlocks(a, b *Array, bins []int, xEdges, yEdges *Array) (counts *Array, ok bool) {
	return nil, false
}

// endsOnDisk is called by [TrimZeros]: package lazy finds by reductions, which stream, where along each axis of an
// array in a file there is something.
func endsOnDisk(a *Array) (ends [][2]int, ok bool) { return nil, false }

// picksInBlocks is called by [Compress]: package lazy picks by the mask itself, block by block, of what is in a file
// and more than the budget. In memory the places are found first, which is faster.
func picksInBlocks(a *Array) bool { return false }
