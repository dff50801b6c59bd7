package simgpu

// MIMD lets every thread go its own way: in a cycle a scheduler issues as many threads as a warp has lanes, of any of
// its warps, wherever they are. Units take as many threads a cycle as they have lanes. Threads of one warp that come to
// the same load or store in the same cycle make one access. No machine is built so: it is the bound from above for
// policies that keep threads together, with the same peak and the same memory.
type MIMD struct{}

// Name returns "mimd".
func (MIMD) Name() string { return "mimd" }

// New returns a split that never meets another.
func (MIMD) New(lanes Mask, join []int) Split { return NREC{}.New(lanes, join) }

// Share implements Sharer: each thread begins alone.
func (MIMD) Share(lanes Mask) []Mask {
	var out []Mask
	for rest := lanes; rest != 0; rest &= rest - 1 {
		out = append(out, rest&-rest)
	}
	return out
}
