package offload

import "github.com/arrayrepl/arrayrepl/offload/partition"

// passed is a piece of a value that a device made in a step: its box of a root, of which the value's shape is a view.
type passed struct {
	device string
	step   int
	box    partition.Box
	root   []int
}

// mostPassed bounds how many pieces of a value are noted.
const mostPassed = 4096

// pass notes a piece; the first one begins anew.
func (c *copies) pass(p passed) {
	if p.step == 0 {
		c.passed = new([]passed)
	}
	if c.passed != nil && len(*c.passed) < mostPassed {
		*c.passed = append(*c.passed, p)
	}
}

// PassedOf returns the pieces by which a device that had no room for all of v made it, and in which of its steps each,
// counted from 1; none where v was not made so.
func (rt *Runtime) PassedOf(v *Value, shape []int) (Tiling, []int) {
	rt.take()
	defer rt.release()
	out := Tiling{Shape: shape}
	var steps []int
	if v.copies.passed == nil {
		return out, nil
	}
	for _, p := range *v.copies.passed {
		boxes, ok := over([]partition.Box{p.box}, p.root, shape)
		if !ok {
			boxes = []partition.Box{p.box}
		}
		for _, b := range boxes {
			out.Tiles, steps = append(out.Tiles, Tile{Box: b, Device: p.device}), append(steps, p.step+1)
		}
	}
	return out, steps
}
