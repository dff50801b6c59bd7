package lazy

import (
	"cmp"
	"slices"
	"unsafe"

	"github.com/arrayrepl/arrayrepl/arrays"
)

// hostMemory is a piece of the host's memory that a launch gets: that of one Go slice, or of several that overlap. The
// kernel sees one buffer for all of them, as the Go function would.
type hostMemory struct {
	bytes []byte
	args  []int // the arguments that lie in it
}

// hostMemories returns the memory of the arguments that are Go slices. Slices that overlap share one piece; it takes n
// log n steps for n arguments.
func hostMemories(args []kernelArg) []hostMemory {
	var order []int
	for i, a := range args {
		if len(a.Bytes) > 0 {
			order = append(order, i)
		}
	}
	start := func(i int) uintptr { return uintptr(unsafe.Pointer(unsafe.SliceData(args[i].Bytes))) }
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(start(i), start(j)) })
	var all []hostMemory
	for _, i := range order {
		b := args[i].Bytes
		if len(all) > 0 {
			m := &all[len(all)-1]
			if off := int(start(i) - m.address()); off < len(m.bytes) {
				// Slices that overlap lie in one object of Go's memory.
				m.bytes = unsafe.Slice(unsafe.SliceData(m.bytes), max(len(m.bytes), off+len(b)))
				m.args = append(m.args, i)
				continue
			}
		}
		all = append(all, hostMemory{b, []int{i}})
	}
	return all
}

func (m *hostMemory) address() uintptr { return uintptr(unsafe.Pointer(unsafe.SliceData(m.bytes))) }

// offset returns where the slice b begins in the memory.
func (m *hostMemory) offset(b []byte) int {
	return int(uintptr(unsafe.Pointer(unsafe.SliceData(b))) - m.address())
}

// alignment is the most that Go aligns numbers to.
const alignment = 8

// pad returns how many bytes must lie before the memory in a buffer that is aligned for all types, so that each slice
// in it is aligned as it is on the host.
func (m *hostMemory) pad() int {
	if len(m.args) == 1 {
		return 0
	}
	return int(m.address() % alignment)
}

// padded returns a copy of the memory after as many bytes as pad says.
func (m *hostMemory) padded() []byte {
	b := make([]byte, m.pad()+len(m.bytes))
	copy(b[m.pad():], m.bytes)
	return b
}

// passHostMemory makes arrays of the arguments that are Go slices. The function that it returns copies what the kernel
// has written to the slices; it is nil when the kernel writes to none.
func passHostMemory(args []kernelArg, passed []*Array) (back func()) {
	var written []hostMemory
	for _, m := range hostMemories(args) {
		writes := slices.ContainsFunc(m.args, func(i int) bool { return args[i].Writes })
		b := m.bytes
		if !writes || m.pad() > 0 { // what is only read may change before the kernel runs
			b = m.padded()
		}
		whole := bytesArray(b)
		for _, i := range m.args {
			l := *contiguous([]int{len(args[i].Bytes)})
			l.Offset = m.pad() + m.offset(args[i].Bytes)
			passed[i] = whole.through(l)
		}
		if writes {
			written = append(written, m)
		}
	}
	if written == nil {
		return nil
	}
	return func() {
		made := make([][]byte, len(args)) // all of it first: an interrupt leaves all slices as they were
		for _, m := range written {
			for _, i := range m.args {
				if args[i].Writes {
					made[i] = passed[i].Array().Bytes()
				}
			}
		}
		for i, b := range made {
			copy(args[i].Bytes, b)
		}
	}
}

// bytesArray is host memory as an array of single bytes.
func bytesArray(b []byte) *Array {
	n := newNode(kindValue, arrays.Bool, contiguous([]int{len(b)}), &ordinary)
	n.value = runtime().HostValue(b)
	return n.whole()
}
