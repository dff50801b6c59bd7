package lazy

import (
	"context"

	"github.com/arrayrepl/arrayrepl/internal/golabel"
)

// evaluating is held by the evaluation that is under way: it alone writes to nodes.
var evaluating = make(chan struct{}, 1)

// errWithin is what an annotated function gets that asks for elements which are not there while it runs.
var errWithin error = &Error{Msg: "an annotated function, the estimator of its costs, or a placement policy " +
	"asks for elements of a lazy array while it runs. A function gets its arguments as arrays that are there, a policy " +
	"its candidates: compute with package arrays, or with Go slices, and return the result"}

// lock waits for its turn to evaluate; unlock ends it. An annotated function that asks for elements while the
// evaluation that calls it waits for it would wait for ever: it gets errWithin.
func lock(ctx context.Context) error {
	select {
	case evaluating <- struct{}{}:
		return nil
	default:
	}
	if golabel.Within() {
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
