package lazy

// Places returns the names of the memories that have valid copies of what a is, or of the array that it is a view of:
// "host", and the IDs of devices, "sim:v100x8#3", sorted; none before that has been computed. It computes nothing.
func (a *Array) Places() []string {
	rt := runtime()
	check("Places", lock(rt.CellContext()))
	defer unlock()
	a.ref.mu.Lock()
	v := a.ref.node.value
	a.ref.mu.Unlock()
	if v == nil {
		return nil
	}
	return rt.PlacesOf(v)
}
