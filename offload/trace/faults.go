package trace

// FaultBatch is page faults of a kernel that were served together.
type FaultBatch struct {
	At, Took Time // from the kernel's start
	Pages    int  // that came to the device
	Evicted  int  // that left it for them
}

// FaultTime is how long the kernel waited for pages in all.
func (s *KernelStats) FaultTime() (t Time) {
	for _, f := range s.Faults {
		t += f.Took
	}
	return t
}

// FaultedPages returns how many pages came to the device by faults, and how many left it.
func (s *KernelStats) FaultedPages() (in, out int) {
	for _, f := range s.Faults {
		in, out = in+f.Pages, out+f.Evicted
	}
	return in, out
}
