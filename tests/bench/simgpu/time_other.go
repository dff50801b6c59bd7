//go:build !unix

package main

import (
	"runtime"
	"time"
)

var started = time.Now()

// processorTime returns the time since the program began: there is no better clock here.
func processorTime() time.Duration { return time.Since(started) }

// peakMemory returns what the Go runtime has asked of the system.
func peakMemory() float64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return float64(m.Sys)
}
