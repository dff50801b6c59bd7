package dp

import np "github.com/arrayrepl/arrayrepl/lazy"

// mostShown is how many cells lists may have whose rounds are kept to be shown.
const mostShown = 64

// frame is what cells know after a round.
type frame struct {
	pointers []int // of each cell, -1 for none
	active   []int // the cells that have worked
}

// show keeps a frame.
func (c *chased) show(cells *np.Array) {
	if c.n == 0 || c.n > mostShown {
		return
	}
	f := frame{pointers: c.chum.Ints()}
	if cells != nil {
		f.active = cells.Ints()
	}
	c.frames = append(c.frames, f)
}
