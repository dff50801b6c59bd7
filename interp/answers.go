package interp

import "github.com/arrayrepl/arrayrepl/interp/assist"

// What is said of a text at a cursor; see package [assist].
type (
	Completion  = assist.Completion
	Match       = assist.Match
	Call        = assist.Call
	Description = assist.Description
)

// Complete is [assist.Assistant.Complete] with the session's names.
func (s *Session) Complete(src string, cursor int) Completion {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.assistant.Complete(src, cursor)
}

// Describe is [assist.Assistant.Describe] with the session's names.
func (s *Session) Describe(src string, cursor, detail int) (d Description, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.assistant.Describe(src, cursor, detail)
}

// Inspect is the plain text of [Session.Describe] without detail.
func (s *Session) Inspect(src string, cursor int) (text string, ok bool) {
	d, ok := s.Describe(src, cursor, 0)
	if !ok {
		return "", false
	}
	return d.Plain(), true
}
