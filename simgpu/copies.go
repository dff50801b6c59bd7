package simgpu

// copies are the copies to shared memory that a warp does not wait for: the cycles in which they are done.
type copies struct {
	open   int64   // of those that are in no group yet
	groups []int64 // the oldest first
}

func (c *copies) commit() {
	c.groups = append(c.groups, c.open)
	c.open = 0
}

// wait returns the cycle in which all groups are done but the left newest, of which it knows no more then.
func (c *copies) wait(left int) (at int64) {
	for len(c.groups) > left {
		at = max(at, c.groups[0])
		c.groups = c.groups[1:]
	}
	return at
}
