package gpu

import (
	"bytes"
	"slices"

	"github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/offload/device"
)

// Streams have a device's copy of a variable in a buffer, one for as long as the variable lives, so that graphs may
// have its address. It is filled before a launch where the copy has another value, and copied back by the Sync behind
// it, or when somebody asks for the value.

// buffer returns the variable's buffer on a device. It panics with a *device.OutOfMemory when the device is full.
func (v *Variable) buffer(d device.Device) *Buffer {
	v.v.mu.Lock()
	defer v.v.mu.Unlock()
	if v.v.buffers[d.ID()] == nil {
		if v.v.buffers == nil {
			v.v.buffers = map[string]*Buffer{}
		}
		v.v.buffers[d.ID()] = newBuffer(d, arrays.Uint8, len(v.host))
	}
	return v.v.buffers[d.ID()]
}

// upload gives the buffer the value that a stream's next launch is to find, if it has another.
func (u *usedVariable) upload(s *Stream) {
	v, here := u.v, u.here
	v.mu.Lock()
	defer v.mu.Unlock()
	if here.ahead != nil {
		return
	}
	if now := here.array.Array().Bytes(); !bytes.Equal(now, here.held) {
		here.held = slices.Clone(now)
		s.CopyIn(v.buffers[s.dev.ID()], here.held)
	}
}

// uses notes that e is a launch that uses variables.
func (s *Stream) uses(used []usedVariable, e *Event) {
	if s.captured != nil {
		s.captured.used = append(s.captured.used, used...)
		return
	}
	for _, u := range used {
		if !u.writes {
			continue
		}
		u.v.mu.Lock()
		u.here.ahead, u.here.stream, u.here.held = e, s, nil
		u.v.mu.Unlock()
		s.mu.Lock()
		s.ahead = append(slices.DeleteFunc(s.ahead, func(o usedVariable) bool { return o.here == u.here }), u)
		s.mu.Unlock()
	}
}

// settle waits for launches of streams that may have written to the variable, and gives its value to the program.
func (v *Variable) settle() {
	v.v.mu.Lock()
	defer v.v.mu.Unlock()
	v.settled()
}

// settled is settle for who holds v.v.mu. When a launch has failed, the device has what it had before.
func (v *Variable) settled() {
	here := v.v.on[v.on]
	if here == nil || here.ahead == nil {
		return
	}
	s, e := here.stream, here.ahead
	here.ahead, here.stream, here.held = nil, nil, nil
	e.Wait()
	b := make([]byte, len(v.host))
	s.CopyOut(b, v.v.buffers[s.dev.ID()]).Wait()
	untouched := bytes.Equal(v.host, v.v.seen)
	here.array, here.value, here.held = copyOf(b).array, b, slices.Clone(b)
	if untouched { // else the program has assigned it meanwhile, which follow tells all devices
		v.v.back(v.host, b)
	}
}
