package widgets

import "sync/atomic"

var prepared atomic.Pointer[func()]

// Prepare says what [Prepared] will run. A session that can run nothing but cells runs a Go function so: as a cell that
// calls Prepared.
func Prepare(f func()) { prepared.Store(&f) }

// Prepared runs what was prepared, once.
func Prepared() {
	if f := prepared.Swap(nil); f != nil {
		(*f)()
	}
}
