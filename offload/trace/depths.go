package trace

// DepthCurve is how many reads a disk makes in a second, by how many are under way at once.
type DepthCurve struct {
	Name     string // "the disk here", "optane*4"
	Modelled bool   // else it was measured
	Line     int    // bytes of a read
	Depths   []int  // reads under way, growing
	Rates    []float64
	Knee     float64 // Little's T·L: with so many reads under way it is at its peak
}
