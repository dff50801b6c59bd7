package interp

func (s *Session) watchWaits() {}
