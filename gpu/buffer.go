package gpu

import (
	"errors"
	"fmt"
	"reflect"
	"runtime"
	"sync"
	"unsafe"

	"github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/lazy"
	"github.com/arrayrepl/arrayrepl/offload/device"
)

// Buffer is memory of a device for n elements of a dtype, for those who want to copy and launch by themselves, on a
// [Stream]. Kernels take it for a slice, or a pointer. Arrays need none: they are on a device where they are computed.
type Buffer struct {
	dtype arrays.DType
	n     int
	dev   device.Device
	mem   *memory

	variable string // whose value it has, as Stream.Launch gives it to kernels; "" for those of the program
}

// memory is a buffer's, apart from it so that it can be freed when the buffer is gone.
type memory struct {
	mu  sync.Mutex
	buf device.Buffer // nil when it has been freed

	uses uses // guarded by hazards
}

// NewBuffer returns a buffer of n elements on the device that np.Use has chosen. What they hold at first is not
// defined. It panics with a *device.OutOfMemory when the device is full, and with *Error when n is negative.
//
// For example:
//
//	x := gpu.NewBuffer(np.Float32, 1000)
//	s := gpu.NewStream()
//	s.CopyIn(x, np.Arange(1000).AsType(np.Float32))
func NewBuffer(dtype arrays.DType, n int) *Buffer {
	if n < 0 {
		panic(&Error{Err: fmt.Errorf("a buffer of %d elements: the number must be 0 or more", n)})
	}
	return newBuffer(lazy.Runtime().Device(), dtype, n)
}

func newBuffer(d device.Device, dtype arrays.DType, n int) *Buffer {
	buf, err := d.Alloc(n * dtype.Size())
	if err != nil {
		panic(err)
	}
	b := &Buffer{dtype: dtype, n: n, dev: d, mem: &memory{buf: buf}}
	runtime.AddCleanup(b, func(m *memory) { m.free() }, b.mem)
	return b
}

// Len returns the number of elements.
func (b *Buffer) Len() int { return b.n }

// DType returns the dtype of the elements.
func (b *Buffer) DType() arrays.DType { return b.dtype }

// Free gives the memory back once the work that is queued now is done; that happens by itself, some time after the last
// use of the buffer. It panics with *Error when it has been called before.
func (b *Buffer) Free() {
	if err := b.mem.free(); err != nil {
		panic(&Error{Err: err})
	}
}

func (m *memory) free() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.buf == nil {
		return errFreed
	}
	err := m.buf.Free()
	m.buf = nil
	return err
}

var errFreed = errors.New("the buffer has been freed")

func (b *Buffer) live() (device.Buffer, error) {
	b.mem.mu.Lock()
	defer b.mem.mu.Unlock()
	if b.mem.buf == nil {
		return nil, errFreed
	}
	return b.mem.buf, nil
}

func (b *Buffer) address() (uint64, error) {
	buf, err := b.live()
	if err != nil {
		return 0, err
	}
	return buf.Addr(), nil
}

// String says what the buffer is: "buffer of 1000 float32 on sim:v100#0".
func (b *Buffer) String() string {
	if b.variable != "" {
		return fmt.Sprintf("variable %s on %s", b.variable, b.dev.ID())
	}
	return fmt.Sprintf("buffer of %d %v on %s", b.n, b.dtype, b.dev.ID())
}

// hostBytes returns the memory of a slice that holds elements of b's dtype, at most as many as b.
func (b *Buffer) hostBytes(x any) ([]byte, error) {
	r := reflect.ValueOf(x)
	if r.Kind() != reflect.Slice {
		return nil, fmt.Errorf("a slice is wanted, not %s", describe(x))
	}
	name := r.Type().Elem().Kind().String()
	switch name {
	case "int":
		name = "int64"
	case "uint":
		name = "uint64"
	}
	if name != b.dtype.String() {
		return nil, fmt.Errorf("a slice of %s is wanted, as the buffer has, not a %T", b.dtype, x)
	}
	if r.Len() > b.n {
		return nil, fmt.Errorf("the slice has %d elements, the buffer %d", r.Len(), b.n)
	}
	if r.Len() == 0 {
		return nil, nil
	}
	return unsafe.Slice((*byte)(r.UnsafePointer()), r.Len()*b.dtype.Size()), nil
}

// noBuffers says that a launch of arrays cannot have buffers, whose memory the runtime does not know.
func (l *launch) noBuffers(what string) error {
	for i, a := range l.args {
		if b, ok := a.(*Buffer); ok {
			return fmt.Errorf("kernel %s, argument %d, %v: %s takes arrays and slices: buffers are for the method Launch of a stream", l.f.name(), i+1, b, what)
		}
	}
	return nil
}
