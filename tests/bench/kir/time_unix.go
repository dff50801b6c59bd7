//go:build unix

package main

import "syscall"

// processorTime returns the seconds that the process has used of processors.
func processorTime() float64 {
	var u syscall.Rusage
	must(0, syscall.Getrusage(syscall.RUSAGE_SELF, &u))
	return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9
}
