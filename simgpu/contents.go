package simgpu

import (
	"bytes"
	"encoding/binary"
	"unsafe"
)

// The memory of a simulated GPU is the host's all the same, so that a copy between the two need not be one: while
// nobody writes to it, both have the same bytes, and who writes on the GPU takes a copy of its own before. Copies are
// timed as if they were made. What follows belongs to the goroutine that executes.

// remap lets kernels see b's contents as they are now.
func (b *buffer) remap() {
	b.gpu.memory.Unmap(b.addr)
	if b.shared {
		b.gpu.memory.MapReadOnly(b.addr, b.data)
	} else {
		b.gpu.memory.Map(b.addr, b.data)
	}
}

// read returns the contents, which the caller does not write to.
func (b *buffer) read() []byte {
	if b.data == nil {
		return b.write(true)
	}
	return b.data
}

// write returns the contents, to write to; all of them, if all, so that it does not matter what they are now.
func (b *buffer) write(all bool) []byte {
	switch {
	case b.data == nil || b.shared && all:
		b.data = make([]byte, b.size)
	case b.shared:
		b.data = bytes.Clone(b.data)
	default:
		return b.data
	}
	b.shared = false
	b.remap()
	return b.data
}

// adopt makes host, which nobody writes to any more, the contents. It reports false where kernels cannot have it as it
// lies.
func (b *buffer) adopt(host []byte) bool {
	if len(host) != b.size || b.size == 0 || uintptr(unsafe.Pointer(&host[0]))%8 != 0 {
		return false
	}
	b.data, b.shared = host, true
	b.remap()
	return true
}

// lend returns the contents for the host to keep; nobody writes to them from now on.
func (b *buffer) lend() []byte {
	data := b.read()
	if !b.shared {
		b.shared = true
		b.remap()
	}
	return data
}

// prepare makes the GPU's memory ready for a launch: what k may write to is not shared with the host.
func (k *kernel) prepare(params []byte) {
	g := k.gpu
	for _, b := range g.blank {
		if g.contents[b.addr] == b {
			b.read()
		}
	}
	g.blank = g.blank[:0]
	for _, sources := range k.stores {
		found := false
		for _, off := range sources {
			addr := binary.LittleEndian.Uint64(params[off:])
			if s, ok := holding(g.mapped, addr); ok {
				g.contents[s.addr].write(false)
				found = true
			}
			found = found || addr >= linesFrom
		}
		if found {
			continue
		}
		for _, b := range g.contents { // the pointer comes out of memory
			b.write(false)
		}
	}
}
