//go:build !linux && !darwin

package budget

import "math"

func systemMemory() int64 { return 0 }

// addresses is a limit of the address space that is not looked for here.
func addresses() int64 { return math.MaxInt64 }
