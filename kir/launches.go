package kir

// A kernel that launches others asks for them in a queue, which whoever has launched it empties when it has ended: a
// counter of 32 bits, and records. A record is 8-byte words: the number of the call in the source, grid and block by
// axes, the thread's number in the grid, the addresses of the kernel's slices, and what the call passes.
const (
	LaunchCount    = "launches.count"    // the parameter that is the counter's address
	LaunchRecords  = "launches.records"  // that of the first record's
	LaunchCapacity = "launches.capacity" // how many records there is room for; the counter goes on beyond
	LaunchStride   = "launches.stride"   // bytes of a record
	LaunchHead     = 8                   // words of a record before the addresses of slices
)

// Launches returns where the kernel asks for a launch, the first place of several; nil where it asks for none.
func (f *Func) Launches() *Value {
	n := -1
	for i, p := range f.Params {
		if p.Name == LaunchCount {
			n = i
		}
	}
	if n < 0 {
		return nil
	}
	for _, b := range f.Blocks {
		for _, v := range b.Values {
			if !v.Op.IsAtomic() {
				continue
			}
			if at, _ := v.Args[0].ParamRef(); v.Args[0].Op == OpParam && at == n {
				return v
			}
		}
	}
	return nil
}

// What Bounds.Nested may be.
const (
	NestedAfter  = 1 // the launch begins when those have ended that are nested or ask for launches
	NestedBeside = 2 // it begins with the nested one before it
)
