package lazy

import (
	"errors"
)

// An operation that is wrong because of its elements, as the inverse of a singular matrix, fails when somebody asks for
// what it makes, which may be long after, in another cell. So those that can fail like that keep the place where they
// were written, and their errors name it.

// here is the place in the program that is being executed, nil where nobody knows; see offload.Runtime.
func here() any {
	if at := runtime().Here; at != nil {
		return at()
	}
	return nil
}

// writtenHere notes in n, which nobody else has yet, the place that writes it.
func (n *node) writtenHere() *node {
	if at := here(); at != nil {
		n.own().wrote = at
	}
	return n
}

// placed is the cause of an error with the place of its operation.
type placed struct {
	err            error
	written, shown any
}

func (e *placed) Error() string {
	if e.err == nil {
		return ""
	}
	return e.err.Error()
}

func (e *placed) Unwrap() error { return e.err }

// Places returns where the operation was written, and where its elements were asked for.
func (e *placed) Places() (written, shown any) { return e.written, e.shown }

// withPlace returns err, of n, with n's place. An *Error stays one.
func (n *node) withPlace(err error) error {
	if known := new(placed); n.wrote == nil || errors.As(err, &known) {
		return err
	}
	p := &placed{err, n.wrote, here()}
	e, ok := err.(*Error)
	if !ok {
		return p
	}
	named := *e
	if p.err = e.Err; named.Msg == "" && e.Err != nil {
		named.Msg = e.Err.Error()
	}
	named.Err = p
	return &named
}

// placing calls f, which computes n, and gives its errors n's place. What else it panics with goes on as it is, as
// interrupts do.
func (n *node) placing(f func() error) error {
	if n.wrote == nil {
		return f()
	}
	defer func() {
		switch p := recover().(type) {
		case nil: // or the goroutine ends
		case *Error:
			panic(n.withPlace(p))
		default:
			panic(p)
		}
	}()
	if err := f(); err != nil {
		return n.withPlace(err)
	}
	return nil
}
