package budget

import (
	"math"
	"os"

	"golang.org/x/sys/unix"
)

func systemMemory() int64 {
	var info unix.Sysinfo_t
	if unix.Sysinfo(&info) != nil {
		return 0
	}
	return int64(uint64(info.Totalram) * uint64(info.Unit))
}

// addresses returns how much may be added to the address space: less than all where the process has a limit, as of
// ulimit -v. Go ends the process where the system refuses it memory.
func addresses() int64 {
	var limit unix.Rlimit
	if unix.Getrlimit(unix.RLIMIT_AS, &limit) != nil || limit.Cur > math.MaxInt64 {
		return math.MaxInt64
	}
	pages, ok := number("/proc/self/statm")
	if !ok {
		return math.MaxInt64
	}
	return max(int64(limit.Cur)-pages*int64(os.Getpagesize()), 0)
}
