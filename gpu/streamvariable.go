package gpu

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/lazy"
	"github.com/arrayrepl/arrayrepl/offload/device"
	"github.com/arrayrepl/arrayrepl/offload/trace"
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
		b := newBuffer(d, arrays.Uint8, len(v.host))
		b.variable = v.v.name
		v.v.buffers[d.ID()] = b
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
		here.filled = s.fill(v.buffers[s.dev.ID()], here.held)
	} else if here.filled != nil && here.filled.moment.of != s.lane {
		s.Wait(here.filled)
	}
}

// fill copies the value of a variable to its buffer.
func (s *Stream) fill(b *Buffer, value []byte) *Event {
	buf, err := s.check("copy in", b, nil)
	if err != nil {
		panic(&Error{Err: err})
	}
	name := "the copy of the program's " + b.variable
	return s.push(device.Node{Kind: trace.CopyIn, Name: name, Dst: buf, Memory: slices.Clone(value)}, operand{buf: b, writes: true})
}

// uses notes that e, what a stream was given last, is a launch that uses variables.
func (s *Stream) uses(used []usedVariable, what string, e *Event) {
	if s.captured != nil {
		s.captured.used = append(s.captured.used, used...)
		return
	}
	for _, u := range used {
		if !u.writes {
			continue
		}
		u.v.mu.Lock()
		u.here.ahead, u.here.stream, u.here.by, u.here.held = e, s, what, nil
		u.v.mu.Unlock()
		s.mu.Lock()
		s.ahead = append(slices.DeleteFunc(s.ahead, func(o usedVariable) bool { return o.here == u.here }), u)
		s.mu.Unlock()
	}
}

// settle settles the variables that launches of the stream may have written to since it did so last.
func (s *Stream) settle() {
	for {
		s.mu.Lock()
		if len(s.ahead) == 0 {
			s.mu.Unlock()
			return
		}
		u := s.ahead[0]
		s.mu.Unlock()
		u.settle()
		s.mu.Lock()
		s.ahead = slices.DeleteFunc(s.ahead, func(o usedVariable) bool { return o.here == u.here })
		s.mu.Unlock()
	}
}

// settle gives the program what launches of streams have written to the variable on its devices.
func (v *Variable) settle() {
	v.v.mu.Lock()
	defer v.v.mu.Unlock()
	v.v.settle(v.host, v.on)
}

// settle waits for launches of streams that may have written to the variable on the named devices, and gives the value
// to the program. When a launch has failed, nobody knows what they have. An interrupt panics, and leaves all as it is.
func (v *deviceVariable) settle(host []byte, on string) {
	here := v.on[on]
	if here == nil || here.ahead == nil {
		return
	}
	s, e, b := here.stream, here.ahead, make([]byte, len(host))
	err := e.wait()
	if err == nil {
		if s.captured != nil {
			s = streamOn(s.dev)
		}
		err = s.CopyOut(b, v.buffers[s.dev.ID()]).wait()
	}
	if stop := lazy.Runtime().CellContext().Err(); stop != nil && err != nil {
		panic(stop)
	}
	here.ahead, here.stream = nil, nil
	if err != nil {
		here.failed, here.held = err, nil
		return
	}
	untouched := bytes.Equal(host, v.seen)
	here.array, here.value, here.held = copyOf(b).array, b, slices.Clone(b)
	if untouched { // else the program has assigned it meanwhile, which follow tells all devices
		v.back(host, b, on)
	}
}

// lost says that nobody knows what the devices of v have of it, nil where it is known.
func (c *deviceCopy) lost(v *Variable) error {
	if c.failed == nil {
		return nil
	}
	why := fmt.Sprintf("has failed (%v)", c.failed)
	if errors.Is(c.failed, context.Canceled) || errors.Is(c.failed, context.DeadlineExceeded) {
		why = "was interrupted"
	}
	return fmt.Errorf("variable %s has no value on %s: %s, which may have written to it, %s; gpu.CopyTo(&%[1]s, …) gives it one", v.v.name, v.on, c.by, why)
}
