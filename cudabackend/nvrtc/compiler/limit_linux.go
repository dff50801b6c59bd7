//go:build !nocuda

package compiler

import (
	"golang.org/x/sys/unix"

	"github.com/arrayrepl/arrayrepl/internal/budget"
)

// limitMemory lets the process have half of the memory that is free, and 1 GiB at least.
func limitMemory() {
	most := uint64(max(budget.Free()/2, 1<<30))
	var was unix.Rlimit
	if unix.Getrlimit(unix.RLIMIT_DATA, &was) == nil {
		unix.Setrlimit(unix.RLIMIT_DATA, &unix.Rlimit{Cur: min(most, was.Max), Max: was.Max})
	}
}
