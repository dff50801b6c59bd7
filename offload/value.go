package offload

import (
	"weak"

	"github.com/arrayrepl/arrayrepl/offload/device"
)

// Value is a fixed number of bytes that tasks read and write. It is written once, by the task that makes it, and may then
// have several valid copies. Values belong to one Runtime.
type Value struct {
	size   int
	host   []byte // valid copy, or nil
	copies *copies
}

// copies are a value's device copies, apart from the Value so that they can be freed after it is gone.
type copies struct {
	on map[device.Device]*resident
}

// resident is one device copy.
type resident struct {
	dev     device.Device
	buf     device.Buffer
	value   weak.Pointer[Value]
	used    int64 // number of the run that used it last
	until   int   // number of the last task of that run that reads it
	counted int64 // number of the run that counts it as needed
}

// Bytes returns the value's size.
func (v *Value) Bytes() int { return v.size }

// Host returns the host's valid copy, or nil when it has none. Do not write to it.
func (v *Value) Host() []byte { return v.host }

// Done reports whether the value has been made: a valid copy exists somewhere.
func (v *Value) Done() bool { return v.host != nil || len(v.copies.on) > 0 }
