//go:build !unix

package magic

import "time"

// cpuTimes is not known here.
func cpuTimes() (user, sys time.Duration) { return 0, 0 }
