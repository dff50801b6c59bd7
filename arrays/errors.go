package arrays

import (
	"errors"
	"strconv"
	"strings"
)

// Error is what every failed operation of the package reports: operations panic with it, Resolve functions and I/O
// return it. A session shows it as one line.
type Error struct {
	Op     string  // the operation in NumPy's spelling ("add", "reshape"); empty for pure geometry
	Shapes [][]int // the operands' shapes where they matter, else nil
	Msg    string  // what was wrong and what to do
	Err    error   // the cause, or nil; its text is already part of Msg unless Msg is empty
}

// Error returns "op: message" on one line.
func (e *Error) Error() string {
	msg := e.Msg
	if msg == "" && e.Err != nil {
		msg = e.Err.Error()
	}
	if e.Op == "" {
		return msg
	}
	return e.Op + ": " + msg
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// withOp returns err as an *Error of operation op; geometry errors carry no operation of their own.
func withOp(op string, err error) *Error {
	var typed *Error
	if errors.As(err, &typed) {
		named := *typed
		if named.Op == "" {
			named.Op = op
		}
		return &named
	}
	return &Error{Op: op, Err: err}
}

// asOp returns err as an *Error of operation op, whatever operation it was of.
func asOp(op string, err error) *Error {
	named := withOp(op, err)
	named.Op = op
	return named
}

// check panics with err as an error of op, if there is one.
func check(op string, err error) {
	if err != nil {
		panic(withOp(op, err))
	}
}

// shapeString writes a shape as messages do: (3,4), (5,) or ().
func shapeString(shape []int) string {
	var b strings.Builder
	b.WriteByte('(')
	for i, n := range shape {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(strconv.Itoa(n))
	}
	if len(shape) == 1 {
		b.WriteByte(',')
	}
	b.WriteByte(')')
	return b.String()
}
