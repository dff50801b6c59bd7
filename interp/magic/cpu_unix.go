//go:build unix

package magic

import (
	"time"

	"golang.org/x/sys/unix"
)

// cpuTimes is what the process and its ended children have used.
func cpuTimes() (user, sys time.Duration) {
	for _, who := range []int{unix.RUSAGE_SELF, unix.RUSAGE_CHILDREN} {
		var u unix.Rusage
		if unix.Getrusage(who, &u) == nil {
			user += time.Duration(u.Utime.Nano())
			sys += time.Duration(u.Stime.Nano())
		}
	}
	return user, sys
}
