package brook

import np "github.com/arrayrepl/arrayrepl/lazy"

// Error is what was wrong with a call.
type Error = np.Error

func check(op string, err error) {
	if err == nil {
		return
	}
	panic(&Error{Op: op, Msg: err.Error()})
}
