package arrays

import (
	"errors"
	"fmt"

	"github.com/arrayrepl/arrayrepl/internal/brief"
	"github.com/arrayrepl/arrayrepl/internal/reading"
)

// Each public reader defers reading.Guard with what readerError returns, and what it calls names neither the operation
// nor the file.

// intoError is [reading.Guard] for a part of what is read, whose error gets a name further out.
func intoError(err *error) { reading.Recovered[*Error](err, recover()) }

// readerError names the operation and the source, a path or "" of what has none, in the errors of a reader.
func readerError(op, source string) func(error) error {
	return func(cause error) error {
		e := &Error{Op: op, Msg: reading.Reason(source, cause), Err: cause}
		var typed *Error
		if errors.As(cause, &typed) {
			e.Shapes, e.Err = typed.Shapes, typed.Err
			if e.Err == nil {
				e.Err = cause
			}
		}
		if source != "" {
			e.Msg = brief.Path(source) + ": " + e.Msg
		}
		return e
	}
}

// badFile is the error of what is wrong with a file. A cause's text is part of the message already.
func badFile(cause error, format string, args ...any) error {
	return &Error{Msg: fmt.Sprintf(format, args...), Err: cause}
}
