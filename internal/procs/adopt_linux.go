package procs

import (
	"os"
	"os/signal"
	"runtime"
	"sync/atomic"

	"golang.org/x/sys/unix"
)

var adopts atomic.Bool

// Adopts reports whether all that this process has started is below it in the table, whatever its parents did: see
// [Adopting].
func Adopts() bool { return adopts.Load() }

// Adopting runs main in a process that becomes the parent of those below it whose own parent has ended, in the place of
// the first process of the system. So [Below] finds all of them, also when they lead sessions of their own (setsid, two
// forks).
//
// It is called from the process's main thread, with that locked, and exits when main returns. Whom the process adopts
// belongs to that thread, which starts nothing itself; so it may ask how they ended without taking the answer from
// whoever waits for a process that he has started. See prctl(2), PR_SET_CHILD_SUBREAPER, and __WNOTHREAD in wait(2).
func Adopting(main func()) {
	if unix.Gettid() != os.Getpid() || unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != nil {
		main()
		return
	}
	adopts.Store(true)
	ended := make(chan os.Signal, 1)
	signal.Notify(ended, unix.SIGCHLD)
	go func() {
		main()
		os.Exit(0)
	}()
	for range ended {
		for {
			pid, err := unix.Wait4(-1, nil, unix.WNOHANG|unix.WNOTHREAD, nil)
			if err == unix.EINTR {
				continue
			}
			if err != nil || pid <= 0 {
				break
			}
		}
	}
	runtime.Goexit() // the channel is never closed
}
