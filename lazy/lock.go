package lazy

import (
	"context"
	goruntime "runtime"
	"strings"
)

// evaluating is held by the evaluation that is under way: it alone writes to nodes.
var evaluating = make(chan struct{}, 1)

// errWithin is what an annotated function gets that asks for elements which are not there while it runs.
var errWithin error = &Error{Msg: "an annotated function, or the estimator of its costs, asks for elements of a lazy array while it runs. " +
	"It gets its arguments as arrays that are there: compute with package arrays, or with Go slices, and return the result"}

// lock waits for its turn to evaluate; unlock ends it. An annotated function that asks for elements while the evaluation that
// calls it waits for it would wait for ever: it gets errWithin.
func lock(ctx context.Context) error {
	select {
	case evaluating <- struct{}{}:
		return nil
	default:
	}
	if withinCall() {
		return errWithin
	}
	select {
	case evaluating <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func unlock() { <-evaluating }

// withinCall reports whether an evaluation has called the caller: its stack tells, as functions that are cut into pieces run
// on goroutines of their own.
func withinCall() bool {
	pcs := make([]uintptr, 1<<14)
	frames := goruntime.CallersFrames(pcs[:goruntime.Callers(1, pcs)])
	for {
		f, more := frames.Next()
		switch {
		case strings.HasSuffix(f.Function, "/lazy.(*group).piece"),
			strings.HasSuffix(f.Function, "/offload.(*Runtime).Run"),
			strings.HasSuffix(f.Function, "/offload.(*Annotation).Choose"):
			return true
		case !more:
			return false
		}
	}
}
