// Package reading guards what reads files and streams: whatever the bytes are, the caller gets a value or an error.
package reading

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/arrayrepl/arrayrepl/internal/brief"
	"github.com/arrayrepl/arrayrepl/internal/budget"
	"github.com/arrayrepl/arrayrepl/internal/mmap"
)

// Guard is deferred by each public function that reads. It makes errors of panics that are about what is read: of one
// that refuses memory, of one of type E, with which the operations of a package panic, and of a fault of a reader,
// which damaged files find. Others go on, as those of an interrupt, and of a reader of the caller's. Each error gets
// its name from named, so that operation and file are in its text once.
func Guard[E error](err *error, named func(cause error) error) {
	Recovered[E](err, recover())
	if *err != nil {
		*err = named(*err)
	}
}

// Recovered makes what a deferred function has recovered an error, as [Guard] does.
func Recovered[E error](err *error, recovered any) {
	switch r := recovered.(type) {
	case nil:
	case budget.Refused:
		*err = r.Err
	case E:
		*err = r
	case runtime.Error:
		if fault := mmap.Reason(r); fault != nil {
			*err = fault
			return
		}
		*err = fmt.Errorf("the file is damaged, or its reader has a fault: %w", r)
	default:
		panic(r)
	}
}

// Reason is what an error of reading a file says without the path, which the system's errors have too. A notebook's
// working directory is easily another than one thinks, so that it is said where a file was looked for.
func Reason(path string, err error) string {
	var system *fs.PathError
	if !errors.As(err, &system) {
		return err.Error()
	}
	reason := brief.Reason(system.Err)
	if system.Op == "open" || system.Op == "stat" {
		dir := filepath.Dir(path)
		if abs, err := filepath.Abs(path); err == nil {
			dir = filepath.Dir(abs)
		}
		reason = fmt.Sprintf("cannot be opened: %s (looked for in directory %s)", reason, brief.Path(dir))
	} else if err == error(system) {
		reason = "cannot be read: " + reason
	}
	return strings.Replace(err.Error(), system.Error(), reason, 1)
}

// Decoder is deferred around a library that decodes, and that finds what is wrong with a file by Go's own bounds, or
// says it by panics with texts and errors. Refusals of memory, errors of type E and interrupts go on, to [Guard].
func Decoder[E error](err *error) {
	switch r := recover().(type) {
	case nil:
	case budget.Refused, E:
		panic(r)
	case runtime.Error:
		if fault := mmap.Reason(r); fault != nil {
			*err = fault
			return
		}
		*err = damaged{"it refers to what is not in it", r}
	case string:
		*err = damaged{brief.Text(r), nil}
	case error:
		if errors.Is(r, context.Canceled) || errors.Is(r, context.DeadlineExceeded) {
			panic(r)
		}
		*err = damaged{brief.Reason(r), r}
	default:
		panic(r)
	}
}

// Fault is an error whose text is ours, and whose cause, if there is one, is what a library or the system has said; the
// text has of it what a reader of messages needs.
func Fault(cause error, format string, args ...any) error {
	return fault{fmt.Sprintf(format, args...), cause}
}

type fault struct {
	msg   string
	cause error
}

// Error implements error.
func (f fault) Error() string { return f.msg }

// Unwrap returns the cause.
func (f fault) Unwrap() error { return f.cause }

// damaged is the error of a file that a decoder gave up, in our words.
type damaged struct {
	how   string
	cause error
}

// Error implements error.
func (d damaged) Error() string { return "the file is damaged: " + d.how }

// Unwrap returns what the decoder said.
func (d damaged) Unwrap() error { return d.cause }
