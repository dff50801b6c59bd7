package emulate

// copies are what a thread has asked for and not waited for. They are done as late as can be, so that who forgets to
// wait sees what was there before.
type copies struct {
	open   []func()
	groups [][]func()
}

// Later asks for a copy.
func (t *Thread) Later(do func()) { t.copies.open = append(t.copies.open, do) }

// Commit makes a group of the copies that were asked for since the last one.
func (t *Thread) Commit() {
	t.copies.groups = append(t.copies.groups, t.copies.open)
	t.copies.open = nil
}

// Finish does the copies of all groups but the left newest.
func (t *Thread) Finish(left int) {
	for len(t.copies.groups) > max(left, 0) {
		for _, do := range t.copies.groups[0] {
			do()
		}
		t.copies.groups = t.copies.groups[1:]
	}
}
