package gpu

import (
	"errors"
	"fmt"
	"runtime"

	"github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/lazy"
	"github.com/arrayrepl/arrayrepl/offload/device"
	"github.com/arrayrepl/arrayrepl/offload/trace"
)

// ManagedBuffer is managed memory for n elements of a dtype: the host and kernels use it without copies, and its pages
// move to where they are touched. Launches on streams take it for a slice.
//
// On a simulated GPU each page that a kernel touches and the device has not is a fault: pages of the preset's size come
// over the link, served some at a time, and the pages used longest ago leave when room is short. The report of the
// launch counts them, viz.Faults draws them.
type ManagedBuffer struct {
	*Buffer
	mem device.Managed
}

// Managed returns managed memory for n elements, zeros, on the device that np.Use has chosen; it may be larger than the
// device's memory. It is CUDA's cudaMallocManaged. It panics with *Error where the device has no pages that move by
// themselves: machines before compute capability 6.0, the CPU, and for now cards.
//
// For example:
//
//	x := gpu.Managed(np.Float32, 1<<20)
//	s := gpu.NewStream()
//	copy(x.Host(s).Float32(), values) // pages are with the host
//	s.Launch(double, 4096, 256, x)    // and come by faults
//	s.Prefetch(x)                     // or before, without faults
func Managed(dtype arrays.DType, n int) *ManagedBuffer {
	if n < 0 {
		panic(&Error{Err: fmt.Errorf("a managed buffer of %d elements: the number must be 0 or more", n)})
	}
	d := lazy.Runtime().Device()
	u, ok := d.(device.Unified)
	if !ok {
		panic(&Error{Err: fmt.Errorf("gpu.Managed(%v, %d): %s has no managed memory: simulated GPUs from compute capability 6.0 on have it; use gpu.NewBuffer and copies", dtype, n, d.ID())})
	}
	mem, err := u.AllocManaged(n * dtype.Size())
	if err != nil {
		panic(&Error{Err: fmt.Errorf("gpu.Managed(%v, %d): %w", dtype, n, err)})
	}
	b := &ManagedBuffer{&Buffer{dtype: dtype, n: n, dev: d, mem: &memory{buf: mem}}, mem}
	runtime.AddCleanup(b.Buffer, func(m *memory) { m.free() }, b.Buffer.mem)
	return b
}

// Host waits until all is done that the stream has been given, moves the pages that the device has to the host, as a
// program's access to each does, and returns the memory. It is the program's until the next launch that uses the
// buffer.
func (b *ManagedBuffer) Host(s *Stream) *HostBuffer {
	s.migrate(b, false)
	s.Sync()
	return &HostBuffer{dtype: b.dtype, n: b.n, bytes: b.mem.Memory()}
}

// String says what the buffer is.
func (b *ManagedBuffer) String() string { return "managed " + b.Buffer.String() }

// Prefetch moves the pages of a managed buffer to the stream's device, in one copy and without faults: as many, from
// the first on, as there is room for. It is CUDA's cudaMemPrefetchAsync.
func (s *Stream) Prefetch(b *ManagedBuffer) *Event { return s.migrate(b, true) }

func (s *Stream) migrate(b *ManagedBuffer, toDevice bool) *Event {
	if b == nil {
		panic(&Error{Err: errors.New("the managed buffer is nil; was it never assigned?")})
	}
	buf, err := s.check("prefetch", b.Buffer, nil)
	if err != nil {
		panic(&Error{Err: err})
	}
	n := device.Node{Kind: trace.CopyOut, Name: "prefetch to the host", Src: buf, Migrate: true}
	if toDevice {
		n = device.Node{Kind: trace.CopyIn, Name: "Prefetch", Dst: buf, Migrate: true}
	}
	return s.push(n, operand{buf: b.Buffer})
}

// Advice is what a program says of the use of managed memory.
type Advice = device.Advice

// What may be said of managed memory.
const (
	NoAdvice   = device.AdviseNothing
	ReadMostly = device.AdviseReadMostly // a page that is read on the device stays with the host too, so that it need not go back
	StayOnHost = device.AdviseOnHost     // pages stay with the host, and kernels read and write them over the link
)

// Advise says how the buffer is going to be used: ReadMostly, StayOnHost or NoAdvice, for what is queued from now on.
// It is CUDA's cudaMemAdvise.
func (b *ManagedBuffer) Advise(a Advice) {
	if a > StayOnHost {
		panic(&Error{Err: fmt.Errorf("Advise: there is gpu.ReadMostly, gpu.StayOnHost and gpu.NoAdvice, not %d", a)})
	}
	b.mem.Advise(a)
}
