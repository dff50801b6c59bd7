package interp

import (
	"go/types"
	"reflect"
)

// Between calls f with a function that reads variables, and returns true; while a cell runs, which may be writing them,
// it calls nothing and returns false. No cell begins before f has returned: f must be quick, and call no method of the
// session. Goroutines that cells have left behind go on meanwhile.
func (s *Session) Between(f func(value func(name string) (reflect.Value, bool))) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.supervisor.WhileIdle(func() { f(s.valueOf) })
}

// valueOf is Value for who holds mu.
func (s *Session) valueOf(name string) (v reflect.Value, ok bool) {
	obj, ok := s.names[name].(*types.Var)
	if !ok || s.bound[obj] == nil {
		return reflect.Value{}, false
	}
	return s.bound[obj].Addr.Elem(), true
}

// TypeText writes a type as cells name it: np.Array, not lazy.Array.
func (s *Session) TypeText(t types.Type) string { return s.assistant.TypeString(t) }
