package viz

import "github.com/arrayrepl/arrayrepl/arrays"

// scan calls do with the pieces of 0 to n, one after the other. Between them an interrupt can end the work: a chart may
// be asked for of hundreds of millions of values.
func scan(n int, do func(lo, hi int)) {
	const step = 1 << 20
	for lo := 0; lo < n; lo += step {
		arrays.Wiring{}.Poll()
		do(lo, min(lo+step, n))
	}
}
