package arrays

import (
	"fmt"
	"runtime"

	"github.com/arrayrepl/arrayrepl/internal/budget"
)

// SetUnpackTimes sets how many times the size of a packed file what is in it may have, 250 at first, and returns what
// it was. A picture, a .npz file, a CSV file in gzip or an Arrow file that holds more, and more than 256 MB, is
// refused, as a file of a few MB can be made to fill all memory. Set it for a file that you trust: a picture of one
// colour, an array of zeros.
func SetUnpackTimes(n int) (before int) { return budget.SetUnpackTimes(n) }

// intoError makes a panic the error of what reads a file: one that refuses memory, one of an operation on arrays, and a
// fault of a reader, which damaged files find. Others, as of an interrupt, go on.
func intoError(err *error) {
	switch r := recover().(type) {
	case nil:
	case budget.Refused:
		*err = r.Err
	case *Error:
		*err = r
	case runtime.Error:
		*err = &Error{Msg: fmt.Sprintf("the file is damaged, or its reader has a fault: %v", r)}
	default:
		panic(r)
	}
}
