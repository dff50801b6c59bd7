package display

import "sync/atomic"

var reproducible atomic.Bool

// SetReproducible has what is shown leave out, or keep again, what this machine's clock says, bars of progress among
// it: two runs of a notebook then show the same, as far as its cells do not print times of their own.
func SetReproducible(on bool) { reproducible.Store(on) }

// Reproducible is what SetReproducible has set.
func Reproducible() bool { return reproducible.Load() }
