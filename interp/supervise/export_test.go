package supervise

// What tests of whole sessions ask for.

// DescribeTime is how long the text of a panic's value may take.
var DescribeTime = &describeTime

// BareVerbs is bareVerbs.
var BareVerbs = bareVerbs

// WorkerWaits reports whether a goroutine waits for the next cell.
func WorkerWaits() bool { return workless.Load() }

// Crews returns how many crews may have goroutines.
func (s *Supervisor) Crews() (n int) {
	s.owners.each(func(*crew) { n++ })
	return n
}

// Opened returns how much is kept of what cells have opened.
func (s *Supervisor) Opened() (n int) {
	s.opened.m.Range(func(_, _ any) bool { n++; return true })
	return n
}

// WaitedFor returns for how many locks, groups and conditions goroutines wait.
func (s *Supervisor) WaitedFor() int {
	_, things := s.parked.Waiting()
	s.conds.mu.Lock()
	defer s.conds.mu.Unlock()
	return things + len(s.conds.n)
}

// Abandoned returns how many crews were abandoned and may have goroutines.
func (s *Supervisor) Abandoned() int {
	s.left.mu.Lock()
	defer s.left.mu.Unlock()
	return len(s.left.names)
}
