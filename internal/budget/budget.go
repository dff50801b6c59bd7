package budget

import (
	"fmt"
	"io"
	"math"
	"math/bits"
	"runtime/debug"
	"sync/atomic"
)

// Small is the number of bytes below which nobody is asked.
const Small = 1 << 20

// machineAsked is the number of bytes below which the machine is not asked, which takes longer than to read them.
const machineAsked = 64 << 20

// Asked is what limits a program: it returns an error when something, as "an array", of so many bytes is too large.
type Asked func(what string, bytes int64) error

var limit atomic.Pointer[Asked]

// Ask makes f the limit of the program, as a session of cells has one. Nil takes it back.
func Ask(f Asked) {
	if f == nil {
		limit.Store(nil)
		return
	}
	limit.Store(&f)
}

// Refused is the value of a panic of what makes something large and returns no error.
type Refused struct{ Err error }

// Error returns the text of the error.
func (r Refused) Error() string { return r.Err.Error() }

// Unwrap returns the error.
func (r Refused) Unwrap() error { return r.Err }

// Limited asks the program's limit, if there is one.
func Limited(what string, bytes int64) error {
	if f := limit.Load(); f != nil && bytes >= Small {
		return (*f)(what, bytes)
	}
	return nil
}

// For returns an error when there is no memory for something of so many bytes: the program's limit does not allow it,
// or the machine has less. What names it, as "the picture". It is for sizes that are read from somewhere; it takes
// longer than [Limited].
func For(what string, bytes int64) error {
	if bytes < Small {
		return nil
	}
	if err := Limited(what, bytes); err != nil {
		return err
	}
	if bytes < machineAsked {
		return nil
	}
	free := Free()
	if bytes > free && bytes <= physical() { // garbage may be in its place
		debug.FreeOSMemory()
		free = Free()
	}
	if bytes > free {
		return fmt.Errorf("%s takes %s of memory, and %s are free", what, Bytes(bytes), Bytes(free))
	}
	return nil
}

// Product multiplies sizes, none of them negative. What is beyond an int64 is the largest of them, which nothing has
// room for.
func Product(sizes ...int) int64 {
	product := uint64(1)
	for _, n := range sizes {
		hi, lo := bits.Mul64(product, uint64(n))
		if n == 0 {
			return 0
		}
		if product = lo; hi != 0 || lo > math.MaxInt64 {
			product = math.MaxInt64
		}
	}
	return int64(product)
}

// ReadAll reads all of r, as [io.ReadAll] does, and asks as it grows. Size is how many bytes r has where that is known,
// else 0.
func ReadAll(r io.Reader, what string, size int64) ([]byte, error) {
	if err := For(what, size); err != nil {
		return nil, err
	}
	b := make([]byte, 0, min(max(size+1, 512), Small)) // a byte more shows the end; what is declared may not be there
	for {
		if len(b) == cap(b) {
			n := 2 * cap(b)
			if size >= int64(cap(b)) {
				n = int(min(size+1, int64(16*cap(b))))
			}
			if err := For(what, int64(n)); err != nil {
				return nil, err
			}
			b = append(make([]byte, 0, n), b...)
		}
		n, err := r.Read(b[len(b):cap(b)])
		b = b[:len(b)+n]
		if err == io.EOF {
			return b, nil
		} else if err != nil {
			return nil, err
		}
	}
}

// Bytes writes a number of bytes as people say it.
func Bytes(n int64) string {
	f, unit := float64(n), "B"
	for _, u := range []string{"kB", "MB", "GB", "TB", "PB", "EB"} {
		if f < 999.5 {
			break
		}
		f, unit = f/1000, u
	}
	return fmt.Sprintf("%.3g %s", f, unit)
}
