package gpu

import (
	"fmt"
	"reflect"
	"slices"
	"unsafe"

	"github.com/arrayrepl/arrayrepl/internal/golabel"
	"github.com/arrayrepl/arrayrepl/internal/kernelcall"
	"github.com/arrayrepl/arrayrepl/lazy"
)

// Memory of the host is used by streams, whose copies are operations like others, and by the program itself, which
// comes after what it has waited for and before whatever it queues. Slices are not objects that could keep their uses,
// and may share memory in part, so that uses are kept in one list, of the operations that the program has not waited
// for. The list keeps the memory, too: no other slice gets the addresses of one whose uses are remembered.

// hostMemory is memory of the host.
type hostMemory struct {
	bytes []byte
	what  string // "slice of 1000 float32"
}

// memory returns what a HostBuffer has.
func (h *HostBuffer) memory() hostMemory { return hostMemory{h.bytes, h.String()} }

// slice returns the memory of a slice with elements of b's dtype.
func (b *Buffer) slice(bytes []byte) hostMemory {
	return sliceMemory(bytes, b.dtype.String(), b.dtype.Size())
}

// sliceMemory returns the memory of a slice with elements of a type that has so many bytes.
func sliceMemory(bytes []byte, of string, size int) hostMemory {
	return hostMemory{bytes, fmt.Sprintf("slice of %d %s", len(bytes)/max(size, 1), of)}
}

// overlaps reports whether two share a byte.
func (m hostMemory) overlaps(o hostMemory) bool {
	if len(m.bytes) == 0 || len(o.bytes) == 0 {
		return false
	}
	at, other := uintptr(unsafe.Pointer(&m.bytes[0])), uintptr(unsafe.Pointer(&o.bytes[0]))
	return at < other+uintptr(len(o.bytes)) && other < at+uintptr(len(m.bytes))
}

// within reports whether o has all bytes of m, which is not empty.
func (m hostMemory) within(o hostMemory) bool {
	at, other := uintptr(unsafe.Pointer(&m.bytes[0])), uintptr(unsafe.Pointer(&o.bytes[0]))
	return other <= at && at+uintptr(len(m.bytes)) <= other+uintptr(len(o.bytes))
}

// hostUse is what an operation does with memory of the host.
type hostUse struct {
	use
	memory hostMemory

	told string // where the program has been told last that it has not waited for it
}

// hostUses are the uses of operations that the program has not waited for, in the order in which they were queued.
type hostUses []hostUse

// mostHostUses and mostHostBytes bound them: those that were queued first are forgotten, so that a program which never
// waits does not keep all of its slices.
const (
	mostHostUses  = 1000
	mostHostBytes = 256 << 20
)

// of notes u, and tells of the uses that it needs an event for.
func (h *hostUses) of(u hostUse, tell func(before *hostUse, now hostUse)) {
	if len(u.memory.bytes) == 0 {
		return
	}
	h.against(u, func(b *hostUse) bool { return b.comesBefore(u.moment) }, tell)
	*h = slices.DeleteFunc(*h, func(b hostUse) bool { // whoever comes after u comes after these
		return (u.writes || !b.writes) && b.comesBefore(u.moment) && b.memory.within(u.memory)
	})
	*h = append(*h, u)
	bytes := 0
	for i, b := range slices.Backward(*h) {
		if bytes += len(b.memory.bytes); i < len(*h)-1 && (bytes > mostHostBytes || len(*h)-i > mostHostUses) {
			*h = slices.Delete(*h, 0, i+1)
			break
		}
	}
}

// against tells of the uses that share bytes with u, of which one writes, and that do not come before it.
func (h *hostUses) against(u hostUse, before func(*hostUse) bool, tell func(before *hostUse, now hostUse)) {
	*h = slices.DeleteFunc(*h, func(b hostUse) bool { return b.n <= b.moment.of.synced })
	for i := range *h {
		if b := &(*h)[i]; (b.writes || u.writes) && b.memory.overlaps(u.memory) && !before(b) {
			tell(b, u)
		}
	}
}

// used tells of operations that may still use memory of the host when a function of this package, by its name, lets the
// program read or write it, or does so itself; does says what it does with it, and unless when nothing is wrong. What a
// stream calls comes after the stream's operations, and is not looked at.
func used(what, does, unless string, m hostMemory, writes bool) {
	hazards.Lock()
	if len(hazards.host) == 0 || len(m.bytes) == 0 { // nearly always, and a loop may come here for each element
		hazards.Unlock()
		return
	}
	now := hostUse{use: use{what: what, writes: writes}, memory: m}
	var early []*hostUse
	hazards.host.against(now, func(*hostUse) bool { return false }, func(b *hostUse, _ hostUse) { early = append(early, b) })
	if len(early) == 0 || golabel.Within() {
		hazards.Unlock()
		return
	}
	now.place = placeHere()
	var told []string
	for _, b := range early {
		if b.told == now.String() {
			continue
		}
		b.told = now.String()
		f := Finding{
			Kind:     "missing wait",
			What:     fmt.Sprintf("the program uses a %s that a stream may not be done with: the result may be anything", m.what),
			Accesses: []string{b.String() + b.verb(), now.String() + " " + does},
			Remedy:   "wait for the first before: its stream's Sync, or the Wait of its event",
			Count:    1,
		}
		if unless != "" {
			f.Remedy += "; " + unless
		}
		if text := f.keep(); text != "" {
			told = append(told, text)
		}
	}
	hazards.Unlock()
	if rt := lazy.Runtime(); rt.Warn != nil {
		for _, text := range told {
			rt.Warn(text)
		}
	}
}

// usesSlices tells of operations of streams that may still use slices which a launch reads and writes.
func (l *launch) usesSlices(args []kernelcall.Arg[lazy.Array]) {
	for _, a := range args {
		if len(a.Bytes) == 0 {
			continue
		}
		m := sliceMemory(a.Bytes, "bytes", 1)
		for _, x := range l.args { // as the program knows it
			r := reflect.ValueOf(x)
			if r.Kind() == reflect.Slice && r.Len() > 0 && r.UnsafePointer() == unsafe.Pointer(&a.Bytes[0]) {
				m = sliceMemory(a.Bytes, r.Type().Elem().String(), int(r.Type().Elem().Size()))
			}
		}
		used("the launch of "+l.f.name(), use{writes: a.Writes}.verb()[1:], "", m, a.Writes)
	}
}
