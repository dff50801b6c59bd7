package budget

import (
	"math"

	"golang.org/x/sys/unix"
)

func systemMemory() int64 {
	n, err := unix.SysctlUint64("hw.memsize")
	if err != nil {
		return 0
	}
	return int64(n)
}

// addresses is a limit of the address space that is not looked for here.
func addresses() int64 { return math.MaxInt64 }
