// Package poison fills memory that was given back, so that who goes on using it has results that are wrong at sight: a
// mode for finding faults, on where ARRAYREPL_DEBUG is "poison". All ones are NaN as a float and -1 or the greatest as
// an integer.
package poison

import (
	"os"
	"sync/atomic"
)

const with = 0xff

var on atomic.Bool

func init() { on.Store(os.Getenv("ARRAYREPL_DEBUG") == "poison") }

// Set turns the mode on or off, and returns whether it was on.
func Set(to bool) (before bool) { return on.Swap(to) }

// Fill fills b where the mode is on. Nobody may have b who still needs what is in it.
func Fill(b []byte) {
	if !on.Load() {
		return
	}
	for i := range b {
		b[i] = with
	}
}
