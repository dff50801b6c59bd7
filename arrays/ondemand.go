package arrays

import "sync/atomic"

// onDemand is a value that is made when it is first asked for. A table that a call makes at the start of a program is
// linked into every one, with all that it names; this is data, which the linker leaves out where nothing asks for it.
type onDemand[T any] struct {
	by    func() T // gives the same each time: two that ask at the same time may both call it
	value atomic.Pointer[T]
}

func (m *onDemand[T]) get() *T {
	if v := m.value.Load(); v != nil {
		return v
	}
	v := m.by()
	m.value.Store(&v)
	return &v
}
