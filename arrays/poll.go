package arrays

import (
	"errors"
	"io"
	"sync/atomic"

	"github.com/arrayrepl/arrayrepl/internal/dense"
)

var onPoll atomic.Pointer[func()]

// Wiring has what the program around the arrays sets, and what other packages that compute ask of it: no cell needs it.
type Wiring struct{}

// OnPoll makes f be called, by the goroutine that computes, about every hundredth of a second of long work: it may
// panic to end the work. Nil takes it back. What was computed so far is dropped; operands are as they were, but an
// array that Set writes to may be half written.
func (Wiring) OnPoll(f func()) {
	if f == nil {
		onPoll.Store(nil)
		return
	}
	onPoll.Store(&f)
}

// pollEvery is how much work, in elements or products, lies between two polls.
const pollEvery = 4 << 20

// costOfSearch is what the search for an element in a long list costs, in elements of plain work.
const costOfSearch = 256

// poller counts work. Its zero value is ready.
type poller int

// did counts n elements of work, and polls when they have become many.
func (p *poller) did(n int) {
	if *p += poller(n); *p >= pollEvery {
		*p = 0
		poll()
	}
}

// inSteps calls do with the pieces of 0 to n, and polls before each: for loops whose elements cost more than a few
// nanoseconds, page faults among them.
func inSteps(n int, do func(lo, hi int)) {
	const step = 1 << 19
	for lo := 0; lo < n; lo += step {
		poll()
		do(lo, min(lo+step, n))
	}
}

// Underway names the routine that computes now and cannot be asked whether to go on, as gonum's for eigenvalues; "" for
// none. An interrupt waits for its end.
func (Wiring) Underway() string { return dense.Underway() }

// eachPolled calls do for 0 to n, and polls in between: for work of some ten nanoseconds each.
func eachPolled(n int, poll func(), do func(i int)) {
	for i := range n {
		if i&(1<<16-1) == 0 {
			poll()
		}
		do(i)
	}
}

// polledBytes is how many bytes are read or written between two polls: to pack them takes a few milliseconds.
const polledBytes = 1 << 16

// polledWriter writes to w, and polls: for what packs bytes, and for what writes them from its own loops.
type polledWriter struct{ w io.Writer }

// Write implements io.Writer.
func (p polledWriter) Write(b []byte) (n int, err error) {
	for {
		poll()
		some := b[n:min(n+polledBytes, len(b))]
		wrote, err := p.w.Write(some)
		if n += wrote; err != nil || n == len(b) {
			return n, err
		}
	}
}

// packed lets pack write to w, and polls. What ends the work is an error to pack, and goes on once that has returned:
// some packers of Go's library write on in deferred calls, from a state in which they must not be left.
func packed(w io.Writer, pack func(w io.Writer) error) error {
	s := &endingWriter{w: w}
	err := pack(s)
	if s.end != nil {
		panic(s.end)
	}
	return err
}

var errEnded = errors.New("the work was stopped")

// endingWriter is a polledWriter that keeps a panic.
type endingWriter struct {
	w   io.Writer
	end any
}

// Write implements io.Writer.
func (e *endingWriter) Write(b []byte) (n int, err error) {
	defer func() {
		if r := recover(); r != nil {
			e.end, err = r, errEnded
		}
	}()
	if e.end != nil {
		return 0, errEnded
	}
	return polledWriter{e.w}.Write(b)
}

// polledReader reads from r, and polls: for decoders that cannot be asked.
type polledReader struct{ r io.Reader }

// Read implements io.Reader.
func (p polledReader) Read(b []byte) (int, error) {
	poll()
	return p.r.Read(b[:min(len(b), 16*polledBytes)])
}

// polled is a polledReader of r, for [budget.ReadFileThrough].
func polled(r io.Reader) io.Reader { return polledReader{r} }

// Poll asks what [Wiring.OnPoll] set whether to go on, about every hundredth of a second of work: for other packages
// that go through the elements of large arrays.
func (Wiring) Poll() { poll() }

func poll() {
	if f := onPoll.Load(); f != nil {
		(*f)()
	}
}
