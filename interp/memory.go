package interp

// memory is what a session may take.
type memory struct{}

func (s *Session) watchMemory() {}
func (s *Session) watchWaits()  {}
